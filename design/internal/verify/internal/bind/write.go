package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// WritePattern is what access knows of a write.
func WritePattern(c *program.Call, units float64) *access.Pattern {
	return &access.Pattern{Name: c.Pattern.Name, Table: c.Writes[0].Item.Table.Name, Units: units}
}

// WriteCall fills a write pattern with arguments as generated code would: its actions, one
// for each item of those that are repeated.
func WriteCall(c *program.Call, a *Arguments) ([]access.Write, error) {
	if err := a.Disagreement(c); err != nil {
		return nil, err
	}
	var all []access.Write
	for rest := c.Writes; len(rest) > 0; {
		together := 1 // those that are repeated together are made item by item
		for together < len(rest) && rest[together].Repeats == rest[0].Repeats {
			together++
		}
		n := 1
		if repeats := rest[0].Repeats; repeats != nil {
			n = a.Times(repeats)
		}
		for i := range n {
			for _, w := range rest[:together] {
				write, ok, err := a.write(c, w, i)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", w.Name, err)
				}
				if ok {
					all = append(all, write)
				}
			}
		}
		rest = rest[together:]
	}
	return settled(all), nil
}

// Disagreement says which values differ that must be the same.
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

// write is one action, and whether there is one with these arguments.
func (a *Arguments) write(c *program.Call, w *program.Write, i int) (access.Write, bool, error) {
	s := w.Statement
	out := access.Write{Name: w.Name, Table: s.Table.Name, KeyNames: state.KeyNames(s.Table), Expects: access.Expectation(w.Expects())}
	// Where the items of a call do not agree nothing is left out: what they change together
	// may be nothing, and each of them something of its own.
	leftOut := !a.holds(c, w, nil, s.Only, i) || a.lacksKey(c, w, i) || a.addsNothing(c, w, i)
	if leftOut && a.agrees(c, w) == nil {
		return out, false, nil
	}
	var err error
	switch w.Operation {
	case resolve.PutItem:
		out.Action = access.Put
		out.Item, err = a.item(c, w, i)
	default:
		out.Action = map[resolve.Operation]access.Action{
			resolve.UpdateItem: access.Update, resolve.DeleteItem: access.Delete, resolve.ConditionCheck: access.Check,
		}[w.Operation]
		out.Key, err = a.key(c, w, i)
	}
	if err != nil {
		return out, false, err
	}
	if err := a.expressions(c, w, i, &out); err != nil {
		return out, false, err
	}
	if err := a.steps(c, w, i); err != nil {
		return out, false, err
	}
	if err := a.agrees(c, w); err != nil {
		return out, false, err
	}
	if w.Locked() {
		out.Version = w.Item.Entity.Version.Stored
		out.Seen = a.seen(c, w, i)
	}
	if w.Guard != nil {
		out.Taken = &access.TakenError{Entity: w.Guard.Entity.Name}
		for _, attribute := range w.Guard.Attributes {
			out.Taken.Attributes = append(out.Taken.Attributes, attribute.Name)
		}
	}
	return out, true, nil
}

// steps refuses a change of state that the lifecycle does not have.
func (a *Arguments) steps(c *program.Call, w *program.Write, i int) error {
	for _, t := range w.Transitions() {
		from, known := a.Operand(c, w, t.From, t.Attribute, i)
		to, given := a.Operand(c, w, t.To, t.Attribute, i)
		if known && given && !t.Allows(from.Text, to.Text) {
			return &access.LifecycleError{Entity: keyedBy(w).Entity, Attribute: t.Attribute.Name, From: from.Text, To: to.Text}
		}
	}
	return nil
}

// agrees makes sure that all items of what is repeated have the values that one action for
// all of them uses.
func (a *Arguments) agrees(c *program.Call, w *program.Write) error {
	for _, u := range UsesOf(c, w) {
		if !u.Ref.First {
			continue
		}
		if err := a.differs(u.Ref); err != nil {
			return err
		}
	}
	return nil
}

