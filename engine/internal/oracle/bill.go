package oracle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A bill is what an operation costs on one table.
type bill struct {
	table         float64
	local, global map[string]float64
}

func units(size, unit int) float64 { return float64(max(1, (size+unit-1)/unit)) }

// writeUnits is what it costs to write an item of some size.
func writeUnits(size int) float64 { return units(size, 1024) }

// readUnits is what it costs to read something of some size.
func readUnits(size int, consistent bool) float64 {
	if consistent {
		return units(size, 4096)
	}
	return units(size, 4096) / 2
}

// index books units of an index. An index that costs nothing is not mentioned.
func (b *bill) index(x *Index, units float64) {
	arm := &b.global
	if x.Local {
		arm = &b.local
	}
	if *arm == nil {
		*arm = map[string]float64{}
	}
	(*arm)[x.Name] += units
}

// add books what something else cost.
func (b *bill) add(other bill) {
	b.table += other.table
	for name, units := range other.local {
		b.index(&Index{Name: name, Local: true}, units)
	}
	for name, units := range other.global {
		b.index(&Index{Name: name}, units)
	}
}

func (b *bill) total() float64 {
	total := b.table
	for _, units := range b.local {
		total += units
	}
	for _, units := range b.global {
		total += units
	}
	return total
}

// How single operations and batches show units, and transactions those they read or write.
const (
	plain   = ""
	reading = "read"
	writing = "write"
)

func capacity(units float64, axis string) types.Capacity {
	c := types.Capacity{CapacityUnits: &units}
	switch axis {
	case reading:
		c.ReadCapacityUnits = &units
	case writing:
		c.WriteCapacityUnits = &units
	}
	return c
}

// consumed is the bill as an answer shows it, with the detail that was asked for.
func (b *bill) consumed(table string, detail types.ReturnConsumedCapacity, axis string) *types.ConsumedCapacity {
	if detail != types.ReturnConsumedCapacityTotal && detail != types.ReturnConsumedCapacityIndexes {
		return nil
	}
	total := capacity(b.total(), axis)
	c := &types.ConsumedCapacity{
		TableName: &table, CapacityUnits: total.CapacityUnits,
		ReadCapacityUnits: total.ReadCapacityUnits, WriteCapacityUnits: total.WriteCapacityUnits,
	}
	if detail == types.ReturnConsumedCapacityTotal {
		return c
	}
	arms := func(units map[string]float64) map[string]types.Capacity {
		if len(units) == 0 {
			return nil
		}
		all := map[string]types.Capacity{}
		for name, u := range units {
			all[name] = capacity(u, axis)
		}
		return all
	}
	own := capacity(b.table, axis)
	c.Table, c.LocalSecondaryIndexes, c.GlobalSecondaryIndexes = &own, arms(b.local), arms(b.global)
	return c
}

// bills are the bills of several tables.
type bills map[string]*bill

func (b bills) add(table string, one bill) {
	if b[table] == nil {
		b[table] = &bill{}
	}
	b[table].add(one)
}

// consumed are the bills in the order of the tables' names.
func (b bills) consumed(detail types.ReturnConsumedCapacity, axis string) (all []types.ConsumedCapacity) {
	for _, table := range slices.Sorted(maps.Keys(b)) {
		if c := b[table].consumed(table, detail, axis); c != nil {
			all = append(all, *c)
		}
	}
	return all
}

// sortConsumed brings the bills of an answer, which come in any order, into that of the tables' names.
func sortConsumed(all []types.ConsumedCapacity) {
	slices.SortFunc(all, func(a, b types.ConsumedCapacity) int {
		return cmp.Compare(aws.ToString(a.TableName), aws.ToString(b.TableName))
	})
}
