package gogen

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// A keyed is whose keys are made: the item, and the entity errors name.
type keyed struct {
	item   *model.Item
	entity *model.Entity
}

// keyedBy is the item a write is about. The rows of guards and of spread counters belong
// to an entity, though they are none.
func (m *method) keyedBy(w *program.Write) keyed {
	switch {
	case w.Guard != nil:
		return keyed{w.Item, w.Guard.Entity}
	case w.Shards > 1:
		for _, a := range w.Item.Entity.Attributes {
			if owner := m.owners[a]; owner != nil {
				return keyed{w.Item, owner}
			}
		}
	}
	return keyed{w.Item, w.Item.Entity}
}

// keyValue is the expression of the value of a key attribute in a write.
func (m *method) keyValue(w *program.Write, c resolve.KeyCondition) (string, error) {
	return m.keyOf(w, m.keyedBy(w), c.Name, c.Kind, c.Low)
}

// keyOf is the expression of a value of a key attribute, or of a bound for one. The write
// is nil for a read.
func (m *method) keyOf(w *program.Write, of keyed, name, kind string, t resolve.Text) (string, error) {
	if kind == "S" {
		text, err := m.keyText(w, of, name, t)
		return "marshal.S(" + text + ")", err
	}
	if len(t) != 1 {
		return "", fmt.Errorf("%s: a key of kind %s is no text", m.call.Pattern.Name, kind)
	}
	part := t[0]
	if part.Value == nil {
		return m.storedConstant(of.item.Key(name).Attribute, part.Literal), nil
	}
	x, err := m.partValue(w, part)
	return naturalValue(part.Attribute, x), err
}

// naturalValue is a number or bytes as a key.
func naturalValue(a *model.Attribute, x string) string {
	switch a.Type.Base {
	case model.Numeric:
		return "marshal.F(" + x + ")"
	case model.Decimal:
		return "marshal.Dec(" + x + ")"
	case model.Unixtime:
		return "marshal.Unix(" + x + ")"
	case model.Bytes:
		return "marshal.B(" + x + ")"
	}
	return "marshal.N(" + x + ")"
}

// keyText is the expression of the text of a key: a constant, the function of the whole
// key, or a chain of its parts.
func (m *method) keyText(w *program.Write, of keyed, name string, t resolve.Text) (string, error) {
	if isLiteral(t) {
		return strconv.Quote(literalText(t)), nil
	}
	key := of.item.Key(name)
	if whole, err := m.wholeKey(w, of, key, t); whole != "" || err != nil {
		return whole, err
	}
	chain, err := m.chain(w, of, key, t)
	if err != nil {
		return "", err
	}
	return chain + "." + finish(of.item.Table, name) + "()", nil
}

// wholeKey is the call of the function that makes the key, if the text is all of it.
func (m *method) wholeKey(w *program.Write, of keyed, key *model.Key, t resolve.Text) (string, error) {
	if key == nil || key.Template == nil || m.keyFuncs[of.item.Entity] == nil || m.layout.Home(of.item.Entity) != of.item {
		return "", nil
	}
	values := map[*model.Attribute]string{}
	i := 0
	for _, part := range key.Template.Parts {
		if i >= len(t) {
			return "", nil
		}
		have := t[i]
		i++
		switch {
		case !part.IsHole() && have.Value == nil && have.Literal == part.Literal:
			continue
		case !part.IsHole() || have.Value == nil || have.Attribute != part.Attribute || have.Before || have.Shards > 0:
			return "", nil
		}
		x, err := m.partValue(w, have)
		if err != nil {
			return "", err
		}
		if other, known := values[part.Attribute]; known && other != x {
			return "", nil
		}
		values[part.Attribute] = x
	}
	if i < len(t) {
		return "", nil
	}
	for _, c := range of.item.Computed {
		if c.Name == key.Name {
			return m.keyExpr(of.item.Entity, c, "&k", func(a *model.Attribute) string { return values[a] }), nil
		}
	}
	return "", nil
}

// chain is the calls that write a text part by part.
func (m *method) chain(w *program.Write, of keyed, key *model.Key, t resolve.Text) (string, error) {
	chain := fmt.Sprintf("k.Of(%q)", of.entity.Name)
	for _, part := range t {
		step, err := m.step(w, part, key != nil && key.Template == nil)
		if err != nil {
			return "", err
		}
		chain += "." + step
	}
	return chain, nil
}

// step is the call that adds one part.
func (m *method) step(w *program.Write, part resolve.TextPart, natural bool) (string, error) {
	switch {
	case part.Value == nil:
		return "Lit(" + strconv.Quote(part.Literal) + ")", nil
	case part.FirstShard > 0:
		return fmt.Sprintf("Lit(shardFrom(%d, %d))", part.FirstShard, part.Shards), nil
	case part.Shards > 0 && !part.Each:
		return fmt.Sprintf("Lit(marshal.AnyShard(%d))", part.Shards), nil
	case part.Shards > 0:
		x, err := m.partValue(w, part)
		return "Lit(marshal.FormatInt(" + x + "))", err
	}
	x, err := m.partValue(w, part)
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(x, "*") && part.Attribute.Type.Base == model.Unixtime {
		x = "(" + x + ")" // a method is called on it
	}
	step, err := keyStep(model.Part{Attribute: part.Attribute, Filters: part.Filters}, x)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.call.Pattern.Name, err)
	}
	if rest, hole := strings.CutPrefix(step, "Hole("); hole && natural {
		step = "Whole(" + rest // a text that is a key as it is may hold the delimiter
	}
	if part.Before {
		step += ".Back()"
	}
	return step, nil
}

// partValue is the expression of the value of a part: the one at hand if there is one
// request for each.
func (m *method) partValue(w *program.Write, part resolve.TextPart) (string, error) {
	if part.Each {
		fan := m.call.Read.Fan(part)
		if fan == nil || m.fans[fan] == "" {
			return "", fmt.Errorf("%s: nothing lists the values of %s", m.call.Pattern.Name, part.Attribute.Name)
		}
		return m.fans[fan], nil
	}
	at, err := m.operand(w, *part.Value, part.Attribute)
	return rounded(part.Attribute, at.value(), part.Up), err
}

// rounded is the expression of a value that is compared: an instant that is rounded up to what
// is stored of it, or the value itself.
func rounded(a *model.Attribute, x string, up bool) string {
	switch {
	case up && a.Type.Base == model.Timestamp:
		return "marshal.CeilMilli(" + x + ")"
	case up && a.Type.Base == model.Unixtime:
		return "marshal.CeilSecond(" + x + ")"
	}
	return x
}

func isLiteral(t resolve.Text) bool {
	for _, part := range t {
		if part.Value != nil {
			return false
		}
	}
	return true
}

func literalText(t resolve.Text) string {
	text := ""
	for _, part := range t {
		text += part.Literal
	}
	return text
}
