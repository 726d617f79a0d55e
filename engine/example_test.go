package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// createMusic creates a table with a stream.
func createMusic(ctx context.Context, db *engine.DB) error {
	_, err := db.API().CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("Music"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Artist"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("Artist"), KeyType: types.KeyTypeHash}},
		BillingMode:          types.BillingModePayPerRequest,
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
	})
	return err
}

func putArtist(ctx context.Context, db *engine.DB, name string) error {
	_, err := db.API().PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("Music"),
		Item:      map[string]types.AttributeValue{"Artist": &types.AttributeValueMemberS{Value: name}},
	})
	return err
}

// Open with "" opens a database in memory. A directory keeps it.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "music")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	db, err := engine.Open(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(createMusic(ctx, db), putArtist(ctx, db, "No One You Know"))
	fmt.Println(db.Close())

	db, err = engine.Open(dir, nil) // after a restart
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	out, err := db.Client().Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("Music")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Count, "item")
	// Output:
	// <nil> <nil>
	// <nil>
	// 1 item
}

// The errors are those of the SDK.
func ExampleDB_API() {
	db, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	err = putArtist(context.Background(), db, "No One You Know")
	var missing *types.ResourceNotFoundException
	fmt.Println(errors.As(err, &missing))
	// Output: true
}

func ExampleDB_Changes() {
	db, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if err := errors.Join(createMusic(ctx, db), putArtist(ctx, db, "No One You Know")); err != nil {
		log.Fatal(err)
	}

	changes, err := db.Changes(ctx, "Music", engine.FromOldest)
	if err != nil {
		log.Fatal(err)
	}
	for record, err := range changes {
		fmt.Println(record.EventName, err)
		break // the loop waits for further changes
	}
	// Output: INSERT <nil>
}

// Any client of DynamoDB can use the endpoint.
func ExampleDB_ServeHTTP() {
	db, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	server := httptest.NewServer(db)
	defer server.Close()

	request, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader("{}"))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=any/20260217/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	// Output: 200 OK
}
