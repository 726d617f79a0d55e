package stream

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/internal/wait"
)

// StreamsAPI holds the operations of DynamoDB Streams that a Consumer calls.
// *dynamodbstreams.Client implements it.
type StreamsAPI interface {
	DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error)
	GetShardIterator(context.Context, *dynamodbstreams.GetShardIteratorInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error)
	GetRecords(context.Context, *dynamodbstreams.GetRecordsInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error)
}

// TableAPI holds the operations of DynamoDB that a Consumer calls. *dynamodb.Client
// implements it.
type TableAPI interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
}

// TableDescriber finds the stream of a table. *dynamodb.Client implements it.
type TableDescriber interface {
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
}

// A Start is where a consumer begins that has never run before.
type Start uint8

// The starts.
const (
	Oldest Start = iota // with the oldest record that is kept
	Newest              // with what changes from now on
)

// A Consumer hands all records of a stream to a handler, and remembers in a table how far
// it has come. Consumers of the same name in several processes share the shards of the
// stream, and take over those of a process that is gone.
//
// The fields up to Handler have to be set, with Table or StreamARN; those after it have
// defaults. They must not be changed while the consumer runs.
type Consumer struct {
	Streams StreamsAPI
	DB      TableAPI
	// Table is the table whose stream is followed. StreamARN is for programs that may not
	// describe the table.
	Table     string
	StreamARN string
	// Name tells consumers apart that share a table of checkpoints. It has no # in it.
	Name string
	// Checkpoints is the table that remembers; CheckpointTable defines it.
	Checkpoints string
	// Handler is called for every record, for those of different shards at the same time.
	// So are OnTrimmed and OnParked.
	Handler Handler

	// From is where a consumer begins that has never run before.
	From Start
	// Attempts is the number of times a record may fail before it is parked; the default is 8.
	Attempts int
	// Every is the number of records after which a checkpoint is written; the default is 100.
	// There is also one after each batch that was read.
	Every int
	// Workers is the most shards that are read and handled at the same time; the default is 16.
	Workers int
	// Poll is the interval at which an idle shard is read; the default is one second.
	Poll time.Duration
	// LeaseTime is the time after which the lease of a process that sent no heartbeat expires
	// and others take over its shards; the default is 30 seconds. It costs each shard three small writes in that time.
	// As often each process looks what the others do; more often, for at most about that
	// time, while a shard has no reader or is on its way from one process to another.
	LeaseTime time.Duration
	// Owner names the process in the table of checkpoints; the default is made of the host's
	// name.
	Owner string
	// OnTrimmed hears of records that were gone before they were read. Nil: it is logged.
	OnTrimmed func(Trimmed)
	// OnParked hears of records that were parked, and why. Nil: it is logged.
	OnParked func(Record, error)
	// OnHandled hears up to what time the records of a shard were handled: that of the last record, or of a read that
	// found nothing new. Or nil.
	OnHandled func(shard string, until time.Time)
	// Now and Sleep are the clock, for tests.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Trimmed tells of records that a consumer has missed, because DynamoDB keeps them for 24
// hours only.
type Trimmed struct {
	Table, Shard string
	After        string // sequence number of the last record that was handled; "": none of the shard
	Next         string // of the first one that is there again; "": none up to now
}

// Run follows the stream until the context ends. Then every shard finishes the record in
// hand, its checkpoint is written, and Run returns nil. It also returns nil when the stream
// was switched off and all its records were handled. If the stream of Table was switched off
// and on again since the consumer last ran, what it had not handled of the earlier stream
// comes first.
//
// Records of a shard are handled one after the other, a parent shard before its children.
// Handlers get a context that ends with Run's, and when another process has taken over
// the shard; a handler that stops because of it gets the record again later.
//
// A handler that fails or panics is called again after a while, which grows from attempt to attempt.
// When all Attempts have failed the record is parked in the table of checkpoints, and the
// shard goes on. Run returns an error when DynamoDB refuses a request, or goes on failing.
func (c *Consumer) Run(ctx context.Context) error {
	f, err := c.follower(ctx)
	if err == nil && c.StreamARN == "" && !f.fresh {
		err = f.finishEarlier(ctx)
	}
	switch {
	case err == nil:
		return f.run(ctx)
	case ctx.Err() != nil:
		return nil
	}
	return err
}

// follower checks the consumer, finds the stream and notes where a new one begins.
func (c *Consumer) follower(ctx context.Context) (*follower, error) {
	if c.Streams == nil || c.Handler == nil {
		return nil, errors.New("stream: a consumer needs Streams and a Handler")
	}
	full, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if full.StreamARN == "" {
		if full.StreamARN, err = latestStream(ctx, full.DB, full.Table); err != nil {
			return nil, err
		}
	}
	if full.Table, err = tableOf(full.StreamARN); err != nil {
		return nil, err
	}
	return newFollower(ctx, full)
}

// withDefaults returns a copy in which everything is set that has a default.
func (c *Consumer) withDefaults() (Consumer, error) {
	full := *c
	switch {
	case full.DB == nil:
		return full, errors.New("stream: a consumer needs a DB")
	case full.Name == "" || strings.Contains(full.Name, "#"):
		return full, fmt.Errorf("stream: a consumer needs a name without # in it, not %q", full.Name)
	case full.Checkpoints == "":
		return full, errors.New("stream: a consumer needs a table for its checkpoints")
	case full.Table == "" && full.StreamARN == "":
		return full, errors.New("stream: a consumer needs a table or the ARN of a stream")
	}
	full.Attempts = positive(full.Attempts, 8)
	full.Every = positive(full.Every, 100)
	full.Workers = positive(full.Workers, 16)
	full.Poll = positive(full.Poll, time.Second)
	full.LeaseTime = positive(full.LeaseTime, 30*time.Second)
	if full.Owner == "" {
		host, _ := os.Hostname() // without one the rest still tells processes apart
		full.Owner = cmp.Or(host, "consumer") + "-" + rand.Text()[:8]
	}
	if full.Now == nil {
		full.Now = time.Now
	}
	if full.Sleep == nil {
		full.Sleep = wait.For
	}
	full.withReports()
	return full, nil
}

func (c *Consumer) withReports() {
	if c.OnTrimmed == nil {
		c.OnTrimmed = func(t Trimmed) {
			slog.Error("records of a stream were gone before they were read", slog.String("consumer", c.Name),
				slog.String("table", t.Table), slog.String("shard", t.Shard), slog.String("after", t.After), slog.String("next", t.Next))
		}
	}
	if c.OnParked == nil {
		c.OnParked = func(r Record, err error) {
			slog.Error("a record of a stream was parked", slog.String("consumer", c.Name),
				slog.String("table", r.Table), slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
		}
	}
}

func positive[N int | time.Duration](n, otherwise N) N {
	if n > 0 {
		return n
	}
	return otherwise
}

// latestStream finds the stream of a table.
func latestStream(ctx context.Context, db TableDescriber, table string) (string, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return "", fmt.Errorf("stream: find the stream of table %s: %w", table, err)
	}
	if out.Table == nil || out.Table.LatestStreamArn == nil {
		return "", fmt.Errorf("stream: table %s has no stream", table)
	}
	return *out.Table.LatestStreamArn, nil
}
