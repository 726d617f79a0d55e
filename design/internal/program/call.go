package program

import (
	"cmp"
	"slices"
	"strconv"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A use is a parameter as one action means it. For the parameters of the pattern the action
// is nil: the same name is the same value in all actions. A use without a parameter is the
// item or group that the action is given.
type use struct {
	of    *resolve.PlannedWrite
	param string
	kind  string
}

func newCall(plan *resolve.Plan) *Call {
	c := &Call{Pattern: plan.Pattern, Plan: plan, uses: map[use]*Input{}}
	if plan.Read != nil {
		c.Read = newRead(plan.Read)
		c.readInputs()
		return c
	}
	if len(plan.Parts) > 0 {
		c.snapshot(plan)
		return c
	}
	for _, w := range plan.Writes {
		c.Writes = append(c.Writes, &WriteStep{PlannedWrite: w, Name: actionName(w)})
	}
	c.wholes()
	c.keyInput()
	for _, repeated := range []bool{false, true} { // a parameter that another action uses too has one value for all items
		for _, w := range c.Writes {
			if (w.Repeats != nil) == repeated {
				c.ownKey(w)
				c.writeInputs(w)
			}
		}
	}
	c.agreements()
	slices.SortStableFunc(c.Inputs, func(a, b *Input) int { return place(a) - place(b) })
	return c
}

// snapshot adds the parts of a snapshot. A parameter of the same name and kind is one input of
// all parts.
func (c *Call) snapshot(plan *resolve.Plan) {
	for _, r := range plan.Parts {
		part := &Call{Pattern: r.Pattern, Plan: plan, Read: newRead(r), Inputs: c.Inputs, uses: c.uses}
		part.readInputs()
		c.Inputs = part.Inputs
		c.Parts = append(c.Parts, part)
	}
	for _, part := range c.Parts {
		part.Inputs = c.Inputs
	}
}

// ownKey gives a repeated action the whole of its key for each item, if other actions use
// all of it too: with their values, every item of the call would be the same one.
func (c *Call) ownKey(w *WriteStep) {
	group := w.Repeats
	if group == nil || group.Kind != Group || root(w.PlannedWrite) != w.PlannedWrite {
		return
	}
	var members []*Input
	for _, k := range w.Key {
		for _, part := range parameters(k.Low) {
			if c.find(w.PlannedWrite, w, part.Value.Param, part.Attribute).IsZero() {
				return
			}
			same := func(m *Input) bool { return m.Name == part.Value.Param && m.Attribute == part.Attribute }
			if !slices.ContainsFunc(members, same) {
				members = append(members, &Input{Kind: Value, Name: part.Value.Param, Attribute: part.Attribute, Type: part.Attribute.Type})
			}
		}
	}
	group.Members = append(group.Members, members...)
}

// parameters returns the parts of a text that the caller gives.
func parameters(t resolve.Text) []resolve.TextPart {
	var all []resolve.TextPart
	for _, part := range t {
		if part.Value != nil && part.Value.Param != "" && part.Shards == 0 {
			all = append(all, part)
		}
	}
	return all
}

// agreements adds the values of counted items that must be those of the item that counts.
func (c *Call) agreements() {
	for _, w := range c.Writes {
		for _, agree := range w.Agree {
			theirs := c.counted(agree)
			if theirs.IsZero() || w.Repeats != nil {
				continue
			}
			mine := Ref{Input: w.Given, Attribute: agree.Mine}
			if w.Given == nil {
				mine = c.Ref(w, agree.Own.Param, agree.Mine)
			}
			if !mine.IsZero() && !mine.sameAs(theirs) {
				c.Agreements = append(c.Agreements, Agreement{Theirs: theirs, Mine: mine, Entity: root(agree.Of).Item.Entity, Attribute: agree.Theirs})
			}
		}
	}
}

// counted returns where a counted action has the value that finds its counter; nowhere if
// the design states it.
func (c *Call) counted(agree resolve.Agreement) Ref {
	if input := c.uses[use{of: root(agree.Of)}]; input != nil && input.Kind == Whole {
		return Ref{Input: input, Attribute: agree.Theirs}
	}
	i := slices.IndexFunc(c.Writes, func(w *WriteStep) bool { return w.PlannedWrite == agree.Of })
	if i < 0 || agree.Value.Param == "" {
		return Ref{}
	}
	ref := c.Ref(c.Writes[i], agree.Value.Param, agree.Theirs)
	ref.First = false // it means each of them
	return ref
}

// sameAs reports whether two values are one. Of a repeated input, the first item stands
// for all.
func (r Ref) sameAs(other Ref) bool {
	r.First, other.First = false, false
	return r == other
}

// place returns the rank of an input among the others.
func place(i *Input) int {
	switch {
	case i.Kind == Key:
		return 0
	case i.Kind == Whole:
		return 1
	case i.Composes:
		return 2
	}
	return 3
}

// wholes adds the items given whole and the groups of repeated actions.
func (c *Call) wholes() {
	given := map[*resolve.PlannedWrite]*Input{}
	for _, w := range c.Writes {
		own := root(w.PlannedWrite)
		if own == w.PlannedWrite {
			input := &Input{Name: c.freeName(w.Item.Entity.Name), Entity: w.Item.Entity, Repeated: w.Step.Each > 1, Most: w.Step.Each}
			switch {
			case givesWhole(w.PlannedWrite):
				input.Kind, w.Given = Whole, input
			case input.Repeated:
				input.Kind = Group
			default:
				continue
			}
			given[own], c.Inputs = input, append(c.Inputs, input)
		}
	}
	for _, w := range c.Writes {
		if input := given[root(w.PlannedWrite)]; input != nil && input.Repeated && w.Step.Each > 1 {
			w.Repeats = input
		}
	}
	for own, input := range given {
		c.uses[use{of: own}] = input
	}
}

// freeName returns a name that no input has yet.
func (c *Call) freeName(name string) string {
	for n, free := 2, name; ; n++ {
		if !slices.ContainsFunc(c.Inputs, func(i *Input) bool { return i.Name == free }) {
			return free
		}
		free = name + strconv.Itoa(n)
	}
}

// keyInput makes the primary key of the one item an update or delete changes an input
// of its own, if the caller gives all of it.
func (c *Call) keyInput() {
	p := c.Pattern
	if !p.Verb.InPlace() && p.Verb != model.Delete || len(c.Writes) == 0 {
		return
	}
	input := &Input{Kind: Key, Name: "key", Entity: p.Entity}
	named := map[use]*Input{}
	for _, a := range c.Writes[0].Primary {
		i := slices.IndexFunc(p.Where, func(w *model.Condition) bool { return w.Attribute == a && w.Op == model.Eq })
		if i < 0 || p.Where[i].Values[0].Param == "" {
			return
		}
		member := &Input{Kind: Value, Name: p.Where[i].Values[0].Param, Attribute: a, Type: a.Type}
		input.Members = append(input.Members, member)
		named[use{param: member.Name, kind: Kind(a)}] = input
	}
	for u, i := range named {
		c.uses[u] = i
	}
	c.Inputs = append(c.Inputs, input)
}

// readInputs adds the parameters of a read, in the order of where and filter.
func (c *Call) readInputs() {
	p := c.Pattern
	for _, condition := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
		for _, v := range condition.Values {
			if v.Param == "" {
				continue
			}
			input := c.add(nil, v.Param, condition.Attribute, false)
			fanned := slices.ContainsFunc(c.Read.Fans, func(f *Fan) bool { return f.Shards == 0 && f.Values == nil && f.Span == nil && f.Param == v.Param })
			if fanned || condition.Op == model.In && len(condition.Values) == 1 {
				input.Kind = List
			}
		}
	}
}

