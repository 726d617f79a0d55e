package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// An addition is an update that returned: the amount added and the sum after it.
type addition struct{ amount, sum int }

// A scoreboard is a table of counters, with the amounts added to them. Beside the
// counters are items that other workers put and delete, each its own.
type scoreboard struct {
	*testDB
	mu       sync.Mutex
	total    map[int]int
	returned map[int][]addition // of single updates, which return the sum
	owned    map[int]int        // what the other items are to hold; -1: deleted
}

const counters = 4

// TestCountersAddUp adds to few items, one by one and in transactions, while other workers
// put and delete neighbouring items in batches.
func TestCountersAddUp(t *testing.T) {
	onEachStore(t, engine.Options{}, func(s *testDB) {
		s.createTable(keyed("scores", "board/S", "id/N"))
		b := &scoreboard{testDB: s, total: map[int]int{}, returned: map[int][]addition{}, owned: map[int]int{}}
		c := s.newWorkers()
		c.start(6, func(int) work { return repeat(s.times(300, 40), b.add) })
		c.start(4, func(int) work { return repeat(s.times(100, 15), b.addToSeveral) })
		c.start(3, func(worker int) work { return repeat(s.times(100, 30), b.batch(worker)) })
		c.wait()
		b.compare()
	})
}

func score(id int) attributes { return attributes{"board": text("a"), "id": number(id)} }

func (b *scoreboard) add(ctx context.Context, rnd *rand.Rand) error {
	id, amount := rnd.IntN(counters), 1+rnd.IntN(9)
	var out *dynamodb.UpdateItemOutput
	err := retryOnConflict(func() (err error) {
		out, err = b.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: new("scores"), Key: score(id), UpdateExpression: new("ADD n :n"),
			ExpressionAttributeValues: attributes{":n": number(amount)}, ReturnValues: types.ReturnValueUpdatedNew,
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("add to %d: %w", id, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.total[id] += amount
	b.returned[id] = append(b.returned[id], addition{amount, integer(out.Attributes, "n")})
	return nil
}

func (b *scoreboard) addToSeveral(ctx context.Context, rnd *rand.Rand) error {
	ids, amount := rnd.Perm(counters)[:2+rnd.IntN(2)], 1+rnd.IntN(9)
	in := &dynamodb.TransactWriteItemsInput{}
	for _, id := range ids {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Update: &types.Update{
			TableName: new("scores"), Key: score(id), UpdateExpression: new("ADD n :n"),
			ExpressionAttributeValues: attributes{":n": number(amount)},
		}})
	}
	err := retryOnConflict(func() error {
		_, err := b.db.API().TransactWriteItems(ctx, in)
		return err
	})
	if err != nil {
		return fmt.Errorf("add to %v: %w", ids, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		b.total[id] += amount
	}
	return nil
}

// batch puts and deletes items that one worker owns.
func (b *scoreboard) batch(worker int) work {
	return func(ctx context.Context, rnd *rand.Rand) error {
		wanted := map[int]int{}
		var requests []types.WriteRequest
		for _, i := range rnd.Perm(20)[:1+rnd.IntN(10)] {
			id, n := 100*(1+worker)+i, rnd.IntN(4)-1
			wanted[id] = n
			if n < 0 {
				requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: score(id)}})
				continue
			}
			item := score(id)
			item["n"] = number(n)
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		for left := map[string][]types.WriteRequest{"scores": requests}; len(left) > 0; {
			out, err := b.db.API().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: left})
			if err != nil {
				return err
			}
			left = out.UnprocessedItems
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		for id, n := range wanted {
			b.owned[id] = n
		}
		return nil
	}
}

func (b *scoreboard) compare() {
	b.Helper()
	items, err := b.scan(b.Context(), "scores", "", 50)
	b.must(err)
	want := map[int]int{}
	for id, n := range b.owned {
		if n >= 0 {
			want[id] = n
		}
	}
	for id := range counters {
		want[id] = b.total[id]
		b.checkSteps(id)
	}
	for _, item := range items {
		id, n := integer(item, "id"), integer(item, "n")
		if n != want[id] {
			b.Errorf("item %d holds %d, want %d", id, n, want[id])
		}
		delete(want, id)
	}
	if len(want) > 0 {
		b.Errorf("missing: %v", want)
	}
	b.must(b.agree(b.Context(), "scores"))
}

// checkSteps checks that no two additions started from the same sum.
func (b *scoreboard) checkSteps(id int) {
	b.Helper()
	returned := b.returned[id]
	slices.SortFunc(returned, func(x, y addition) int { return cmp.Compare(x.sum, y.sum) })
	before := addition{}
	for _, a := range returned {
		if a.sum-a.amount < before.sum {
			b.Errorf("counter %d: adding %d returned %d, and adding %d returned %d", id, before.amount, before.sum, a.amount, a.sum)
		}
		before = a
	}
}
