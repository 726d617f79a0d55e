package stream_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sortkey.dev/access/stream"
)

// restricted may not create tables.
type restricted struct{ *dynamodb.Client }

func (restricted) CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return nil, &smithy.GenericAPIError{Code: "AccessDeniedException", Message: "not authorized"}
}

func TestEnsureTableNeedsNoRightToCreateWhatIsThere(t *testing.T) {
	inWorld(t, func(w *world) {
		w.must(stream.EnsureTable(w.Context(), restricted{w.client}, checkpoints))
		err := stream.EnsureTable(w.Context(), restricted{w.client}, "Missing")
		if err == nil || !strings.Contains(err.Error(), "create table Missing") || !strings.Contains(err.Error(), "not authorized") {
			w.Errorf("a table that is missing: error %v", err)
		}
	})
}

// overtaken sees another process create the table between its look and its own attempt.
type overtaken struct {
	*dynamodb.Client
	refused int
}

func (o *overtaken) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, options ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	if _, err := o.Client.CreateTable(ctx, in); err != nil {
		return nil, err
	}
	out, err := o.Client.CreateTable(ctx, in, options...)
	if err != nil {
		o.refused++
	}
	return out, err
}

func TestEnsureTableInSeveralProcessesAtOnce(t *testing.T) {
	inWorld(t, func(w *world) {
		ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
		defer cancel()
		db := &overtaken{Client: w.client}
		w.must(stream.EnsureTable(ctx, db, "Contested"))
		if db.refused != 1 {
			w.Errorf("the second attempt to create the table was refused %d times, want 1", db.refused)
		}
		out, err := w.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("Contested")})
		w.must(err)
		if out.Table.TableStatus != types.TableStatusActive {
			w.Errorf("the table is %s", out.Table.TableStatus)
		}
	})
}

// described is a table as a test wants it to look.
type described struct {
	*dynamodb.Client
	table types.TableDescription
}

func (d described) DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return &dynamodb.DescribeTableOutput{Table: &d.table}, nil
}

func TestEnsureTableSaysWhatItCannotUse(t *testing.T) {
	define := stream.CheckpointTable(checkpoints)
	numbers := stream.CheckpointTable(checkpoints).AttributeDefinitions
	numbers[1].AttributeType = types.ScalarAttributeTypeN
	for _, test := range []struct {
		name  string
		table types.TableDescription
		want  string // in the error; "": it can be used
	}{
		{"active", types.TableDescription{TableStatus: types.TableStatusActive, KeySchema: define.KeySchema, AttributeDefinitions: define.AttributeDefinitions}, ""},
		{"changing", types.TableDescription{TableStatus: types.TableStatusUpdating, KeySchema: define.KeySchema, AttributeDefinitions: define.AttributeDefinitions}, ""},
		{"numbers", types.TableDescription{TableStatus: types.TableStatusActive, KeySchema: define.KeySchema, AttributeDefinitions: numbers}, "is not a table of checkpoints"},
		{"no sort key", types.TableDescription{TableStatus: types.TableStatusActive, KeySchema: define.KeySchema[:1], AttributeDefinitions: define.AttributeDefinitions}, "is not a table of checkpoints"},
		{"locked", types.TableDescription{TableStatus: types.TableStatusInaccessibleEncryptionCredentials}, "it is INACCESSIBLE_ENCRYPTION_CREDENTIALS"},
	} {
		err := stream.EnsureTable(t.Context(), described{table: test.table}, checkpoints)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}
