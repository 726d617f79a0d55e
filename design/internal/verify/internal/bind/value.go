package bind

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// stored returns the stored form of a value, sealed if the design encrypts it.
func (b *boundWrite) stored(attribute *model.Attribute, v sample.Value) (types.AttributeValue, error) {
	if e := b.w.Item.Entity; b.a.Seal != nil && slices.Contains(e.Encrypt, attribute) {
		return b.a.Seal(e, attribute, v)
	}
	return state.AttributeValue(v), nil
}

// value returns a value of the statement, and whether the caller gives it.
func (b *boundWrite) value(v resolve.Value) (sample.Value, bool, error) {
	switch {
	case v.Empty:
		return sample.Value{Kind: sample.List}, true, nil
	case v.Room > 0:
		given, _ := b.operand(*v.Operand, v.Attribute)
		return state.Int(v.Room - int64(len(given.Elements))), true, nil
	case len(v.Sum) > 0:
		sum, err := b.sum(v)
		return sample.Value{Kind: sample.Number, Text: resolve.Digits(sum)}, true, err
	case v.Next:
		seen, _ := b.operand(model.Operand{Param: v.Attribute.Name}, v.Attribute)
		n, _ := strconv.ParseInt(seen.Text, 10, 64) // without one it is 0
		return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n+1, 10)}, true, nil
	}
	value, ok := b.a.Bound(b.c, b.w, *v.Operand, v.Attribute, b.i, v.Up)
	if n := len(value.Elements) + len(value.Fields); v.Attribute.Max > 0 && v.Attribute.Type.Base != model.StructOf && int64(n) > v.Attribute.Max {
		reason := "has more than " + strconv.FormatInt(v.Attribute.Max, 10) + " elements"
		return value, ok, &access.ValueError{Entity: keyedBy(b.w).Entity, Attribute: v.Attribute.Name, Reason: reason}
	}
	return value, ok, nil
}

// sum returns what is added to a counter, or the limit less that.
func (b *boundWrite) sum(v resolve.Value) (exact.Number, error) {
	total := exact.Zero
	for _, term := range v.Sum {
		n := 1
		if term.Repeated {
			n = b.a.Times(b.c.Repeated(term.Of))
		}
		for at := range n {
			if !term.Repeated {
				at = b.i
			}
			by, err := b.at(at).term(term, v.Attribute)
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

// term returns one term of a sum.
func (b *boundWrite) term(term resolve.Term, of *model.Attribute) (exact.Number, error) {
	if !b.counts(term) {
		return exact.Zero, nil
	}
	by := term.By
	if term.Param != "" {
		ref := b.c.Term(b.w, term, of)
		ref.First = ref.First && !term.Repeated
		value, ok := b.a.At(ref, b.i)
		switch {
		case ok:
		case !ref.IsZero() && ref.Optional():
			value.Text = "0"
		default:
			return by, fmt.Errorf("%s: no value is given", term.Param)
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

// counts reports whether a term of a sum counts.
func (b *boundWrite) counts(term resolve.Term) bool {
	values := sample.Values{}
	for _, attribute := range term.Compared() {
		ref := b.c.Compared(b.w, term, attribute)
		if ref.IsZero() {
			values[attribute] = state.Constant(attribute, term.Values[attribute].Constant)
			continue
		}
		ref.First = ref.First && !term.Repeated
		if v, ok := b.a.At(ref, b.i); ok {
			values[attribute] = v
		}
	}
	return values.Holds(term.Only)
}
