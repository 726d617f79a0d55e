package dynamo

import (
	"bytes"
	"iter"
	"slices"

	"sortkey.dev/engine/internal/number"
)

// smallSet is the size of a number set up to which ordering it allocates nothing.
const smallSet = 32

// Ordered iterates over the members of a set in the order in which responses list
// them: strings and bytes in byte order, numbers by their values. The encoding
// orders numbers by their text, so only a number set may have to be sorted, and
// only when its members differ in sign or length.
func (v Value) Ordered() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { v.eachOrdered(yield) }
}

func (v Value) eachOrdered(yield func([]byte) bool) {
	if v.Kind() != KindNumberSet || v.inOrder() {
		for m := range v.Members() {
			if !yield(m) {
				return
			}
		}
		return
	}
	var room [smallSet][]byte
	members := room[:0]
	for m := range v.Members() {
		members = append(members, m)
	}
	slices.SortFunc(members, number.Compare)
	for _, m := range members {
		if !yield(m) {
			return
		}
	}
}

// inOrder reports whether the members of a number set are encoded in the order of
// their values.
func (v Value) inOrder() bool {
	var last []byte
	for m := range v.Members() {
		if last != nil && !precedes(last, m) {
			return false
		}
		last = m
	}
	return true
}

// precedes reports whether a is less than b, given that the text of a sorts before
// that of b. Positive integers of one length are the usual case and need no
// arithmetic.
func precedes(a, b []byte) bool {
	if len(a) == len(b) && a[0] != '-' && !bytes.ContainsRune(a, '.') && !bytes.ContainsRune(b, '.') {
		return true
	}
	return number.Compare(a, b) < 0
}
