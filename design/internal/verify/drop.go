package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A TableDeleter deletes tables.
type TableDeleter interface {
	UpdateTable(context.Context, *dynamodb.UpdateTableInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error)
	DeleteTable(context.Context, *dynamodb.DeleteTableInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error)
}

// deleteTable deletes a table that a run made, also one the design protects.
func deleteTable(ctx context.Context, api TableDeleter, name string) error {
	protected := false
	_, err := api.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &name, DeletionProtectionEnabled: &protected})
	if _, gone := errors.AsType[*types.ResourceNotFoundException](err); gone {
		return nil
	}
	if _, err := api.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
		if _, gone := errors.AsType[*types.ResourceNotFoundException](err); gone {
			return nil
		}
		return fmt.Errorf("deleting %s: %w", name, err)
	}
	return nil
}
