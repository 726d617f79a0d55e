package gogen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// Actions of transactions are methods of their own. Patterns that do the same to an item
// share one: what an action needs is given to it value by value, so that it does not
// depend on the parameters of one pattern.

// A builder is the method of an action, of one transaction or of several.
type builder struct {
	name      string
	spelled   string // what it does: CreateAnswerKey
	signature string
	body      string         // with namesToken instead of the variable
	names     []resolve.Name // of that variable; none: there is no such
	variable  string
	users     []*method
}

// namesToken stands for the variable with the names of a builder until that has a name.
const namesToken = "\x00names\x00"

// isShared reports whether the builder is of several actions.
func (b *builder) isShared() bool { return len(b.users) > 1 }

// builderOf finds or makes the builder of an action, and what it is called with.
func (m *method) builderOf(w *program.Write, a action) (*builder, string) {
	first, _, _ := strings.Cut(w.Name, ",") // of several counters the first
	b := &builder{spelled: exported(strings.NewReplacer(".", " ", "+", " ").Replace(first)), names: a.names}
	if w.Guard != nil && w.Operation == resolve.DeleteItem {
		b.spelled = "Free" + strings.TrimPrefix(b.spelled, "Guard")
	}
	all := slices.Clone(m.args)
	if w.Repeats != nil {
		all = append(all, argument{m.loops[w.Repeats], strings.TrimPrefix(m.inputType(w.Repeats), "[]")})
	}
	for _, input := range m.call.Inputs {
		if seen := m.seen[input]; seen != "" {
			all = append(all, argument{seen, "int64"})
		}
	}
	b.body = a.before + "return " + a.write + "\n"
	args := usedArguments(all, b.body)
	passed := make([]string, len(args))
	for i, arg := range args {
		passed[i] = arg.name
	}
	args, passed = m.oneByOne(b, args, passed)
	b.signature = signature(args)
	key := strings.Join([]string{b.spelled, b.signature, pairs(b.names), b.body}, "\x00")
	if have := m.builders[key]; have != nil {
		b = have
	} else {
		m.builders[key] = b
		m.builderList = append(m.builderList, b)
	}
	b.users = append(b.users, m)
	return b, strings.Join(passed, ", ")
}

var paramMembers = regexp.MustCompile(`\bparams\.([\pL_][\pL\pN_]*)`)

// oneByOne gives a builder the members of the struct of parameters it uses, unless these
// are many.
func (m *method) oneByOne(b *builder, args []argument, passed []string) ([]argument, []string) {
	const most = 4
	i := slices.IndexFunc(args, func(a argument) bool { return a.name == "params" })
	if i < 0 {
		return args, passed
	}
	taken := scope{}
	for name := range m.own {
		taken[name] = true
	}
	for _, f := range m.firsts {
		taken[f.name] = true
	}
	local := map[string]string{}
	var members []argument
	var values []string
	for _, match := range paramMembers.FindAllStringSubmatch(b.body, -1) {
		name := match[1]
		if local[name] != "" {
			continue
		}
		at := slices.IndexFunc(m.params.members, func(p paramMember) bool { return p.name == name })
		local[name] = m.param(taken, name)
		members = append(members, argument{local[name], m.params.members[at].typ})
		values = append(values, "params."+name)
	}
	if len(members) > most {
		return args, passed
	}
	b.body = paramMembers.ReplaceAllStringFunc(b.body, func(text string) string { return local[strings.TrimPrefix(text, "params.")] })
	return slices.Concat(args[:i], members, args[i+1:]), slices.Concat(passed[:i], values, passed[i+1:])
}

// nameBuilders gives builders their names: one that several actions share that of what it
// does, all others that of their pattern, too.
func (c *calls) nameBuilders() {
	for _, b := range c.builderList {
		name := allowed(lowerFirst(b.spelled), "Action")
		if !b.isShared() || c.names.methods[name] {
			name = b.users[0].builder + b.spelled
		}
		b.name = c.names.methods.take(name, "")
		if len(b.names) > 0 {
			b.variable = c.pkg.take("names"+exported(b.name), "Map")
			b.body = strings.ReplaceAll(b.body, namesToken, b.variable)
		}
	}
}

// printAction prints the method of an action.
func (c *calls) printAction(p *printer, b *builder) {
	if len(b.names) > 0 {
		printNameMap(p, b.variable, b.names)
	}
	p.line("func (db *DB) %s(%s) call.Action {", b.name, b.signature)
	p.body.WriteString(b.body)
	p.line("}")
	p.blank()
}

// printShared prints the methods of actions that several transactions have.
func (c *calls) printShared(p *printer) {
	section := false
	for _, b := range c.builderList {
		if !b.isShared() {
			continue
		}
		if !section {
			p.section("actions of several patterns")
			section = true
		}
		var of []string
		for _, m := range b.users {
			if !slices.Contains(of, m.name) {
				of = append(of, m.name)
			}
		}
		if n := len(of); n > 4 {
			of = append(of[:3], fmt.Sprintf("%d others", n-3))
		}
		p.doc(fmt.Sprintf("%s is an action of %s.", b.name, listed(of)))
		c.printAction(p, b)
	}
}
