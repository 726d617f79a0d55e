package bind

import (
	"fmt"
	"slices"
	"strconv"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// WritePattern returns the description of a write for package access.
func WritePattern(c *program.Call, units float64) *access.Pattern {
	return &access.Pattern{Name: c.Pattern.Name, Table: c.Writes[0].Item.Table.Name, Units: units}
}

// WriteCall fills a write with arguments as generated code would. It returns its actions,
// one for each item of those that are repeated.
func WriteCall(c *program.Call, a *Arguments) ([]call.Action, error) {
	if err := a.Disagreement(c); err != nil {
		return nil, err
	}
	var all []call.Action
	for rest := c.Writes; len(rest) > 0; {
		together := 1 // writes that are repeated together are made item by item
		for together < len(rest) && rest[together].Repeats == rest[0].Repeats {
			together++
		}
		writes, err := a.repeated(c, rest[:together])
		if err != nil {
			return nil, err
		}
		all = append(all, writes...)
		rest = rest[together:]
	}
	return withoutKept(all), nil
}

// repeated fills writes that are repeated together: all of them for the first item, then
// all for the second.
func (a *Arguments) repeated(c *program.Call, writes []*program.WriteStep) ([]call.Action, error) {
	n := 1
	if repeats := writes[0].Repeats; repeats != nil {
		n = a.Times(repeats)
	}
	var all []call.Action
	for i := range n {
		for _, w := range writes {
			write, ok, err := (&boundWrite{a, c, w, i}).write()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.Name, err)
			}
			if ok {
				all = append(all, write)
			}
		}
	}
	return all, nil
}

// A boundWrite is one write of a call with its arguments, for the i-th repeated item.
type boundWrite struct {
	a *Arguments
	c *program.Call
	w *program.WriteStep
	i int
}

// at returns the same write for another repeated item.
func (b *boundWrite) at(i int) *boundWrite { return &boundWrite{b.a, b.c, b.w, i} }

// operand returns the value of an operand, and whether the caller gives it.
func (b *boundWrite) operand(v model.Operand, of *model.Attribute) (sample.Value, bool) {
	return b.a.Operand(b.c, b.w, v, of, b.i)
}

// Disagreement returns an error if arguments differ that must be equal.
func (a *Arguments) Disagreement(c *program.Call) error {
	for _, agree := range c.Agreements {
		mine, _ := a.At(agree.Mine, 0)
		for i := range a.HowOften(agree.Theirs.Input) {
			if theirs, _ := a.At(agree.Theirs, i); theirs.String() != mine.String() {
				return &access.KeyError{Entity: agree.Entity.Name, Attribute: agree.Attribute.Name, Reason: "differs between the items of one call"}
			}
		}
	}
	return nil
}

// write returns the action, and whether these arguments need it.
func (b *boundWrite) write() (call.Action, bool, error) {
	s := b.w.Statement
	out := call.Action{Name: b.w.Name, Table: s.Table.Name, KeyNames: state.KeyNames(s.Table), Expects: call.Expectation(b.w.Expects())}
	// If the items of a call disagree, nothing is left out: changes that cancel in total may
	// still change each of them.
	leftOut := !b.holds(nil, s.Only) || b.lacksKey() || b.addsNothing()
	if leftOut && b.agrees() == nil {
		return out, false, nil
	}
	var err error
	switch b.w.Operation {
	case resolve.PutItem:
		out.Kind = call.Put
		out.Item, err = b.item()
	default:
		out.Kind = map[resolve.Operation]call.Kind{
			resolve.UpdateItem: call.Update, resolve.DeleteItem: call.Delete, resolve.ConditionCheck: call.Check,
		}[b.w.Operation]
		out.Key, err = b.key()
	}
	if err != nil {
		return out, false, err
	}
	if !b.patches() {
		return out, false, access.ErrNothingGiven
	}
	if err := b.expressions(&out); err != nil {
		return out, false, err
	}
	if err := b.transitions(); err != nil {
		return out, false, err
	}
	if err := b.agrees(); err != nil {
		return out, false, err
	}
	if b.w.Locked() {
		out.Version = b.w.Item.Entity.Version.Stored
		out.Seen = b.seen()
	}
	if b.w.Guard != nil {
		out.Taken = &access.TakenError{Entity: b.w.Guard.Entity.Name}
		for _, attribute := range b.w.Guard.Attributes {
			out.Taken.Attributes = append(out.Taken.Attributes, attribute.Name)
		}
	}
	return out, true, nil
}

// patches reports whether the caller gives at least one of the values that a patch sets, if the
// write is one.
func (b *boundWrite) patches() bool {
	all := b.w.Patches()
	return len(all) == 0 || slices.ContainsFunc(all, func(a *model.Attribute) bool {
		_, ok := b.operand(model.Operand{Param: a.Name}, a)
		return ok
	})
}

