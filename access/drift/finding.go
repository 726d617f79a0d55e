package drift

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// A Kind names what is wrong, as the findings of sortkey do.
type Kind string

// The kinds.
const (
	TableDiffers   Kind = "table-differs"   // E081
	ItemUnreadable Kind = "item-unreadable" // E082
	ItemOfNobody   Kind = "item-of-nobody"  // E083
	KeyStale       Kind = "key-stale"       // E084
	GuardMissing   Kind = "guard-missing"   // E085
	CounterOff     Kind = "counter-off"     // E086
)

var kinds = []Kind{TableDiffers, ItemUnreadable, ItemOfNobody, KeyStale, GuardMissing, CounterOff}

// mostKeys limits the keys that a finding lists.
const mostKeys = 5

// A Finding is one way in which a table or some of its items are not as the design says. It holds keys, and
// no other values.
type Finding struct {
	Kind  Kind
	Table string        // its real name
	Text  string        // what is wrong: User: age holds S, not N
	Items int64         // how many items; 0: it is about the table
	Keys  []access.Item // the primary keys of the first items, at most five
}

// finding holds what tells findings apart.
type finding struct {
	kind        Kind
	table, text string
}

// add counts a finding. Its caller holds the lock of the reading, if there is one.
func (c *checker) add(kind Kind, table, text string, key access.Item) {
	id := finding{kind, table, text}
	f := c.found[id]
	if f == nil {
		f = &Finding{Kind: kind, Table: table, Text: text}
		c.found[id] = f
	}
	if key == nil {
		return
	}
	f.Items++
	at, _ := slices.BinarySearchFunc(f.Keys, key, compareKeys) // the same keys, whichever worker was first
	if at < mostKeys {
		f.Keys = slices.Insert(f.Keys, at, key)
		f.Keys = f.Keys[:min(len(f.Keys), mostKeys)]
	}
}

func compareKeys(a, b access.Item) int {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if order := cmp.Compare(keyValue(a[name]), keyValue(b[name])); order != 0 {
			return order
		}
	}
	return 0
}

func keyValue(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return hex.EncodeToString(v.Value)
	}
	return ""
}

// sorted returns the findings by kind, table and text.
func (c *checker) sorted() []Finding {
	var all []Finding
	for _, f := range c.found {
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Text, b.Text))
	})
	return all
}