// writeInputs adds the parameters of a write: of its key, its changes and its conditions.
func (c *Call) writeInputs(w *WriteStep) {
	s := w.Statement
	for _, k := range s.Key {
		c.addText(w, k.Low, false, len(s.Only) > 0)
	}
	for _, f := range s.Item {
		c.addValue(w, f.Value, false)
		c.addOnly(w, nil, f.Only)
	}
	for _, clause := range slices.Concat(s.Update, s.Condition) {
		for _, n := range clause.Names {
			if n.Param != "" {
				c.add(w, n.Param, n.Of, false)
			}
		}
		for _, v := range clause.Values {
			c.addValue(w, v, writesKey(w, &clause) || len(clause.Only) > 0)
		}
		c.addOnly(w, &clause, clause.Only)
	}
	c.addOnly(w, nil, s.Only)
}

// writesKey reports whether a clause of an update changes a key of an index that is made of
// attributes.
func writesKey(w *WriteStep, clause *resolve.Clause) bool {
	return clause.Word != "" && len(clause.Names) > 0 && w.Item.Entity.Stored(clause.Names[0].Attribute) == nil
}

// addOnly adds the parameters of conditions that decide whether a clause, a field or the
// whole write is there.
func (c *Call) addOnly(w *WriteStep, clause *resolve.Clause, conditions []*model.Condition) {
	for _, condition := range conditions {
		attributes := []*model.Attribute{condition.Attribute}
		for _, v := range condition.Values {
			if v.Attribute != nil {
				attributes = append(attributes, v.Attribute)
			} else if v.Param != "" {
				c.add(w, v.Param, condition.Attribute, false)
			}
		}
		for _, a := range attributes {
			if v := w.Decides(clause, a); v.Param != "" {
				input := c.add(w, v.Param, a, true)
				input.Composes = input.Composes || clause != nil && writesKey(w, clause) && input.Kind == Value
			}
		}
	}
}

