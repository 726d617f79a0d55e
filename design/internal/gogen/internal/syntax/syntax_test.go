package syntax

import (
	"strings"
	"testing"
)

func TestOperatorsGetTheParenthesesTheyNeed(t *testing.T) {
	a, b, c := Name("a"), Name("b"), Name("c")
	for want, x := range map[string]Expr{
		"a && (b || c)":                  And(a, Or(b, c)),
		"a && b || c":                    Or(And(a, b), c),
		"a || b || c":                    Or(a, Or(b, c)),
		"!(a && b)":                      Not(And(a, b)),
		"a != b":                         Not(Compare(a, "==", b)),
		"!(a < b)":                       Not(Compare(a, "<", b)),
		"a":                              Not(Not(a)),
		"a - (b + c)":                    Join("-", a, Join("+", b, c)),
		"(a + b) * c":                    Join("*", Join("+", a, b), c),
		"a.Unix()":                       Method(Deref(a), "Unix"),
		"(*T)(a)":                        CallOf(Pointer(Name("T")), a),
		"*a == b":                        Compare(Deref(a), "==", b),
		`"x\"y"`:                         Str(`x"y`),
		"-3":                             Num("-3"),
		"[]string{}":                     Strings(),
		"func(v T) bool { return v.ok }": &Func{Params: []Param{{"v", Name("T")}}, Results: []Param{{Type: Name("bool")}}, Body: []Stmt{Returns(Dot(Name("v"), "ok"))}},
	} {
		if got := String(x); got != want {
			t.Errorf("%s is printed as %s", want, got)
		}
	}
}

func TestUsesKnowsScopes(t *testing.T) {
	k := Name("k")
	for _, test := range []struct {
		name string
		body []Stmt
		want bool
	}{
		{"a variable", []Stmt{&Do{Method(k, "Err")}}, true},
		{"a field", []Stmt{&Do{Dot(Name("params"), "k")}}, false},
		{"a string", []Stmt{&Do{Str("k")}}, false},
		{"a field of a literal", []Stmt{&Do{Make(Name("T"), Elem{Field: "k", Value: Name("v")})}}, false},
		{"a key of a map", []Stmt{&Do{Make(Name("T"), Elem{Key: k, Value: Name("v")})}}, true},
		{"after its declaration", []Stmt{Let("k", Int(1)), &Do{k}}, false},
		{"in its own declaration", []Stmt{Let("k", k)}, true},
		{"behind a block that declares it", []Stmt{&If{Cond: Name("a"), Then: []Stmt{Let("k", Int(1))}}, &Do{k}}, true},
		{"in the body of a loop over it", []Stmt{&Range{Value: "k", X: Name("all"), Body: []Stmt{&Do{k}}}}, false},
		{"as what a loop is over", []Stmt{&Range{Value: "k", X: k}}, true},
		{"as a parameter", []Stmt{&Do{&Func{Params: []Param{{"k", Name("T")}}, Body: []Stmt{&Do{k}}}}}, false},
		{"inside a function", []Stmt{&Do{&Func{Body: []Stmt{&Do{k}}}}}, true},
		{"in a case", []Stmt{&Switch{Cases: []Case{{Values: []Expr{k}}}}}, true},
	} {
		if got := Uses(test.body, "k"); got != test.want {
			t.Errorf("%s: k is used: %v", test.name, got)
		}
	}
}

func TestRewriteLeavesTheOriginal(t *testing.T) {
	field := Dot(Name("params"), "Owner")
	body := []Stmt{Returns(Method(field, "String"))}
	got := Text(Rewrite(body, func(x Expr) Expr {
		if Equal(x, field) {
			return Name("owner")
		}
		return nil
	}))
	if got != "return owner.String()\n" || Text(body) != "return params.Owner.String()\n" {
		t.Errorf("rewritten as %q, the original is %q", got, Text(body))
	}
}

func TestFilesImportWhatTheyName(t *testing.T) {
	now := CallOf(&Qualified{Path: "time", Package: "time", Name: "Now"})
	own := &Qualified{Path: "sortkey.dev/access", Package: "access", Name: "Item"}
	f := &File{Header: "// Generated.", Doc: Doc{"Package p\x07 tells the time."}, Package: "p", Decls: []Decl{
		&FuncDecl{Name: "f", Params: []Param{{"a", own}, {"b", own}}, Body: []Stmt{&Do{now}}},
	}}
	text, err := f.Source()
	if err != nil {
		t.Fatal(err)
	}
	want := "// Generated.\n\n// Package p\\a tells the time.\npackage p\n\nimport (\n\t\"time\"\n\n\t\"sortkey.dev/access\"\n)\n\nfunc f(a, b access.Item) {\n\ttime.Now()\n}\n"
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	f.Add(&VarDecl{Name: "x-y", Value: Int(1)})
	if _, err := f.Source(); err == nil || !strings.Contains(err.Error(), "no Go") {
		t.Errorf("a name with a hyphen: %v", err)
	}
}
