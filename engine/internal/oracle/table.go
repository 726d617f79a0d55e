package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Index is a secondary index. Local indexes have the table's Hash.
type Index struct {
	Name    string
	Local   bool
	Hash    []string
	Sort    []string
	Project string // ALL, KEYS_ONLY or INCLUDE
	Include []string
}

// A table is a table of the model.
type table struct {
	name    string
	hash    string
	sort    string            // empty: the key has one attribute
	types   map[string]string // of key attributes
	indexes []Index
	items   map[string]Item // by id
	ttl     string          // attribute; empty: items do not expire
	stream  *stream         // the current one
	latest  *stream         // the latest one
	guarded bool            // against deletion
	tags    map[string]string
}

// key returns the attributes of the table's key.
func (t *table) key() []string {
	if t.sort == "" {
		return []string{t.hash}
	}
	return []string{t.hash, t.sort}
}

// id returns a string that identifies an item by its key.
func (t *table) id(it Item) string { return Literal(canonicalItem(only(it, t.key()...))) }

// get returns the item with a key, nil if there is none.
func (t *table) get(key Item) Item { return t.items[t.id(key)] }

// index returns an index by its name. The empty name is the table itself.
func (t *table) index(name string) *Index {
	if name == "" {
		x := &Index{Hash: []string{t.hash}, Project: "ALL"}
		if t.sort != "" {
			x.Sort = []string{t.sort}
		}
		return x
	}
	for i := range t.indexes {
		if t.indexes[i].Name == name {
			return &t.indexes[i]
		}
	}
	return nil
}

// hasLocal reports whether there are item collections.
func (t *table) hasLocal() bool {
	return slices.ContainsFunc(t.indexes, func(x Index) bool { return x.Local })
}

// key returns the attributes of an index key.
func (x *Index) key() []string { return slices.Concat(x.Hash, x.Sort) }

// rowKey returns the attributes of LastEvaluatedKey.
func (t *table) rowKey(x *Index) []string {
	all := slices.Concat(t.key(), x.key())
	slices.Sort(all)
	return slices.Compact(all)
}

// entry returns the entry of an item in an index; nil if it has none. An item
// that is older than the index may have values that cannot be keys.
func (t *table) entry(x *Index, it Item) Item {
	if it == nil {
		return nil
	}
	for _, name := range x.key() {
		if kind(it[name]) != t.types[name] || kind(it[name]) != "N" && text(it[name]) == "" {
			return nil
		}
	}
	if lengthComplaint(x.Hash, x.Sort, it) != "" {
		return nil
	}
	switch x.Project {
	case "ALL":
		return it
	case "INCLUDE":
		return only(it, append(t.rowKey(x), x.Include...)...)
	}
	return only(it, t.rowKey(x)...)
}

// entries returns all entries of an index, in no particular order.
func (t *table) entries(x *Index) (all []Item) {
	for _, id := range slices.Sorted(maps.Keys(t.items)) {
		if e := t.entry(x, t.items[id]); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// compareSort compares two entries of one partition by their sort attributes.
func (x *Index) compareSort(a, b Item) int {
	for _, name := range x.Sort {
		if c, _ := order(a[name], b[name]); c != 0 {
			return c
		}
	}
	return 0
}

const (
	keyMismatch = "The provided key element does not match the schema"
	invalid     = "One or more parameter values were invalid: "
)

// keyComplaint returns the error of a key that names one item; empty if it is valid.
func (t *table) keyComplaint(key Item) string {
	if len(key) != len(t.key()) {
		return keyMismatch
	}
	return t.batchPutComplaint(key)
}

// batchPutComplaint returns BatchWriteItem's error for the key of an item.
func (t *table) batchPutComplaint(it Item) string {
	for _, name := range t.key() {
		if kind(it[name]) != t.types[name] {
			return keyMismatch
		}
	}
	return t.keyValueComplaint(it)
}

// putComplaint returns PutItem's error for the key of an item.
func (t *table) putComplaint(it Item) string {
	for _, name := range t.key() {
		switch k := kind(it[name]); {
		case k == "":
			return invalid + "Missing the key " + name + " in the item"
		case k != t.types[name]:
			return fmt.Sprintf(invalid+"Type mismatch for key %s expected: %s actual: %s", name, t.types[name], k)
		}
	}
	return t.keyValueComplaint(it)
}

// keyValueComplaint returns the error for key attributes of the right types.
func (t *table) keyValueComplaint(it Item) string {
	if c := t.emptyKeyComplaint(it); c != "" {
		return c
	}
	x := t.index("")
	return lengthComplaint(x.Hash, x.Sort, it)
}

func (t *table) emptyKeyComplaint(it Item) string {
	for _, name := range t.key() {
		if what := empty(it[name]); what != "" {
			return "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty " + what + " value. Key: " + name
		}
	}
	return ""
}

// empty names the kind of an empty string or binary value.
func empty(v types.AttributeValue) string {
	switch k := kind(v); {
	case k == "S" && text(v) == "":
		return "string"
	case k == "B" && text(v) == "":
		return "binary"
	}
	return ""
}

func lengthComplaint(hash, sort []string, it Item) string {
	for _, name := range hash {
		if valueSize(it[name]) > 2048 {
			return invalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
		}
	}
	sum := 0
	for _, name := range sort {
		sum += valueSize(it[name])
	}
	if sum > 1024 {
		return invalid + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	}
	return ""
}

// An indexComplaint is the error of a value of an index key.
type indexComplaint struct {
	texts []string // one of these
	empty bool     // it is an empty value
}

// indexComplaint returns the error of the index keys of an item, nil if they are valid. The
// item is the result of an update, or of a put if u is nil.
func (t *table) indexComplaint(it Item, u Update) *indexComplaint {
	byName := slices.SortedFunc(slices.Values(t.indexes), func(a, b Index) int { return cmp.Compare(a.Name, b.Name) })
	for _, x := range byName {
		for _, name := range x.key() {
			if c := t.indexKeyComplaint(&x, name, it[name], u); c != nil {
				return c
			}
		}
		if c := lengthComplaint(x.Hash, x.Sort, it); c != "" {
			return &indexComplaint{texts: []string{c}}
		}
	}
	return nil
}

func (t *table) indexKeyComplaint(x *Index, name string, v types.AttributeValue, u Update) *indexComplaint {
	switch what := empty(v); {
	case v == nil:
		return nil
	case kind(v) != t.types[name]:
		text := fmt.Sprintf(invalid+"Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", name, t.types[name], kind(v), x.Name)
		// An update reports this only for its own values, not for those it found in the item.
		return &indexComplaint{texts: append([]string{text}, u.foundComplaint(name)...)}
	case what != "" && u != nil:
		return &indexComplaint{empty: true, texts: []string{"One or more parameter values are not valid. " +
			"The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty " + what + " value."}}
	case what != "":
		return &indexComplaint{empty: true, texts: []string{"One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty " + what + " value. IndexName: " + x.Name + ", IndexKey: " + name}}
	}
	return nil
}

// foundComplaint returns other possible errors of an update for an index key of a wrong type.
func (u Update) foundComplaint(name string) []string {
	for _, a := range u {
		if a.Path.head() == name && (a.To.Op != "" || a.To.Path != nil) {
			return []string{"The update expression attempted to update the secondary index key to unsupported type"}
		}
	}
	return nil
}
