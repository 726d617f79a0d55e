package vector

import (
	"encoding/binary"
	"math"

	"sortkey.dev/engine/internal/dynamo"
)

// A Query is a vector that stored vectors are compared with by a distance function.
type Query struct {
	function string
	floats   []float32
	squared  float64
}

// NewQuery returns the query for a vector and one of the distance functions of [dynamo].
func NewQuery(function string, v []float32) *Query {
	stored := Append(nil, v)
	return &Query{function: function, floats: v, squared: squaredOf(stored)}
}

func squaredOf(stored []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(stored))
}

// Score returns the score of a stored vector of the query's dimensions, as SearchVectors
// returns it: the cosine distance between 0 and 2, the Euclidean distance or the
// dot product, rounded to 32 bits if it fits.
func (q *Query) Score(stored []byte) float64 {
	floats := stored[squaredSize:]
	switch q.function {
	case dynamo.DistanceCosine:
		return q.cosine(dot(q.floats, floats), squaredOf(stored))
	case dynamo.DistanceEuclidean:
		return rounded(math.Sqrt(difference(q.floats, floats)))
	default:
		return rounded(dot(q.floats, floats))
	}
}

// cosine returns the cosine distance. A zero vector has no direction; it counts as
// being at a right angle to every other.
func (q *Query) cosine(product, squared float64) float64 {
	if q.squared == 0 || squared == 0 {
		return 1
	}
	return rounded(min(2, max(0, 1-product/math.Sqrt(q.squared*squared))))
}

// Nearer reports whether a score means a more similar vector than another score.
func (q *Query) Nearer(score, other float64) bool {
	if q.function == dynamo.DistanceDotProduct {
		return score > other
	}
	return score < other
}

// rounded returns x rounded to a 32-bit float, or x itself if that overflows.
func rounded(x float64) float64 {
	if f := float64(float32(x)); !math.IsInf(f, 0) {
		return f
	}
	return x
}

// lanes is the number of independent sums: additions to the same sum wait for each
// other.
const lanes = 8

// dot returns the dot product of v and as many stored floats. It adds 32-bit floats,
// and repeats with 64 bits if the result does not fit.
func dot(v []float32, floats []byte) float64 {
	floats = floats[:floatSize*len(v)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	i := 0
	for ; i+lanes <= len(v); i += lanes {
		a, b := (*[lanes]float32)(v[i:]), (*[floatSize * lanes]byte)(floats[floatSize*i:])
		s0 += a[0] * float(b[0:4])
		s1 += a[1] * float(b[4:8])
		s2 += a[2] * float(b[8:12])
		s3 += a[3] * float(b[12:16])
		s4 += a[4] * float(b[16:20])
		s5 += a[5] * float(b[20:24])
		s6 += a[6] * float(b[24:28])
		s7 += a[7] * float(b[28:32])
	}
	sum := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	for ; i < len(v); i++ {
		sum += v[i] * float(floats[floatSize*i:])
	}
	if inRange(sum) {
		return float64(sum)
	}
	exact := 0.0
	for i, f := range v {
		exact += float64(f) * float64(float(floats[floatSize*i:]))
	}
	return exact
}

// difference returns the square of the distance between v and as many stored floats.
func difference(v []float32, floats []byte) float64 {
	floats = floats[:floatSize*len(v)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	i := 0
	for ; i+lanes <= len(v); i += lanes {
		a, b := (*[lanes]float32)(v[i:]), (*[floatSize * lanes]byte)(floats[floatSize*i:])
		d0, d1, d2, d3 := a[0]-float(b[0:4]), a[1]-float(b[4:8]), a[2]-float(b[8:12]), a[3]-float(b[12:16])
		d4, d5, d6, d7 := a[4]-float(b[16:20]), a[5]-float(b[20:24]), a[6]-float(b[24:28]), a[7]-float(b[28:32])
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		s4 += d4 * d4
		s5 += d5 * d5
		s6 += d6 * d6
		s7 += d7 * d7
	}
	sum := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	for ; i < len(v); i++ {
		d := v[i] - float(floats[floatSize*i:])
		sum += d * d
	}
	if inRange(sum) {
		return float64(sum)
	}
	exact := 0.0
	for i, f := range v {
		d := float64(f) - float64(float(floats[floatSize*i:]))
		exact += d * d
	}
	return exact
}

// inRange reports whether a sum of products is neither so large nor so small that
// its products may have lost precision.
func inRange(sum float32) bool {
	size := math.Abs(float64(sum)) // comparisons with NaN are false
	return size > 0x1p-90 && size < 0x1p120
}
