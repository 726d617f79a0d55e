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
		return quote(v.Value)
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

// quote is strconv.Quote, and faster for texts in which nothing has to be escaped: keys.
func quote(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.Quote(text)
		}
	}
	return `"` + text + `"`
}

func join(texts []string) string { return strings.Join(texts, ", ") }
