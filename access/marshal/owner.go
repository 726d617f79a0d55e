package marshal

import (
	"strings"

	"sortkey.dev/access"
)

// OwnerName returns the name of the attribute of a guard row that holds a primary key attribute of the item that the row
// belongs to: owner PK. It contains a space, which the names of attributes in designs cannot.
func OwnerName(key string) string { return ownerPrefix + key }

const ownerPrefix = "owner "

// Owner returns the primary key of the item that a guard row belongs to; nil if the row does not say, because it was
// written before guard rows named their owner.
func Owner(row access.Item) access.Item {
	var key access.Item
	for name, value := range row {
		if of, is := strings.CutPrefix(name, ownerPrefix); is {
			if key == nil {
				key = access.Item{}
			}
			key[of] = value
		}
	}
	return key
}
