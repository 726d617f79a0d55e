package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The readers of the bank. One page or one transaction reads a consistent snapshot.

// branchSum is the sum over a branch with its till.
const branchSum = (perBranch - 1) * openingSum

// sumInOneTransaction reads all accounts of both tables, or all of one branch.
func (b *bank) sumInOneTransaction(ctx context.Context, rnd *rand.Rand) error {
	only := rnd.IntN(branches+1) - 1
	in := &dynamodb.TransactGetItemsInput{}
	var asked []account
	for _, a := range accounts() {
		if only < 0 || a.branch == only {
			asked = append(asked, a)
			in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: new(a.table()), Key: a.key()}})
		}
	}
	out, err := b.db.API().TransactGetItems(ctx, in)
	if isConflict(err) {
		return nil
	}
	if err != nil {
		return err
	}
	items := make([]attributes, len(out.Responses))
	for i, response := range out.Responses {
		if items[i] = response.Item; accountOf(items[i]) != asked[i] {
			return fmt.Errorf("a transaction asked for account %v and got %s", asked[i], show(items[i]))
		}
	}
	return b.check("a transaction", items, len(asked)/perBranch)
}

// sumBranch reads a branch of the larger table with one query, of the table or its local index.
func (b *bank) sumBranch(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.QueryInput{
		TableName: new("giro"), ConsistentRead: new(true), KeyConditionExpression: new("branch = :b"),
		ExpressionAttributeValues: attributes{":b": number(1 + rnd.IntN(branches-1))}, ScanIndexForward: new(rnd.IntN(2) == 0),
	}
	if rnd.IntN(2) == 0 {
		in.IndexName = new("local")
	}
	out, err := b.db.API().Query(ctx, in)
	if err != nil {
		return err
	}
	return b.check("a query", out.Items, 1)
}

// sumTable reads a table, or the index that is added and dropped, with one page of a scan.
func (b *bank) sumTable(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.ScanInput{TableName: new("savings"), ConsistentRead: new(true)}
	held := 1
	if rnd.IntN(2) == 0 {
		in.TableName, held = new("giro"), branches-1
	}
	was := b.indexing.Load()
	if *in.TableName == "giro" && was%2 == 1 && rnd.IntN(2) == 0 {
		in.IndexName, in.ConsistentRead = new("by-kind"), nil
	}
	out, err := b.db.API().Scan(ctx, in)
	if in.IndexName != nil && b.indexing.Load() != was {
		return nil // it was dropped meanwhile
	}
	if err != nil {
		return err
	}
	return b.check(fmt.Sprintf("a scan of table %s with index %v", *in.TableName, in.IndexName != nil), out.Items, held)
}

// check checks the sums over the accounts of some branches.
func (b *bank) check(what string, items []attributes, held int) error {
	sums, all := map[int]int{}, 0
	for _, item := range items {
		a, balance := accountOf(item), integer(item, "balance")
		if a.number >= perBranch {
			continue
		}
		if !a.isTill() {
			all += balance
			if balance < 0 {
				return fmt.Errorf("%s: account %v has %d", what, a, balance)
			}
		}
		sums[a.branch] += balance
	}
	for branch, sum := range sums {
		if sum != branchSum {
			return fmt.Errorf("%s: the sum of branch %d is %d, want %d", what, branch, sum, branchSum)
		}
	}
	if len(sums) != held || held == branches && all != branches*branchSum {
		return fmt.Errorf("%s: %d branches, want %d; the sum is %d", what, len(sums), held, all)
	}
	b.sums.Add(1)
	return nil
}

// touchOthers puts, updates and deletes items that are not accounts, some of them in every index.
func (b *bank) touchOthers(ctx context.Context, rnd *rand.Rand) error {
	other := account{rnd.IntN(branches), perBranch + rnd.IntN(5)}
	var err error
	switch rnd.IntN(3) {
	case 0:
		_, err = b.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: new(other.table()), Item: other.item(rnd.IntN(openingSum))})
	case 1:
		_, err = b.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: new(other.table()), Key: other.key()})
	default:
		_, err = b.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: new(other.table()), Key: other.key(), UpdateExpression: new("SET kind = :k REMOVE balance"),
			ExpressionAttributeValues: attributes{":k": text("other")},
		})
	}
	return err
}

// reindex adds an index to the larger table, leaves it for a while, and drops it.
func (b *bank) reindex(ctx context.Context, rnd *rand.Rand) error {
	if err := b.addIndex(ctx, "giro", "by-kind", types.ProjectionTypeAll, "kind/S", "balance/N"); err != nil {
		return err
	}
	b.indexing.Add(1)
	for range 5 {
		if err := b.sumTable(ctx, rnd); err != nil {
			return err
		}
	}
	b.indexing.Add(1)
	return b.dropIndex(ctx, "giro", "by-kind")
}
