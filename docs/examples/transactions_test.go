package examples

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// ErrTooPoor is returned by transfer if there is not enough money.
var ErrTooPoor = errors.New("not enough money on the account")

// conflicted reports whether a call lost against a transaction on the same item
// and is worth another attempt.
func conflicted(err error) bool {
	var conflict *types.TransactionConflictException
	if errors.As(err, &conflict) {
		return true
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	for _, reason := range cancelled.CancellationReasons {
		if *reason.Code == "TransactionConflict" {
			return true
		}
	}
	return false
}

// untilSettled repeats an attempt that meets conflicts, a little later each time.
func untilSettled(ctx context.Context, attempt func() error) error {
	for wait := time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := attempt()
		if !conflicted(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(wait)):
		}
	}
}

// transfer moves money from one account to another, or does nothing at all.
func transfer(ctx context.Context, client *dynamodb.Client, from, to, amount string) error {
	account := func(name string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"Name": &types.AttributeValueMemberS{Value: name}}
	}
	values := map[string]types.AttributeValue{":amount": &types.AttributeValueMemberN{Value: amount}}
	in := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{
			TableName: aws.String("Accounts"), Key: account(from),
			UpdateExpression:          aws.String("SET Balance = Balance - :amount"),
			ConditionExpression:       aws.String("Balance >= :amount"),
			ExpressionAttributeValues: values,
		}},
		{Update: &types.Update{
			TableName: aws.String("Accounts"), Key: account(to),
			UpdateExpression:          aws.String("ADD Balance :amount"),
			ExpressionAttributeValues: values,
		}},
	}}
	err := untilSettled(ctx, func() error {
		_, err := client.TransactWriteItems(ctx, in)
		return err
	})
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) && *cancelled.CancellationReasons[0].Code == "ConditionalCheckFailed" {
		return ErrTooPoor
	}
	return err
}

func TestTransfer(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	client := db.Client()
	_, err = client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            aws.String("Accounts"),
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("Name"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Name"), AttributeType: types.ScalarAttributeTypeS}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Accounts"), Item: map[string]types.AttributeValue{
		"Name": &types.AttributeValueMemberS{Value: "ada"}, "Balance": &types.AttributeValueMemberN{Value: "100"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := transfer(t.Context(), client, "ada", "bob", "60"); err != nil {
		t.Error(err)
	}
	if err := transfer(t.Context(), client, "ada", "bob", "60"); !errors.Is(err, ErrTooPoor) {
		t.Errorf("the second transfer: %v, want %v", err, ErrTooPoor)
	}
}
