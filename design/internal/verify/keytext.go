package verify

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A lookup finds the value of an operand of a key.
type lookup func(resolve.TextPart) (sample.Value, bool)

// keyText makes the text of a key as generated code makes it.
func keyText(k *access.KeyText, t resolve.Text, find lookup) error {
	for _, part := range t {
		if part.Value == nil {
			k.Lit(part.Literal)
			continue
		}
		v, ok := find(part)
		if !ok {
			return fmt.Errorf("%s: nobody gives its value", part)
		}
		if err := addHole(k, part, v); err != nil {
			return err
		}
		if part.Before {
			k.Back()
		}
	}
	return k.Err()
}

// addHole adds one value with its filters.
func addHole(k *access.KeyText, part resolve.TextPart, v sample.Value) error {
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
			text = access.Lower(text)
		case model.Upper:
			text = access.Upper(text)
		case model.ByDate:
			text = access.DayOf(timeOf(v))
		case model.ByMon:
			text = access.MonthOf(timeOf(v))
		case model.ByHour:
			text = access.HourOf(timeOf(v))
		case model.Prefix:
			text = access.Cut(text, f.N)
		case model.Shard:
			text = access.ShardOf(text, f.N)
		}
	}
	k.Hole(name, text)
	return nil
}

// keyValue is the value of a key attribute in a request, and how long its text is: the
// value of an attribute that is the key as it is, or a text made of parts.
func keyValue(key *model.Key, t resolve.Text, entity string, find lookup) (types.AttributeValue, int, error) {
	if key.Template == nil && len(t) == 1 {
		if t[0].Value == nil {
			return attributeValue(constant(key.Attribute, t[0].Literal)), 0, nil
		}
		v, ok := find(t[0])
		if !ok {
			return nil, 0, fmt.Errorf("%s: nobody gives its value", t[0])
		}
		return attributeValue(v), 0, nil
	}
	var k access.KeyText
	k.Of(entity)
	if err := keyText(&k, t, find); err != nil {
		return nil, 0, err
	}
	return access.S(k.Done()), k.Len(), nil
}

// timeOf is the instant a value holds.
func timeOf(v sample.Value) time.Time {
	if v.Kind == sample.Number {
		n, _ := strconv.ParseInt(v.Text, 10, 64)
		return time.Unix(n, 0).UTC()
	}
	t, _ := access.ParseTime(v.Text)
	return t
}

func seconds(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Number, Text: access.FormatUnix(timeOf(v))}
}

func instant(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Text, Text: access.FormatTime(timeOf(v))}
}
