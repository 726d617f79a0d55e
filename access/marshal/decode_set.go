package marshal

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// Strings reads a set of texts; nil if it is missing. So do the others for their types.
func (d *Decoder) Strings(name string) []string {
	v := d.item[name]
	if s, ok := v.(*types.AttributeValueMemberSS); ok && s != nil {
		return s.Value
	}
	noteKind(d, name, v, "SS")
	return nil
}

// Ints reads a set of whole numbers.
func (d *Decoder) Ints(name string) []int64 {
	all, err := parseAll(numbersOf(d, name), ParseInt)
	noteInside(d, name, err)
	return all
}

// Floats reads a set of numbers.
func (d *Decoder) Floats(name string) []float64 {
	all, err := parseAll(numbersOf(d, name), ParseFloat)
	noteInside(d, name, err)
	return all
}

// Decimals reads a set of exact numbers.
func (d *Decoder) Decimals(name string) []access.Decimal {
	all, err := parseAll(numbersOf(d, name), access.ParseDecimal)
	noteInside(d, name, err)
	return all
}

// Times reads a set of timestamps.
func (d *Decoder) Times(name string) []time.Time {
	all, err := parseAll(d.Strings(name), ParseTime)
	noteInside(d, name, err)
	return all
}

// Blobs reads a set of bytes.
func (d *Decoder) Blobs(name string) [][]byte {
	v := d.item[name]
	if b, ok := v.(*types.AttributeValueMemberBS); ok && b != nil {
		return b.Value
	}
	noteKind(d, name, v, "BS")
	return nil
}

// DecodeTextSet reads a set of an enum or of another type that is a string.
func DecodeTextSet[T ~string](d *Decoder, name string) []T {
	return DecodeSet(d, name, ParseText[T])
}

// DecodeSet reads a set of texts with a function for its members; nil if it is missing.
func DecodeSet[T any](d *Decoder, name string, parse func(string) (T, error)) []T {
	all, err := parseAll(d.Strings(name), parse)
	noteInside(d, name, err)
	return all
}

// DecodeNumberSet reads a set of numbers with a function for its members; nil if it is
// missing.
func DecodeNumberSet[T any](d *Decoder, name string, parse func(string) (T, error)) []T {
	all, err := parseAll(numbersOf(d, name), parse)
	noteInside(d, name, err)
	return all
}

func numbersOf(d *Decoder, name string) []string {
	v := d.item[name]
	if n, ok := v.(*types.AttributeValueMemberNS); ok && n != nil {
		return n.Value
	}
	noteKind(d, name, v, "NS")
	return nil
}

func parseAll[T any](texts []string, parse func(string) (T, error)) ([]T, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all := make([]T, len(texts))
	for i, s := range texts {
		v, err := parse(s)
		if err != nil {
			return nil, &access.DecodeError{Reason: "has a member that " + err.Error()}
		}
		all[i] = v
	}
	return all, nil
}
