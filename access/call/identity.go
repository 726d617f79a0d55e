package call

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// distinct gives the identity of the item of every write, or the error of two that touch
// one item.
func distinct(c *access.Client, writes []Action) ([]string, error) {
	ids := make([]string, len(writes))
	seen := make(map[string]int, len(writes))
	for i := range writes {
		w := &writes[i]
		key := w.Key
		if w.Kind == Put {
			key = w.Item
		}
		table := w.tableName(c)
		id, err := identity(table, w.keyNames(), key)
		if err != nil {
			return nil, named(w.Name, "", err)
		}
		if first, twice := seen[id]; twice {
			return nil, fmt.Errorf("%w: action %d (%s) and action %d (%s) on table %s",
				access.ErrTwice, first+1, writes[first].Name, i+1, w.Name, table)
		}
		seen[id], ids[i] = i, id
	}
	return ids, nil
}

// keyNames returns the primary key attributes in sorted order. A key tells
// them by itself.
func (w *Action) keyNames() []string {
	if len(w.KeyNames) > 0 || w.Kind == Put {
		return slices.Sorted(slices.Values(w.KeyNames))
	}
	return slices.Sorted(maps.Keys(w.Key))
}

// identity returns a text that is the same for the same item of a table only: 1, 1.0 and
// 10e-1 are one key.
func identity(table string, keyNames []string, item access.Item) (string, error) {
	if len(keyNames) == 0 {
		return "", fmt.Errorf("access: the key attributes of table %s are not known", table)
	}
	id := appendText(nil, table)
	for _, name := range keyNames {
		switch v := item[name].(type) {
		case *types.AttributeValueMemberS, *types.AttributeValueMemberN, *types.AttributeValueMemberB:
			id = appendValue(id, v)
		case nil:
			return "", fmt.Errorf("access: the item has no %s, a key attribute of table %s", name, table)
		default:
			return "", fmt.Errorf("access: %s, a key attribute of table %s, is neither S, N nor B", name, table)
		}
	}
	return string(id), nil
}
