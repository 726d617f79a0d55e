package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var address = &Struct{Name: "Address"}

func structs(name string) *Struct {
	if name == "Address" {
		return address
	}
	return nil
}

// nested returns a list type nested to the given depth.
func nested(levels int) string {
	return strings.Repeat("list<", levels-1) + "string" + strings.Repeat(">", levels-1)
}

func TestTypes(t *testing.T) {
	text := Type{Base: String}
	for _, test := range []struct {
		text string
		want Type
	}{
		{"string", text},
		{" int ? ", Type{Base: Integer, Optional: true}},
		{"uuidv7?", Type{Base: UUIDv7, Optional: true}},
		{"enum(A)", Type{Base: Enum, Values: []string{"A"}}},
		{"enum( open, in-progress,v1.2 )?", Type{Base: Enum, Values: []string{"open", "in-progress", "v1.2"}, Optional: true}},
		{"list<string>", Type{Base: ListOf, Element: &text}},
		{"map< list<string> >?", Type{Base: MapOf, Element: &Type{Base: ListOf, Element: &text}, Optional: true}},
		{"set<bytes>", Type{Base: SetOf, Element: &Type{Base: Bytes}}},
		{"set<enum(A, B)>", Type{Base: SetOf, Element: &Type{Base: Enum, Values: []string{"A", "B"}}}},
		{"Address", Type{Base: StructOf, Struct: address}},
		{"list<Address>", Type{Base: ListOf, Element: &Type{Base: StructOf, Struct: address}}},
	} {
		got, err := ParseType(test.text, structs)
		if err != nil {
			t.Errorf("ParseType(%q): %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("ParseType(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestEveryBaseIsAType(t *testing.T) {
	for _, base := range Bases {
		got, err := ParseType(string(base), nil)
		if err != nil || got.Base != base {
			t.Errorf("ParseType(%q) = %v, %v", base, got, err)
		}
	}
}

func TestInvalidTypes(t *testing.T) {
	for _, test := range []struct {
		text           string
		offset, length int
		unknown        bool
		message        string
	}{
		{"", 0, 1, false, "a type is missing"},
		{"?", 0, 1, false, "a type is missing"},
		{"strng", 0, 5, true, `there is no type "strng"; did you mean string?`},
		{"String", 0, 6, true, "did you mean string?"},
		{"boolean?", 0, 7, true, "did you mean bool?"},
		{"datetime", 0, 8, true, "did you mean timestamp?"},
		{"Adress", 0, 6, true, `there is no type "Adress"`},
		{"struct", 0, 6, true, `there is no type "struct"`},
		{"list<strin>", 5, 5, true, "did you mean string?"},
		{"int int", 4, 3, false, `the type ends before "int"`},
		{"int??", 4, 1, false, `the type ends before "?"`},
		{"enum", 0, 4, false, "enum needs its values: enum(A, B)"},
		{"enum()", 5, 1, false, "a value of the enum is missing"},
		{"enum(A,)", 7, 1, false, "a value of the enum is missing"},
		{"enum(A#B)", 6, 1, false, `a comma or ) is missing after "A"`},
		{"enum(A", 6, 1, false, "a comma or ) is missing"},
		{"enum(A, B, A)", 11, 1, false, "A is in the enum twice"},
		{"list", 0, 4, false, "list needs the type of its elements: list<string>"},
		{"list<>", 5, 1, false, "a type is missing"},
		{"list<int", 8, 1, false, "> is missing: list<int>"},
		{"list<int?>", 8, 1, false, "? stands at the end, as in list<int>?"},
		{"set<bool>", 4, 4, false, "sets hold texts, numbers or bytes"},
		{"set<list<int>>", 4, 9, false, "sets hold texts, numbers or bytes"},
		{"set<json>", 4, 4, false, "sets hold texts, numbers or bytes"},
		{"set<Address>", 4, 7, false, "sets hold texts, numbers or bytes"},
	} {
		_, err := ParseType(test.text, structs)
		checkError(t, test.text, err, test.offset, test.length, test.unknown, test.message)
	}
}

func TestTypesNestTenLevels(t *testing.T) {
	if _, err := ParseType(nested(deepestType), nil); err != nil {
		t.Errorf("%d levels: %v", deepestType, err)
	}
	_, err := ParseType(nested(deepestType+1), nil)
	checkError(t, "11 levels", err, 45, 4, false, "at most 10 levels deep")
}

// checkError compares an error with the expected one.
func checkError(t *testing.T, text string, err *SyntaxError, offset, length int, unknown bool, message string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%q was read without an error", text)
	case err.Offset != offset || err.Length != length:
		t.Errorf("%q: error at %d, %d characters; want %d, %d: %v", text, err.Offset, err.Length, offset, length, err)
	case err.Unknown != unknown:
		t.Errorf("%q: Unknown = %v: %v", text, err.Unknown, err)
	case !strings.Contains(err.Error(), message):
		t.Errorf("%q: %q does not say %q", text, err, message)
	case strings.HasSuffix(err.Message, "."):
		t.Errorf("%q: the message ends with a full stop: %q", text, err)
	}
}

func FuzzParseType(f *testing.F) {
	for _, seed := range []string{"string?", "enum(A, B)", "map<list<Address>>", "list<list<", "set<bool>", "enum(é)", "int\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseType(text, structs)
		if err != nil {
			checkBounds(t, text, err)
			return
		}
		again, err := ParseType(parsed.String(), structs)
		if err != nil {
			t.Fatalf("%q prints as %q, which cannot be read: %v", text, parsed, err)
		}
		if diff := cmp.Diff(parsed, again); diff != "" {
			t.Errorf("%q changes when printed (-before +after):\n%s", text, diff)
		}
	})
}

// checkBounds checks that an error points into its text.
func checkBounds(t *testing.T, text string, err *SyntaxError) {
	t.Helper()
	characters := len([]rune(text))
	if err.Offset < 0 || err.Length < 1 || err.Offset+err.Length > characters+1 || err.Message == "" {
		t.Errorf("%q: an error at %d of %d characters: %q", text, err.Offset, err.Length, err.Message)
	}
	if len(err.Message) > 2000+2*len(text) {
		t.Errorf("%q: a message of %d bytes", text, len(err.Message))
	}
}
