package dynamo

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/number"
)

// A Fault is an error in a value itself: a text that is not a number, an empty set,
// two types in one value. A door finds it while it decodes the value, and the request
// check reports it when DynamoDB would, which may be after other errors. Its text is
// DynamoDB's sentence without any prefix.
type Fault struct {
	Text string
	// Older is the sentence of the operations that still use the older wording
	// (BatchWriteItem, Scan and the transactions); empty when it is the same.
	Older string
	// Number is the text of an invalid number or of one that cannot be stored. PartiQL
	// statements parse numbers in their own way.
	Number string
}

func (f *Fault) Error() string { return f.Text }

// OlderText returns the sentence in the older wording.
func (f *Fault) OlderText() string {
	if f.Older != "" {
		return f.Older
	}
	return f.Text
}

// RepeatedName is returned for a map or item that names a field twice. Only
// JSON text can do that, so the wire package words the message.
type RepeatedName struct{ Name string }

func (r *RepeatedName) Error() string { return fmt.Sprintf("the name %q is repeated", r.Name) }

// Faults that doors find before a value can be written.
var (
	FaultNoType    = &Fault{Text: "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}
	FaultManyTypes = &Fault{Text: "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"}
	FaultNullFalse = &Fault{Text: invalidParameter + "Null attribute value types must have the value of true"}
	FaultNesting   = &Fault{Text: "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"}

	// FaultFarNesting is FaultNesting for a value beyond FarNesting. It replaces
	// FaultNesting, which is found first.
	FaultFarNesting = &Fault{Text: FaultNesting.Text}
)

const invalidParameter = "One or more parameter values were invalid: "

func emptySet(kind Kind) error {
	switch kind {
	case KindStringSet:
		return &Fault{Text: invalidParameter + "An string set  may not be empty"}
	case KindNumberSet:
		return &Fault{Text: invalidParameter + "An number set  may not be empty"}
	default:
		return &Fault{Text: invalidParameter + "Binary sets should not be empty"}
	}
}

// repeatedMember returns the fault of a set with a repeated member, given its members
// as they were sent.
func repeatedMember(kind Kind, sent []string) error {
	listed := upToRepeat(sent)
	if kind == KindBinarySet {
		toBase64(sent)
		toBase64(listed)
	}
	switch kind {
	case KindNumberSet:
		return &Fault{
			Text:  invalidParameter + "Input collection contains duplicates.",
			Older: "Input collection contains duplicates",
		}
	case KindBinarySet:
		return &Fault{
			Text:  invalidParameter + `Input collection ["` + strings.Join(listed, `","`) + `"]of type BS contains duplicates.`,
			Older: invalidParameter + "Input collection [" + strings.Join(sent, ", ") + "]of type BS contains duplicates.",
		}
	default:
		return &Fault{
			Text:  invalidParameter + `Input collection ["` + strings.Join(listed, `", "`) + `"] contains duplicates.`,
			Older: invalidParameter + "Input collection [" + strings.Join(sent, ", ") + "] contains duplicates.",
		}
	}
}

// upToRepeat lists members like the current sentence does: those before the
// first repeated member in ascending order, then the rest as sent.
func upToRepeat(sent []string) []string {
	listed := slices.Clone(sent)
	seen := map[string]bool{}
	for i, m := range sent {
		if seen[m] {
			slices.Sort(listed[:i])
			break
		}
		seen[m] = true
	}
	return listed
}

func toBase64(members []string) {
	for i, m := range members {
		members[i] = base64.StdEncoding.EncodeToString([]byte(m))
	}
}

// badNumber returns the fault of a text that is not a number. The two wordings differ for
// an empty text, and for an exponent that just fits the older validator's 32 bits: there
// the magnitude wraps around, and seems to be too small.
func badNumber(text []byte, err error) error {
	if len(text) == 0 {
		return &Fault{
			Text:  "The parameter cannot be converted to a numeric value: ",
			Older: "The parameter cannot be converted to a numeric value",
		}
	}
	f := &Fault{Text: err.Error(), Number: string(text)}
	if errors.Is(err, number.ErrOverflow) && number.CheckJava(f.Number) == number.ErrUnderflow {
		f.Older = number.ErrUnderflow.Error()
	}
	return f
}
