// Package capacity computes the cost of operations in DynamoDB's units: read and write units
// with their rounding, and the account of one request over a table and its indexes.
//
// It knows sizes only. Package table measures them and calls it.
package capacity

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

const (
	writeUnit = 1 << 10
	readUnit  = 4 << 10
)

// WriteUnits returns the cost of writing one item or index entry of size bytes.
func WriteUnits(size int) float64 { return float64(max(1, (size+writeUnit-1)/writeUnit)) }

// ReadUnits returns the cost of reading size bytes, rounded up once. Reading nothing
// costs as much as reading little.
func ReadUnits(size int, consistent bool) float64 {
	return readUnits(wholeReads(size), consistent)
}

// wholeReads returns the cost of reading size bytes consistently.
func wholeReads(size int) int { return max(1, (size+readUnit-1)/readUnit) }

func readUnits(whole int, consistent bool) float64 {
	if consistent {
		return float64(whole)
	}
	return float64(whole) / 2
}

// IndexWriteUnits returns the cost of a write on one index, given the sizes of the
// entry before and after (negative where there is none), whether the entry
// moved to another key and whether its content changed.
func IndexWriteUnits(before, after int, moved, changed bool) float64 {
	switch {
	case before < 0 && after < 0:
		return 0
	case before < 0:
		return WriteUnits(after)
	case after < 0:
		return WriteUnits(before)
	case moved:
		return WriteUnits(before) + WriteUnits(after)
	case changed:
		return WriteUnits(max(before, after))
	}
	return 0
}

// vectorMinimum is the minimum cost of a write or a search of a vector index.
const vectorMinimum = 1 << 10

// VectorWriteBytes returns the bytes that a write is charged on one vector index, given the sizes of
// the entry before and after (zero where there is none), whether the entry moved
// to another partition and whether its content changed.
func VectorWriteBytes(before, after int, moved, changed bool) float64 {
	switch {
	case moved:
		return float64(max(vectorMinimum, before) + max(vectorMinimum, after))
	case changed:
		return float64(max(vectorMinimum, before, after))
	}
	return 0
}

// VectorSearchBytes returns the bytes charged for a search that compared vectors of some bytes and
// returned items of some bytes.
func VectorSearchBytes(compared, returned int) float64 {
	return float64(max(vectorMinimum, compared+returned))
}

// An Account adds up the cost of one request on one table. The zero Account is empty.
type Account struct {
	table  float64
	local  []dynamo.IndexCapacity
	global []dynamo.IndexCapacity
	vector []dynamo.IndexCapacity // in bytes
}

// Table adds units of the table itself.
func (a *Account) Table(units float64) { a.table += units }

// Local adds units of a local index.
func (a *Account) Local(index string, units float64) { a.local = add(a.local, index, units) }

// Global adds units of a global index.
func (a *Account) Global(index string, units float64) { a.global = add(a.global, index, units) }

// Vector adds bytes of a vector index.
func (a *Account) Vector(index string, bytes float64) { a.vector = add(a.vector, index, bytes) }

// Add adds another account.
func (a *Account) Add(other *Account) {
	a.table += other.table
	for _, arm := range other.local {
		a.Local(arm.IndexName, arm.Units)
	}
	for _, arm := range other.global {
		a.Global(arm.IndexName, arm.Units)
	}
	for _, arm := range other.vector {
		a.Vector(arm.IndexName, arm.Units)
	}
}

// add adds units to an index. An index without cost gets no entry.
func add(arms []dynamo.IndexCapacity, index string, units float64) []dynamo.IndexCapacity {
	if units == 0 {
		return arms
	}
	i := slices.IndexFunc(arms, func(c dynamo.IndexCapacity) bool { return c.IndexName == index })
	if i < 0 {
		return append(arms, dynamo.IndexCapacity{IndexName: index, Units: units})
	}
	arms[i].Units += units
	return arms
}

// Consumed returns the account as a response shows it.
func (a *Account) Consumed(table string, write, detailed bool) *dynamo.ConsumedCapacity {
	c := &dynamo.ConsumedCapacity{
		TableName: table, Units: a.table, Write: write, Detailed: detailed,
		Table: a.table, LocalIndexes: a.local, GlobalIndexes: a.global, VectorIndexes: a.vector,
	}
	for _, arm := range slices.Concat(a.local, a.global) {
		c.Units += arm.Units
	}
	return c
}
