package examples

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// text is a parameter of a statement.
func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// songsOf lists the songs of an artist, the last one first.
func songsOf(ctx context.Context, client *dynamodb.Client, artist string) (titles []string, err error) {
	in := &dynamodb.ExecuteStatementInput{
		Statement:  aws.String(`SELECT Title FROM "Music" WHERE Artist = ? ORDER BY Title DESC`),
		Parameters: []types.AttributeValue{text(artist)},
	}
	for {
		out, err := client.ExecuteStatement(ctx, in)
		if err != nil {
			return nil, err
		}
		for _, item := range out.Items {
			titles = append(titles, item["Title"].(*types.AttributeValueMemberS).Value)
		}
		if out.NextToken == nil {
			return titles, nil
		}
		in.NextToken = out.NextToken
	}
}

// insertSong adds a song, unless it is there, and counts it, or does neither.
func insertSong(ctx context.Context, client *dynamodb.Client, artist, title string) error {
	_, err := client.ExecuteTransaction(ctx, &dynamodb.ExecuteTransactionInput{TransactStatements: []types.ParameterizedStatement{
		{Statement: aws.String(`INSERT INTO "Music" VALUE {'Artist': ?, 'Title': ?}`), Parameters: []types.AttributeValue{text(artist), text(title)}},
		{Statement: aws.String(`UPDATE "Artists" SET Songs = Songs + 1 WHERE Artist = ?`), Parameters: []types.AttributeValue{text(artist)}},
	}})
	return err
}

func TestStatements(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	client := db.Client()
	for table, keys := range map[string][]string{"Music": {"Artist", "Title"}, "Artists": {"Artist"}} {
		in := &dynamodb.CreateTableInput{TableName: aws.String(table), BillingMode: types.BillingModePayPerRequest}
		for i, name := range keys {
			in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS})
		}
		if _, err := client.CreateTable(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	_, err = client.ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: aws.String(`INSERT INTO "Artists" VALUE {'Artist': 'Acme Band', 'Songs': 0}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Happy Day", "PartiQL Rocks"} {
		if err := insertSong(t.Context(), client, "Acme Band", title); err != nil {
			t.Fatal(err)
		}
	}
	var cancelled *types.TransactionCanceledException
	if err := insertSong(t.Context(), client, "Acme Band", "Happy Day"); !errors.As(err, &cancelled) || *cancelled.CancellationReasons[0].Code != "DuplicateItem" {
		t.Errorf("a song that is there: %v", err)
	}
	got, err := songsOf(t.Context(), client, "Acme Band")
	if want := []string{"PartiQL Rocks", "Happy Day"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
}
