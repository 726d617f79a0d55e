package examples

import (
	"context"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// createNotes creates a table whose notes can be found by their meaning, tenant by tenant.
func createNotes(ctx context.Context, client *dynamodb.Client, dimensions int64) error {
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   aws.String("Notes"),
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("Id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("Tenant"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("Topic"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("Id"), KeyType: types.KeyTypeHash}},
		VectorIndexes: []types.VectorIndex{{
			IndexName:        aws.String("by-meaning"),
			VectorAttribute:  &types.VectorAttributeDefinition{AttributeName: aws.String("Embedding")},
			Dimensions:       aws.Int64(dimensions),
			DistanceFunction: types.VectorDistanceFunctionCosine,
			Projection:       &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"Title"}},
			SearchSchema: []types.SearchSchemaElement{
				{AttributeName: aws.String("Tenant"), SearchSchemaElementType: types.SearchSchemaElementTypeHash},
				{AttributeName: aws.String("Topic"), SearchSchemaElementType: types.SearchSchemaElementTypeInlineFilter},
			},
		}},
	})
	return err
}

// numbers is an embedding as DynamoDB takes it.
func numbers(embedding []float32) []types.AttributeValue {
	list := make([]types.AttributeValue, len(embedding))
	for i, f := range embedding {
		list[i] = &types.AttributeValueMemberN{Value: strconv.FormatFloat(float64(f), 'g', -1, 32)}
	}
	return list
}

// similar returns the titles of a tenant's notes on a topic that are nearest to an
// embedding, the nearest first.
func similar(ctx context.Context, client *dynamodb.Client, tenant, topic string, embedding []float32) (titles []string, err error) {
	out, err := client.SearchVectors(ctx, &dynamodb.SearchVectorsInput{
		TableName:                 aws.String("Notes"),
		IndexName:                 aws.String("by-meaning"),
		SearchVector:              numbers(embedding),
		TopK:                      aws.Int32(10),
		SearchConditionExpression: aws.String("Tenant = :tenant AND Topic = :topic"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":tenant": &types.AttributeValueMemberS{Value: tenant},
			":topic":  &types.AttributeValueMemberS{Value: topic},
		},
	})
	if err != nil {
		return nil, err
	}
	for _, r := range out.SearchResults { // r.Score is the cosine distance: 0 for the same direction
		titles = append(titles, r.Item["Title"].(*types.AttributeValueMemberS).Value)
	}
	return titles, nil
}

func TestVectors(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	client := db.Client()
	if err := createNotes(t.Context(), client, 2); err != nil {
		t.Fatal(err)
	}
	for _, note := range []struct {
		id, tenant, topic, title string
		embedding                []float32
	}{
		{"1", "a", "food", "Bread", []float32{1, 0.1}},
		{"2", "a", "food", "Cake", []float32{0.5, 0.5}},
		{"3", "a", "music", "Waltz", []float32{1, 0}},
		{"4", "b", "food", "Rice", []float32{1, 0}},
	} {
		text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Notes"), Item: map[string]types.AttributeValue{
			"Id": text(note.id), "Tenant": text(note.tenant), "Topic": text(note.topic), "Title": text(note.title),
			"Embedding": &types.AttributeValueMemberL{Value: numbers(note.embedding)},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	titles, err := similar(t.Context(), client, "a", "food", []float32{1, 0})
	if err != nil || len(titles) != 2 || titles[0] != "Bread" || titles[1] != "Cake" {
		t.Errorf("found %v, %v", titles, err)
	}
}
