package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// An account belongs to one of the branches of a bank. Branch 0 has a table of its own, the
// others are partitions of another table. Number 0 of each branch is its till, which
// counts what the branch has received from other branches. So the sum over a branch with
// its till never changes, nor does the sum over all accounts without the tills.
type account struct{ branch, number int }

const (
	branches   = 3
	perBranch  = 5 // accounts, with the till
	openingSum = 100
)

func (a account) isTill() bool { return a.number == 0 }

func (a account) table() string {
	if a.branch == 0 {
		return "savings"
	}
	return "giro"
}

func (a account) key() attributes {
	if a.branch == 0 {
		return attributes{"number": number(a.number)}
	}
	return attributes{"branch": number(a.branch), "number": number(a.number)}
}

func (a account) item(balance int) attributes {
	item := a.key()
	item["balance"], item["kind"] = number(balance), text("account")
	return item
}

// accounts returns all accounts of the bank, including the tills.
func accounts() (all []account) {
	for branch := range branches {
		for n := range perBranch {
			all = append(all, account{branch, n})
		}
	}
	return all
}

// A bank is a database of accounts, with the balances they must have.
type bank struct {
	*testDB
	mu       sync.Mutex
	balances map[account]int
	done     atomic.Int64 // transfers
	refused  atomic.Int64 // transfers without cover
	sums     atomic.Int64 // sums that were checked
	indexing atomic.Int64 // odd while the index of the table "giro" can be read
	token    atomic.Int64
}

// TestBank transfers money in transactions while other workers check the sums, write other
// items, and add and drop an index. Afterwards everything agrees.
func TestBank(t *testing.T) {
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed}, func(s *testDB) {
		b := &bank{testDB: s, balances: map[account]int{}}
		b.found()
		c := s.newWorkers()
		c.start(4, func(int) work { return repeat(150, b.transfer) })
		c.runMeanwhile(b.sumInOneTransaction)
		c.runMeanwhile(b.sumBranch)
		c.runMeanwhile(b.sumTable)
		c.runMeanwhile(b.touchOthers)
		c.runMeanwhile(b.reindex)
		c.wait()
		b.Logf("%d transfers, %d refused, %d sums", b.done.Load(), b.refused.Load(), b.sums.Load())
		if b.done.Load() == 0 || b.refused.Load() == 0 {
			b.Error("the test shows too little")
		}
		s.must(b.compare(s.Context()))
		s.must(s.reopen())
		s.must(b.compare(s.Context()))
	})
}

func (b *bank) found() {
	savings, giro := keyed("savings", "number/N"), keyed("giro", "branch/N", "number/N")
	savings.StreamSpecification, giro.StreamSpecification = withImages, withImages
	giro.AttributeDefinitions = append(giro.AttributeDefinitions, definitions("balance/N")...)
	giro.LocalSecondaryIndexes = []types.LocalSecondaryIndex{{
		IndexName: new("local"), KeySchema: keySchema("branch/N", "balance/N"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}}
	b.createTable(savings)
	b.createTable(giro)
	for _, a := range accounts() {
		if !a.isTill() {
			b.balances[a] = openingSum
		}
		_, err := b.db.API().PutItem(b.Context(), &dynamodb.PutItemInput{TableName: new(a.table()), Item: a.item(b.balances[a])})
		b.must(err)
	}
}

// add returns an action that changes a balance. Only a till may fall below zero.
func (a account) add(amount int) types.TransactWriteItem {
	u := &types.Update{
		TableName: new(a.table()), Key: a.key(), UpdateExpression: new("ADD balance :a"),
		ExpressionAttributeValues: attributes{":a": number(amount)},
	}
	if amount < 0 && !a.isTill() {
		u.ConditionExpression = new("balance >= :least")
		u.ExpressionAttributeValues[":least"] = number(-amount)
	}
	return types.TransactWriteItem{Update: u}
}

// transfer moves an amount from one account to another.
func (b *bank) transfer(ctx context.Context, rnd *rand.Rand) error {
	from := account{rnd.IntN(branches), 1 + rnd.IntN(perBranch-1)}
	to := account{rnd.IntN(branches), 1 + rnd.IntN(perBranch-1)}
	if from == to {
		return nil
	}
	amount := 1 + rnd.IntN(openingSum)
	changes := map[account]int{from: -amount, to: amount}
	if from.branch != to.branch {
		changes[account{from.branch, 0}], changes[account{to.branch, 0}] = amount, -amount
	}
	in := &dynamodb.TransactWriteItemsInput{}
	for a, amount := range changes {
		in.TransactItems = append(in.TransactItems, a.add(amount))
	}
	source := slices.IndexFunc(in.TransactItems, func(x types.TransactWriteItem) bool { return x.Update.ConditionExpression != nil })
	err := b.commit(ctx, rnd, in)
	if codes := reasons(err); len(codes) > 0 && codes[source] == "ConditionalCheckFailed" {
		b.refused.Add(1)
		return nil
	}
	if err != nil {
		return fmt.Errorf("transfer %d from %v to %v: %w", amount, from, to, err)
	}
	b.done.Add(1)
	b.mu.Lock()
	defer b.mu.Unlock()
	for a, amount := range changes {
		b.balances[a] += amount
	}
	return nil
}

// commit executes a transfer, half of them with a token: alone, twice at the same time, or again later.
func (b *bank) commit(ctx context.Context, rnd *rand.Rand, in *dynamodb.TransactWriteItemsInput) error {
	run := func() error {
		return retryOnConflict(func() error {
			_, err := b.db.API().TransactWriteItems(ctx, in)
			return err
		})
	}
	if rnd.IntN(2) == 0 {
		return run()
	}
	in.ClientRequestToken = new("token " + strconv.FormatInt(b.token.Add(1), 10))
	var twin error = context.Canceled // unless there is one
	var twins sync.WaitGroup
	if rnd.IntN(3) == 0 {
		twins.Go(func() { twin = run() })
	}
	err := run()
	twins.Wait()
	if err != nil && twin != nil {
		return err
	}
	if rnd.IntN(3) == 0 {
		if err := run(); err != nil {
			return fmt.Errorf("the same again: %w", err)
		}
	}
	if rnd.IntN(5) == 0 {
		return b.abuseToken(ctx, *in)
	}
	return nil
}

// abuseToken sends a used token with another transaction.
func (b *bank) abuseToken(ctx context.Context, in dynamodb.TransactWriteItemsInput) error {
	in.TransactItems = in.TransactItems[1:]
	err := retryOnConflict(func() error {
		_, err := b.db.API().TransactWriteItems(ctx, &in)
		return err
	})
	if _, ok := errors.AsType[*types.IdempotentParameterMismatchException](err); !ok {
		return fmt.Errorf("a used token with another payload: %v", err)
	}
	return nil
}

// compare compares the balances with the transfers, and indexes and counters with the items.
func (b *bank) compare(ctx context.Context) error {
	got := map[account]int{}
	for _, table := range []string{"savings", "giro"} {
		items, err := b.scan(ctx, table, "", 10)
		if err != nil {
			return err
		}
		for _, item := range items {
			if a := accountOf(item); a.number < perBranch {
				got[a] = integer(item, "balance")
			}
		}
	}
	for a, balance := range b.balances {
		if got[a] != balance {
			return fmt.Errorf("account %v has %d, its transfers leave %d", a, got[a], balance)
		}
	}
	return errors.Join(b.agree(ctx, "savings", "giro"), b.agreeStreams(ctx, "savings", "giro"))
}

func accountOf(item attributes) account {
	return account{max(0, integer(item, "branch")), integer(item, "number")}
}
