package sample

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/design/internal/model"
)

// computed returns the value a template gives an item. It is absent if its condition does
// not hold or an attribute it is made of is missing.
func computed(c *model.Computed, d *draft) (Value, bool) {
	if !holds(c.When, d) {
		return Value{}, false
	}
	var b strings.Builder
	for _, part := range c.Template.Parts {
		if !part.IsHole() {
			b.WriteString(part.Literal)
			continue
		}
		v, ok := d.values[part.Attribute]
		if !ok {
			return Value{}, false
		}
		b.WriteString(written(part, v))
	}
	return text(b.String()), true
}

// written returns a value as a hole writes it.
func written(part model.Part, v Value) string {
	s := v.String()
	for _, f := range part.Filters {
		switch f.Name {
		case model.Pad:
			s = pad(s, f.N)
		case model.Lower:
			s = strings.ToLower(s)
		case model.Upper:
			s = strings.ToUpper(s)
		case model.ByYear, model.ByMon, model.ByDate, model.ByHour:
			_, width := f.Name.Period()
			s = cut(instant(part.Attribute.Type.Base, v, s), width)
		case model.Prefix:
			s = cut(s, f.N)
		case model.Escape:
			s = part.Delimiter.Escape(s)
		case model.Shard:
			s = shard(s, f.N)
		}
	}
	return s
}

// pad puts zeros in front of a number up to n digits before the point, behind its sign.
func pad(s string, n int) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, _, _ := strings.Cut(s, ".")
	return sign + strings.Repeat("0", max(0, n-len(whole))) + s
}

// instant returns the RFC 3339 text of a time, also of one stored as seconds and of one that
// an id begins with.
func instant(base model.Base, v Value, s string) string {
	if at, ok := idTime(v, base); ok {
		return at.UTC().Format(stamp)
	}
	if v.Kind != Number {
		return s
	}
	seconds, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil {
		return s
	}
	return time.Unix(seconds, 0).UTC().Format(stamp)
}

func cut(s string, n int) string {
	runes := []rune(s)
	return string(runes[:min(n, len(runes))])
}

// shard returns a number below n made from the value: FNV-1a over its bytes, modulo n.
func shard(s string, n int) string {
	if n <= 0 {
		return "0"
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return strconv.FormatUint(uint64(h.Sum32())%uint64(n), 10)
}

// holds reports whether all conditions hold for an item.
func holds(conditions []*model.Condition, d *draft) bool {
	for _, c := range conditions {
		if !holdsOne(c, d) {
			return false
		}
	}
	return true
}

func holdsOne(c *model.Condition, d *draft) bool {
	if c.Op == model.Or {
		return slices.ContainsFunc(c.Any, func(alternative []*model.Condition) bool { return holds(alternative, d) })
	}
	v, ok := d.values[c.Attribute]
	switch {
	case c.Op == model.Exists:
		return ok
	case c.Op == model.Missing:
		return !ok
	case !ok || comparesAbsent(c, d):
		return c.Op == model.Ne // DynamoDB finds what is not there unequal to everything
	case c.Op == model.In:
		return slices.ContainsFunc(c.Values, func(o model.Operand) bool { return equals(v, o, d) })
	case c.Op == model.BeginsWith:
		return strings.HasPrefix(v.String(), operand(v, c.Values[0], d).String())
	case c.Op == model.Between:
		return v.Compare(operand(v, c.Values[0], d)) >= 0 && v.Compare(operand(v, c.Values[1], d)) <= 0
	}
	order := v.Compare(operand(v, c.Values[0], d))
	switch c.Op {
	case model.Eq:
		return order == 0
	case model.Ne:
		return order != 0
	case model.Lt:
		return order < 0
	case model.Lte:
		return order <= 0
	case model.Gt:
		return order > 0
	}
	return order >= 0
}

// comparesAbsent reports whether a condition compares with an attribute the item lacks.
func comparesAbsent(c *model.Condition, d *draft) bool {
	return slices.ContainsFunc(c.Values, func(o model.Operand) bool {
		_, ok := d.values[o.Attribute]
		return o.Attribute != nil && !ok
	})
}

func equals(v Value, o model.Operand, d *draft) bool { return v.Compare(operand(v, o, d)) == 0 }

// operand returns what a value is compared with, in the value's own kind.
func operand(like Value, o model.Operand, d *draft) Value {
	if o.Attribute != nil {
		return d.values[o.Attribute]
	}
	switch like.Kind {
	case Truth:
		return truth(o.Constant == "true")
	case Number:
		return digits(o.Constant)
	case Binary:
		return Value{Kind: Binary, Text: bytesOf(o.Constant)}
	}
	return Value{Kind: like.Kind, Text: o.Constant}
}
