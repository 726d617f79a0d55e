// Package provision makes tables be as they are defined: it creates those that are
// missing and changes what differs, one step after the other, and waits until DynamoDB
// is done. It can be stopped at any point and run again.
//
// Generated packages have their tables as a list of [Table]; programs and tests hand it
// to [Apply], and so does the command line. The package knows nothing of designs. It
// writes definitions only, never items, and it never deletes a table. It reads items
// of a table whose tags do not tell what they look like.
package provision

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/internal/wait"
)

// API holds the operations of DynamoDB that Apply calls. *dynamodb.Client implements it, and so does
// everything that stands in for one. An endpoint may lack time to live, point-in-time
// recovery or tags: it says so with an UnknownOperationException.
type API interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	UpdateTable(context.Context, *dynamodb.UpdateTableInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
	DescribeContinuousBackups(context.Context, *dynamodb.DescribeContinuousBackupsInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error)
	UpdateContinuousBackups(context.Context, *dynamodb.UpdateContinuousBackupsInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateContinuousBackupsOutput, error)
	ListTagsOfResource(context.Context, *dynamodb.ListTagsOfResourceInput, ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error)
	TagResource(context.Context, *dynamodb.TagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error)
	UntagResource(context.Context, *dynamodb.UntagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error)
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
}

// Options choose what Apply may do and how it waits. The zero Options add and change,
// and take nothing away.
type Options struct {
	// DryRun finds out what would change and changes nothing.
	DryRun bool

	// Prune takes away what a table has and its definition does not: global indexes, a
	// stream, time to live, point-in-time recovery, deletion protection, a key of KMS,
	// tags. Without it, such things are reported and stay.
	Prune bool

	// KeepStreams keeps streams that no definition has, also with Prune: a migration reads them.
	KeepStreams bool

	// RemoveIndex reports whether a global index that its definition does not have is removed, without Prune. The table has its
	// real name.
	RemoveIndex func(table, index string) bool

	// Replace deletes a global index and builds it again where its keys or its projection
	// differ, for DynamoDB cannot change them. Queries on it fail until it is built.
	Replace bool

	// AcceptShape takes a table whose items have another shape than its definition says, and stores
	// that of the definition. Items that are not as the definition says are then lost to lists,
	// read wrong or written twice: set it only if every item is.
	AcceptShape bool

	// TableNames gives the real name of a table. Default: the name in the definition.
	TableNames func(string) string

	// KMSKey is the id or ARN of the key for tables whose encryption is "customer" and
	// that name none. An endpoint that does not encrypt takes any text.
	KMSKey string

	// Progress hears of every change when it begins.
	Progress func(Change)

	// Poll is the longest pause between two looks at a table that is changing; the first
	// pauses are shorter. Default: 5 seconds.
	Poll time.Duration

	// Patience is the longest time that one change may take. Building an index of many items takes
	// hours, and goes on when Apply gives up. Default: 1 hour.
	Patience time.Duration

	// Sleep pauses, or returns the context's error. Default: a timer.
	Sleep func(context.Context, time.Duration) error
}

func (o Options) withDefaults() Options {
	if o.TableNames == nil {
		o.TableNames = func(name string) string { return name }
	}
	if o.Progress == nil {
		o.Progress = func(Change) {}
	}
	if o.Poll <= 0 {
		o.Poll = 5 * time.Second
	}
	if o.Patience <= 0 {
		o.Patience = time.Hour
	}
	if o.Sleep == nil {
		o.Sleep = wait.For
	}
	return o
}

// An Action is a kind of change.
type Action string

// The actions.
const (
	CreateTable      Action = "create-table"
	AddIndex         Action = "add-index"
	RemoveIndex      Action = "remove-index"
	ChangeCapacity   Action = "change-capacity"
	AddStream        Action = "add-stream"
	RemoveStream     Action = "remove-stream"
	ChangeClass      Action = "change-class"
	ChangeProtection Action = "change-protection"
	ChangeEncryption Action = "change-encryption"
	AddExpiry        Action = "add-ttl"
	RemoveExpiry     Action = "remove-ttl"
	ChangeRecovery   Action = "change-pitr"
	ChangeTags       Action = "change-tags"
	StoreShape       Action = "store-shape"
)

// A Change is one thing that was changed, would be changed in a dry run, or was left
// alone for a reason.
type Change struct {
	Table  string `json:"table"` // its real name
	Action Action `json:"action"`
	Text   string `json:"text"` // add index GSI1 to Orders
	// Skipped is why the change is not made; "" if it is.
	Skipped string `json:"skipped,omitempty"`
	// Unsupported is the feature that the endpoint does not have, such as "point-in-time recovery", if
	// the change is skipped for that reason. It is skipped each time.
	Unsupported string `json:"unsupported,omitempty"`
	// Later says that DynamoDB refuses the change for now: apply again to have it.
	Later bool `json:"later,omitempty"`
	// Surplus says that Options.Prune would allow the change.
	Surplus bool `json:"surplus,omitempty"`
}

// String returns the change in words.
func (c Change) String() string {
	if c.Skipped == "" {
		return c.Text
	}
	return c.Text + ": not done: " + c.Skipped
}

// Apply makes tables be as they are defined. It looks at all of them first and returns
// a *RefusedError, with nothing changed, if something is impossible. Then it creates
// and changes, waits until every table and index can be used, and returns the changes;
// with an error, those made before it. Applied again, nothing is left to change.
func Apply(ctx context.Context, api API, tables []Table, options Options) ([]Change, error) {
	a := &applier{api: api, Options: options.withDefaults()}
	plans, err := a.plan(ctx, tables)
	if err != nil {
		return nil, err
	}
	if a.DryRun {
		var changes []Change
		for _, p := range plans {
			for _, s := range p.steps {
				changes = append(changes, s.Change)
			}
		}
		return changes, nil
	}
	err = a.act(ctx, plans)
	return a.made, err
}
