package call_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// BenchmarkGetAgainstSDK reads an item as generated code does, and as one would by hand.
func BenchmarkGetAgainstSDK(b *testing.B) {
	api := openNotes(b, numbered("A", 20)...)
	c := notesClient(api)
	b.Run("access", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			get := call.Get{Pattern: notesByKey, Key: noteKeys("Notes", "A", "07")[0]}
			if _, err := call.GetOne(b.Context(), c, &get, decodeNote); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out, err := api.GetItem(b.Context(), &dynamodb.GetItemInput{TableName: aws.String("Notes"), Key: noteKeys("Notes", "A", "07")[0]})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := decodeNote(out.Item); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkListAgainstSDK reads a page of 20 items as generated code does, and as one would
// by hand.
func BenchmarkListAgainstSDK(b *testing.B) {
	api := openNotes(b, numbered("A", 50)...)
	c := notesClient(api)
	list := func() access.List[note] { return call.List(c, notesOf("A"), decodeNote).Limit(20) }
	for name, read := range map[string]func(context.Context) (int, error){
		"slice": func(ctx context.Context) (int, error) { items, err := list().Slice(ctx); return len(items), err },
		"page":  func(ctx context.Context) (int, error) { page, err := list().Page(ctx, ""); return len(page.Items), err },
		"all": func(ctx context.Context) (int, error) {
			n := 0
			for _, err := range list().All(ctx) {
				if err != nil {
					return n, err
				}
				n++
			}
			return n, nil
		},
		"sdk": func(ctx context.Context) (int, error) {
			q := notesOf("A")
			out, err := api.Query(ctx, &dynamodb.QueryInput{
				TableName: aws.String("Notes"), KeyConditionExpression: aws.String(q.KeyCondition),
				ExpressionAttributeValues: q.Requests[0].Values, Limit: aws.Int32(20),
			})
			if err != nil {
				return 0, err
			}
			items := make([]note, 0, len(out.Items))
			for _, item := range out.Items {
				n, err := decodeNote(item)
				if err != nil {
					return 0, err
				}
				items = append(items, n)
			}
			return len(items), nil
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n, err := read(b.Context()); n != 20 || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
