package call

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
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

// MergeGuards removes the delete and the put of each unique value that a call both frees and
// takes: the value stays taken.
func MergeGuards(writes []Action) []Action {
	stays := func(w Action) bool {
		return w.Err == nil && slices.ContainsFunc(writes, func(other Action) bool {
			switch {
			case other.Err != nil || other.Table != w.Table || other.Name != w.Name:
				return false
			case w.Kind == Delete && other.Taken != nil:
				return sameTexts(w.KeyNames, w.Key, other.Item)
			case w.Taken != nil && other.Kind == Delete:
				return sameTexts(w.KeyNames, w.Item, other.Key)
			}
			return false
		})
	}
	var left []Action
	for _, w := range writes {
		if !stays(w) {
			left = append(left, w)
		}
	}
	return left
}

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
