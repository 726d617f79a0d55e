package api_test

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// failing is a connection to a database that takes no writes.
type failing struct{ access.API }

func (failing) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return nil, errors.New("no writes")
}
