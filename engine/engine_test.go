package engine_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

func Example() {
	db, err := engine.Open("", nil) // a directory name keeps the data on disk
	if err != nil {
		panic(err)
	}
	defer db.Close()
	ctx := context.Background()
	client := db.Client() // the SDK's own client; nothing leaves the process
	_, err = client.CreateTable(ctx, musicTable("music"))
	if err != nil {
		panic(err)
	}
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("music"),
		Item:      map[string]types.AttributeValue{"artist": text("Nina Simone"), "song": text("Sinnerman")},
	})
	if err != nil {
		panic(err)
	}
	page, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName:                 aws.String("music"),
		KeyConditionExpression:    aws.String("artist = :a"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":a": text("Nina Simone")},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(page.Count, page.Items[0]["song"].(*types.AttributeValueMemberS).Value)
	// Output: 1 Sinnerman
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func musicTable(name string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("artist"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("song"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("artist"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("song"), KeyType: types.KeyTypeRange},
		},
	}
}

func song(artist, title string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"artist": text(artist), "song": text(title)}
}

func open(t *testing.T, dir string) *engine.DB {
	t.Helper()
	db, err := engine.Open(dir, nil)
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

// TestAPIHasTheMethodsOfTheClient checks that code that takes an interface of client
// methods can take an API.
func TestAPIHasTheMethodsOfTheClient(t *testing.T) {
	api, client := reflect.TypeFor[*engine.API](), reflect.TypeFor[*dynamodb.Client]()
	for i := range client.NumMethod() {
		want := client.Method(i)
		if want.Name == "Options" { // of the stack that an API does not have
			continue
		}
		got, ok := api.MethodByName(want.Name)
		if !ok {
			t.Errorf("API has no %s", want.Name)
			continue
		}
		for n := 1; n < want.Type.NumIn(); n++ {
			if got.Type.NumIn() <= n || got.Type.In(n) != want.Type.In(n) {
				t.Errorf("%s: got %v, want %v", want.Name, got.Type, want.Type)
			}
		}
		for n := range want.Type.NumOut() {
			if got.Type.NumOut() <= n || got.Type.Out(n) != want.Type.Out(n) {
				t.Errorf("%s: got %v, want %v", want.Name, got.Type, want.Type)
			}
		}
	}
}

// TestDoorsShareTables writes through one door and reads through the others.
func TestDoorsShareTables(t *testing.T) {
	db := open(t, "")
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	remote := dynamodb.New(dynamodb.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})
	if _, err := remote.CreateTable(t.Context(), musicTable("music")); err != nil {
		t.Fatal(err)
	}
	type door interface {
		PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
		GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	}
	doors := map[string]door{"API": db.API(), "Client": db.Client(), "HTTP": remote}
	for writer, w := range doors {
		if _, err := w.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("music"), Item: song("x", writer)}); err != nil {
			t.Fatalf("put through %s: %v", writer, err)
		}
		for reader, r := range doors {
			got, err := r.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("music"), Key: song("x", writer)})
			if err != nil || !reflect.DeepEqual(got.Item, song("x", writer)) {
				t.Errorf("written through %s, %s reads %v, %v", writer, reader, got, err)
			}
		}
	}
}

func TestDataSurvivesReopening(t *testing.T) {
	dir := t.TempDir()
	db, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"kept", "deleted"} {
		if _, err := db.API().CreateTable(t.Context(), musicTable(table)); err != nil {
			t.Fatal(err)
		}
		if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: song("a", "b")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.API().DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("deleted")}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	tables, err := db.API().ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || !reflect.DeepEqual(tables.TableNames, []string{"kept"}) {
		t.Errorf("tables %v, %v", tables, err)
	}
	got, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("kept"), Key: song("a", "b")})
	if err != nil || !reflect.DeepEqual(got.Item, song("a", "b")) {
		t.Errorf("item %v, %v", got, err)
	}
	if _, err := db.API().CreateTable(t.Context(), musicTable("deleted")); err != nil {
		t.Fatal(err)
	}
	page, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("deleted")})
	if err != nil || page.Count != 0 {
		t.Errorf("a table created again has %v, %v", page, err)
	}
}

