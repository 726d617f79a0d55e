package call_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/engine"
)

// A shop is a design by hand, with what a generator would make of it: products with a
// unique name, a version and a stock.
type shop struct {
	api access.API
	c   *access.Client
}

type product struct {
	ID, Name       string
	Stock, Version int64
}

var (
	createProduct  = &access.Pattern{Name: "CreateProduct", Table: "Shop", Units: 1}
	sellProduct    = &access.Pattern{Name: "SellProduct", Table: "Shop", Units: 1}
	deleteProduct  = &access.Pattern{Name: "DeleteProduct", Table: "Shop", Units: 1}
	saveProducts   = &access.Pattern{Name: "SaveProduct", Table: "Shop", Units: 1}
	registerByName = &access.Pattern{Name: "RegisterProduct", Table: "Shop", Units: 4}
)

// patient repeats as often as ever needed here, and at once.
var patient = access.WithRetries(50, 0, 0)

func openShop(t testing.TB) *engine.DB {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	_, err = db.API().CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:   aws.String("Shop"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("SK"), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("SK"), KeyType: types.KeyTypeRange},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func newShop(t testing.TB, options ...access.Option) shop {
	t.Helper()
	return shopOn(openShop(t).API(), options...)
}

func shopOn(api access.API, options ...access.Option) shop {
	return shop{api: api, c: access.NewClient(api, access.Design{Name: "Shop"}, options...)}
}

// everyDoor runs a test through each way to the engine: direct, the SDK's client in the
// process, and the SDK's client over HTTP.
func everyDoor(t *testing.T, test func(*testing.T, shop)) {
	t.Run("api", func(t *testing.T) { test(t, shopOn(openShop(t).API())) })
	t.Run("client", func(t *testing.T) { test(t, shopOn(openShop(t).Client())) })
	t.Run("http", func(t *testing.T) {
		server := httptest.NewServer(openShop(t))
		defer server.Close()
		test(t, shopOn(sdkClient(server.URL)))
	})
}

func sdkClient(url string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url), Region: "eu-central-1",
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
	}, options...)
}

func productKey(id string) access.Item {
	return access.Item{"PK": &types.AttributeValueMemberS{Value: "PRODUCT#" + id}, "SK": number(0)}
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func (p product) item() access.Item {
	item := productKey(p.ID)
	item["id"] = &types.AttributeValueMemberS{Value: p.ID}
	item["name"] = &types.AttributeValueMemberS{Value: p.Name}
	item["stock"], item["version"] = number(p.Stock), number(p.Version)
	return item
}

func productOf(item access.Item) (product, error) {
	var p product
	for name, into := range map[string]*string{"id": &p.ID, "name": &p.Name} {
		v, ok := item[name].(*types.AttributeValueMemberS)
		if !ok {
			return product{}, &access.DecodeError{Entity: "Product", Attribute: name, Reason: "holds no S"}
		}
		*into = v.Value
	}
	for name, into := range map[string]*int64{"stock": &p.Stock, "version": &p.Version} {
		v, ok := item[name].(*types.AttributeValueMemberN)
		if !ok {
			return product{}, &access.DecodeError{Entity: "Product", Attribute: name, Reason: "holds no N"}
		}
		n, err := strconv.ParseInt(v.Value, 10, 64)
		if err != nil {
			return product{}, fmt.Errorf("%s: %w", name, err)
		}
		*into = n
	}
	return p, nil
}

func create(p product) call.Action {
	return call.Action{
		Kind: call.Put, Name: "create Product", Table: "Shop", Item: p.item(), KeyNames: []string{"PK", "SK"},
		Condition: "attribute_not_exists(PK)", Expects: call.Absent, Fault: call.FaultOf(productOf),
	}
}

// sell takes one from the stock if there is one and nobody changed the product since.
func sell(id string, seen int64) call.Action {
	return call.Action{
		Kind: call.Update, Name: "update Product", Table: "Shop", Key: productKey(id), KeyNames: []string{"PK", "SK"},
		Update:    "SET stock = stock - :one, version = version + :one",
		Condition: "attribute_exists(PK) AND version = :seen AND stock >= :one",
		Values:    access.Item{":one": number(1), ":seen": number(seen)},
		Expects:   call.Present, Version: "version", Seen: seen, Fault: call.FaultOf(productOf),
	}
}

func remove(id string) call.Action {
	return call.Action{
		Kind: call.Delete, Name: "delete Product", Table: "Shop", Key: productKey(id), KeyNames: []string{"PK", "SK"},
		Condition: "attribute_exists(PK)", Expects: call.Present, Fault: call.FaultOf(productOf),
	}
}

// guard keeps the name of a product unique.
func guard(name string) call.Action {
	return call.Action{
		Kind: call.Put, Name: "guard Product.name", Table: "Shop", KeyNames: []string{"PK", "SK"},
		Item:      access.Item{"PK": &types.AttributeValueMemberS{Value: "NAME#" + name}, "SK": number(0)},
		Condition: "attribute_not_exists(PK)", Expects: call.Absent,
		Taken: &access.TakenError{Entity: "Product", Attributes: []string{"name"}},
	}
}

func save(p product) call.Action {
	w := create(p)
	w.Name, w.Condition, w.Expects = "put Product", "", call.Anything
	return w
}

func (s shop) mustCreate(t testing.TB, all ...product) {
	t.Helper()
	for _, p := range all {
		w := create(p)
		if err := call.PutItem(context.Background(), s.c, createProduct, &w); err != nil {
			t.Fatal(err)
		}
	}
}

// get reads a product past the code under test; false: there is none.
func (s shop) get(t testing.TB, id string) (product, bool) {
	t.Helper()
	out, err := s.api.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String(s.c.Table("Shop")), Key: productKey(id)})
	if err != nil {
		t.Fatal(err)
	}
	if out.Item == nil {
		return product{}, false
	}
	p, err := productOf(out.Item)
	if err != nil {
		t.Fatal(err)
	}
	return p, true
}

