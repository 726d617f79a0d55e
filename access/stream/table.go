package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/internal/wait"
)

// The primary key of the table of checkpoints. Under the partition <consumer>#shards it has
// a row for each shard, and under <consumer>#parked the records that could not be handled.
const (
	partitionKey = "pk"
	sortKey      = "sk"

	shardRows  = "#shards"
	parkedRows = "#parked"
)

// CheckpointTable returns the definition of a table for checkpoints and parked records. One
// table serves any number of consumers.
func CheckpointTable(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: new(partitionKey), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: new(sortKey), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: new(partitionKey), KeyType: types.KeyTypeHash},
			{AttributeName: new(sortKey), KeyType: types.KeyTypeRange},
		},
	}
}

// TableMaker holds the operations of DynamoDB that EnsureTable calls. *dynamodb.Client
// implements it.
type TableMaker interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
}

// tablePoll is the interval at which EnsureTable checks whether the table exists.
const tablePoll = 500 * time.Millisecond

// EnsureTable makes the table of CheckpointTable if it is not there yet, and returns when
// it can be used. A table of that name with another primary key is an error. Who may not
// create tables can call it, too, if the table is there. Any number of processes may call
// it at the same time.
func EnsureTable(ctx context.Context, db TableMaker, name string) error {
	for {
		out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		switch {
		case is[*types.ResourceNotFoundException](err):
			// It may be that it is not known everywhere yet; then to create it does nothing.
			if err := create(ctx, db, name); err != nil {
				return err
			}
		case err != nil:
			return fmt.Errorf("stream: describe table %s: %w", name, err)
		case usable(out.Table.TableStatus):
			return checkKey(out.Table, name)
		case !passes(out.Table.TableStatus):
			return fmt.Errorf("stream: table %s cannot be used: it is %s", name, out.Table.TableStatus)
		}
		if err := wait.For(ctx, tablePoll); err != nil {
			return fmt.Errorf("stream: wait for table %s: %w", name, err)
		}
	}
}

// create makes the table, unless there is one, or another process makes it just now.
func create(ctx context.Context, db TableMaker, name string) error {
	_, err := db.CreateTable(ctx, CheckpointTable(name))
	if err != nil && !is[*types.ResourceInUseException](err) {
		return fmt.Errorf("stream: create table %s: %w", name, err)
	}
	return nil
}

// usable reports whether a table takes requests. One that is being changed does.
func usable(status types.TableStatus) bool {
	return status == types.TableStatusActive || status == types.TableStatusUpdating
}

// passes reports whether a table is on its way to be usable, or gone.
func passes(status types.TableStatus) bool {
	return status == types.TableStatusCreating || status == types.TableStatusDeleting
}

func checkKey(table *types.TableDescription, name string) error {
	want := CheckpointTable(name)
	if !slices.Equal(keyOf(table.KeySchema, table.AttributeDefinitions), keyOf(want.KeySchema, want.AttributeDefinitions)) {
		return fmt.Errorf("stream: table %s: %w", name, errOtherKey)
	}
	return nil
}

// keyOf returns the attributes of a primary key, each with its type.
func keyOf(schema []types.KeySchemaElement, attributes []types.AttributeDefinition) (key []string) {
	for _, element := range schema {
		name, kind := text(element.AttributeName), ""
		for _, a := range attributes {
			if text(a.AttributeName) == name {
				kind = string(a.AttributeType)
			}
		}
		key = append(key, name+" "+kind)
	}
	return key
}

var errOtherKey = errors.New("it is not a table of checkpoints: its primary key is not pk and sk, both of type S")
