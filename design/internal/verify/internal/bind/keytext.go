package bind

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A lookup returns the value of a part of a key, and whether there is one.
type lookup func(resolve.TextPart) (sample.Value, bool)

// keyText writes the text of a key as generated code does. A natural key, an attribute that is
// itself the key, may contain the delimiter.
func keyText(k *marshal.KeyText, t resolve.Text, natural bool, find lookup) error {
	for _, part := range t {
		if part.Value == nil {
			k.Lit(part.Literal)
			continue
		}
		v, ok := find(part)
		if !ok {
			return fmt.Errorf("%s: no value is given", part)
		}
		if err := addHole(k, part, v, natural); err != nil {
			return err
		}
		if part.Before {
			k.Back()
		}
	}
	return k.Err()
}

// addHole adds one value after applying its filters.
func addHole(k *marshal.KeyText, part resolve.TextPart, v sample.Value, natural bool) error {
	if part.Attribute == nil || part.Shards > 0 { // the number of a shard
		k.Lit(v.Text)
		return nil
	}
	name, text := part.Attribute.Name, v.String()
	for _, f := range part.Filters {
		switch f.Name {
		case model.Pad:
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			k.Pad(name, n, f.N)
			return nil
		case model.Lower:
			text = marshal.Lower(text)
		case model.Upper:
			text = marshal.Upper(text)
		case model.ByYear, model.ByMon, model.ByDate, model.ByHour:
			if at := instantOf(part.Attribute, v); len(part.Filters) > 1 {
				text = instantText(f.Name, at)
			} else {
				addInstant(k, name, f.Name, at)
				return nil
			}
		case model.Prefix:
			text = marshal.Cut(text, f.N)
		case model.Escape: // comes last
			k.Escape(name, text)
			return nil
		case model.Shard:
			text = marshal.ShardOf(text, f.N)
		}
	}
	if natural || part.Open || part.Delimiter.IsIn(part.Attribute.Type) {
		k.Whole(name, text)
	} else {
		k.Hole(name, text)
	}
	return nil
}

// A Keyed says whose keys are made: the entity that errors name, and its table.
type Keyed struct {
	Entity string
	Table  *model.Table
}

// finish returns the text of a key, after checking that it is no longer than a partition key or
// a sort key may be. A key that is both must fit a sort key.
func (of Keyed) finish(k *marshal.KeyText, name string) string {
	sorts := of.Table.SK.Name == name || slices.ContainsFunc(of.Table.Indexes, func(x *model.Index) bool {
		return slices.ContainsFunc(x.SK, func(key model.KeyName) bool { return key.Name == name })
	})
	if sorts {
		return k.Sort()
	}
	return k.Partition()
}

// KeyValue returns the value of a key attribute in a request: the value of the attribute that
// is itself the key, or a text composed of parts.
func KeyValue(key *model.Key, t resolve.Text, of Keyed, find lookup) (types.AttributeValue, error) {
	if key.Template == nil && len(t) == 1 {
		if t[0].Value == nil {
			return state.AttributeValue(state.Constant(key.Attribute, t[0].Literal)), nil
		}
		v, ok := find(t[0])
		if !ok {
			return nil, fmt.Errorf("%s: no value is given", t[0])
		}
		if v.Kind != sample.Text {
			return state.AttributeValue(v), nil
		}
	}
	var k marshal.KeyText
	k.Of(of.Entity).By(of.Table.Delimiter.String())
	if err := keyText(&k, t, key.Template == nil, find); err != nil {
		return nil, err
	}
	text := of.finish(&k, key.Name)
	return marshal.S(text), k.Err()
}

// addInstant adds the year, month, day or hour of an instant to a key.
func addInstant(k *marshal.KeyText, name string, filter model.FilterName, at time.Time) {
	switch filter {
	case model.ByYear:
		k.Year(name, at)
	case model.ByDate:
		k.Day(name, at)
	case model.ByMon:
		k.Month(name, at)
	default:
		k.Hour(name, at)
	}
}

// instantText returns the year, month, day or hour of an instant.
func instantText(filter model.FilterName, at time.Time) string {
	switch filter {
	case model.ByYear:
		return marshal.YearOf(at)
	case model.ByDate:
		return marshal.DayOf(at)
	case model.ByMon:
		return marshal.MonthOf(at)
	}
	return marshal.HourOf(at)
}

// instantOf returns the instant that a value holds, or that an id begins with. For an invalid
// id it returns a time that no key accepts, as generated code does.
func instantOf(a *model.Attribute, v sample.Value) time.Time {
	if a.Type.Base != model.ULID && a.Type.Base != model.UUIDv7 {
		return state.TimeOf(v)
	}
	at, err := access.TimeOfID(v.Text)
	if err != nil {
		return time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return at
}
