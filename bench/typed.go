package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// typedAPI is the interface that the doors with the SDK's types share.
type typedAPI interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// apiDoor is DB.API: the SDK's types, called directly.
type apiDoor struct{ *engines }

// clientDoor is DB.Client: the SDK's client, in process.
type clientDoor struct{ *engines }

var (
	_ system = apiDoor{}
	_ system = clientDoor{}
)

func (apiDoor) name() string { return "API" }

func (d apiDoor) caller(w workload, seed uint64) (caller, error) {
	return newTypedCaller(d.db(w).API(), w, d.run, seed), nil
}

func (clientDoor) name() string { return "Client" }

func (d clientDoor) caller(w workload, seed uint64) (caller, error) {
	return newTypedCaller(d.db(w).Client(), w, d.run, seed), nil
}

// sdkOverTCP is the SDK as most programs use it: signed requests over the
// loopback interface to a server in another process.
type sdkOverTCP struct{ *serverSystem }

var _ system = sdkOverTCP{}

func (sdkOverTCP) name() string { return "SDK over TCP" }

func (s sdkOverTCP) caller(w workload, seed uint64) (caller, error) {
	endpoint, err := s.endpoint(w)
	if err != nil {
		return nil, err
	}
	client := dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(endpoint),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "bench", SecretAccessKey: "bench"}, nil
		}),
	})
	return newTypedCaller(client, w, s.run, seed), nil
}

// A typedCaller does a workload with the SDK's types. The inputs are made once;
// a request changes the values in them.
type typedCaller struct {
	conflicts
	api   typedAPI
	work  workload
	rnd   *rand.Rand
	keys  int
	items []*typedItem
	call  func() error
	check func() error // looks at the last answer
	key   int
}

func newTypedCaller(api typedAPI, w workload, run dataRun, seed uint64) *typedCaller {
	c := &typedCaller{api: api, work: w, rnd: newRandom(seed), keys: w.keys(run)}
	table := aws.String(w.dataset.tableName(run.prefix))
	switch w.op {
	case getItem:
		c.prepareGet(table)
	case putItem:
		c.preparePut(table)
	case updateItem:
		c.prepareUpdate(table)
	case query:
		c.prepareQuery(table)
	case batchWrite:
		c.prepareBatch(*table)
	case transactWrite:
		c.prepareTransact(table, run.prefix)
	}
	return c
}

func (c *typedCaller) close() error { return nil }

func (c *typedCaller) do(check bool) error {
	c.key = c.rnd.IntN(c.keys)
	for i, item := range c.items {
		item.set(c.rnd, (c.key+i)%c.keys)
	}
	err := c.call()
	if err == nil && check && c.check != nil {
		return c.check()
	}
	return err
}

func (c *typedCaller) prepareGet(table *string) {
	pk := newTypedItem(itemPrefix)
	c.items = []*typedItem{pk}
	in := &dynamodb.GetItemInput{TableName: table, Key: pk.keyOnly()}
	var out *dynamodb.GetItemOutput
	c.call = func() (err error) {
		out, err = c.api.GetItem(context.Background(), in)
		return err
	}
	c.check = func() error {
		if got, ok := out.Item["pk"].(*types.AttributeValueMemberS); !ok || got.Value != itemPrefix+number(c.key) {
			return fmt.Errorf("GetItem of key %d: got %v", c.key, out.Item)
		}
		return nil
	}
}

func (c *typedCaller) preparePut(table *string) {
	item := newTypedItem(itemPrefix)
	c.items = []*typedItem{item}
	in := &dynamodb.PutItemInput{TableName: table, Item: item.attributes}
	c.call = func() error {
		_, err := c.api.PutItem(context.Background(), in)
		return err
	}
}

func (c *typedCaller) prepareUpdate(table *string) {
	pk := newTypedItem(itemPrefix)
	c.items = []*typedItem{pk}
	in := &dynamodb.UpdateItemInput{
		TableName: table, Key: pk.keyOnly(),
		UpdateExpression:    aws.String(updateExpression),
		ConditionExpression: aws.String(updateCondition),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":one": &types.AttributeValueMemberN{Value: "1"}, ":price": &types.AttributeValueMemberN{Value: "1300.05"},
		},
	}
	c.call = func() error {
		_, err := c.api.UpdateItem(context.Background(), in)
		return err
	}
}

func (c *typedCaller) prepareQuery(table *string) {
	pk := newTypedItem(partPrefix)
	c.items = []*typedItem{pk}
	in := &dynamodb.QueryInput{
		TableName: table, KeyConditionExpression: aws.String(queryCondition),
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": pk.key},
	}
	var out *dynamodb.QueryOutput
	c.call = func() (err error) {
		out, err = c.api.Query(context.Background(), in)
		return err
	}
	c.check = func() error {
		if len(out.Items) != pageItems {
			return fmt.Errorf("Query of key %d: got %d items", c.key, len(out.Items))
		}
		return nil
	}
}

func (c *typedCaller) prepareBatch(table string) {
	puts := make([]types.WriteRequest, batchItems)
	for i := range puts {
		item := newTypedItem(itemPrefix)
		c.items = append(c.items, item)
		puts[i].PutRequest = &types.PutRequest{Item: item.attributes}
	}
	in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: puts}}
	var out *dynamodb.BatchWriteItemOutput
	c.call = func() (err error) {
		out, err = c.api.BatchWriteItem(context.Background(), in)
		return err
	}
	c.check = func() error {
		if len(out.UnprocessedItems) != 0 {
			return fmt.Errorf("BatchWriteItem left %d tables unprocessed", len(out.UnprocessedItems))
		}
		return nil
	}
}

// A typedItem is an item whose changing attributes are at hand. The same
// attributes as template.addItem.
type typedItem struct {
	prefix     string
	key, body  *types.AttributeValueMemberS
	groups     [3]*types.AttributeValueMemberS
	attributes map[string]types.AttributeValue
}

func newTypedItem(prefix string) *typedItem {
	item := &typedItem{prefix: prefix, key: new(types.AttributeValueMemberS), body: new(types.AttributeValueMemberS)}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	num := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	item.attributes = map[string]types.AttributeValue{
		"pk":      item.key,
		"version": num("1"),
		"price":   num("1299.95"),
		"active":  &types.AttributeValueMemberBOOL{Value: true},
		"tags":    &types.AttributeValueMemberSS{Value: []string{"blue", "green"}},
		"address": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
			"street": text("Example Street 12"), "city": text("Utrecht"),
		}},
		"history": &types.AttributeValueMemberL{Value: []types.AttributeValue{num("1700000000000"), text("created")}},
		"body":    item.body,
	}
	for i, name := range []string{"g1", "g2", "g3"} {
		item.groups[i] = new(types.AttributeValueMemberS)
		item.attributes[name] = item.groups[i]
	}
	return item
}

// keyOnly returns the primary key of the item.
func (i *typedItem) keyOnly() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": i.key}
}

// set makes the item the one with number n, with new random values.
func (i *typedItem) set(rnd *rand.Rand, n int) {
	i.key.Value = i.prefix + number(n)
	i.body.Value = randomText(rnd, bodyWidth)
	for _, g := range i.groups {
		g.Value = groupPrefix + number(rnd.IntN(groups))
	}
}
