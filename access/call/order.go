package call

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// compareValues orders two values of a sort key attribute as DynamoDB does, without the
// bytes that lead each of them.
func compareValues(a types.AttributeValue, leadA int, b types.AttributeValue, leadB int) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(a.Value[min(leadA, len(a.Value)):], b.Value[min(leadB, len(b.Value)):])
		}
	case *types.AttributeValueMemberN:
		if b, ok := b.(*types.AttributeValueMemberN); ok {
			return compareNumbers(a.Value, b.Value)
		}
	case *types.AttributeValueMemberB:
		if b, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(a.Value[min(leadA, len(a.Value)):], b.Value[min(leadB, len(b.Value)):])
		}
	}
	return 0 // one attribute of a key has one type in all items
}

// compareNumbers orders numbers by value. Floats would take neighbours of 38 digits for
// equal, and a merge must not.
func compareNumbers(a, b string) int {
	x, _ := parseNumber(a)
	y, _ := parseNumber(b)
	return x.compare(y)
}

// A number is 0.digits times ten to the power of point.
type number struct {
	sign   int    // -1, 0 or 1
	digits string // from the first to the last that is not 0; may hold the decimal point
	point  int
}

// parseNumber reads a number as DynamoDB writes it, and reports whether it is one.
func parseNumber(text string) (number, bool) {
	n := number{sign: 1}
	if text != "" && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			n.sign = -1
		}
		text = text[1:]
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		exponent, err := strconv.Atoi(text[e+1:])
		if err != nil || exponent < -1000 || exponent > 1000 {
			return number{}, false
		}
		n.point, text = exponent, text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" && fraction == "" || !onlyDigits(whole) || !onlyDigits(fraction) {
		return number{}, false
	}
	n.digits = strings.Trim(text, "0.")
	if n.digits == "" {
		return number{}, true
	}
	if whole = strings.TrimLeft(whole, "0"); whole != "" {
		n.point += len(whole)
	} else {
		n.point -= len(fraction) - len(strings.TrimLeft(fraction, "0"))
	}
	return n, true
}

func (n number) compare(m number) int {
	if n.sign != m.sign {
		return cmp.Compare(n.sign, m.sign)
	}
	if n.point != m.point {
		return n.sign * cmp.Compare(n.point, m.point)
	}
	return n.sign * compareDigits(n.digits, m.digits)
}

// compareDigits compares digits behind a decimal point that may be written among them.
func compareDigits(a, b string) int {
	for {
		a, b = strings.TrimPrefix(a, "."), strings.TrimPrefix(b, ".")
		if a == "" || b == "" {
			return cmp.Compare(len(a), len(b))
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
}

// appendValue writes a value so that equal values, and no others, are the same bytes.
func appendValue(to []byte, value types.AttributeValue) []byte {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return appendText(append(to, 'S'), v.Value)
	case *types.AttributeValueMemberN:
		return appendNumber(append(to, 'N'), v.Value)
	case *types.AttributeValueMemberB:
		return appendText(append(to, 'B'), v.Value)
	case *types.AttributeValueMemberBOOL:
		return strconv.AppendBool(append(to, 'b'), v.Value)
	case *types.AttributeValueMemberNULL:
		return append(to, '0')
	case *types.AttributeValueMemberSS:
		return appendSet(append(to, 's'), v.Value)
	case *types.AttributeValueMemberNS:
		return appendSet(append(to, 'n'), canonical(v.Value))
	case *types.AttributeValueMemberBS:
		return appendSet(append(to, 'x'), v.Value)
	case *types.AttributeValueMemberL:
		to = binary.AppendUvarint(append(to, 'L'), uint64(len(v.Value)))
		for _, element := range v.Value {
			to = appendValue(to, element)
		}
		return to
	case *types.AttributeValueMemberM:
		return appendItem(append(to, 'M'), v.Value)
	}
	return append(to, '-') // no value at all
}

// appendItem writes the attributes of an item like appendValue.
func appendItem(to []byte, item access.Item) []byte {
	to = binary.AppendUvarint(to, uint64(len(item)))
	for _, name := range slices.Sorted(maps.Keys(item)) {
		to = appendValue(appendText(to, name), item[name])
	}
	return to
}

func appendText[Text string | []byte](to []byte, text Text) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

func appendSet[Text string | []byte](to []byte, set []Text) []byte {
	texts := make([]string, len(set))
	for i, element := range set {
		texts[i] = string(element)
	}
	slices.Sort(texts)
	to = binary.AppendUvarint(to, uint64(len(texts)))
	for _, text := range texts {
		to = appendText(to, text)
	}
	return to
}

func appendNumber(to []byte, text string) []byte {
	n, ok := parseNumber(text)
	if !ok {
		return appendText(append(to, '?'), text)
	}
	to = strconv.AppendInt(to, int64(n.sign), 10)
	to = strconv.AppendInt(append(to, ' '), int64(n.point), 10)
	to = append(to, ' ')
	for i := range len(n.digits) {
		if n.digits[i] != '.' {
			to = append(to, n.digits[i])
		}
	}
	return append(to, ' ')
}

// canonical returns numbers so that equal numbers have equal texts.
func canonical(numbers []string) []string {
	all := make([]string, len(numbers))
	for i, n := range numbers {
		all[i] = string(appendNumber(nil, n))
	}
	return all
}

func onlyDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
