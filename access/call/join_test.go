package call_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// generatedTx is a transaction as generated packages have it.
type generatedTx struct{ tx *call.Tx }

func (g generatedTx) Len() int { return g.tx.Len() }
func (g generatedTx) Commit(ctx context.Context, o ...access.WriteOption) error {
	return g.tx.Commit(ctx, o...)
}
func (g generatedTx) Shared() *call.Tx { return g.tx }

// twoShops opens two shops on one engine, with tables of different names.
func twoShops(t *testing.T) (first, second shop) {
	t.Helper()
	db := openShop(t)
	shape, err := db.API().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Shop")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("second-Shop"), BillingMode: "PAY_PER_REQUEST",
		AttributeDefinitions: shape.Table.AttributeDefinitions, KeySchema: shape.Table.KeySchema,
	})
	if err != nil {
		t.Fatal(err)
	}
	return shopOn(db.API()), shopOn(db.API(), access.WithTablePrefix("second-"))
}

func TestTransactionOfTwoPackages(t *testing.T) {
	first, second := twoShops(t)
	tx := call.NewTx(first.c)
	joined := call.Join(second.c, generatedTx{tx})
	again := call.Join(first.c, generatedTx{joined})
	tx.Add(createProduct, create(product{ID: "1", Name: "lamp", Version: 1}))
	joined.Add(createProduct, create(product{ID: "1", Name: "the same key in another table", Version: 1}))
	again.Add(createProduct, create(product{ID: "2", Name: "desk", Version: 1}))
	if tx.Len() != 3 || joined.Len() != 3 {
		t.Errorf("Len is %d and %d, want 3", tx.Len(), joined.Len())
	}
	if err := joined.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		in   shop
		id   string
		name string
	}{{first, "1", "lamp"}, {second, "1", "the same key in another table"}, {first, "2", "desk"}} {
		if got, found := want.in.get(t, want.id); !found || got.Name != want.name {
			t.Errorf("item %s is %+v, want %s", want.id, got, want.name)
		}
	}
	if _, found := second.get(t, "2"); found {
		t.Error("the desk is in both tables")
	}
	if err := tx.Commit(t.Context()); !errors.Is(err, access.ErrUsed) {
		t.Errorf("a second commit: %v", err)
	}
}

func TestTransactionOfTwoPackagesFailsWhole(t *testing.T) {
	first, second := twoShops(t)
	second.mustCreate(t, product{ID: "1", Name: "taken", Version: 1})
	tx := call.NewTx(first.c)
	tx.Add(createProduct, create(product{ID: "1", Name: "lamp", Version: 1}))
	call.Join(second.c, generatedTx{tx}).Add(registerByName, create(product{ID: "1", Name: "chair", Version: 1}))
	err := tx.Commit(t.Context(), access.Token("once"))
	var failed *access.TxError
	if !errors.As(err, &failed) || len(failed.Reasons) != 1 || !errors.Is(failed.Reasons[0].Err, access.ErrExists) || failed.Pattern != "CreateProduct + RegisterProduct" {
		t.Fatalf("got %v", err)
	}
	if _, found := first.get(t, "1"); found {
		t.Error("half of the transaction was done")
	}
}

func TestJoinOfAnotherKindOfTransaction(t *testing.T) {
	first, _ := twoShops(t)
	joined := call.Join(first.c, strangeTx{})
	joined.Add(createProduct, create(product{ID: "1", Version: 1}))
	if err := joined.Commit(t.Context()); err == nil || err.Error() != "access: only a transaction of a generated package can be joined" {
		t.Errorf("got %v", err)
	}
}

type strangeTx struct{}

func (strangeTx) Len() int                                            { return 0 }
func (strangeTx) Commit(context.Context, ...access.WriteOption) error { return nil }
