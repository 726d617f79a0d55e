package call_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// BenchmarkPutItem holds a put through the package against the SDK's call alone, both on
// the engine in the process: the difference is the cost of the package.
func BenchmarkPutItem(b *testing.B) {
	item := product{ID: "1", Name: "lamp", Stock: 3, Version: 1}.item()
	b.Run("sdk", func(b *testing.B) {
		api := access.API(openShop(b).API())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := api.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("Shop"), Item: item}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, options := range map[string][]access.Option{
		"access": nil, "access with a meter": {access.WithObserver(&access.Meter{})},
	} {
		b.Run(name, func(b *testing.B) {
			s := newShop(b, options...)
			b.ReportAllocs()
			for b.Loop() {
				w := call.Action{Kind: call.Put, Name: "put Product", Table: "Shop", Item: item}
				if err := call.PutItem(context.Background(), s.c, saveProducts, &w); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTransact(b *testing.B) {
	s := newShop(b)
	writes := []call.Action{save(product{ID: "1", Name: "lamp"}), save(product{ID: "2", Name: "chair"})}
	b.ReportAllocs()
	for b.Loop() {
		if err := call.Transact(context.Background(), s.c, saveProducts, writes); err != nil {
			b.Fatal(err)
		}
	}
}
