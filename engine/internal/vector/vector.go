// Package vector implements the arithmetic of vector indexes: vectors of 32-bit floats,
// their stored form, the three distance functions, and the search for the nearest
// of many. It is exact: every offered vector is compared.
//
// It knows no table and no index. Package table reads the entries of an index and
// offers them; package request parses search vectors with it.
package vector

import (
	"encoding/binary"
	"math"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// squaredSize is the size of the squared length in a stored vector, floatSize that of a dimension.
const (
	squaredSize = 8
	floatSize   = 4
)

// A BadElement says which element of a list is not a 32-bit float.
type BadElement struct {
	Index int
	Kind  dynamo.Kind
}

func (e *BadElement) Error() string {
	return "element " + strconv.Itoa(e.Index) + " is no 32-bit float but " + e.Kind.String()
}

// Parse appends the numbers of a list as 32-bit floats. It rounds to the nearest float;
// a number beyond the largest float is a [BadElement].
func Parse(dst []float32, list dynamo.Value) ([]float32, error) {
	for i, e := range list.Elements() {
		if e.Kind() != dynamo.KindNumber {
			return dst, &BadElement{i, e.Kind()}
		}
		f, err := strconv.ParseFloat(string(e.Bytes()), 32)
		if err != nil && math.IsInf(f, 0) {
			return dst, &BadElement{i, e.Kind()}
		}
		dst = append(dst, float32(f))
	}
	return dst, nil
}

// Append appends the stored form of a vector: its squared length (f64), so that a
// search need not compute it, and its floats (f32), all little-endian.
func Append(dst []byte, v []float32) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, squaredSize)...)
	for _, f := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(f))
	}
	squared := dot(v, dst[start+squaredSize:])
	binary.LittleEndian.PutUint64(dst[start:], math.Float64bits(squared))
	return dst
}

// StoredSize returns the size of the stored form of a vector.
func StoredSize(dimensions int) int { return squaredSize + floatSize*dimensions }

// Value returns a stored vector as a list of numbers: the shortest decimals that parse to
// its floats.
func Value(stored []byte) dynamo.Value {
	var e dynamo.Encoder
	var text []byte
	e.OpenList()
	for b := stored[squaredSize:]; len(b) >= floatSize; b = b[floatSize:] {
		text = strconv.AppendFloat(text[:0], float64(float(b)), 'g', -1, 32)
		_ = e.Number(text) // every float is a number that DynamoDB can hold
	}
	e.CloseList()
	return e.Value(0)
}

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