// keyedBy is the entity whose keys a write makes. The rows of guards and of spread
// counters belong to one, though they are none.
func keyedBy(w *program.Write) Keyed {
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

// seen is the version the caller saw: what the condition compares.
func (a *Arguments) seen(c *program.Call, w *program.Write, i int) int64 {
	for _, clause := range w.Statement.Condition {
		for _, v := range clause.Values {
			if v.Attribute == w.Item.Entity.Version && v.Operand != nil {
				value, _ := a.Operand(c, w, *v.Operand, v.Attribute, i)
				n, _ := strconv.ParseInt(value.Text, 10, 64)
				return n
			}
		}
	}
	return 0
}

// key is the primary key of the item an action changes.
func (a *Arguments) key(c *program.Call, w *program.Write, i int) (access.Item, error) {
	key := access.Item{}
	for _, k := range w.Statement.Key {
		v, err := KeyValue(keyNamed(w, k.Name), k.Low, keyedBy(w), a.writeFinder(c, w, i))
		if err != nil {
			return nil, err
		}
		key[k.Name] = v
	}
	return key, nil
}

// writeFinder finds the values of the parts of a key that a write makes. Of a counter
// that is spread any shard will do, of those that are this write's.
func (a *Arguments) writeFinder(c *program.Call, w *program.Write, i int) lookup {
	return func(part resolve.TextPart) (sample.Value, bool) {
		if part.Shards > 0 {
			n, err := strconv.ParseInt(access.AnyShard(int(part.Shards)), 10, 64)
			return sample.Value{Kind: sample.Text, Text: access.FormatInt(part.FirstShard + n)}, err == nil
		}
		return a.Operand(c, w, *part.Value, part.Attribute, i)
	}
}

// item is the whole item of a put.
func (a *Arguments) item(c *program.Call, w *program.Write, i int) (access.Item, error) {
	item := access.Item{}
	if err := a.naturalKeys(c, w, i); err != nil {
		return nil, err
	}
	for _, f := range w.Statement.Item {
		if !a.holds(c, w, nil, f.Only, i) {
			continue
		}
		if f.Value.Operand == nil {
			v, err := KeyValue(keyNamed(w, f.Name), f.Value.Text, keyedBy(w), a.writeFinder(c, w, i))
			if err != nil {
				return nil, err
			}
			item[f.Name] = v
			continue
		}
		v, ok, err := a.value(c, w, f.Value, i)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if item[f.Name], err = a.stored(w, f.Value.Attribute, v); err != nil {
			return nil, err
		}
	}
	return item, nil
}

// naturalKeys refuses empty texts and bytes of an item given whole where an attribute is a
// key as it is, of the table or of an index.
func (a *Arguments) naturalKeys(c *program.Call, w *program.Write, i int) error {
	t := w.Item.Table
	names := state.KeyNames(t)
	for _, x := range t.Indexes {
		for _, key := range slices.Concat(x.PK, x.SK) {
			names = append(names, key.Name)
		}
	}
	for _, name := range names {
		at := slices.IndexFunc(w.Statement.Item, func(f resolve.Field) bool { return f.Name == name })
		key := w.Item.Key(name)
		if at < 0 || w.Given == nil || key == nil || key.Attribute == nil || w.Statement.Item[at].Value.Operand == nil {
			continue
		}
		v, ok, err := a.value(c, w, w.Statement.Item[at].Value, i)
		if err == nil && ok && (v.Kind == sample.Text || v.Kind == sample.Binary) && v.Text == "" {
			return &access.KeyError{Entity: w.Item.Entity.Name, Attribute: key.Attribute.Name, Reason: "is empty"}
		}
	}
	return nil
}

// setsKey reports whether an update sets a text that is a key of an index as it is.
func setsKey(w *program.Write, clause *resolve.Clause, v resolve.Value) bool {
	if clause.Word != "SET" || v.Attribute == nil || len(clause.Names) == 0 || clause.Names[0].Attribute != v.Attribute.Stored {
		return false
	}
	switch v.Attribute.Type.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
	default:
		return false
	}
	return slices.ContainsFunc(w.Item.Table.Indexes, func(x *model.Index) bool {
		return slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(k model.KeyName) bool {
			key := w.Item.Key(k.Name)
			return k.Name == v.Attribute.Stored && key != nil && key.Template == nil
		})
	})
}

