package marshal

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// MarkName returns the name of the attribute of an item that says with what a new counter counted it, while the design changes: counted
// Project.questions. It contains a space, which the names of attributes in designs cannot.
func MarkName(part string) string { return "counted " + part }

// The entries of a mark.
const (
	shareBy  = "by"
	shareKey = "of"
)

// MarkOf returns the mark of an item that is counted with a share.
func MarkOf(s *access.Share) types.AttributeValue {
	return &types.AttributeValueMemberM{Value: access.Item{shareBy: Num(s.By), shareKey: &types.AttributeValueMemberM{Value: s.Of}}}
}

// ShareOf returns what a mark says, nil if there is none.
func ShareOf(mark types.AttributeValue) *access.Share {
	m, is := mark.(*types.AttributeValueMemberM)
	if !is {
		return nil
	}
	of, isKey := m.Value[shareKey].(*types.AttributeValueMemberM)
	by, isNumber := m.Value[shareBy].(*types.AttributeValueMemberN)
	if !isKey || !isNumber {
		return nil
	}
	return &access.Share{Of: of.Value, By: by.Value}
}

// SameShare reports whether two shares are equal; nil is none. Numbers are compared by value.
func SameShare(a, b *access.Share) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err := access.ParseDecimal(a.By)
	y, wrong := access.ParseDecimal(b.By)
	return err == nil && wrong == nil && x.Cmp(y) == 0 && reflect.DeepEqual(a.Of, b.Of)
}

// Shares returns what must be added to counters when an item that was counted with one share is counted with another.
func Shares(was, is *access.Share) ([]access.Share, error) {
	var all []access.Share
	if was != nil {
		by, err := access.ParseDecimal(was.By)
		if err != nil {
			return nil, err
		}
		all = append(all, access.Share{Of: was.Of, By: by.Neg().String()})
	}
	if is == nil {
		return all, nil
	}
	if was == nil || !reflect.DeepEqual(was.Of, is.Of) {
		return append(all, *is), nil
	}
	more, err := access.ParseDecimal(is.By)
	if err != nil {
		return nil, err
	}
	total, err := access.Decimal(all[0].By).Add(more)
	all[0].By = total.String()
	return all, err
}
