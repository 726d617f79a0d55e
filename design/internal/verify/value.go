package verify

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
)

// attributeValue is a value as the SDK carries it.
func attributeValue(v sample.Value) types.AttributeValue {
	switch v.Kind {
	case sample.Number:
		return access.Num(v.Text)
	case sample.Binary:
		return access.B([]byte(v.Text))
	case sample.Truth:
		return access.Bool(v.Truth)
	case sample.List:
		return access.ListOf(v.Elements, attributeValue)
	case sample.Map:
		fields := access.Item{}
		for _, f := range v.Fields {
			fields[f.Name] = attributeValue(f.Value)
		}
		return access.M(fields)
	case sample.Texts:
		return access.Strings(texts(v.Elements))
	case sample.Numbers:
		return &types.AttributeValueMemberNS{Value: texts(v.Elements)}
	case sample.Blobs:
		all := make([][]byte, len(v.Elements))
		for i, e := range v.Elements {
			all[i] = []byte(e.Text)
		}
		return access.Blobs(all)
	}
	return access.S(v.Text)
}

func texts(values []sample.Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.Text
	}
	return all
}

// stored is an item as the SDK carries it.
func stored(item *sample.Item) access.Item {
	all := make(access.Item, len(item.Attributes))
	for _, a := range item.Attributes {
		all[a.Name] = attributeValue(a.Value)
	}
	return all
}

// constant is a constant of the design as a value of an attribute's type.
func constant(a *model.Attribute, text string) sample.Value {
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

// keyOf is an item's primary key.
func keyOf(t *model.Table, item access.Item) access.Item {
	key := access.Item{t.PK.Name: item[t.PK.Name]}
	if t.SK.Name != "" {
		key[t.SK.Name] = item[t.SK.Name]
	}
	return key
}

// same compares two values as DynamoDB would: numbers by value, sets in any order.
func same(a, b types.AttributeValue) bool { return describe(a) == describe(b) }

// describe is a value as a difference shows it, the same text for the same value.
func describe(v types.AttributeValue) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *types.AttributeValueMemberN:
		if d, err := access.ParseDecimal(v.Value); err == nil {
			return d.String()
		}
		return v.Value
	case *types.AttributeValueMemberSS:
		return describeSet(v.Value)
	case *types.AttributeValueMemberNS:
		all := make([]string, len(v.Value))
		for i, n := range v.Value {
			all[i] = describe(access.Num(n))
		}
		return describeSet(all)
	}
	return describeNested(v)
}

func describeSet(values []string) string {
	sorted := slices.Sorted(slices.Values(values))
	return "{" + join(sorted) + "}"
}