// stored is a value as it is stored.
func (a *Arguments) stored(w *program.Write, attribute *model.Attribute, v sample.Value) (types.AttributeValue, error) {
	if e := w.Item.Entity; a.Seal != nil && slices.Contains(e.Encrypt, attribute) {
		return a.Seal(e, attribute, v)
	}
	return state.AttributeValue(v), nil
}

// keyNamed is how an item of the write has a key attribute; a plain text if it is none.
func keyNamed(w *program.Write, name string) *model.Key {
	if key := w.Item.Key(name); key != nil {
		return key
	}
	return &model.Key{Name: name, Template: &model.Template{}}
}

// value is a value of a statement, and whether the caller gives it.
func (a *Arguments) value(c *program.Call, w *program.Write, v resolve.Value, i int) (sample.Value, bool, error) {
	switch {
	case len(v.Sum) > 0:
		sum, err := a.sum(c, w, v, i)
		return sample.Value{Kind: sample.Number, Text: resolve.Digits(sum)}, true, err
	case v.Next:
		seen, _ := a.Operand(c, w, model.Operand{Param: v.Attribute.Name}, v.Attribute, i)
		n, _ := strconv.ParseInt(seen.Text, 10, 64) // none is 0
		return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n+1, 10)}, true, nil
	}
	value, ok := a.Bound(c, w, *v.Operand, v.Attribute, i, v.Up)
	return value, ok, nil
}

// sum is what is added to a counter, or what that leaves of its limit.
func (a *Arguments) sum(c *program.Call, w *program.Write, v resolve.Value, i int) (exact.Number, error) {
	total := exact.Zero
	for _, term := range v.Sum {
		n := 1
		if term.Repeated {
			n = a.Times(c.Repeated(term.Of))
		}
		for at := range n {
			if !term.Repeated {
				at = i
			}
			by, err := a.term(c, w, term, v.Attribute, at)
			if err != nil {
				return total, err
			}
			total = total.Add(by)
		}
	}
	if v.Limit != nil {
		return v.Limit.Sub(total), nil
	}
	return total, nil
}

// term is one part of a sum, for the i-th item of what is repeated.
func (a *Arguments) term(c *program.Call, w *program.Write, term resolve.Term, of *model.Attribute, i int) (exact.Number, error) {
	if !a.counts(c, w, term, i) {
		return exact.Zero, nil
	}
	by := term.By
	if term.Param != "" {
		ref := c.Term(w, term, of)
		ref.First = ref.First && !term.Repeated
		value, ok := a.At(ref, i)
		switch {
		case ok:
		case !ref.IsZero() && ref.Optional():
			value.Text = "0"
		default:
			return by, fmt.Errorf("%s: nobody gives its value", term.Param)
		}
		n, err := exact.Parse(value.Text)
		if err != nil {
			return by, err
		}
		by = n
	}
	if term.Minus {
		by = exact.Zero.Sub(by)
	}
	return by, nil
}

// counts reports whether a part of a sum counts, for the i-th item of what is repeated.
func (a *Arguments) counts(c *program.Call, w *program.Write, term resolve.Term, i int) bool {
	values := sample.Values{}
	for _, attribute := range term.Compared() {
		ref := c.Compared(w, term, attribute)
		if ref.IsZero() {
			values[attribute] = state.Constant(attribute, term.Values[attribute].Constant)
			continue
		}
		ref.First = ref.First && !term.Repeated
		if v, ok := a.At(ref, i); ok {
			values[attribute] = v
		}
	}
	return values.Holds(term.Only)
}

