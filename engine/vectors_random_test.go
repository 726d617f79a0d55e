package engine_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
	"sortkey.dev/internal/effort"
)

// A gallery is a table with vector indexes beside a plain list of its items.
// Its vectors have small integers, so that all sums are exact.
type gallery struct {
	*testing.T
	rnd        *rand.Rand
	db         *engine.DB
	dimensions int
	items      map[galleryKey]picture
	indexes    []galleryIndex
}

type galleryKey struct {
	pk string
	sk int
}

type picture struct {
	vector     []int // nil: none
	room, kind string
}

type galleryIndex struct {
	name     string
	function types.VectorDistanceFunction
	rooms    bool // the index is divided by room
}

// TestSearchesAgainstBruteForce changes items at random, adds and drops an index and
// reopens the database, and compares searches with sorting all items.
func TestSearchesAgainstBruteForce(t *testing.T) {
	effort.SkipUnderRace(t)
	for _, dimensions := range []int{1, 5, 19} {
		t.Run(strconv.Itoa(dimensions), func(t *testing.T) {
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			g := &gallery{T: t, rnd: rand.New(rand.NewPCG(seed, 3)), dimensions: dimensions, items: map[galleryKey]picture{}}
			dir := t.TempDir()
			g.open(dir)
			g.create()
			for step := range 300 {
				switch {
				case step%97 == 96:
					g.open(dir)
				case step%60 == 59:
					g.replaceIndex()
				case step%5 == 4:
					g.compare()
				default:
					g.write()
				}
			}
			g.compareCounts()
		})
	}
}

// open opens the database, and closes it first if it is open.
func (g *gallery) open(dir string) {
	g.Helper()
	if g.db != nil {
		g.must(g.db.Close())
	}
	db, err := engine.Open(dir, &engine.Options{Sync: engine.SyncRelaxed})
	g.must(err)
	g.db = db
	g.Cleanup(func() { db.Close() })
}