// transitions returns an error if a lifecycle does not allow a change of state.
func (b *boundWrite) transitions() error {
	for _, t := range b.w.Transitions() {
		from, known := b.operand(t.From, t.Attribute)
		to, given := b.operand(t.To, t.Attribute)
		if known && given && !t.Allows(from.Text, to.Text) {
			return &access.LifecycleError{Entity: keyedBy(b.w).Entity, Attribute: t.Attribute.Name, From: from.Text, To: to.Text}
		}
	}
	return nil
}

// agrees returns an error if repeated items differ in a value that one action uses for all of
// them.
func (b *boundWrite) agrees() error {
	for _, u := range UsesOf(b.c, b.w) {
		if !u.Ref.First {
			continue
		}
		if err := b.a.differs(u.Ref); err != nil {
			return err
		}
	}
	return nil
}

// keyedBy returns the entity whose keys a write makes. The rows of guards and of sharded
// counters belong to an entity, too.
func keyedBy(w *program.WriteStep) Keyed {
	of := Keyed{w.Item.Entity.Name, w.Item.Table}
	switch {
	case w.Guard != nil:
		of.Entity = w.Guard.Entity.Name
	case w.Shards > 1:
		i := slices.IndexFunc(of.Table.Items, func(item *model.Item) bool {
			return slices.ContainsFunc(w.Item.Entity.Attributes, func(a *model.Attribute) bool { return slices.Contains(item.Entity.Attributes, a) })
		})
		if i >= 0 {
			of.Entity = of.Table.Items[i].Entity.Name
		}
	}
	return of
}

// seen returns the version that the caller has seen, which the condition compares.
func (b *boundWrite) seen() int64 {
	for _, clause := range b.w.Statement.Condition {
		for _, v := range clause.Values {
			if v.Attribute == b.w.Item.Entity.Version && v.Operand != nil {
				value, _ := b.operand(*v.Operand, v.Attribute)
				n, _ := strconv.ParseInt(value.Text, 10, 64)
				return n
			}
		}
	}
	return 0
}

// key returns the primary key of the item that the write changes.
func (b *boundWrite) key() (access.Item, error) {
	key := access.Item{}
	for _, k := range b.w.Statement.Key {
		v, err := KeyValue(keyNamed(b.w, k.Name), k.Low, keyedBy(b.w), b.finder())
		if err != nil {
			return nil, err
		}
		key[k.Name] = v
	}
	return key, nil
}

// finder finds the values of the parts of a key. Of a sharded counter it takes any of the
// shards that the write may change.
func (b *boundWrite) finder() lookup {
	return func(part resolve.TextPart) (sample.Value, bool) {
		if part.Shards > 0 {
			n, err := strconv.ParseInt(marshal.AnyShard(int(part.Shards)), 10, 64)
			return sample.Value{Kind: sample.Text, Text: marshal.FormatInt(part.FirstShard + n)}, err == nil
		}
		return b.operand(*part.Value, part.Attribute)
	}
}

// item returns the item of a put.
func (b *boundWrite) item() (access.Item, error) {
	item := access.Item{}
	if err := b.naturalKeys(); err != nil {
		return nil, err
	}
	for _, f := range b.w.Statement.Item {
		if !b.holds(nil, f.Only) {
			continue
		}
		if f.Value.Operand == nil {
			key, of := keyNamed(b.w, f.Name), keyedBy(b.w)
			if f.Owner != nil {
				key, of = f.Owner, Keyed{b.w.Origin.Item.Entity.Name, b.w.Origin.Item.Table}
			}
			v, err := KeyValue(key, f.Value.Text, of, b.finder())
			if err != nil {
				return nil, err
			}
			item[f.Name] = v
			continue
		}
		v, ok, err := b.value(f.Value)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if item[f.Name], err = b.stored(f.Value.Attribute, v); err != nil {
			return nil, err
		}
	}
	return item, nil
}

// naturalKeys returns an error if an attribute of an item given whole that is itself a key of
// the table or of an index is an empty text or empty bytes.
func (b *boundWrite) naturalKeys() error {
	t := b.w.Item.Table
	names := state.KeyNames(t)
	for _, x := range t.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			names = append(names, key.Name)
		}
	}
	for _, name := range names {
		at := slices.IndexFunc(b.w.Statement.Item, func(f resolve.Field) bool { return f.Name == name })
		key := b.w.Item.Key(name)
		if at < 0 || b.w.Given == nil || key == nil || key.Attribute == nil || b.w.Statement.Item[at].Value.Operand == nil {
			continue
		}
		v, ok, err := b.value(b.w.Statement.Item[at].Value)
		if err == nil && ok && (v.Kind == sample.Text || v.Kind == sample.Binary) && v.Text == "" {
			return &access.KeyError{Entity: b.w.Item.Entity.Name, Attribute: key.Attribute.Name, Reason: "is empty"}
		}
	}
	return nil
}

// keyNamed returns the key attribute of the item of a write with a name, or a plain text.
func keyNamed(w *program.WriteStep, name string) *model.Key {
	if key := w.Item.Key(name); key != nil {
		return key
	}
	return &model.Key{Name: name, Template: &model.Template{}}
}
