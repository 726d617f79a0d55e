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

// A variant is one choice of the arguments of a call.
type variant struct {
	Name      string // what is special about the arguments
	Arguments *bind.Arguments
}

// Variants are calls with arguments as a run would choose them, and with one thing of those
// changed at a time.
func (v *Arranger) Variants(c *program.Call) ([]*variant, error) {
	if c.Read != nil {
		return v.readTrials(c), nil
	}
	return v.writeTrials(c)
}

// readTrials are the trials of a read.
func (v *Arranger) readTrials(c *program.Call) []*variant {
	var all []*variant
	for n := range 2 * int(modes) {
		all = append(all, &variant{Name: fmt.Sprintf("run %d", n), Arguments: v.ReadArguments(c, n)})
	}
	return append(all, v.varied(c, all[0].Arguments)...)
}

// writeTrials are the trials of a write: some that can be done, and those with other
// numbers of what is repeated.
func (v *Arranger) writeTrials(c *program.Call) ([]*variant, error) {
	var all []*variant
	var base *bind.Arguments
	for n := range 12 {
		s, _, err := v.arrange(c, n)
		if err != nil {
			return nil, err
		}
		all = append(all, &variant{Name: fmt.Sprintf("run %d", n), Arguments: s.Arguments})
		if base == nil || most(s.Arguments) > most(base) {
			base = s.Arguments
		}
		if n > 2 && most(base) >= 3 || n > 2 && most(base) == 0 {
			break
		}
	}
	for _, n := range []int{0, 1, 3} {
		if n < most(base) {
			all = append(all, &variant{Name: fmt.Sprintf("%d of what is repeated", n), Arguments: shortened(base, n)})
		}
	}
	return append(all, v.varied(c, shortened(base, 3))...), nil
}

// most is the largest number of items of anything that is repeated; 0: nothing is.
func most(a *bind.Arguments) int {
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

// shortened are arguments with at most n items of what is repeated.
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

// A slot is one value of some arguments.
type slot struct {
	name      string
	attribute *model.Attribute
	typ       model.Type
	of        func(*bind.Arguments) (get func() (sample.Value, bool), set func(sample.Value, bool))
}

// slotIn is the slot of a key of one of the maps that arguments are made of.
func slotIn[K comparable](name string, a *model.Attribute, t model.Type, key K, in func(*bind.Arguments) map[K]sample.Value) slot {
	return slot{name, a, t, func(args *bind.Arguments) (func() (sample.Value, bool), func(sample.Value, bool)) {
		get := func() (sample.Value, bool) { v, ok := in(args)[key]; return v, ok }
		return get, func(v sample.Value, is bool) { state.Assign(in(args), key, v, is) }
	}}
}

// slots are the values a call is given: of what is repeated those of the first item.
func slots(c *program.Call, a *bind.Arguments) []slot {
	var all []slot
	for _, input := range c.Inputs {
		first := func(args *bind.Arguments) map[*model.Attribute]sample.Value { return args.Items[input][0] }
		switch input.Kind {
		case program.Value:
			all = append(all, slotIn(input.Name, input.Attribute, input.Type, input, func(args *bind.Arguments) map[*program.Input]sample.Value { return args.Values }))
		case program.Key:
			for _, member := range input.Members {
				all = append(all, slotIn(member.Name, member.Attribute, member.Type, member.Attribute, first))
			}
		case program.Whole:
			if len(a.Items[input]) == 0 {
				continue
			}
			for _, attribute := range input.Entity.Attributes {
				all = append(all, slotIn(input.Name+"."+attribute.Name, attribute, attribute.Type, attribute, first))
			}
		case program.Group:
			if len(a.Groups[input]) == 0 {
				continue
			}
			for _, member := range input.Members {
				all = append(all, slotIn(input.Name+"."+member.Name, member.Attribute, member.Type, member, func(args *bind.Arguments) map[*program.Input]sample.Value { return args.Groups[input][0] }))
			}
		}
	}
	return all
}

// varied are trials with one thing changed: a value, the length of a list, two values
// that become one, and all that may be absent left out.
func (v *Arranger) varied(c *program.Call, base *bind.Arguments) []*variant {
	var all []*variant
	try := func(name string, change func(*bind.Arguments)) {
		a := base.Clone()
		change(a)
		all = append(all, &variant{Name: name, Arguments: a})
	}
	list := slots(c, base)
	for _, s := range list {
		get, _ := s.of(base)
		have, ok := get()
		if s.typ.Optional && ok {
			try(s.name+" absent", func(a *bind.Arguments) { _, set := s.of(a); set(sample.Value{}, false) })
		}
		for _, other := range v.others(s, have) {
			try(fmt.Sprintf("%s = %q", s.name, other), func(a *bind.Arguments) { _, set := s.of(a); set(other, true) })
		}
	}
	try("nothing that may be absent", func(a *bind.Arguments) {
		for _, s := range list {
			if _, set := s.of(a); s.typ.Optional {
				set(sample.Value{}, false)
			}
		}
	})
	for i, one := range list {
		for _, other := range list[:i] {
			if itemOfSlot(one.name) != "" && itemOfSlot(one.name) == itemOfSlot(other.name) {
				continue // of one item
			}
			get, _ := other.of(base)
			if value, ok := get(); ok && program.Kind(one.attribute) == program.Kind(other.attribute) {
				try(one.name+" is "+other.name, func(a *bind.Arguments) { _, set := one.of(a); set(state.InForm(value, one.attribute), true) })
			}
		}
	}
	for _, input := range c.Inputs {
		if input.Kind == program.List {
			v.varyList(input, base, try)
		}
	}
	return all
}

// itemOfSlot is the item or group a slot is in; "" if it is in none.
func itemOfSlot(name string) string {
	item, _, _ := strings.Cut(name, ".")
	if item == name {
		return ""
	}
	return item
}

// varyList tries lists of other lengths, and with values that keys refuse.
func (v *Arranger) varyList(input *program.Input, base *bind.Arguments, try func(string, func(*bind.Arguments))) {
	element := input.Attribute
	many := slices.Clone(base.Lists[input])
	for len(many) < 120 {
		many = append(many, v.invent(element, sample.Value{}))
	}
	for _, n := range []int{0, 1, 2, 100, 101, 120} {
		try(fmt.Sprintf("%s has %d values", input.Name, n), func(a *bind.Arguments) { a.Lists[input] = many[:n] })
	}
	for _, bad := range v.others(slot{attribute: element, typ: element.Type}, many[0]) {
		try(fmt.Sprintf("%s has %q", input.Name, bad), func(a *bind.Arguments) { a.Lists[input] = []sample.Value{many[0], bad} })
	}
}

// others are values of a slot that code may treat in another way than the one it has.
func (v *Arranger) others(s slot, have sample.Value) []sample.Value {
	number := func(texts ...string) []sample.Value {
		var all []sample.Value
		for _, text := range texts {
			all = append(all, sample.Value{Kind: sample.Number, Text: text})
		}
		return all
	}
	another := v.invent(s.attribute, have)
	switch s.typ.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return []sample.Value{{Kind: sample.Text}, {Kind: sample.Text, Text: "a#b"}, another}
	case model.Integer:
		return append(number("0", "-1", "12345678901"), another)
	case model.Numeric, model.Decimal:
		return append(number("0", "-1.5"), another)
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