func (g *gallery) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *gallery) create() {
	g.indexes = []galleryIndex{
		{"cosine", types.VectorDistanceFunctionCosine, false},
		{"euclid", types.VectorDistanceFunctionEuclidean, true},
		{"product", types.VectorDistanceFunctionDotProduct, true},
	}
	in := &dynamodb.CreateTableInput{
		TableName: aws.String("gallery"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: galleryDefinitions("pk", "sk", "room", "kind"),
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"}},
	}
	for _, x := range g.indexes {
		in.VectorIndexes = append(in.VectorIndexes, types.VectorIndex(*g.definition(x)))
	}
	_, err := g.db.API().CreateTable(g.Context(), in)
	g.must(err)
}

func galleryDefinitions(names ...string) (all []types.AttributeDefinition) {
	for _, name := range names {
		kind := types.ScalarAttributeTypeS
		if name == "sk" {
			kind = types.ScalarAttributeTypeN
		}
		all = append(all, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
	}
	return all
}

func (g *gallery) definition(x galleryIndex) *types.CreateVectorIndexAction {
	d := &types.CreateVectorIndexAction{
		IndexName: aws.String(x.name), VectorAttribute: &types.VectorAttributeDefinition{AttributeName: aws.String("vector")},
		Dimensions: aws.Int64(int64(g.dimensions)), DistanceFunction: x.function,
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
	}
	d.SearchSchema = append(d.SearchSchema, types.SearchSchemaElement{AttributeName: aws.String("kind"), SearchSchemaElementType: "INLINE_FILTER"})
	if x.rooms {
		d.SearchSchema = append(d.SearchSchema, types.SearchSchemaElement{AttributeName: aws.String("room"), SearchSchemaElementType: "HASH"})
	}
	return d
}

// replaceIndex drops an index and adds it again, on a table with items.
func (g *gallery) replaceIndex() {
	x := g.indexes[g.rnd.IntN(len(g.indexes))]
	update := func(u types.VectorIndexUpdate) {
		_, err := g.db.API().UpdateTable(g.Context(), &dynamodb.UpdateTableInput{
			TableName: aws.String("gallery"), AttributeDefinitions: galleryDefinitions("kind", "room"),
			VectorIndexUpdates: []types.VectorIndexUpdate{u},
		})
		g.must(err)
	}
	update(types.VectorIndexUpdate{Delete: &types.DeleteVectorIndexAction{IndexName: aws.String(x.name)}})
	g.write()
	update(types.VectorIndexUpdate{Create: g.definition(x)})
	g.write()
	for g.status(x.name) != types.IndexStatusActive {
		runtime.Gosched() // the builder runs in the background
	}
}

func (g *gallery) status(index string) types.IndexStatus {
	for _, x := range g.describe().VectorIndexes {
		if *x.IndexName == index {
			return x.IndexStatus
		}
	}
	return ""
}

func (g *gallery) describe() *types.TableDescription {
	out, err := g.db.API().DescribeTable(g.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("gallery")})
	g.must(err)
	return out.Table
}

func (g *gallery) vector() []int {
	v := make([]int, g.dimensions)
	for i := range v {
		v[i] = g.rnd.IntN(9) - 4
	}
	return v
}

func (g *gallery) numbers(v []int) (all []types.AttributeValue) {
	for _, n := range v {
		all = append(all, &types.AttributeValueMemberN{Value: strconv.Itoa(n)})
	}
	return all
}

// write changes some items: one by one, or several in a transaction.
func (g *gallery) write() {
	g.Helper()
	changed := map[galleryKey]bool{}
	var actions []types.TransactWriteItem
	for range 1 + g.rnd.IntN(6) {
		k := galleryKey{string(rune('a' + g.rnd.IntN(8))), g.rnd.IntN(4)}
		if changed[k] {
			continue
		}
		changed[k] = true
		actions = append(actions, g.change(k))
	}
	_, err := g.db.API().TransactWriteItems(g.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	g.must(err)
}

func (g *gallery) change(k galleryKey) types.TransactWriteItem {
	name := aws.String("gallery")
	item := map[string]types.AttributeValue{"pk": text(k.pk), "sk": &types.AttributeValueMemberN{Value: strconv.Itoa(k.sk)}}
	old, found := g.items[k]
	switch {
	case found && g.rnd.IntN(4) == 0:
		delete(g.items, k)
		return types.TransactWriteItem{Delete: &types.Delete{TableName: name, Key: item}}
	case found && old.vector != nil && g.rnd.IntN(3) == 0:
		old.vector = slices.Clone(old.vector)
		i := g.rnd.IntN(len(old.vector))
		old.vector[i] = g.rnd.IntN(9) - 4
		g.items[k] = old
		return types.TransactWriteItem{Update: &types.Update{
			TableName: name, Key: item, UpdateExpression: aws.String(fmt.Sprintf("SET vector[%d] = :n", i)),
			ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: strconv.Itoa(old.vector[i])}},
		}}
	}
	p := picture{}
	if g.rnd.IntN(6) > 0 {
		p.vector = g.vector()
		item["vector"] = &types.AttributeValueMemberL{Value: g.numbers(p.vector)}
	}
	if g.rnd.IntN(6) > 0 {
		p.room = string(rune('x' + g.rnd.IntN(2)))
		item["room"] = text(p.room)
	}
	if g.rnd.IntN(3) > 0 {
		p.kind = string(rune('p' + g.rnd.IntN(2)))
		item["kind"] = text(p.kind)
	}
	g.items[k] = p
	return types.TransactWriteItem{Put: &types.Put{TableName: name, Item: item}}
}

// A found picture is one result of a search.
type found struct {
	key   galleryKey
	score float64
}

