package oracle

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A bill is the cost of an operation on one table.
type bill struct {
	table         float64
	local, global map[string]float64
}

func units(size, unit int) float64 { return float64(max(1, (size+unit-1)/unit)) }

// writeUnits returns the cost of writing an item of some size.
func writeUnits(size int) float64 { return units(size, 1024) }

// readUnits returns the cost of reading some bytes.
func readUnits(size int, consistent bool) float64 {
	if consistent {
		return units(size, 4096)
	}
	return units(size, 4096) / 2
}

// index adds units of an index. An index without cost is not listed.
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

// add adds another bill.
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

// How responses show units: plainly, or as read or write units of a transaction.
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

// consumed returns the bill as a response shows it, with the requested detail.
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

// bills holds the bills of several tables.
type bills map[string]*bill

func (b bills) add(table string, one bill) {
	if b[table] == nil {
		b[table] = &bill{}
	}
	b[table].add(one)
}

// consumed returns the bills sorted by table.
func (b bills) consumed(detail types.ReturnConsumedCapacity, axis string) (all []types.ConsumedCapacity) {
	for _, table := range slices.Sorted(maps.Keys(b)) {
		if c := b[table].consumed(table, detail, axis); c != nil {
			all = append(all, *c)
		}
	}
	return all
}

// sortConsumed sorts the bills of a response, which come in any order, by table.
func sortConsumed(all []types.ConsumedCapacity) {
	slices.SortFunc(all, func(a, b types.ConsumedCapacity) int {
		return cmp.Compare(aws.ToString(a.TableName), aws.ToString(b.TableName))
	})
}
