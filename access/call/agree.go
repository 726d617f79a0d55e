package call

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// What generated writes of several items ask of them, and how they put writes together.

// differs is the reason of a KeyError for items of one call that must have a value in common.
const differs = "differs between the items of one call"

// Same returns the value that all items of a call have in common. If they have several, it
// sets err, unless it is set already.
func Same[T any, V comparable](err *error, items []T, entity, attribute string, value func(T) V) V {
	var first V
	for i, one := range items {
		switch v := value(one); {
		case i == 0:
			first = v
		case v != first && *err == nil:
			*err = &access.KeyError{Entity: entity, Attribute: attribute, Reason: differs}
		}
	}
	return first
}

// Alike reports whether all items of a call have the same value.
func Alike[T any, V comparable](items []T, value func(T) V) bool {
	for _, one := range items {
		if value(one) != value(items[0]) {
			return false
		}
	}
	return true
}

// Agree sets err if is reports false for one of the items, unless err is set already.
func Agree[T any](err *error, items []T, entity, attribute string, is func(T) bool) {
	for _, one := range items {
		if !is(one) && *err == nil {
			*err = &access.KeyError{Entity: entity, Attribute: attribute, Reason: differs}
		}
	}
}

// FailWrites returns writes whose call fails with err, and the writes themselves if err is nil.
func FailWrites(writes []Action, err error) []Action {
	switch {
	case err == nil:
		return writes
	case len(writes) == 0:
		return []Action{{Err: err}}
	}
	writes[0].Err = errors.Join(err, writes[0].Err)
	return writes
}

// MergeGuards merges the delete and the put of each unique value that a call both frees and takes: the value stays taken.
// Nothing is left of the two if the same item has it afterwards; of two items, the put remains, without its condition.
// Rows of guards follow the write of the item that they belong to.
func MergeGuards(writes []Action) []Action {
	var left []Action
	for _, w := range writes {
		other := slices.IndexFunc(writes, func(other Action) bool { return movesTo(&w, &other) || movesTo(&other, &w) })
		switch {
		case other < 0:
			left = append(left, w)
		case w.Kind == Put && !owns(writes, other, w.Item):
			w.Condition, w.Names, w.Expects, w.freedBy = "", nil, Anything, ownerKey(writes, other)
			left = append(left, w)
		}
	}
	return left
}

// movesTo reports whether a write deletes the row of a unique value that another one puts.
func movesTo(from, to *Action) bool {
	return from.Kind == Delete && to.Taken != nil && to.Kind == Put && from.Err == nil && to.Err == nil &&
		from.Table == to.Table && from.Name == to.Name && sameTexts(from.KeyNames, from.Key, to.Item)
}

// owns reports whether the item that the row of a guard belongs to, which is written before it, is the one that a row
// names. A row that names none is that of any item.
func owns(writes []Action, at int, row access.Item) bool {
	for name, value := range ownerKey(writes, at) {
		if named := row[marshal.OwnerName(name)]; named != nil && !reflect.DeepEqual(named, value) {
			return false
		}
	}
	return true
}

// isGuardRow reports whether a write is that of a row that keeps a value unique.
func isGuardRow(w *Action) bool { return strings.HasPrefix(w.Name, "guard ") }

// sameTexts reports whether two items have the same texts under all names.
func sameTexts(names []string, a, b access.Item) bool {
	for _, name := range names {
		x, _ := a[name].(*types.AttributeValueMemberS)
		y, _ := b[name].(*types.AttributeValueMemberS)
		if x == nil || y == nil || x.Value != y.Value {
			return false
		}
	}
	return true
}
