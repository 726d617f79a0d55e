package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

func describeNested(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("0x%x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberBS:
		all := make([]string, len(v.Value))
		for i, b := range v.Value {
			all[i] = fmt.Sprintf("0x%x", b)
		}
		return describeSet(all)
	case *types.AttributeValueMemberL:
		all := make([]string, len(v.Value))
		for i, e := range v.Value {
			all[i] = describe(e)
		}
		return "[" + join(all) + "]"
	case *types.AttributeValueMemberM:
		return describeItem(v.Value)
	}
	return "null"
}

// describeItem is an item as a difference shows it, attributes by name.
func describeItem(item access.Item) string {
	all := make([]string, 0, len(item))
	for _, name := range slices.Sorted(maps.Keys(item)) {
		all = append(all, name+": "+describe(item[name]))
	}
	return "{" + join(all) + "}"
}

func join(texts []string) string { return strings.Join(texts, ", ") }
