package program

import (
	"cmp"
	"slices"
	"strconv"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A use is a parameter as one action means it. Of a pattern's own parameters the action
// is nil: the same name is the same value in all of them. Without a parameter it is what the
// action is given as a whole.
type use struct {
	of    *resolve.Write
	param string
	kind  string
}

func newCall(l *resolve.Layout, plan *resolve.Plan) *Call {
	c := &Call{Pattern: plan.Pattern, Plan: plan, uses: map[use]*Input{}}
	if plan.Read != nil {
		c.Read = newRead(plan.Read)
		c.readInputs()
		return c
	}
	for _, w := range plan.Writes {
		c.Writes = append(c.Writes, &Write{Write: w, Name: actionName(w)})
	}
	c.wholes()
	c.keyInput(l)
	for _, repeated := range []bool{false, true} { // what another action uses too has one value for all
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

// ownKey gives a repeated action the whole of its key for each item, if other actions use
// all of that too: taken from there, every item of the call would be the same one.
func (c *Call) ownKey(w *Write) {
	group := w.Repeats
	if group == nil || group.Kind != Group || root(w.Write) != w.Write {
		return
	}
	var members []*Input
	for _, k := range w.Key {
		for _, part := range k.Low {
			if part.Value == nil || part.Value.Param == "" || part.Shards > 0 {
				continue
			}
			if c.find(w.Write, w, part.Value.Param, part.Attribute).IsZero() {
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

// agreements are the values of what is counted that must be those of the item that counts.
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

// counted is where an action that is counted has what finds its counter; nowhere if the
// design states it.
func (c *Call) counted(agree resolve.Agreement) Ref {
	if input := c.uses[use{of: root(agree.Of)}]; input != nil && input.Kind == Whole {
		return Ref{Input: input, Attribute: agree.Theirs}
	}
	i := slices.IndexFunc(c.Writes, func(w *Write) bool { return w.Write == agree.Of })
	if i < 0 || agree.Value.Param == "" {
		return Ref{}
	}
	ref := c.Ref(c.Writes[i], agree.Value.Param, agree.Theirs)
	ref.First = false // each of them is meant
	return ref
}

// sameAs reports whether two values are one: of all items of a repeated input, the first
// is as good as any.
func (r Ref) sameAs(other Ref) bool {
	r.First, other.First = false, false
	return r == other
}

// place is where an input stands among the others.
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

// wholes are the items given whole and the groups of repeated actions.
func (c *Call) wholes() {
	given := map[*resolve.Write]*Input{}
	for _, w := range c.Writes {
		own := root(w.Write)
		if own == w.Write {
			input := &Input{Name: c.freeName(w.Item.Entity.Name), Entity: w.Item.Entity, Repeated: w.Step.Each > 1, Most: w.Step.Each}
			switch {
			case givesWhole(w.Write):
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
		if input := given[root(w.Write)]; input != nil && input.Repeated && w.Step.Each > 1 {
			w.Repeats = input
		}
	}
	for own, input := range given {
		c.uses[use{of: own}] = input
	}
}

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
func (c *Call) keyInput(l *resolve.Layout) {
	p := c.Pattern
	if p.Verb != model.Update && p.Verb != model.Delete || len(c.Writes) == 0 {
		return
	}
	input := &Input{Kind: Key, Name: "key", Entity: p.Entity}
	named := map[use]*Input{}
	for _, a := range resolve.PrimaryAttributes(l.Home(p.Entity)) {
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

// readInputs are the parameters of a read, in the order of where and filter.
func (c *Call) readInputs() {
	p := c.Pattern
	for _, condition := range slices.Concat(p.Where, p.Filter) {
		for _, v := range condition.Values {
			if v.Param == "" {
				continue
			}
			input := c.add(nil, v.Param, condition.Attribute, false)
			fanned := slices.ContainsFunc(c.Read.Fans, func(f *Fan) bool { return f.Shards == 0 && f.Values == nil && f.Param == v.Param })
			if fanned || condition.Op == model.In && len(condition.Values) == 1 {
				input.Kind = List
			}
		}
	}
}

// writeInputs are the parameters of a write: of its key, what it changes, its conditions.
func (c *Call) writeInputs(w *Write) {
	s := w.Statement
	for _, k := range s.Key {
		c.addText(w, k.Low, false, len(s.Only) > 0)
	}
	for _, f := range s.Item {
		c.addValue(w, f.Value, false)
		c.addOnly(w, nil, f.Only)
	}
	for _, clause := range slices.Concat(s.Update, s.Condition) {
		for _, v := range clause.Values {
			c.addValue(w, v, writesKey(w, &clause) || len(clause.Only) > 0)
		}
		c.addOnly(w, &clause, clause.Only)
	}
	c.addOnly(w, nil, s.Only)
}

// writesKey reports whether a clause of an update changes a key of an index that is made of
// attributes.
func writesKey(w *Write, clause *resolve.Clause) bool {
	return clause.Word != "" && len(clause.Names) > 0 && w.Item.Entity.Stored(clause.Names[0].Attribute) == nil
}

func (c *Call) addOnly(w *Write, clause *resolve.Clause, conditions []*model.Condition) {
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

// Decides is the value of an attribute that decides whether a clause is there, or without
// one whether a field or the whole write is: what the clause compares, what a guard's row
// is made of, else the value after the write.
func (w *Write) Decides(clause *resolve.Clause, a *model.Attribute) model.Operand {
	if clause != nil && clause.Word == "" {
		for _, v := range clause.Values {
			if v.Attribute == a && v.Operand != nil {
				return *v.Operand
			}
		}
	}
	return w.Statement.Decided[a]
}

func (c *Call) addText(w *Write, t resolve.Text, composes, optional bool) {
	for _, part := range t {
		if part.Value == nil || part.Value.Param == "" || part.Shards > 0 {
			continue
		}
		input := c.add(w, part.Value.Param, part.Attribute, optional)
		input.Composes = input.Composes || composes && input.Kind == Value
	}
}

func (c *Call) addValue(w *Write, v resolve.Value, optional bool) {
	if v.Operand == nil {
		c.addText(w, v.Text, optional, true)
		return
	}
	if len(v.Sum) > 0 {
		for _, term := range v.Sum {
			switch {
			case term.Param == "":
			case term.Of == nil: // of the pattern, however often the action is repeated
				c.addFor(nil, nil, term.Param, v.Attribute, false)
			default:
				c.addFor(term.Of, w, term.Param, cmp.Or(term.Attribute, v.Attribute), false)
			}
			for _, a := range term.Compared() {
				if value := term.Values[a]; value.Param != "" {
					c.addFor(term.Of, w, value.Param, a, true)
				}
			}
		}
		return
	}
	if v.Operand.Param == "" || v.Next || w.Given != nil && v.Placeholder == "" && c.field(w.Write, v.Operand.Param) != nil {
		return
	}
	if v.List {
		c.addList(w, v.Operand.Param, v.Attribute)
		return
	}
	c.add(w, v.Operand.Param, v.Attribute, optional)
}
