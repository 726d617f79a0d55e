package vector

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// list returns a list of numbers.
func list(t testing.TB, texts ...string) dynamo.Value {
	t.Helper()
	var e dynamo.Encoder
	e.OpenList()
	for _, text := range texts {
		if err := e.Number([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	e.CloseList()
	return e.Value(0)
}

func texts(v dynamo.Value) (all []string) {
	for _, e := range v.Elements() {
		all = append(all, string(e.Bytes()))
	}
	return all
}

func TestVectorsAreRoundedTo32Bits(t *testing.T) {
	sent := list(t, "0.1", "16777217", "-1.000000059604644775390625", "340282346638528859811704183484516925440", "1e-60", "0", "1e-45")
	v, err := Parse(nil, sent)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0.1", "16777216", "-1", "340282350000000000000000000000000000000", "0", "0", "0.000000000000000000000000000000000000000000001"}
	if got := texts(Value(Append(nil, v))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBadElementsAreNamed(t *testing.T) {
	var e dynamo.Encoder
	e.OpenList()
	_ = e.Number([]byte("1"))
	e.String("1")
	e.CloseList()
	for _, c := range []struct {
		list dynamo.Value
		want BadElement
	}{
		{e.Value(0), BadElement{1, dynamo.KindString}},
		{list(t, "1", "2", "-3.5e38"), BadElement{2, dynamo.KindNumber}},
	} {
		_, err := Parse(nil, c.list)
		if bad, ok := errors.AsType[*BadElement](err); !ok || *bad != c.want {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
}

func TestScores(t *testing.T) {
	const huge, tiny = 3e38, 1e-44
	for _, c := range []struct {
		function      string
		query, vector []float32
		want          float64
	}{
		{dynamo.DistanceCosine, []float32{1, 0, 0}, []float32{1, 0, 0}, 0},
		{dynamo.DistanceCosine, []float32{0.6, 0.8, 0.3}, []float32{0.6, 0.8, 0.3}, 0},
		{dynamo.DistanceCosine, []float32{1, 0, 0}, []float32{10, 0, 0}, 0},
		{dynamo.DistanceCosine, []float32{1, 0, 0}, []float32{0, 1, 0}, 1},
		{dynamo.DistanceCosine, []float32{1, 0, 0}, []float32{-2, 0, 0}, 2},
		{dynamo.DistanceCosine, []float32{huge, huge}, []float32{huge, -huge}, 1},
		{dynamo.DistanceCosine, []float32{tiny, tiny}, []float32{-tiny, -tiny}, 2},
		{dynamo.DistanceCosine, []float32{1, 0}, []float32{0, 0}, 1},
		{dynamo.DistanceEuclidean, []float32{1, 2}, []float32{1, 2}, 0},
		{dynamo.DistanceEuclidean, []float32{1, 0, 0}, []float32{10, 0, 0}, 9},
		{dynamo.DistanceEuclidean, []float32{1, 1}, []float32{-2, 5}, 5},
		{dynamo.DistanceEuclidean, []float32{huge}, []float32{-huge}, 2 * float64(float32(huge))},
		{dynamo.DistanceEuclidean, []float32{tiny}, []float32{0}, float64(float32(tiny))},
		{dynamo.DistanceDotProduct, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float32{1, 1, 1, 1, 1, 1, 1, 1, 1, -1}, 35},
		{dynamo.DistanceDotProduct, []float32{huge}, []float32{huge}, float64(float32(huge)) * float64(float32(huge))},
	} {
		if got := NewQuery(c.function, c.query).Score(Append(nil, c.vector)); got != c.want {
			t.Errorf("%s of %v and %v: %v, want %v", c.function, c.query, c.vector, got, c.want)
		}
	}
}

// The nearest of many candidates are kept, in order, and the first of equal ones.
func TestNearest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		function := []string{dynamo.DistanceCosine, dynamo.DistanceEuclidean, dynamo.DistanceDotProduct}[rnd.IntN(3)]
		n, most := rnd.IntN(60), 1+rnd.IntN(12)
		q := NewQuery(function, []float32{1, 2})
		nearest := NewNearest(q, most)
		var all []Candidate
		for i := range n {
			stored := Append(nil, []float32{float32(rnd.IntN(5) - 2), float32(rnd.IntN(5) - 2)})
			name := []byte(strconv.Itoa(i))
			nearest.Offer(stored, name)
			all = append(all, Candidate{Score: q.Score(stored), Entry: []byte(strconv.Itoa(i))})
			name[0] = 'x' // it was copied
		}
		slices.SortStableFunc(all, func(a, b Candidate) int {
			if function == dynamo.DistanceDotProduct {
				return cmp.Compare(b.Score, a.Score)
			}
			return cmp.Compare(a.Score, b.Score)
		})
		got := nearest.Sorted()
		if len(got) != min(n, most) {
			t.Fatalf("%d of %d candidates kept, want %d", len(got), n, min(n, most))
		}
		for i, c := range got {
			if c.Score != all[i].Score || string(c.Entry) != string(all[i].Entry) {
				t.Fatalf("%s, %d of %d: candidate %d is %s with %v, want %s with %v", function, most, n, i, c.Entry, c.Score, all[i].Entry, all[i].Score)
			}
		}
	}
}

// FuzzScore compares the sums in lanes with plain sums.
func FuzzScore(f *testing.F) {
	f.Add(uint64(1), 3)
	f.Add(uint64(2), 16)
	f.Add(uint64(3), 768)
	f.Fuzz(func(t *testing.T, seed uint64, n int) {
		if n < 1 || n > 4096 {
			return
		}
		rnd := rand.New(rand.NewPCG(seed, 1))
		a, b := make([]float32, n), make([]float32, n)
		var product, squares, size float64
		for i := range n {
			a[i], b[i] = float32(rnd.NormFloat64()), float32(rnd.NormFloat64())
			product += float64(a[i]) * float64(b[i])
			squares += (float64(a[i]) - float64(b[i])) * (float64(a[i]) - float64(b[i]))
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		stored := Append(nil, b)
		if got := NewQuery(dynamo.DistanceDotProduct, a).Score(stored); math.Abs(got-product) > 1e-5*size {
			t.Errorf("dot product %v, want %v", got, product)
		}
		if got, want := NewQuery(dynamo.DistanceEuclidean, a).Score(stored), math.Sqrt(squares); math.Abs(got-want) > 1e-5*want {
			t.Errorf("distance %v, want %v", got, want)
		}
	})
}
