package engine_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
)

// The checks below compare, while no worker runs, the copies of the same items that the
// database keeps.

// agree compares the indexes and counters of tables with their items.
func (s *testDB) agree(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		out, err := s.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if err != nil {
			return err
		}
		items, err := s.scan(ctx, table, "", 100)
		if err != nil {
			return err
		}
		if err := agreeCounts(items, *out.Table.ItemCount, *out.Table.TableSizeBytes); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		for _, x := range indexesOf(out.Table) {
			if err := s.agreeIndex(ctx, table, items, x); err != nil {
				return fmt.Errorf("index %s of table %s: %w", x.name, table, err)
			}
		}
	}
	return nil
}

// must fails the test if err is not nil.
func (s *testDB) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// agreeCounts compares the counts of DescribeTable with the items.
func agreeCounts(items []attributes, count, bytes int64) error {
	size := 0
	for _, item := range items {
		size += sizeOf(item)
	}
	if count != int64(len(items)) || bytes != int64(size) {
		return fmt.Errorf("DescribeTable reports %d items of %d bytes, there are %d of %d", count, bytes, len(items), size)
	}
	return nil
}

func (s *testDB) agreeIndex(ctx context.Context, table string, items []attributes, x indexed) error {
	if x.status != types.IndexStatusActive {
		return fmt.Errorf("it is %s", x.status)
	}
	entries, err := s.scan(ctx, table, x.name, 100)
	if err != nil {
		return err
	}
	if want, got := shown(x.entries(items)), shown(entries); !slices.Equal(want, got) {
		return fmt.Errorf("it differs from the table (-want +got):\n%s", cmp.Diff(want, got))
	}
	return agreeCounts(entries, x.count, x.bytes)
}

// An indexed is an index as DescribeTable describes it.
type indexed struct {
	name         string
	status       types.IndexStatus
	key          map[string]string // types by name
	projected    []string          // nil: all
	count, bytes int64
}

func indexesOf(d *types.TableDescription) (all []indexed) {
	for _, x := range d.GlobalSecondaryIndexes {
		all = append(all, newIndexed(d, *x.IndexName, x.IndexStatus, x.KeySchema, x.Projection, *x.ItemCount, *x.IndexSizeBytes))
	}
	for _, x := range d.LocalSecondaryIndexes {
		all = append(all, newIndexed(d, *x.IndexName, types.IndexStatusActive, x.KeySchema, x.Projection, *x.ItemCount, *x.IndexSizeBytes))
	}
	return all
}

func newIndexed(d *types.TableDescription, name string, status types.IndexStatus, key []types.KeySchemaElement, projection *types.Projection, count, bytes int64) indexed {
	x := indexed{name: name, status: status, key: map[string]string{}, count: count, bytes: bytes}
	for _, k := range key {
		i := slices.IndexFunc(d.AttributeDefinitions, func(a types.AttributeDefinition) bool { return *a.AttributeName == *k.AttributeName })
		x.key[*k.AttributeName] = string(d.AttributeDefinitions[i].AttributeType)
	}
	if projection.ProjectionType == types.ProjectionTypeAll {
		return x
	}
	x.projected = slices.Concat(projection.NonKeyAttributes, slices.Collect(maps.Keys(x.key)))
	for _, k := range d.KeySchema {
		x.projected = append(x.projected, *k.AttributeName)
	}
	return x
}

// entries returns the entries that the index must have for the items of its table: the
// projections of the items that have its whole key, in the right types.
func (x indexed) entries(items []attributes) (all []attributes) {
	for _, item := range items {
		has := true
		for name, kind := range x.key {
			has = has && fmt.Sprintf("%T", item[name]) == "*types.AttributeValueMember"+kind
		}
		if !has {
			continue
		}
		part := maps.Clone(item)
		maps.DeleteFunc(part, func(name string, _ types.AttributeValue) bool {
			return x.projected != nil && !slices.Contains(x.projected, name)
		})
		all = append(all, part)
	}
	return all
}

// shown formats items, sorted.
func shown(items []attributes) (all []string) {
	for _, item := range items {
		all = append(all, show(item))
	}
	slices.Sort(all)
	return all
}

// sizeOf returns the size of an item of strings and integers.
func sizeOf(item attributes) (size int) {
	for name, value := range item {
		size += len(name)
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			size += len(v.Value)
		case *types.AttributeValueMemberN:
			size += numberSize(v.Value)
		}
	}
	return size
}

// numberSize returns one byte, one for every two digits without trailing zeros, and one for a minus sign.
func numberSize(n string) int {
	digits := strings.TrimRight(strings.TrimPrefix(n, "-"), "0")
	size := 1 + (len(digits)+1)/2
	if n[0] == '-' {
		size++
	}
	return size
}
