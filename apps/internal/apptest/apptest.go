// Package apptest provides the fixtures of the systems' tests: a database, a clock that the test
// moves, and servers, of which a test can kill those that are a process. The database is an
// engine in memory, or, when SORTKEY_TEST_ENDPOINT names one, any DynamoDB over HTTP; then every
// test has its own tables, which are deleted afterwards.
// Only tests import it.
package apptest

import (
	"cmp"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps"
	"sortkey.dev/engine"
)

// EndpointVariable is the environment variable with the DynamoDB endpoint for tests. Without
// it, tests use an engine in memory.
const EndpointVariable = "SORTKEY_TEST_ENDPOINT"

// A Database is the database of a single test.
type Database struct {
	DynamoDB apps.DynamoDB
	Streams  *dynamodbstreams.Client
	Prefix   string // of every table of the test
}

// Open returns a database for one test, with the tables of a design. The tables are deleted
// after the test.
func Open(t testing.TB, tables []provision.Table) Database {
	t.Helper()
	db := open(t)
	options := provision.Options{TableNames: func(name string) string { return db.Prefix + name }, Poll: 5 * time.Millisecond}
	if _, err := provision.Apply(t.Context(), db.DynamoDB, tables, options); err != nil {
		t.Fatalf("make the tables: %v", err)
	}
	return db
}

func open(t testing.TB) Database {
	endpoint := os.Getenv(EndpointVariable)
	if endpoint == "" {
		memory, err := engine.Open("", nil)
		if err != nil {
			t.Fatalf("open the engine: %v", err)
		}
		t.Cleanup(func() {
			if err := memory.Close(); err != nil {
				t.Errorf("close the engine: %v", err)
			}
		})
		return Database{DynamoDB: memory.API(), Streams: memory.Streams()}
	}
	region := cmp.Or(os.Getenv("AWS_REGION"), "us-east-1")
	keys := credentials.NewStaticCredentialsProvider("test", "test", "")
	client := dynamodb.New(dynamodb.Options{Region: region, BaseEndpoint: aws.String(endpoint), Credentials: keys})
	prefix := strings.ToLower(access.NewULID(time.Now())) + "-"
	t.Cleanup(func() { deleteTables(t, client, prefix) })
	return Database{
		DynamoDB: client,
		Streams:  dynamodbstreams.New(dynamodbstreams.Options{Region: region, BaseEndpoint: aws.String(endpoint), Credentials: keys}),
		Prefix:   prefix,
	}
}

// deleteTables deletes the tables of a finished test, whose context is done.
func deleteTables(t testing.TB, client *dynamodb.Client, prefix string) {
	ctx := context.Background()
	pages := dynamodb.NewListTablesPaginator(client, &dynamodb.ListTablesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Errorf("list the tables of the test: %v", err)
			return
		}
		for _, name := range page.TableNames {
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			if err := deleteTable(ctx, client, name); err != nil {
				t.Errorf("delete table %s: %v", name, err)
			}
		}
	}
}

// deleteTable deletes a table, also one that its design protects against deletion.
func deleteTable(ctx context.Context, client *dynamodb.Client, name string) error {
	found, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return err
	}
	if aws.ToBool(found.Table.DeletionProtectionEnabled) {
		if _, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &name, DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
			return err
		}
		active := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = 5*time.Millisecond, time.Second
		})
		if err := active.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, time.Minute); err != nil {
			return err
		}
	}
	_, err = client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
	return err
}

// A Clock stands still until the test moves it. It is safe for use by many goroutines.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock set to a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now.UTC()} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set sets the clock.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now.UTC()
}
