package arrange

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A Variant is one choice of the arguments of a call.
type Variant struct {
	Name      string // what is special about the arguments
	Arguments *bind.Arguments
}

// Variants returns arguments as a run would choose them, and copies of those with one thing
// changed at a time.
func (ar *Arranger) Variants(c *program.Call) ([]*Variant, error) {
	if c.Pattern.Verb.Reads() {
		return ar.readVariants(c), nil
	}
	return ar.writeVariants(c)
}

// readVariants returns the variants of a read.
func (ar *Arranger) readVariants(c *program.Call) []*Variant {
	var all []*Variant
	for n := range 2 * int(modes) {
		all = append(all, &Variant{Name: fmt.Sprintf("run %d", n), Arguments: ar.ReadArguments(c, n)})
	}
	return append(all, ar.varied(c, all[0].Arguments)...)
}

// writeVariants returns the variants of a write: some with which it can succeed, and some
// with fewer repeated items.
func (ar *Arranger) writeVariants(c *program.Call) ([]*Variant, error) {
	var all []*Variant
	var base *bind.Arguments
	for n := range 12 {
		s, _, err := ar.arrange(c, n)
		if err != nil {
			return nil, err
		}
		all = append(all, &Variant{Name: fmt.Sprintf("run %d", n), Arguments: s.Arguments})
		if base == nil || repetitions(s.Arguments) > repetitions(base) {
			base = s.Arguments
		}
		if most := repetitions(base); n > 2 && (most >= 3 || most == 0) {
			break
		}
	}
	for _, n := range []int{0, 1, 3} {
		if n < repetitions(base) {
			all = append(all, &Variant{Name: fmt.Sprintf("%d of what is repeated", n), Arguments: shortened(base, n)})
		}
	}
	return append(all, ar.varied(c, shortened(base, 3))...), nil
}

// repetitions returns the largest number of items of a repeated input; 0: no input is
// repeated.
func repetitions(a *bind.Arguments) int {
	n := 0
	for input, items := range a.Items {
		if input.Repeated {
			n = max(n, len(items))
		}
	}
	for _, groups := range a.Groups {
		n = max(n, len(groups))
	}
	return n
}

// shortened returns arguments with at most n items of each repeated input.
func shortened(a *bind.Arguments, n int) *bind.Arguments {
	short := a.Clone()
	for input, items := range short.Items {
		if input.Repeated && len(items) > n {
			short.Items[input] = items[:n]
		}
	}
	for input, groups := range short.Groups {
		if len(groups) > n {
			short.Groups[input] = groups[:n]
		}
	}
	return short
}

// A slot is the place of one value in arguments.
type slot struct {
	name      string
	attribute *model.Attribute
	typ       model.Type
	get       func(*bind.Arguments) (sample.Value, bool)
	set       func(*bind.Arguments, sample.Value, bool)
}

// slotIn returns the slot of a key in one of the maps of arguments.
func slotIn[K comparable](name string, a *model.Attribute, t model.Type, key K, in func(*bind.Arguments) map[K]sample.Value) slot {
	return slot{
		name: name, attribute: a, typ: t,
		get: func(args *bind.Arguments) (sample.Value, bool) { v, ok := in(args)[key]; return v, ok },
		set: func(args *bind.Arguments, v sample.Value, is bool) { state.Assign(in(args), key, v, is) },
	}
}

// slotsOf returns the slots of all values of a call, of repeated inputs those of the first
// item.
func slotsOf(c *program.Call, a *bind.Arguments) []slot {
	var all []slot
	for _, input := range c.Inputs {
		switch input.Kind {
		case program.Value:
			all = append(all, slotIn(input.Name, input.Attribute, input.Type, input, func(args *bind.Arguments) map[*program.Input]sample.Value { return args.Values }))
		case program.Key, program.Whole:
			all = append(all, itemSlots(input, a)...)
		case program.Group:
			all = append(all, groupSlots(input, a)...)
		}
	}
	return all
}

// itemSlots returns the slots of the first item or key of an input.
func itemSlots(input *program.Input, a *bind.Arguments) []slot {
	var all []slot
	first := func(args *bind.Arguments) map[*model.Attribute]sample.Value { return args.Items[input][0] }
	switch {
	case input.Kind == program.Key:
		for _, member := range input.Members {
			all = append(all, slotIn(member.Name, member.Attribute, member.Type, member.Attribute, first))
		}
	case len(a.Items[input]) > 0:
		for _, attribute := range input.Entity.Attributes {
			all = append(all, slotIn(input.Name+"."+attribute.Name, attribute, attribute.Type, attribute, first))
		}
	}
	return all
}

