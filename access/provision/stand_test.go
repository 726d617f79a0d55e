package provision_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/provision"
	"sortkey.dev/engine"
)

func open(t *testing.T) *engine.DB {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// doors returns the three ways to one engine.
func doors(t *testing.T, db *engine.DB) map[string]provision.API {
	t.Helper()
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	return map[string]provision.API{
		"API":    db.API(),
		"Client": db.Client(),
		"HTTP": dynamodb.New(dynamodb.Options{
			Region: "us-east-1", BaseEndpoint: aws.String(server.URL), Credentials: aws.AnonymousCredentials{},
		}),
	}
}

// quick polls without losing time.
func quick(o provision.Options) provision.Options {
	o.Poll = 4 * time.Millisecond
	return o
}

// apply must succeed; it gives the changes in words.
func apply(t *testing.T, api provision.API, o provision.Options, tables ...provision.Table) []string {
	t.Helper()
	changes, err := provision.Apply(t.Context(), api, tables, quick(o))
	if err != nil {
		t.Fatal(err)
	}
	return words(changes)
}

func words(changes []provision.Change) []string {
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = c.String()
	}
	return texts
}

var errCut = errors.New("the line was cut")

// A cut line breaks once, before or after one call is made.
type cut struct {
	at    int // which call, from 1
	after bool
	calls int
}

// through makes one call over the line.
func through[In, Out any](c *cut, call func(context.Context, In, ...func(*dynamodb.Options)) (Out, error)) func(context.Context, In, ...func(*dynamodb.Options)) (Out, error) {
	return func(ctx context.Context, in In, o ...func(*dynamodb.Options)) (out Out, err error) {
		c.calls++
		if c.calls == c.at && !c.after {
			return out, errCut
		}
		out, err = call(ctx, in, o...)
		if c.calls == c.at && err == nil {
			err = errCut
		}
		return out, err
	}
}

// cutLine is an API over a line that breaks.
type cutLine struct {
	provision.API
	*cut
}

func (c cutLine) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return through(c.cut, c.API.CreateTable)(ctx, in, o...)
}

func (c cutLine) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return through(c.cut, c.API.DescribeTable)(ctx, in, o...)
}

func (c cutLine) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	return through(c.cut, c.API.UpdateTable)(ctx, in, o...)
}

func (c cutLine) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return through(c.cut, c.API.DescribeTimeToLive)(ctx, in, o...)
}

func (c cutLine) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return through(c.cut, c.API.UpdateTimeToLive)(ctx, in, o...)
}

func (c cutLine) DescribeContinuousBackups(ctx context.Context, in *dynamodb.DescribeContinuousBackupsInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	return through(c.cut, c.API.DescribeContinuousBackups)(ctx, in, o...)
}

func (c cutLine) UpdateContinuousBackups(ctx context.Context, in *dynamodb.UpdateContinuousBackupsInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateContinuousBackupsOutput, error) {
	return through(c.cut, c.API.UpdateContinuousBackups)(ctx, in, o...)
}

func (c cutLine) ListTagsOfResource(ctx context.Context, in *dynamodb.ListTagsOfResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error) {
	return through(c.cut, c.API.ListTagsOfResource)(ctx, in, o...)
}

func (c cutLine) TagResource(ctx context.Context, in *dynamodb.TagResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	return through(c.cut, c.API.TagResource)(ctx, in, o...)
}

func (c cutLine) UntagResource(ctx context.Context, in *dynamodb.UntagResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	return through(c.cut, c.API.UntagResource)(ctx, in, o...)
}

// snapshot returns everything about tables that can be defined, as text to compare.
func snapshot(t *testing.T, api provision.API, names ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names {
		out, err := api.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			t.Fatal(err)
		}
		ttl, err := api.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &name})
		if err != nil {
			t.Fatal(err)
		}
		tags, err := api.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: out.Table.TableArn})
		if err != nil {
			t.Fatal(err)
		}
		write(&b, out.Table, ttl.TimeToLiveDescription, tags.Tags)
	}
	return b.String()
}

func write(b *strings.Builder, d *types.TableDescription, ttl *types.TimeToLiveDescription, tags []types.Tag) {
	line := func(parts ...string) { b.WriteString(strings.Join(parts, " ") + "\n") }
	key := func(schema []types.KeySchemaElement) (s string) {
		for _, e := range schema {
			s += string(e.KeyType) + ":" + aws.ToString(e.AttributeName) + " "
		}
		return s
	}
	units := func(p *types.ProvisionedThroughputDescription) string {
		return fmt.Sprintf("%d/%d", aws.ToInt64(p.ReadCapacityUnits), aws.ToInt64(p.WriteCapacityUnits))
	}
	line(aws.ToString(d.TableName), string(d.TableStatus), key(d.KeySchema), units(d.ProvisionedThroughput))
	for _, a := range d.AttributeDefinitions {
		line("attribute", aws.ToString(a.AttributeName), string(a.AttributeType))
	}
	indexes := map[string]string{}
	for _, g := range d.GlobalSecondaryIndexes {
		indexes[aws.ToString(g.IndexName)] = string(g.IndexStatus) + key(g.KeySchema) + string(g.Projection.ProjectionType) + strings.Join(g.Projection.NonKeyAttributes, ",") + units(g.ProvisionedThroughput)
	}
	for _, name := range slices.Sorted(maps.Keys(indexes)) {
		line("index", name, indexes[name])
	}
	if d.StreamSpecification != nil {
		line("stream", string(d.StreamSpecification.StreamViewType))
	}
	if d.TableClassSummary != nil {
		line("class", string(d.TableClassSummary.TableClass))
	}
	if d.SSEDescription != nil {
		line("key", aws.ToString(d.SSEDescription.KMSMasterKeyArn))
	}
	if aws.ToBool(d.DeletionProtectionEnabled) {
		line("protected")
	}
	line("ttl", aws.ToString(ttl.AttributeName))
	for _, tag := range tags {
		line("tag", aws.ToString(tag.Key), aws.ToString(tag.Value))
	}
}
