//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// A killItem is an item of the kill test. The accounts have an index by group, and a stream.
type killItem struct {
	table, pk string
	version   int
	group     string // "": none
}

func (i killItem) key() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: i.pk}}
}

func (i killItem) attributes() map[string]types.AttributeValue {
	item := i.key()
	item["version"] = &types.AttributeValueMemberN{Value: strconv.Itoa(i.version)}
	if i.group != "" {
		item["group"] = &types.AttributeValueMemberS{Value: i.group}
	}
	return item
}

// killState holds the items of one writer by table and key.
type killState map[string]killItem

// A killStep is one write of a writer.
type killStep struct {
	run         func(context.Context, *dynamodb.Client) error
	next        killState // after it
	transaction *dynamodb.TransactWriteItemsInput
}

// A killWriter writes its own items, one after the other.
type killWriter struct {
	name    string
	rnd     *rand.Rand
	steps   int
	answers int
	state   killState // after all acknowledged writes
	open    *killStep // was sent and not acknowledged
	last    *dynamodb.TransactWriteItemsInput
}

func newKillWriter(i int, seed uint64) *killWriter {
	return &killWriter{name: fmt.Sprint("w", i), rnd: rand.New(rand.NewPCG(seed, uint64(i)+1)), state: killState{}}
}

// work executes one write. It returns the error of a server that is down.
func (w *killWriter) work(k *killer) error {
	w.steps++
	w.open = w.step()
	if err := w.open.run(k.t.Context(), k.client); err != nil {
		return k.gone(w.name, err)
	}
	w.done(w.open.next)
	return nil
}

// done sets the current state, and records the pending transaction if it was committed.
func (w *killWriter) done(state killState) {
	if w.open != nil && w.open.transaction != nil && maps.Equal(state, w.open.next) {
		w.last = w.open.transaction
	}
	w.state, w.open = state, nil
	w.answers++
}

func (w *killWriter) item(table string) killItem {
	i := killItem{table: table, pk: fmt.Sprintf("%s-%d", w.name, w.rnd.IntN(20)), version: w.steps}
	if w.rnd.IntN(3) > 0 {
		i.group = fmt.Sprint("g", w.rnd.IntN(5))
	}
	return i
}

// step returns the next write.
func (w *killWriter) step() *killStep {
	s := &killStep{next: maps.Clone(w.state)}
	set := func(i killItem) { s.next[i.table+"/"+i.pk] = i }
	account, entry := w.item("accounts"), w.item("entries")
	switch w.rnd.IntN(4) {
	case 0:
		set(account)
		s.run = func(ctx context.Context, client *dynamodb.Client) error {
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &account.table, Item: account.attributes()})
			return err
		}
	case 1:
		delete(s.next, "accounts/"+account.pk)
		s.run = func(ctx context.Context, client *dynamodb.Client) error {
			_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &account.table, Key: account.key()})
			return err
		}
	case 2:
		set(account)
		set(entry)
		s.run = func(ctx context.Context, client *dynamodb.Client) error {
			_, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
				"accounts": {{PutRequest: &types.PutRequest{Item: account.attributes()}}},
				"entries":  {{PutRequest: &types.PutRequest{Item: entry.attributes()}}}}})
			return err
		}
	default:
		w.transact(s, account, entry)
	}
	return s
}

// transact writes to both tables in one transaction with a token.
func (w *killWriter) transact(s *killStep, account, entry killItem) {
	other := w.item("accounts")
	s.next["accounts/"+account.pk], s.next["entries/"+entry.pk] = account, entry
	actions := []types.TransactWriteItem{putAction(account), putAction(entry)}
	if other.pk != account.pk {
		delete(s.next, "accounts/"+other.pk)
		actions = append(actions, types.TransactWriteItem{Delete: &types.Delete{TableName: &other.table, Key: other.key()}})
	}
	s.transaction = &dynamodb.TransactWriteItemsInput{TransactItems: actions, ClientRequestToken: new(fmt.Sprintf("%s-%d", w.name, w.steps)),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	s.run = func(ctx context.Context, client *dynamodb.Client) error {
		_, err := client.TransactWriteItems(ctx, s.transaction)
		return err
	}
}

func putAction(i killItem) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: &i.table, Item: i.attributes()}}
}

// A killIndexer adds and drops an index.
type killIndexer struct {
	there, open bool // open: it was being added or dropped, without a response
}

func (x *killIndexer) work(k *killer) error {
	update := types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{IndexName: new("late"),
		KeySchema:  []types.KeySchemaElement{{AttributeName: new("version"), KeyType: types.KeyTypeHash}},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}
	if x.there {
		update = types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: new("late")}}
	}
	x.open = true
	_, err := k.client.UpdateTable(k.t.Context(), &dynamodb.UpdateTableInput{TableName: new("accounts"),
		AttributeDefinitions:        []types.AttributeDefinition{{AttributeName: new("version"), AttributeType: types.ScalarAttributeTypeN}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{update}})
	if err != nil {
		return k.gone("indexer", err)
	}
	x.there, x.open = !x.there, false
	return nil
}

// createTables creates the tables.
func (k *killer) createTables() {
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	for _, in := range []*dynamodb.CreateTableInput{
		{TableName: new("entries"), AttributeDefinitions: []types.AttributeDefinition{attribute("pk")}},
		{
			TableName:            new("accounts"),
			AttributeDefinitions: []types.AttributeDefinition{attribute("pk"), attribute("group")},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: new("by-group"),
				KeySchema:  []types.KeySchemaElement{{AttributeName: new("group"), KeyType: types.KeyTypeHash}},
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
			StreamSpecification: &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
		},
	} {
		in.BillingMode = types.BillingModePayPerRequest
		in.KeySchema = []types.KeySchemaElement{{AttributeName: new("pk"), KeyType: types.KeyTypeHash}}
		out, err := k.patient.CreateTable(k.t.Context(), in)
		if err != nil {
			k.t.Fatalf("%s: create tables: %v", k.label(), err)
		}
		if out.TableDescription.LatestStreamArn != nil {
			k.reader.arn = *out.TableDescription.LatestStreamArn
		}
	}
}

// showAttributes formats an item, the same for equal items; "" is no item.
func showAttributes[V any](item map[string]V) string {
	var parts []string
	for name, value := range item {
		parts = append(parts, fmt.Sprintf("%s=%v", name, scalar(value)))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// gone returns err and checks that it is the error of a server that is down, not a response.
func (k *killer) gone(who string, err error) error {
	if _, answer := errors.AsType[smithy.APIError](err); answer {
		k.fail("%s: %v", who, err)
	}
	return err
}
