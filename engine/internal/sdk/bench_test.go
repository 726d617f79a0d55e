package sdk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

// benchItem returns a typical item, about 600 bytes.
func benchItem() attributeMap {
	item := attributeMap{
		"pk":      text("USER#01J5Q7W3ZK4N8Y2M6T0B9RXCVD"),
		"sk":      text("ORDER#2026-11-15T12:00:00.000Z"),
		"total":   number("12999"),
		"version": number("7"),
		"paid":    &types.AttributeValueMemberBOOL{Value: true},
		"tags":    &types.AttributeValueMemberSS{Value: []string{"blue", "green", "red"}},
		"address": &types.AttributeValueMemberM{Value: attributeMap{
			"street": text("12 Long Lane"), "city": text("Springfield"), "zip": text("12345"),
		}},
		"lines": &types.AttributeValueMemberL{Value: []types.AttributeValue{text("a line"), number("3"), text("another")}},
		"note":  text(strings.Repeat("lorem ipsum ", 20)),
	}
	for i := range 4 {
		item[fmt.Sprintf("attribute%d", i)] = text("a value of some length")
	}
	return item
}

func benchKey() attributeMap {
	return attributeMap{"pk": text("USER#01J5Q7W3ZK4N8Y2M6T0B9RXCVD"), "sk": text("ORDER#2026-11-15T12:00:00.000Z")}
}

func BenchmarkGetItem(b *testing.B) {
	api := &fake{outs: []any{&dynamo.GetItemOutput{Item: itemOf(b, benchItem())}}}
	in := &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: benchKey()}
	client := NewClient(api, ClientOptions{Region: "us-east-1"})
	b.Run("direct", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := GetItem(b.Context(), api, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("client", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := client.GetItem(b.Context(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPutItem(b *testing.B) {
	api := &fake{outs: []any{&dynamo.PutItemOutput{}}}
	in := &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: benchItem()}
	client := NewClient(api, ClientOptions{Region: "us-east-1"})
	b.Run("direct", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := PutItem(b.Context(), api, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("client", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := client.PutItem(b.Context(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkQuery100(b *testing.B) {
	out := &dynamo.QueryOutput{Count: 100, ScannedCount: 100}
	for range 100 {
		out.Items = append(out.Items, itemOf(b, benchItem()))
	}
	api := &fake{outs: []any{out}}
	in := &dynamodb.QueryInput{
		TableName:                 aws.String("orders"),
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: attributeMap{":pk": text("USER#01J5Q7W3ZK4N8Y2M6T0B9RXCVD")},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Query(b.Context(), api, in); err != nil {
			b.Fatal(err)
		}
	}
}
