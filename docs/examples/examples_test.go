// Package examples is the Go code of the README and the guides, compiled and run.
// It has no code of its own for others to call: TestSnippetsAreReal demands that
// every Go block of those documents is found here, word for word.
package examples

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine"
)

// createMusic makes the table of the examples.
func createMusic(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("Music"),
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("Song"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Song"), AttributeType: types.ScalarAttributeTypeS}},
		BillingMode:          types.BillingModePayPerRequest,
	})
	return err
}

// openTable gives a test a table of its own that nobody else sees.
func openTable(t *testing.T) *dynamodb.Client {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := createMusic(t.Context(), db.Client()); err != nil {
		t.Fatal(err)
	}
	return db.Client()
}

// songs lists the methods of DynamoDB that this program needs. The SDK's client has these
// methods, on AWS and in process, and so has the engine's API.
type songs interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
}

// ErrAlreadyThere is returned by addSong for a song that exists.
var ErrAlreadyThere = errors.New("this song is already there")

// addSong stores a song unless it exists.
func addSong(ctx context.Context, db songs, title, year string) error {
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("Music"),
		Item: map[string]types.AttributeValue{
			"Song": &types.AttributeValueMemberS{Value: title},
			"Year": &types.AttributeValueMemberN{Value: year},
		},
		ConditionExpression: aws.String("attribute_not_exists(Song)"),
	})
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return ErrAlreadyThere
	}
	return err
}

// songYear reads the year of a song, or "" if there is no such song.
func songYear(ctx context.Context, db songs, title string) (string, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      aws.String("Music"),
		Key:            map[string]types.AttributeValue{"Song": &types.AttributeValueMemberS{Value: title}},
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return "", err
	}
	year, _ := out.Item["Year"].(*types.AttributeValueMemberN)
	if year == nil {
		return "", nil
	}
	return year.Value, nil
}

func TestSongIsAddedOnce(t *testing.T) {
	t.Parallel()
	client := openTable(t)
	if err := addSong(t.Context(), client, "Call Me Today", "1999"); err != nil {
		t.Fatal(err)
	}
	if err := addSong(t.Context(), client, "Call Me Today", "2000"); err != ErrAlreadyThere {
		t.Errorf("second add: %v, want %v", err, ErrAlreadyThere)
	}
	if year, err := songYear(t.Context(), client, "Call Me Today"); err != nil || year != "1999" {
		t.Errorf("year %q, %v; want 1999", year, err)
	}
}

// overview is the Go example of the README.
func overview(ctx context.Context) error {
	db, err := engine.Open("", nil) // in memory; engine.Open("data", nil) keeps a directory
	if err != nil {
		return err
	}
	defer db.Close()

	client := db.Client()   // a real *dynamodb.Client whose calls stay in this process
	streams := db.Streams() // a real *dynamodbstreams.Client, likewise
	api := db.API()         // the client's methods without the SDK's middleware: the shortest way

	if err := createMusic(ctx, client); err != nil {
		return err
	}
	if err := addSong(ctx, api, "Call Me Today", "1999"); err != nil {
		return err
	}
	year, err := songYear(ctx, client, "Call Me Today")
	if err != nil {
		return err
	}
	fmt.Println("Call Me Today:", year)
	_, err = streams.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
	return err
}

func Example_overview() {
	if err := overview(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: Call Me Today: 1999
}

// program is the example of a program that keeps its data in a directory.
func program(ctx context.Context, dir string, logger *slog.Logger, use func(context.Context, *engine.DB) error) error {
	db, err := engine.Open(dir, &engine.Options{
		Logger: logger, // default: slog.Default()
		Region: "eu-central-1",
	})
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer db.Close()
	return use(ctx, db)
}

func TestProgramFindsItsDataAgain(t *testing.T) {
	t.Parallel()
	dir, logger := t.TempDir(), slog.New(slog.DiscardHandler)
	err := program(t.Context(), dir, logger, func(ctx context.Context, db *engine.DB) error {
		if err := createMusic(ctx, db.Client()); err != nil {
			return err
		}
		return addSong(ctx, db.API(), "Somewhere Down The Road", "2004")
	})
	if err != nil {
		t.Fatal(err)
	}
	err = program(t.Context(), dir, logger, func(ctx context.Context, db *engine.DB) error {
		year, err := songYear(ctx, db.API(), "Somewhere Down The Road")
		if year != "2004" {
			t.Errorf("after the second open the year is %q, want 2004", year)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestThirdDoorSeesTheSameTables(t *testing.T) {
	t.Parallel()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	server := httptest.NewServer(db)
	defer server.Close()
	remote := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "us-east-1",
		Credentials:  aws.AnonymousCredentials{},
	})
	if err := createMusic(t.Context(), remote); err != nil {
		t.Fatal(err)
	}
	if err := addSong(t.Context(), remote, "My Dog Spot", "2011"); err != nil {
		t.Fatal(err)
	}
	if year, err := songYear(t.Context(), db.API(), "My Dog Spot"); err != nil || year != "2011" {
		t.Errorf("year %q, %v; want 2011", year, err)
	}
}