// expressions fills in what an action changes and what must hold.
func (a *Arguments) expressions(c *program.Call, w *program.Write, i int, out *access.Write) error {
	var e access.Expression
	for _, clause := range slices.Concat(w.Statement.Update, w.Statement.Condition) {
		chosen := &clause
		if len(clause.Only) > 0 && a.holds(c, w, &clause, clause.Only, i) == clause.Unless {
			chosen = clause.Else
		}
		if chosen == nil {
			continue
		}
		if err := a.clause(c, w, i, &e, chosen); err != nil {
			return err
		}
	}
	out.Update, out.Condition, out.Names, out.Values = e.Update(), e.Condition(), e.Names(), e.Values()
	return nil
}

// clause adds one clause with its names and values.
func (a *Arguments) clause(c *program.Call, w *program.Write, i int, e *access.Expression, clause *resolve.Clause) error {
	for _, n := range clause.Names {
		e.Name(n.Placeholder, n.Attribute)
	}
	for _, v := range clause.Values {
		if v.List {
			a.list(c, w, e, clause, v)
			return nil
		}
		if v.Operand == nil {
			value, err := KeyValue(keyNamed(w, clause.Names[0].Attribute), v.Text, keyedBy(w), a.writeFinder(c, w, i))
			if err != nil {
				return err
			}
			e.Value(v.Placeholder, value)
			continue
		}
		value, ok, err := a.value(c, w, v, i)
		switch {
		case err != nil:
			return err
		case !ok && clause.Word == "SET" && v.Attribute.Type.Base == model.SetOf: // to nothing
			e.Remove(clause.Names[0].Placeholder)
			return nil
		case !ok:
			return &access.ValueError{Entity: keyedBy(w).Entity, Attribute: v.Attribute.Name, Reason: "is nil, and an expression needs it"}
		}
		if value.Text == "" && setsKey(w, clause, v) {
			return &access.KeyError{Entity: w.Item.Entity.Name, Attribute: v.Attribute.Name, Reason: "is empty"}
		}
		stored, err := a.stored(w, v.Attribute, value)
		if err != nil {
			return err
		}
		e.Value(v.Placeholder, stored)
	}
	switch clause.Word {
	case "SET":
		e.Set(clause.Text)
	case "ADD":
		e.Add(clause.Text)
	case "REMOVE":
		e.Remove(clause.Text)
	default:
		e.And(clause.Text)
	}
	return nil
}

// list adds a condition that an attribute is one of the values of a list. Of an empty one
// it never is.
func (a *Arguments) list(c *program.Call, w *program.Write, e *access.Expression, clause *resolve.Clause, v resolve.Value) {
	name, placeholder := clause.Names[0].Placeholder, strings.TrimSuffix(v.Placeholder, "…")
	values := a.Lists[c.Ref(w, v.Operand.Param, v.Attribute).Input]
	if len(values) == 0 {
		e.And("attribute_exists(" + name + ") AND attribute_not_exists(" + name + ")")
		return
	}
	condition, all := oneOf(name, placeholder, values)
	for placeholder, value := range all {
		e.Value(placeholder, value)
	}
	e.And(condition)
}

// holds reports whether conditions hold for the values that decide about a clause.
func (a *Arguments) holds(c *program.Call, w *program.Write, clause *resolve.Clause, conditions []*model.Condition, i int) bool {
	values := sample.Values{}
	for _, condition := range conditions {
		for _, attribute := range append([]*model.Attribute{condition.Attribute}, ComparedWith(condition)...) {
			if v, ok := a.Operand(c, w, w.Decides(clause, attribute), attribute, i); ok {
				values[attribute] = v
			}
		}
	}
	return values.Holds(conditions)
}
