package marshal

import (
	"sortkey.dev/access"
)

// How generated writes add up what a counter changes by.

// Total returns the sum of a number of each item.
func Total[T any](items []T, value func(T) int64) int64 {
	var sum int64
	for _, one := range items {
		sum += value(one)
	}
	return sum
}

// OfEach returns a value of each item.
func OfEach[T, V any](items []T, value func(T) V) []V {
	all := make([]V, len(items))
	for i, one := range items {
		all[i] = value(one)
	}
	return all
}

// OnlyIf returns value if holds is true, and else the zero value.
func OnlyIf[V any](holds bool, value V) V {
	if !holds {
		var zero V
		return zero
	}
	return value
}

// OrZero returns the value p points to, and the zero value if p is nil.
func OrZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// Given returns the value p points to. A nil p is an error of the encoder: an expression
// compares or sets the attribute.
func Given[T any](e *Encoder, attribute string, p *T) T {
	if p == nil {
		e.Refuse(attribute, "is nil, and an expression needs it")
	}
	return OrZero(p)
}

// SumDecimals returns the sum of terms. A sum with more digits than DynamoDB stores is an
// error of the encoder.
func SumDecimals(e *Encoder, attribute string, terms ...access.Decimal) access.Decimal {
	var sum access.Decimal
	for _, term := range terms {
		next, err := sum.Add(term)
		if err != nil {
			e.Refuse(attribute, err.Error())
			return sum
		}
		sum = next
	}
	return sum
}

// HasSum reports whether the sum of terms is not 0. A sum with more digits than DynamoDB
// stores is not 0.
func HasSum(terms ...access.Decimal) bool {
	var sum access.Decimal
	for _, term := range terms {
		next, err := sum.Add(term)
		if err != nil {
			return true
		}
		sum = next
	}
	return sum.Cmp("0") != 0
}

// AnyShardFrom returns the number of one of n shards, chosen at random, counted from first.
func AnyShardFrom(first, n int64) string {
	shard, _ := ParseInt(AnyShard(int(n)))
	return FormatInt(first + shard)
}