// Decides returns the value of an attribute that decides whether a clause is there, or
// without a clause whether a field or the whole write is: the value that the clause
// compares, else the one that the statement carries.
func (w *WriteStep) Decides(clause *resolve.Clause, a *model.Attribute) model.Operand {
	if clause != nil && (clause.Word == "" || clause.Own) {
		for _, v := range clause.Values {
			if v.Attribute == a && v.Operand != nil {
				return *v.Operand
			}
		}
	}
	return w.Statement.Decided[a]
}

// addText adds the parameters of the text of a key.
func (c *Call) addText(w *WriteStep, t resolve.Text, composes, optional bool) {
	for _, part := range parameters(t) {
		input := c.add(w, part.Value.Param, part.Attribute, optional)
		input.Composes = input.Composes || composes && input.Kind == Value
	}
}

// addValue adds the parameters of a value of the statement.
func (c *Call) addValue(w *WriteStep, v resolve.Value, optional bool) {
	switch {
	case v.Operand == nil:
		c.addText(w, v.Text, optional, true)
	case len(v.Sum) > 0:
		for _, term := range v.Sum {
			c.addTerm(w, term, v.Attribute)
		}
	case v.Operand.Param == "" || v.Next || w.Given != nil && v.Placeholder == "" && c.field(w.PlannedWrite, v.Operand.Param) != nil:
	case v.List:
		c.addList(w, v.Operand.Param, v.Attribute)
	default:
		c.add(w, v.Operand.Param, v.Attribute, optional)
	}
}

// addTerm adds the parameters of a part of a sum: its number, and the values that decide
// whether it counts.
func (c *Call) addTerm(w *WriteStep, term resolve.Term, a *model.Attribute) {
	switch {
	case term.Param == "":
	case term.Of == nil: // a parameter of the pattern, however often the action is repeated
		c.addFor(nil, nil, term.Param, a, false)
	default:
		c.addFor(term.Of, w, term.Param, cmp.Or(term.Attribute, a), false)
	}
	for _, a := range term.Compared() {
		if value := term.Values[a]; value.Param != "" {
			c.addFor(term.Of, w, value.Param, a, true)
		}
	}
}
