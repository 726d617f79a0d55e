package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// BenchmarkSearchVectors searches 10,000 vectors of 768 dimensions, in memory and on
// disk, and compares with the minimum: a loop over slices that computes the same and sorts.
func BenchmarkSearchVectors(b *testing.B) {
	const count, dimensions, topK = 10_000, 768, 10
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func() []float32 {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = float32(rnd.NormFloat64())
		}
		return v
	}
	vectors := make([][]float32, count)
	for i := range vectors {
		vectors[i] = random()
	}
	query := random()
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			if len(loopSearch(vectors, query, topK)) != topK {
				b.Fatal("too few")
			}
		}
	})
	for name, dir := range map[string]string{"memory": "", "disk": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			db := vectorDB(b, dir, vectors)
			in := &dynamodb.SearchVectorsInput{
				TableName: aws.String("vectors"), IndexName: aws.String("vix"), SearchVector: floatList(query), TopK: aws.Int32(topK),
			}
			b.ReportAllocs()
			for b.Loop() {
				if out, err := db.API().SearchVectors(b.Context(), in); err != nil || len(out.SearchResults) != topK {
					b.Fatal(out, err)
				}
			}
		})
	}
}

func loopSearch(vectors [][]float32, query []float32, topK int) []float32 {
	scores := make([]float32, len(vectors))
	for i, v := range vectors {
		for j, x := range v {
			scores[i] -= x * query[j]
		}
	}
	slices.Sort(scores)
	return scores[:topK]
}

func floatList(v []float32) (list []types.AttributeValue) {
	for _, f := range v {
		list = append(list, &types.AttributeValueMemberN{Value: strconv.FormatFloat(float64(f), 'g', -1, 32)})
	}
	return list
}

func vectorDB(b *testing.B, dir string, vectors [][]float32) *engine.DB {
	b.Helper()
	db, err := engine.Open(dir, &engine.Options{Sync: engine.SyncRelaxed})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	_, err = db.API().CreateTable(b.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("vectors"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		VectorIndexes: []types.VectorIndex{{
			IndexName: aws.String("vix"), VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("v")},
			Dimensions: aws.Int64(int64(len(vectors[0]))), DistanceFunction: types.VectorDistanceFunctionDotProduct,
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	for i, v := range vectors {
		item := map[string]types.AttributeValue{"pk": text(fmt.Sprintf("%06d", i)), "v": &types.AttributeValueMemberL{Value: floatList(v)}}
		if _, err := db.API().PutItem(b.Context(), &dynamodb.PutItemInput{TableName: aws.String("vectors"), Item: item}); err != nil {
			b.Fatal(err)
		}
	}
	return db
}
