package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/internal/wait"
)

// A TableDeleter deletes tables.
type TableDeleter interface {
	UpdateTable(context.Context, *dynamodb.UpdateTableInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error)
	DeleteTable(context.Context, *dynamodb.DeleteTableInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error)
}

// A NothingMadeError is the error of a run that ended before it created a table: there is
// nothing to delete.
type NothingMadeError struct{ Err error }

func (e *NothingMadeError) Error() string { return e.Err.Error() }

// Unwrap returns the reason why the run ended.
func (e *NothingMadeError) Unwrap() error { return e.Err }

// A TablesLeftError says that tables of a run may still exist.
type TablesLeftError struct {
	Prefix string // of their names
	Run    error  // why the run ended; nil if it succeeded
	Err    error  // why they could not be deleted
}

func (e *TablesLeftError) Error() string {
	text := fmt.Sprintf("tables whose names begin with %q may remain: %v", e.Prefix, e.Err)
	if e.Run != nil {
		text = fmt.Sprintf("%v; %s", e.Run, text)
	}
	return text
}

// Unwrap returns why the run ended, and why the tables could not be deleted.
func (e *TablesLeftError) Unwrap() []error { return []error{e.Run, e.Err} }

// How long deleting may take: after a run that succeeded, and after one that failed or was
// interrupted.
const (
	cleanUpTimeout     = time.Minute
	interruptedTimeout = 10 * time.Second
)

// DropTables deletes the tables of a run and returns the error with which the run ended, or a
// *TablesLeftError. It deletes them even if ctx is cancelled, but only for a limited time.
func DropTables(ctx context.Context, l *resolve.Layout, api TableDeleter, o Options, ended error) error {
	if _, nothing := errors.AsType[*NothingMadeError](ended); nothing {
		return ended
	}
	limit := cleanUpTimeout
	if ended != nil || ctx.Err() != nil {
		limit = interruptedTimeout
		if o.CleanUp > 0 {
			limit = o.CleanUp
		}
	}
	if o.Progress != nil {
		o.Progress(Progress{Doing: "deleting the tables", Deleting: true})
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer done()
	var all []error
	for _, t := range l.Design().Tables {
		all = append(all, deleteTable(ctx, api, o.Prefix+t.Name))
	}
	if err := errors.Join(all...); err != nil {
		return &TablesLeftError{o.Prefix, ended, err}
	}
	return ended
}

// deleteTable deletes a table, even if the design protects it. It retries while the table is
// being created or changed.
func deleteTable(ctx context.Context, api TableDeleter, name string) error {
	protected := false
	for {
		_, err := api.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &name, DeletionProtectionEnabled: &protected})
		if _, gone := errors.AsType[*types.ResourceNotFoundException](err); gone {
			return nil
		}
		_, err = api.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
		if _, gone := errors.AsType[*types.ResourceNotFoundException](err); gone || err == nil {
			return nil
		}
		if _, busy := errors.AsType[*types.ResourceInUseException](err); !busy {
			return fmt.Errorf("deleting %s: %w", name, err)
		}
		if wait.For(ctx, busyPause) != nil {
			return fmt.Errorf("deleting %s: %w", name, err)
		}
	}
}

// busyPause is the time between two attempts to delete a table that is changing.
const busyPause = 500 * time.Millisecond