// compare compares one search on each index.
func (g *gallery) compare() {
	g.Helper()
	for _, x := range g.indexes {
		query, topK := g.vector(), 1+g.rnd.IntN(40)
		in := &dynamodb.SearchVectorsInput{
			TableName: aws.String("gallery"), IndexName: aws.String(x.name), SearchVector: g.numbers(query), TopK: aws.Int32(int32(topK)),
		}
		room, kind := "", ""
		if x.rooms {
			room = string(rune('x' + g.rnd.IntN(3)))
			in.SearchConditionExpression = aws.String("room = :r")
			in.ExpressionAttributeValues = map[string]types.AttributeValue{":r": text(room)}
		}
		if g.rnd.IntN(2) == 0 {
			kind = string(rune('p' + g.rnd.IntN(2)))
			if in.SearchConditionExpression == nil {
				in.SearchConditionExpression, in.ExpressionAttributeValues = aws.String("kind = :s"), map[string]types.AttributeValue{}
			} else {
				in.SearchConditionExpression = aws.String("kind = :s AND room = :r")
			}
			in.ExpressionAttributeValues[":s"] = text(kind)
		}
		out, err := g.db.API().SearchVectors(g.Context(), in)
		g.must(err)
		var got []found
		for _, r := range out.SearchResults {
			sk, err := strconv.Atoi(r.Item["sk"].(*types.AttributeValueMemberN).Value)
			g.must(err)
			got = append(got, found{galleryKey{r.Item["pk"].(*types.AttributeValueMemberS).Value, sk}, r.Score})
		}
		if want := g.bruteForce(x, query, topK, room, kind); !slices.Equal(got, want) {
			g.Fatalf("%s, the %d nearest to %v, room %q, kind %q:\ngot  %v\nwant %v", x.name, topK, query, room, kind, got, want)
		}
	}
}

func (g *gallery) bruteForce(x galleryIndex, query []int, topK int, room, kind string) (all []found) {
	for k, p := range g.items {
		if p.vector != nil && (!x.rooms || p.room == room) && (kind == "" || p.kind == kind) {
			all = append(all, found{k, galleryScore(x.function, query, p.vector)})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		byScore := cmp.Compare(a.score, b.score)
		if x.function == types.VectorDistanceFunctionDotProduct {
			byScore = -byScore
		}
		return cmp.Or(byScore, cmp.Compare(a.key.pk, b.key.pk), cmp.Compare(a.key.sk, b.key.sk))
	})
	return all[:min(topK, len(all))]
}

func galleryScore(function types.VectorDistanceFunction, a, b []int) float64 {
	var product, squaredA, squaredB, difference int
	for i := range a {
		product += a[i] * b[i]
		squaredA += a[i] * a[i]
		squaredB += b[i] * b[i]
		difference += (a[i] - b[i]) * (a[i] - b[i])
	}
	switch {
	case function == types.VectorDistanceFunctionDotProduct:
		return float64(product)
	case function == types.VectorDistanceFunctionEuclidean:
		return float64(float32(math.Sqrt(float64(difference))))
	case squaredA == 0 || squaredB == 0:
		return 1
	}
	return float64(float32(1 - float64(product)/math.Sqrt(float64(squaredA*squaredB))))
}

// compareCounts compares the item counts that DescribeTable returns for the indexes.
func (g *gallery) compareCounts() {
	for _, x := range g.describe().VectorIndexes {
		items, size := int64(0), int64(0)
		divided := len(x.SearchSchema) == 2
		for k, p := range g.items {
			if p.vector == nil || divided && p.room == "" {
				continue
			}
			items++
			size += int64(len("pk") + len(k.pk) + len("sk") + 1 + min(1, k.sk) + len("vector") + 4*g.dimensions)
			if p.kind != "" {
				size += int64(len("kind") + len(p.kind))
			}
			if divided {
				size += int64(len("room") + len(p.room))
			}
		}
		if *x.ItemCount != items || *x.IndexSizeBytes != size {
			g.Errorf("index %s has %d items of %d bytes, want %d of %d", *x.IndexName, *x.ItemCount, *x.IndexSizeBytes, items, size)
		}
	}
}
