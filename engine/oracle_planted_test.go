package engine_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine/internal/oracle"
	"sortkey.dev/internal/effort"
)

// TestOracleFindsPlantedBugs plants one bug at a time and checks that the oracle finds
// it, and shrinks a sequence of hundreds of steps to a readable size.
func TestOracleFindsPlantedBugs(t *testing.T) {
	effort.SkipUnderRace(t)
	for _, bug := range []struct {
		name    string
		tables  func(oracle.Tables) oracle.Tables
		streams func(oracle.Streams) oracle.Streams
		most    int // steps that are left
		needs   []string
	}{
		{name: "a put loses an attribute", tables: func(db oracle.Tables) oracle.Tables { return losingPuts{db} },
			most: 4, needs: []string{"oracle.CreateTable", `"value": `}},
		{name: "an index forgets a row", tables: func(db oracle.Tables) oracle.Tables { return forgetfulIndexes{db} },
			most: 6, needs: []string{"oracle.Index{", "oracle.Query"}},
		{name: "a statement forgets a row", tables: func(db oracle.Tables) oracle.Tables { return forgetfulStatements{db} },
			most: 6, needs: []string{"oracle.SelectStatement"}},
		{name: "a token is not looked at", tables: func(db oracle.Tables) oracle.Tables { return ignoredTokens{db} },
			most: 6, needs: []string{"Token: "}},
		{name: "an expired item leaves no record", streams: func(db oracle.Streams) oracle.Streams { return quietExpiry{db} },
			most: 8, needs: []string{"oracle.SetExpiry", "oracle.ReadStreams"}},
	} {
		t.Run(bug.name, func(t *testing.T) {
			t.Parallel()
			play := func(steps []oracle.Step) *oracle.Problem {
				db := newJudged(t, oracleWay{door: "API"})
				defer db.close()
				if bug.tables != nil {
					db.tables = bug.tables(db.tables)
				}
				if bug.streams != nil {
					db.stream = bug.streams(db.stream)
				}
				return oracle.Play(t.Context(), db, steps)
			}
			steps := failingSteps(t, play)
			small, wrong := oracle.Shrink(steps, time.Minute, play)
			if wrong == nil || len(small) > bug.most {
				t.Fatalf("%d steps became %d, want at most %d:\n%s\n%v", len(steps), len(small), bug.most, oracle.Literal(small), wrong)
			}
			t.Logf("%d steps became %d:\n%s\n%s:\n%s", len(steps), len(small), oracle.Literal(small), wrong.Kind, wrong.Text)
			for _, part := range bug.needs {
				if !strings.Contains(oracle.Literal(small), part) {
					t.Errorf("the steps that are left do not have %s:\n%s", part, oracle.Literal(small))
				}
			}
			if (oracleWay{door: "API"}).play(t, small) != nil {
				t.Errorf("the steps that are left fail without the bug, too:\n%s", oracle.Literal(small))
			}
		})
	}
}

// failingSteps finds a sequence that shows a bug and has no large items, because it will be played often.
func failingSteps(t *testing.T, play func([]oracle.Step) *oracle.Problem) []oracle.Step {
	t.Helper()
	for seed := range uint64(60) {
		steps := oracle.Generate(seed, 150)
		if longestText(reflect.ValueOf(steps)) < 10<<10 && play(steps) != nil {
			return steps
		}
	}
	t.Fatal("no sequence failed")
	return nil
}

// longestText returns the length of the longest text in a value.
func longestText(v reflect.Value) (longest int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		return longestText(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			longest = max(longest, longestText(v.Field(i)))
		}
	case reflect.Slice:
		for i := range v.Len() {
			longest = max(longest, longestText(v.Index(i)))
		}
	case reflect.Map:
		for _, inner := range v.Seq2() {
			longest = max(longest, longestText(inner))
		}
	}
	return longest
}

// losingPuts loses an attribute of every put.
type losingPuts struct{ oracle.Tables }

func (db losingPuts) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	lossy := *in
	lossy.Item = oracle.Item{}
	for name, v := range in.Item {
		if name != "value" {
			lossy.Item[name] = v
		}
	}
	return db.Tables.PutItem(ctx, &lossy, options...)
}

// forgetfulIndexes omits the last of several rows from the results of an index.
type forgetfulIndexes struct{ oracle.Tables }

func (db forgetfulIndexes) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := db.Tables.Query(ctx, in, options...)
	if err == nil && in.IndexName != nil && len(out.Items) > 1 {
		out.Items = out.Items[:len(out.Items)-1]
		out.Count--
	}
	return out, err
}

// forgetfulStatements omits the last of several rows from the results of a statement.
type forgetfulStatements struct{ oracle.Tables }

func (db forgetfulStatements) ExecuteStatement(ctx context.Context, in *dynamodb.ExecuteStatementInput, options ...func(*dynamodb.Options)) (*dynamodb.ExecuteStatementOutput, error) {
	out, err := db.Tables.ExecuteStatement(ctx, in, options...)
	if err == nil && len(out.Items) > 1 {
		out.Items = out.Items[:len(out.Items)-1]
	}
	return out, err
}

// ignoredTokens executes transactions again that were already committed.
type ignoredTokens struct{ oracle.Tables }

func (db ignoredTokens) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	forgotten := *in
	forgotten.ClientRequestToken = nil
	return db.Tables.TransactWriteItems(ctx, &forgotten, options...)
}

// quietExpiry omits the records of expired items.
type quietExpiry struct{ oracle.Streams }

func (db quietExpiry) GetRecords(ctx context.Context, in *dynamodbstreams.GetRecordsInput, options ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	out, err := db.Streams.GetRecords(ctx, in, options...)
	if err == nil {
		out.Records = slices.DeleteFunc(out.Records, func(r streamtypes.Record) bool { return r.UserIdentity != nil })
	}
	return out, err
}
