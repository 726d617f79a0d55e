package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// The benchmarks here measure the cost of one call through the doors of a process.
// The command in bench/ compares them with floors and peers.

func benchmarkItem(i int) map[string]types.AttributeValue {
	item := song("artist", fmt.Sprintf("song %06d", i))
	for n := range 8 {
		item[fmt.Sprintf("attribute%d", n)] = text(strings.Repeat("x", 100))
	}
	item["plays"] = &types.AttributeValueMemberN{Value: "12345"}
	return item
}

func benchmarkDB(b *testing.B, items int) *engine.DB {
	b.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	if _, err := db.API().CreateTable(b.Context(), musicTable("music")); err != nil {
		b.Fatal(err)
	}
	for i := range items {
		if _, err := db.API().PutItem(b.Context(), &dynamodb.PutItemInput{TableName: aws.String("music"), Item: benchmarkItem(i)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	return db
}

func BenchmarkAPIGetItem(b *testing.B) {
	db := benchmarkDB(b, 100)
	in := &dynamodb.GetItemInput{TableName: aws.String("music"), Key: song("artist", "song 000042")}
	for b.Loop() {
		if out, err := db.API().GetItem(b.Context(), in); err != nil || out.Item == nil {
			b.Fatal(out, err)
		}
	}
}

func BenchmarkClientGetItem(b *testing.B) {
	client := benchmarkDB(b, 100).Client()
	in := &dynamodb.GetItemInput{TableName: aws.String("music"), Key: song("artist", "song 000042")}
	for b.Loop() {
		if out, err := client.GetItem(b.Context(), in); err != nil || out.Item == nil {
			b.Fatal(out, err)
		}
	}
}

func BenchmarkAPIPutItem(b *testing.B) {
	db := benchmarkDB(b, 0)
	in := &dynamodb.PutItemInput{TableName: aws.String("music"), Item: benchmarkItem(1)}
	for b.Loop() {
		if _, err := db.API().PutItem(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}

// A sink is a ResponseWriter that records only the status.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }

func benchmarkJSON(b *testing.B, items int, operation, body string) {
	db := benchmarkDB(b, items)
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.ContentLength = int64(len(body))
	var reader bytes.Reader
	r.Body = io.NopCloser(&reader)
	w := &sink{header: http.Header{}}
	for b.Loop() {
		reader.Reset([]byte(body))
		w.status = http.StatusOK
		db.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatal(w.status)
		}
	}
}

func BenchmarkJSONGetItem(b *testing.B) {
	benchmarkJSON(b, 100, "GetItem", `{"TableName":"music","Key":{"artist":{"S":"artist"},"song":{"S":"song 000042"}}}`)
}

func BenchmarkJSONUpdateItem(b *testing.B) {
	benchmarkJSON(b, 100, "UpdateItem", `{"TableName":"music","Key":{"artist":{"S":"artist"},"song":{"S":"song 000042"}},
		"UpdateExpression":"SET plays = plays + :one","ConditionExpression":"attribute_exists(artist)","ExpressionAttributeValues":{":one":{"N":"1"}}}`)
}

func BenchmarkJSONQuery100(b *testing.B) {
	benchmarkJSON(b, 100, "Query", `{"TableName":"music","KeyConditionExpression":"artist = :a","ExpressionAttributeValues":{":a":{"S":"artist"}}}`)
}

// BenchmarkOpen measures what opening a database costs a test.
func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		db, err := engine.Open("", nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
