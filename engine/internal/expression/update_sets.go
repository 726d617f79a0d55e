package expression

import (
	"bytes"
	"iter"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// isSubset reports whether all members of one set are in the other.
func isSubset(set, of dynamo.Value) bool {
	for _, in := range mergeSets(set, of) {
		if in == inFirst {
			return false
		}
	}
	return true
}

// A membership says which of two sets have a member.
type membership int

const (
	inFirst membership = iota
	inSecond
	inBoth
)

// mergeSets iterates over the members of two sets, sorted and without duplicates.
func mergeSets(first, second dynamo.Value) iter.Seq2[[]byte, membership] {
	return func(yield func([]byte, membership) bool) {
		rest := slices.AppendSeq(make([][]byte, 0, second.Len()), second.Members())
		for m := range first.Members() {
			for len(rest) > 0 && bytes.Compare(rest[0], m) < 0 {
				if !yield(rest[0], inSecond) {
					return
				}
				rest = rest[1:]
			}
			in := inFirst
			if len(rest) > 0 && bytes.Equal(rest[0], m) {
				in, rest = inBoth, rest[1:]
			}
			if !yield(m, in) {
				return
			}
		}
		for _, m := range rest {
			if !yield(m, inSecond) {
				return
			}
		}
	}
}
