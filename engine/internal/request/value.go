package request

import (
	"errors"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// A layer selects one of the two wordings of the operations' messages about attribute
// values.
type layer int

const (
	newerValues layer = iota
	olderValues       // BatchWriteItem and Scan
)

// complaint returns the error for a fault that a door found in a value; nil for none.
func (l layer) complaint(fault error) error {
	if fault == nil {
		return nil
	}
	var f *dynamo.Fault
	switch {
	case !errors.As(fault, &f):
		return fault
	case l == olderValues:
		return invalid(f.OlderText())
	default:
		return invalid(f.Text)
	}
}

// checkItem checks the names and values of an item or a key.
func (l layer) checkItem(raw dynamo.RawItem) error {
	for c := raw.Item.Fields(); c.Next(); {
		if err := checkAttributeName(c.Name()); err != nil {
			return err
		}
	}
	return l.complaint(raw.Fault)
}

const (
	faultEmptyName = "Empty attribute name"
	faultLongName  = "Attribute name is too large, must be less than 65536 bytes"
)

// nameFault says what is wrong with the name of an attribute.
func nameFault[T string | []byte](name T) string {
	switch n := len(name); {
	case n == 0:
		return faultEmptyName
	case n > dynamo.MaxAttributeNameSize:
		return faultLongName
	}
	return ""
}

// checkAttributeName checks the name of an attribute.
func checkAttributeName[T string | []byte](name T) error {
	switch fault := nameFault(name); fault {
	case "":
		return nil
	case faultLongName:
		return invalid(invalidParameter + fault)
	default:
		return invalid(fault)
	}
}

// checkStartKey checks the values of an ExclusiveStartKey. DynamoDB's message
// names the starting key for some faults and not for others.
func (l layer) checkStartKey(raw dynamo.RawItem) error {
	err := l.checkItem(raw)
	if err == nil {
		return nil
	}
	var complaint *dynamo.Error
	if errors.As(err, &complaint) && startKeyIsNamed(raw.Fault, complaint.Message) {
		return invalid("The provided starting key is invalid: " + complaint.Message)
	}
	return err
}

func startKeyIsNamed(fault error, sentence string) bool {
	switch fault {
	case dynamo.FaultNoType, dynamo.FaultManyTypes, dynamo.FaultNullFalse:
		return true
	}
	return strings.HasSuffix(sentence, "An string set  may not be empty") ||
		strings.HasSuffix(sentence, "Binary sets should not be empty")
}

func errItemTooLarge() error { return invalid("Item size has exceeded the maximum allowed size") }
