package writes

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/gogen/internal/patterns"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/resolve"
)

// Actions of transactions are methods of their own. Patterns that do the same to an item share
// one: an action gets its values one by one, so that it does not depend on the parameters of
// one pattern.

// A builder is the method of an action, of one transaction or of several.
type builder struct {
	name    string
	spelled string // what it does: CreateAnswerKey
	params  []syntax.Param
	body    []syntax.Stmt
	names   []resolve.Name // of the variable; none: there is no variable
	nameVar *syntax.Ident  // named when the builder is
	users   []*patterns.Method
}

// isShared reports whether the builder is of several actions.
func (b *builder) isShared() bool { return len(b.users) > 1 }

// builderOf finds or makes the builder of an action, and returns the arguments it is called
// with.
func (w *writer) builderOf(a *action, nameVar *syntax.Ident) (*builder, []syntax.Expr) {
	m, write := a.m, a.w
	first, _, _ := strings.Cut(write.Name, ",") // of several counters the first
	b := &builder{spelled: naming.Exported(strings.NewReplacer(".", " ", "+", " ").Replace(first)), names: a.names, nameVar: nameVar, body: a.body()}
	if write.Guard != nil && write.Operation == resolve.DeleteItem {
		b.spelled = "Free" + strings.TrimPrefix(b.spelled, "Guard")
	}
	all := slices.Clone(m.Args)
	if write.Repeats != nil {
		all = append(all, syntax.Param{Name: m.Loops[write.Repeats], Type: m.ItemType(write.Repeats)})
	}
	for _, input := range m.Call.Inputs {
		if seen := m.Seen[input]; seen != "" {
			all = append(all, syntax.Param{Name: seen, Type: syntax.Name("int64")})
		}
	}
	var args []syntax.Expr
	for _, param := range all {
		switch {
		case !syntax.Uses(b.body, param.Name):
		case param.Name == "params":
			args = append(args, b.oneByOne(a, param)...)
		default:
			b.params = append(b.params, param)
			args = append(args, syntax.Name(param.Name))
		}
	}
	signature := syntax.String(&syntax.FuncType{Params: b.params})
	key := strings.Join([]string{b.spelled, signature, fmt.Sprint(b.names), syntax.Text(b.body)}, "\x00")
	if have := w.builders[key]; have != nil {
		b = have
	} else {
		w.builders[key] = b
		w.builderList = append(w.builderList, b)
	}
	b.users = append(b.users, m)
	return b, args
}

// oneByOne gives a builder the fields of the struct of parameters that it uses, or the struct
// if these are many. It returns the arguments.
func (b *builder) oneByOne(a *action, params syntax.Param) []syntax.Expr {
	const most = 4
	field := func(x syntax.Expr) string {
		s, ok := x.(*syntax.Selector)
		if !ok || !syntax.Equal(s.X, syntax.Name(params.Name)) {
			return ""
		}
		return s.Name
	}
	taken := a.scope.Taken()
	local := map[string]string{}
	var fields []syntax.Param
	var args []syntax.Expr
	syntax.WalkBody(b.body, func(x syntax.Expr) {
		name := field(x)
		if name == "" || local[name] != "" {
			return
		}
		local[name] = a.m.Package.Items.Names.Param(taken, name)
		fields = append(fields, syntax.Param{Name: local[name], Type: a.m.ParamField(name)})
		args = append(args, syntax.Dot(syntax.Name(params.Name), name))
	})
	if len(fields) > most {
		b.params = append(b.params, params)
		return []syntax.Expr{syntax.Name(params.Name)}
	}
	b.params = append(b.params, fields...)
	b.body = syntax.Rewrite(b.body, func(x syntax.Expr) syntax.Expr {
		if name := local[field(x)]; name != "" {
			return syntax.Name(name)
		}
		return nil
	})
	return args
}

// nameBuilders names the builders: one that several actions share after what it does, all
// others after their pattern, too.
func (w *writer) nameBuilders() {
	names := w.Items.Names
	for _, b := range w.builderList {
		name := naming.Allowed(naming.LowerFirst(b.spelled), "Action")
		if !b.isShared() || names.Methods[name] {
			name = b.users[0].Builder + b.spelled
		}
		b.name = names.Methods.Take(name, "")
		if len(b.names) > 0 {
			b.nameVar.Name = names.Pkg.Take("names"+naming.Exported(b.name), "Map")
		}
	}
}

// decls builds the method of an action, and the variable with the names it uses.
func (b *builder) decls(doc syntax.Doc) []syntax.Decl {
	f := &syntax.FuncDecl{
		Receiver: patterns.Receiver, Name: b.name, Params: b.params,
		Results: []syntax.Param{{Type: writeType()}}, Body: b.body,
	}
	if len(b.names) == 0 {
		f.Doc = doc
		return []syntax.Decl{f}
	}
	names := patterns.NameMap(b.nameVar.Name, b.names)
	names.Doc = doc
	return []syntax.Decl{names, f}
}

// shared builds the methods of actions that several transactions have.
func (w *writer) shared() []syntax.Decl {
	var all []syntax.Decl
	for _, b := range w.builderList {
		if !b.isShared() {
			continue
		}
		if len(all) == 0 {
			all = append(all, &syntax.Section{Title: "actions of several patterns"})
		}
		var of []string
		for _, m := range b.users {
			if !slices.Contains(of, m.Name) {
				of = append(of, m.Name)
			}
		}
		if n := len(of); n > 4 {
			of = append(of[:3], fmt.Sprintf("%d others", n-3))
		}
		all = append(all, b.decls(syntax.Doc{fmt.Sprintf("%s makes an action of %s.", b.name, naming.Listed(of))})...)
	}
	return all
}