// A moody API is a real one that sometimes refuses or changes its mind.
type moody struct {
	access.API
	put      func(in *dynamodb.PutItemInput) error
	transact func(in *dynamodb.TransactWriteItemsInput) error
	batch    func(ctx context.Context, in *dynamodb.BatchWriteItemInput) (kept map[string][]types.WriteRequest, err error)
	after    func(error) error
}

func (m moody) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if m.put != nil {
		if err := m.put(in); err != nil {
			return nil, err
		}
	}
	return m.API.PutItem(ctx, in, options...)
}

func (m moody) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := m.API.UpdateItem(ctx, in, options...)
	if err != nil && m.after != nil {
		err = m.after(err)
	}
	return out, err
}

func (m moody) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if m.transact != nil {
		if err := m.transact(in); err != nil {
			return nil, err
		}
	}
	return m.API.TransactWriteItems(ctx, in, options...)
}

// BatchWriteItem leaves what m.batch keeps back unprocessed.
func (m moody) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	whole := maps.Clone(in.RequestItems)
	kept, err := m.batch(ctx, &dynamodb.BatchWriteItemInput{RequestItems: whole})
	if err != nil {
		return nil, err
	}
	if len(whole) == 0 {
		return &dynamodb.BatchWriteItemOutput{UnprocessedItems: kept}, nil
	}
	out, err := m.API.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: whole, ReturnConsumedCapacity: in.ReturnConsumedCapacity}, options...)
	if err == nil {
		out.UnprocessedItems = kept
	}
	return out, err
}

// A log is an observer that remembers.
type callLog struct{ calls []access.Call }

func (l *callLog) Observe(_ context.Context, call access.Call) { l.calls = append(l.calls, call) }

// only returns the one call there was, without what differs from run to run.
func (l *callLog) only(t *testing.T) access.Call {
	t.Helper()
	if len(l.calls) != 1 {
		t.Fatalf("%d calls were observed, want one: %+v", len(l.calls), l.calls)
	}
	call := l.calls[0]
	if call.Start.IsZero() || call.Duration <= 0 {
		t.Errorf("Start %v, Duration %v", call.Start, call.Duration)
	}
	call.Start, call.Duration, call.Err = time.Time{}, 0, nil
	return call
}
