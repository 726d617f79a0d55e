package state

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// IsEmptySet reports whether a value is an empty set. DynamoDB has none: the value counts as
// absent.
func IsEmptySet(v sample.Value) bool {
	return (v.Kind == sample.Texts || v.Kind == sample.Numbers || v.Kind == sample.Blobs) && len(v.Elements) == 0
}

// Constant returns a constant of the design as a value of an attribute.
func Constant(a *model.Attribute, text string) sample.Value {
	switch a.Type.Base {
	case model.Integer, model.Numeric, model.Decimal, model.Unixtime:
		return sample.Value{Kind: sample.Number, Text: text}
	case model.Bool:
		return sample.Value{Kind: sample.Truth, Truth: text == "true"}
	case model.Bytes:
		return sample.Value{Kind: sample.Binary, Text: text}
	}
	return sample.Value{Kind: sample.Text, Text: text}
}

// AttributeValue returns a value in the types of the SDK.
func AttributeValue(v sample.Value) types.AttributeValue {
	switch v.Kind {
	case sample.Number:
		return marshal.Num(v.Text)
	case sample.Binary:
		return marshal.B([]byte(v.Text))
	case sample.Truth:
		return marshal.Bool(v.Truth)
	case sample.List:
		return marshal.ListOf(v.Elements, AttributeValue)
	case sample.Map:
		fields := access.Item{}
		for _, f := range v.Fields {
			fields[f.Name] = AttributeValue(f.Value)
		}
		return marshal.M(fields)
	case sample.Texts:
		return marshal.Strings(texts(v.Elements))
	case sample.Numbers:
		return &types.AttributeValueMemberNS{Value: texts(v.Elements)}
	case sample.Blobs:
		all := make([][]byte, len(v.Elements))
		for i, e := range v.Elements {
			all[i] = []byte(e.Text)
		}
		return marshal.Blobs(all)
	}
	return marshal.S(v.Text)
}

// texts returns the texts of values.
func texts(values []sample.Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.Text
	}
	return all
}

// Item returns an item in the types of the SDK.
func Item(item *sample.Item) access.Item {
	all := make(access.Item, len(item.Attributes))
	for _, a := range item.Attributes {
		if a.Name == "" {
			continue // it is in the key
		}
		all[a.Name] = AttributeValue(a.Value)
	}
	return all
}

// FirstState returns the state in which a lifecycle begins.
func FirstState(a *model.Attribute) string {
	if a.Lifecycle.Start != "" {
		return a.Lifecycle.Start
	}
	return a.Type.Values[0]
}

// NumberOf returns a value as a number, 0 if it is none.
func NumberOf(v sample.Value) exact.Number {
	n, err := exact.Parse(v.Text)
	if err != nil {
		return exact.Zero
	}
	return n
}

// Plus returns the sum of a value and a number. An absent value counts as 0.
func Plus(v sample.Value, by exact.Number) sample.Value {
	return sample.Value{Kind: sample.Number, Text: resolve.Digits(NumberOf(v).Add(by))}
}

// Int returns an integer as a value.
func Int(n int64) sample.Value {
	return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n, 10)}
}

// Assign sets the value of a key, or deletes the key.
func Assign[K comparable](m map[K]sample.Value, key K, v sample.Value, is bool) {
	if is {
		m[key] = v
	} else {
		delete(m, key)
	}
}
