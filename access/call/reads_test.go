package call_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/marshal"
	"sortkey.dev/engine"
)

// A note is an item of the tables that tests read: in Notes its sort key is text, in
// NotesN a number, in NotesB bytes. Pair is an index of Notes by kind and rank.
type note struct {
	PK, SK string
	Kind   string
	Rank   string
	Keep   bool // what filters ask for
	Other  bool // an item of another entity, which decoding skips
}

var noteTables = map[string]types.ScalarAttributeType{
	"Notes":  types.ScalarAttributeTypeS,
	"NotesN": types.ScalarAttributeTypeN,
	"NotesB": types.ScalarAttributeTypeB,
}

// openNotes opens a database with the tables, and notes in Notes.
func openNotes(t testing.TB, notes ...note) *engine.API {
	t.Helper()
	return openNotesDB(t, notes...).API()
}

func openNotesDB(t testing.TB, notes ...note) *engine.DB {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for name, kind := range noteTables {
		if _, err := db.API().CreateTable(context.Background(), notesTable(name, kind)); err != nil {
			t.Fatal(err)
		}
	}
	putNotes(t, db.API(), "Notes", notes...)
	return db
}

func notesTable(name string, kind types.ScalarAttributeType) *dynamodb.CreateTableInput {
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	attribute := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind}
	}
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("PK", "S"), attribute("SK", kind)},
		KeySchema:            []types.KeySchemaElement{key("PK", "HASH"), key("SK", "RANGE")},
	}
	if name == "Notes" {
		in.AttributeDefinitions = append(in.AttributeDefinitions, attribute("kind", "S"), attribute("rank", "N"))
		in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("Pair"),
			KeySchema:  []types.KeySchemaElement{key("PK", "HASH"), key("kind", "RANGE"), key("rank", "RANGE")},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}}
	}
	return in
}

func putNotes(t testing.TB, api *engine.API, table string, notes ...note) {
	t.Helper()
	for _, n := range notes {
		_, err := api.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &table, Item: noteItem(table, n)})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func noteItem(table string, n note) access.Item {
	item := access.Item{
		"PK": &types.AttributeValueMemberS{Value: n.PK}, "SK": sortValue(table, n.SK),
		"keep": &types.AttributeValueMemberBOOL{Value: n.Keep}, "other": &types.AttributeValueMemberBOOL{Value: n.Other},
	}
	if n.Kind != "" {
		item["kind"], item["rank"] = &types.AttributeValueMemberS{Value: n.Kind}, &types.AttributeValueMemberN{Value: n.Rank}
	}
	return item
}

func sortValue(table, text string) types.AttributeValue {
	switch noteTables[table] {
	case types.ScalarAttributeTypeN:
		return &types.AttributeValueMemberN{Value: text}
	case types.ScalarAttributeTypeB:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	}
	return &types.AttributeValueMemberS{Value: text}
}

func decodeNote(item access.Item) (note, error) {
	n := note{PK: item["PK"].(*types.AttributeValueMemberS).Value}
	switch sk := item["SK"].(type) {
	case *types.AttributeValueMemberS:
		n.SK = sk.Value
	case *types.AttributeValueMemberN:
		n.SK = sk.Value
	case *types.AttributeValueMemberB:
		n.SK = string(sk.Value)
	}
	if kind, ok := item["kind"].(*types.AttributeValueMemberS); ok {
		n.Kind, n.Rank = kind.Value, item["rank"].(*types.AttributeValueMemberN).Value
	}
	if keep, ok := item["keep"].(*types.AttributeValueMemberBOOL); ok {
		n.Keep = keep.Value
	}
	if other, ok := item["other"].(*types.AttributeValueMemberBOOL); ok && other.Value {
		return n, marshal.Skip
	}
	return n, nil
}

var notesByKey = &access.Pattern{Name: "ListNotes", Table: "Notes", Units: 2.5, Keys: []string{"PK", "SK"}, Sort: []string{"SK"}}

// notesOf returns the query of the notes of some partitions.
func notesOf(partitions ...string) call.Query {
	q := call.Query{Pattern: notesByKey, KeyCondition: "PK = :PK", Partition: []string{":PK"}}
	for _, pk := range partitions {
		q.Requests = append(q.Requests, call.Request{Values: access.Item{":PK": &types.AttributeValueMemberS{Value: pk}}})
	}
	return q
}

// keptOf returns notesOf with a filter.
func keptOf(partitions ...string) call.Query {
	q := notesOf(partitions...)
	q.Filter = "keep = :keep"
	for _, r := range q.Requests {
		r.Values[":keep"] = &types.AttributeValueMemberBOOL{Value: true}
	}
	return q
}

// numbered returns n notes of a partition with the sort keys 00, 01, ...
func numbered(pk string, n int) []note {
	notes := make([]note, n)
	for i := range notes {
		notes[i] = note{PK: pk, SK: fmt.Sprintf("%02d", i)}
	}
	return notes
}

func notesClient(api access.API, options ...access.Option) *access.Client {
	return access.NewClient(api, access.Design{Name: "Notes"}, options...)
}

func sortKeys(notes []note) []string {
	keys := make([]string, len(notes))
	for i, n := range notes {
		keys[i] = n.SK
	}
	return keys
}

// firstKeys returns the texts of 0 to n-1, as numbered has them.
func firstKeys(n int) []string { return sortKeys(numbered("", n)) }

// A tap is an API that remembers the queries that were sent and can stand in their way.
type tap struct {
	access.API
	cut   int32                               // if set: where DynamoDB ends a page
	enter func(context.Context, string) error // called with each query's partition
	mu    sync.Mutex
	seen  []*dynamodb.QueryInput
	now   int // under way
}

func (a *tap) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	a.mu.Lock()
	a.seen = append(a.seen, in)
	a.now++
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		a.now--
		a.mu.Unlock()
	}()
	if a.enter != nil {
		if err := a.enter(ctx, in.ExpressionAttributeValues[":PK"].(*types.AttributeValueMemberS).Value); err != nil {
			return nil, err
		}
	}
	if a.cut > 0 && (in.Limit == nil || *in.Limit > a.cut) {
		short := *in
		short.Limit = &a.cut
		in = &short
	}
	return a.API.Query(ctx, in, options...)
}

func (a *tap) sent() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.seen)
}

func (a *tap) underWay() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// limits returns the limits of the queries, "-" for none.
func (a *tap) limits() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []string
	for _, in := range a.seen {
		if in.Limit == nil {
			all = append(all, "-")
		} else {
			all = append(all, strconv.Itoa(int(*in.Limit)))
		}
	}
	slices.Sort(all)
	return all
}

// pages reads a list page by page.
func pages[T any](t testing.TB, list access.List[T]) (all []T, sizes []int) {
	t.Helper()
	for cursor := ""; ; {
		page, err := list.Page(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		all, sizes = append(all, page.Items...), append(sizes, len(page.Items))
		if page.Next == "" {
			return all, sizes
		}
		if page.Next == cursor {
			t.Fatal("the cursor does not move")
		}
		cursor = page.Next
	}
}
