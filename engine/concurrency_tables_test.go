package engine_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// TestTransactionsOverChangingTables writes to two tables in one transaction, in either
// order, while the settings of one table and the indexes of the other change.
func TestTransactionsOverChangingTables(t *testing.T) {
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed}, func(s *testDB) {
		s.createTable(keyed("left", "id/N"))
		s.createTable(keyed("right", "id/N"))
		c := s.newWorkers()
		c.start(1, func(int) work {
			return repeat(s.times(40, 10), func(ctx context.Context, rnd *rand.Rand) error {
				if err := s.addIndex(ctx, "right", "by-n", types.ProjectionTypeAll, "n/N"); err != nil {
					return err
				}
				return s.dropIndex(ctx, "right", "by-n")
			})
		})
		c.runMeanwhile(func(ctx context.Context, rnd *rand.Rand) error {
			_, err := s.db.API().UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: new("left"), DeletionProtectionEnabled: new(rnd.IntN(2) == 0)})
			return err
		})
		for range 6 {
			c.runMeanwhile(s.writeBothTables)
		}
		c.wait()
		s.must(s.agree(s.Context(), "left", "right"))
	})
}

func (s *testDB) writeBothTables(ctx context.Context, rnd *rand.Rand) error {
	item := attributes{"id": number(rnd.IntN(100)), "n": number(rnd.IntN(10))}
	tables := []string{"left", "right"}
	if rnd.IntN(2) == 0 {
		tables = []string{"right", "left"}
	}
	in := &dynamodb.TransactWriteItemsInput{}
	for _, table := range tables {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}})
	}
	if _, err := s.db.API().TransactWriteItems(ctx, in); !isConflict(err) {
		return err
	}
	return nil
}
