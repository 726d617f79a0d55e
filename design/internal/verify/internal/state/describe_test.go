package state

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// TestSameItem compares items as DynamoDB does: numbers by value, sets in any order, and nothing else.
func TestSameItem(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	set := func(all ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: all} }
	for _, test := range []struct {
		a, b access.Item
		same bool
	}{
		{nil, access.Item{}, true},
		{access.Item{"n": marshal.Num("1.50")}, access.Item{"n": marshal.Num("1.5")}, true},
		{access.Item{"s": set("a", "b")}, access.Item{"s": set("b", "a")}, true},
		{access.Item{"t": text("a"), "u": text("\xff")}, access.Item{"u": text("\xff"), "t": text("a")}, true},
		{access.Item{"t": text("a")}, access.Item{"t": text("b")}, false},
		{access.Item{"t": text("1")}, access.Item{"t": marshal.Num("1")}, false},
		{access.Item{"t": text("a")}, access.Item{"u": text("a")}, false},
		{access.Item{"t": text("a")}, access.Item{"t": text("a"), "u": text("a")}, false},
		{access.Item{"t": text("a")}, access.Item{"t": nil}, false},
	} {
		if got := SameItem(test.a, test.b); got != test.same {
			t.Errorf("%s and %s are the same: %v", DescribeItem(test.a), DescribeItem(test.b), got)
		}
	}
}