func TestOpenTwiceFails(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	second, err := engine.Open(dir, nil)
	if err == nil {
		second.Close()
		t.Fatal("the directory was opened twice")
	}
	if !strings.Contains(err.Error(), "already open") || !strings.Contains(err.Error(), dir) {
		t.Errorf("the error does not name the cause: %v", err)
	}
}

func TestAfterCloseCallsFail(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.API().CreateTable(t.Context(), musicTable("music")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = db.Client().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("music"), Key: song("a", "b")})
	var internal *types.InternalServerError
	if !errors.As(err, &internal) {
		t.Errorf("after Close: %v, want an InternalServerError", err)
	}
}

// TestManyEnginesInOneProcess opens a thousand engines at once, as the tests of
// a large program do.
func TestManyEnginesInOneProcess(t *testing.T) {
	for i := range 1000 {
		db := open(t, "")
		if i%100 != 0 {
			continue
		}
		if _, err := db.API().CreateTable(t.Context(), musicTable("music")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCountersLoseNothing has many writers add to one item through all doors.
func TestCountersLoseNothing(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		db := open(t, dir)
		if _, err := db.API().CreateTable(t.Context(), musicTable("music")); err != nil {
			t.Fatal(err)
		}
		add := &dynamodb.UpdateItemInput{
			TableName: aws.String("music"), Key: song("a", "b"), UpdateExpression: aws.String("ADD plays :one"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		}
		const writers, times = 16, 50
		client := db.Client()
		var group sync.WaitGroup
		for range writers {
			group.Go(func() {
				for i := range times {
					var err error
					if i%2 == 0 {
						_, err = client.UpdateItem(t.Context(), add)
					} else {
						_, err = db.API().UpdateItem(t.Context(), add)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		got, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("music"), Key: song("a", "b"), ConsistentRead: aws.Bool(true)})
		if err != nil {
			t.Fatal(err)
		}
		if n := got.Item["plays"].(*types.AttributeValueMemberN).Value; n != fmt.Sprint(writers*times) {
			t.Errorf("dir %q: counted %s, want %d", dir, n, writers*times)
		}
	}
}

// TestConcurrentResponsesAreNotMixedUp reads different items at the same time through doors
// that reuse their buffers for the next response.
func TestConcurrentResponsesAreNotMixedUp(t *testing.T) {
	db := open(t, "")
	if _, err := db.API().CreateTable(t.Context(), musicTable("music")); err != nil {
		t.Fatal(err)
	}
	const songs = 40
	want := make([]map[string]types.AttributeValue, songs)
	for i := range want {
		want[i] = song(fmt.Sprintf("artist %02d", i), "song")
		want[i]["text"] = text(strings.Repeat(fmt.Sprint(i), 50*i))
		if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("music"), Item: want[i]}); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	remote := dynamodb.New(dynamodb.Options{
		BaseEndpoint: &server.URL, Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("key", "secret", ""),
	})
	var group sync.WaitGroup
	for reader := range 8 {
		group.Go(func() {
			for n := range 50 {
				i := (reader*7 + n) % songs
				key := song(fmt.Sprintf("artist %02d", i), "song")
				got, err := remote.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("music"), Key: key})
				if err != nil || !reflect.DeepEqual(got.Item, want[i]) {
					t.Errorf("item %d: %v, %v", i, got, err)
				}
				page, err := db.API().Query(t.Context(), &dynamodb.QueryInput{
					TableName: aws.String("music"), KeyConditionExpression: aws.String("artist = :a"),
					ExpressionAttributeValues: map[string]types.AttributeValue{":a": key["artist"]},
				})
				if err != nil || page.Count != 1 || !reflect.DeepEqual(page.Items[0], want[i]) {
					t.Errorf("page %d: %v, %v", i, page, err)
				}
			}
		})
	}
	group.Wait()
}
