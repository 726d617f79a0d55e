package patterns

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/library"
	"sortkey.dev/design/internal/gogen/internal/syntax"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A Keyed is an item whose keys are made, and the entity that errors name.
type Keyed struct {
	Item   *model.Item
	Entity *model.Entity
}

// KeyedBy returns the item a write is about. The rows of guards and of sharded counters
// belong to an entity, though they are none.
func (m *Method) KeyedBy(w *program.WriteStep) Keyed {
	switch {
	case w.Guard != nil:
		return Keyed{w.Item, w.Guard.Entity}
	case w.Shards > 1:
		for _, a := range w.Item.Entity.Attributes {
			if owner := m.Package.owners[a]; owner != nil {
				return Keyed{w.Item, owner}
			}
		}
	}
	return Keyed{w.Item, w.Item.Entity}
}

// KeyOf returns the value of a key attribute, or a bound for one. The write is nil for a
// read.
func (s *Scope) KeyOf(w *program.WriteStep, of Keyed, name, kind string, t resolve.Text) (syntax.Expr, error) {
	if kind == "S" {
		text, err := s.keyText(w, of, name, t)
		return library.Call("S", text), err
	}
	if len(t) != 1 {
		return nil, fmt.Errorf("%s: a key of kind %s is no text", s.M.Call.Pattern.Name, kind)
	}
	part := t[0]
	if part.Value == nil {
		return s.M.Package.StoredConstant(of.Item.Key(name).Attribute, part.Literal), nil
	}
	x, err := s.PartValue(w, part)
	if err != nil {
		return nil, err
	}
	return values.Natural(part.Attribute, x), nil
}

// keyText returns the text of a key: a constant, a call of the function that makes the whole
// key, or a chain of its parts.
func (s *Scope) keyText(w *program.WriteStep, of Keyed, name string, t resolve.Text) (syntax.Expr, error) {
	if text, ok := Literal(t); ok {
		return syntax.Str(text), nil
	}
	key := of.Item.Key(name)
	if whole, err := s.wholeKey(w, of, key, t); whole != nil || err != nil {
		return whole, err
	}
	chain, err := s.Chain(w, of, key, t)
	if err != nil {
		return nil, err
	}
	return syntax.Method(chain, values.Finish(of.Item.Table, name)), nil
}

// wholeKey calls the function that makes the key, if the text is all of it.
func (s *Scope) wholeKey(w *program.WriteStep, of Keyed, key *model.Key, t resolve.Text) (syntax.Expr, error) {
	i := s.M.Package.Items
	if key == nil || key.Template == nil || i.Names.KeyFuncs[of.Item.Entity] == nil || i.Layout.Home(of.Item.Entity) != of.Item {
		return nil, nil
	}
	if len(key.Template.Parts) != len(t) {
		return nil, nil
	}
	args := map[*model.Attribute]syntax.Expr{}
	for n, part := range key.Template.Parts {
		have := t[n]
		switch {
		case !part.IsHole() && have.Value == nil && have.Literal == part.Literal:
			continue
		case !part.IsHole() || have.Value == nil || have.Attribute != part.Attribute || have.Before || have.Shards > 0:
			return nil, nil
		}
		x, err := s.PartValue(w, have)
		if err != nil {
			return nil, err
		}
		if other, known := args[part.Attribute]; known && !syntax.Equal(other, x) {
			return nil, nil
		}
		args[part.Attribute] = x
	}
	for _, c := range of.Item.Computed {
		if c.Name == key.Name {
			return i.Values.KeyOf(of.Item.Entity, c, syntax.Addr(items.K), func(a *model.Attribute) syntax.Expr { return args[a] }), nil
		}
	}
	return nil, nil
}

// Chain returns the calls that write a text part by part.
func (s *Scope) Chain(w *program.WriteStep, of Keyed, key *model.Key, t resolve.Text) (syntax.Expr, error) {
	chain := items.KeyBegin(of.Entity, of.Item.Table)
	for _, part := range t {
		step, err := s.step(w, part, key != nil && key.Template == nil)
		if err != nil {
			return nil, err
		}
		chain = step.On(chain)
		if part.Before && part.Value != nil && part.Shards == 0 {
			chain = syntax.Method(chain, "Back")
		}
	}
	return chain, nil
}

// step returns the call that adds one part.
func (s *Scope) step(w *program.WriteStep, part resolve.TextPart, natural bool) (values.Step, error) {
	switch {
	case part.Value == nil:
		return values.Lit(syntax.Str(part.Literal)), nil
	case part.FirstShard > 0:
		return values.Lit(library.Call("AnyShardFrom", syntax.Int(int(part.FirstShard)), syntax.Int(int(part.Shards)))), nil
	case part.Shards > 0 && !part.Each:
		return values.Lit(library.Call("AnyShard", syntax.Int(int(part.Shards)))), nil
	}
	x, err := s.PartValue(w, part)
	if err != nil {
		return values.Step{}, err
	}
	if part.Shards > 0 {
		return values.Lit(library.Call("FormatInt", x)), nil
	}
	step, err := values.StepOf(part.Part(), x)
	if err != nil {
		return values.Step{}, fmt.Errorf("%s: %w", s.M.Call.Pattern.Name, err)
	}
	if natural {
		step = step.Whole()
	}
	return step, nil
}

// PartValue returns the value of a part: the current one if there is a request for each.
func (s *Scope) PartValue(w *program.WriteStep, part resolve.TextPart) (syntax.Expr, error) {
	if part.Each {
		fan := s.M.Call.Read.Fan(part)
		if fan == nil || s.Fans[fan] == "" {
			return nil, fmt.Errorf("%s: nothing lists the values of %s", s.M.Call.Pattern.Name, part.Attribute.Name)
		}
		return syntax.Name(s.Fans[fan]), nil
	}
	at, err := s.Operand(w, *part.Value, part.Attribute)
	if err != nil {
		return nil, err
	}
	return Rounded(part.Attribute, at.Value(), part.Up), nil
}

// Rounded returns a value that is compared: an instant that is rounded up to the precision it
// is stored with, or the value itself.
func Rounded(a *model.Attribute, x syntax.Expr, up bool) syntax.Expr {
	switch {
	case up && a.Type.Base == model.Timestamp:
		return library.Call("CeilMilli", x)
	case up && a.Type.Base == model.Unixtime:
		return library.Call("CeilSecond", x)
	}
	return x
}

// Literal returns a text that holds no values; ok is false for others.
func Literal(t resolve.Text) (text string, ok bool) {
	for _, part := range t {
		if part.Value != nil {
			return "", false
		}
		text += part.Literal
	}
	return text, true
}

// KeyVar declares the variable k.
func KeyVar() syntax.Stmt { return &syntax.Var{Name: "k", Type: library.Access("KeyText")} }

// EncodeVar declares the variable encode, whose errors name an entity.
func EncodeVar(e *model.Entity) syntax.Stmt {
	return syntax.Let("encode", syntax.Builtin("new", library.Call("Encode", syntax.Str(e.Name))))
}

// ErrorsOf joins errors, nil if there are none.
func ErrorsOf(errs []syntax.Expr) syntax.Expr {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return syntax.CallOf(library.Of("errors", "Join"), errs...)
}