// groupSlots returns the slots of the first group of an input.
func groupSlots(input *program.Input, a *bind.Arguments) []slot {
	if len(a.Groups[input]) == 0 {
		return nil
	}
	var all []slot
	first := func(args *bind.Arguments) map[*program.Input]sample.Value { return args.Groups[input][0] }
	for _, member := range input.Members {
		all = append(all, slotIn(input.Name+"."+member.Name, member.Attribute, member.Type, member, first))
	}
	return all
}

// A variation collects variants of arguments.
type variation struct {
	base *bind.Arguments
	all  []*Variant
}

// add adds a variant: the base with one change.
func (v *variation) add(name string, change func(*bind.Arguments)) {
	a := v.base.Clone()
	change(a)
	v.all = append(v.all, &Variant{Name: name, Arguments: a})
}

// varied returns variants with one thing changed: a value, two values made equal, all
// optional values left out, or the length of a list.
func (ar *Arranger) varied(c *program.Call, base *bind.Arguments) []*Variant {
	v := &variation{base: base}
	slots := slotsOf(c, base)
	for _, s := range slots {
		ar.varySlot(v, s)
	}
	v.add("nothing that may be absent", func(a *bind.Arguments) {
		for _, s := range slots {
			if s.typ.Optional {
				s.set(a, sample.Value{}, false)
			}
		}
	})
	for i, s := range slots {
		v.equate(s, slots[:i])
	}
	for _, input := range c.Inputs {
		if input.Kind == program.List {
			ar.varyList(v, input)
		}
	}
	return v.all
}

// varySlot adds variants without the value of a slot and with other values.
func (ar *Arranger) varySlot(v *variation, s slot) {
	have, ok := s.get(v.base)
	if s.typ.Optional && ok {
		v.add(s.name+" absent", func(a *bind.Arguments) { s.set(a, sample.Value{}, false) })
	}
	for _, other := range ar.others(s, have) {
		v.add(fmt.Sprintf("%s = %q", s.name, other), func(a *bind.Arguments) { s.set(a, other, true) })
	}
}

// equate adds variants in which a slot has the value of another one of the same kind, which
// is not in the same item.
func (v *variation) equate(s slot, others []slot) {
	for _, other := range others {
		if itemOfSlot(s.name) != "" && itemOfSlot(s.name) == itemOfSlot(other.name) {
			continue
		}
		if value, ok := other.get(v.base); ok && program.Kind(s.attribute) == program.Kind(other.attribute) {
			v.add(s.name+" is "+other.name, func(a *bind.Arguments) { s.set(a, state.InForm(value, s.attribute), true) })
		}
	}
}

// itemOfSlot returns the item or group that a slot is in, or "".
func itemOfSlot(name string) string {
	item, _, _ := strings.Cut(name, ".")
	if item == name {
		return ""
	}
	return item
}

// varyList adds variants with lists of other lengths, and with values that keys refuse.
func (ar *Arranger) varyList(v *variation, input *program.Input) {
	element := input.Attribute
	many := slices.Clone(v.base.Lists[input])
	for len(many) < 120 {
		many = append(many, ar.invent(element, sample.Value{}))
	}
	for _, n := range []int{0, 1, 2, 100, 101, 120} {
		v.add(fmt.Sprintf("%s has %d values", input.Name, n), func(a *bind.Arguments) { a.Lists[input] = many[:n] })
	}
	for _, bad := range ar.others(slot{attribute: element, typ: element.Type}, many[0]) {
		v.add(fmt.Sprintf("%s has %q", input.Name, bad), func(a *bind.Arguments) { a.Lists[input] = []sample.Value{many[0], bad} })
	}
}

// others returns values of a slot that code may treat differently from the one it has.
func (ar *Arranger) others(s slot, have sample.Value) []sample.Value {
	another := ar.invent(s.attribute, have)
	switch s.typ.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		all := []sample.Value{{Kind: sample.Text}, another}
		if s.attribute.Default != nil && s.typ.Base != model.String {
			all = all[1:] // generated code stores the default for an empty id
		}
		for _, d := range ar.delimiters() {
			all = append(all, sample.Value{Kind: sample.Text, Text: "a" + d.String() + "b"})
		}
		return all
	case model.Integer:
		return append(numbers("0", "-1", "12345678901"), another)
	case model.Numeric, model.Decimal:
		return append(numbers("0", "-1.5"), another)
	case model.Bool:
		return []sample.Value{{Kind: sample.Truth, Truth: !have.Truth}}
	case model.Enum:
		var all []sample.Value
		for _, value := range s.typ.Values {
			all = append(all, state.Constant(s.attribute, value))
		}
		return all
	case model.ListOf, model.MapOf, model.SetOf:
		empty := another
		empty.Elements, empty.Fields = nil, nil
		return []sample.Value{empty, another}
	}
	return []sample.Value{another}
}

// numbers returns numbers as values.
func numbers(texts ...string) []sample.Value {
	var all []sample.Value
	for _, text := range texts {
		all = append(all, sample.Value{Kind: sample.Number, Text: text})
	}
	return all
}
