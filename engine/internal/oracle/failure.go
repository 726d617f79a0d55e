package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// A Failure is the error a step should end with.
type Failure struct {
	Code     string
	Messages []string // one of these; none: any message
	Item     Item     // of a failed condition
	Reasons  []Reason // of a cancelled transaction
}

// A Reason says why one action of a transaction failed.
type Reason struct {
	Code     string
	Messages []string
	Item     Item
}

func refuse(messages ...string) *Failure {
	return &Failure{Code: "ValidationException", Messages: messages}
}

func notFound(message string) *Failure {
	return &Failure{Code: "ResourceNotFoundException", Messages: []string{message}}
}

var noTable = notFound("Requested resource not found")

// enveloped returns the error that PutItem, UpdateItem and DeleteItem return before
// they look up the table.
func enveloped(message string) *Failure { return refuse("1 validation error detected: " + message) }

// conditionFailed returns the failure of a condition on an item, with the item if requested.
func conditionFailed(old Item, show bool) *Failure {
	f := &Failure{Code: "ConditionalCheckFailedException", Messages: []string{"The conditional request failed"}}
	if show {
		f.Item = old
	}
	return f
}

// cancelled returns the failure of a transaction, nil if there is no reason to fail.
func cancelled(reasons []Reason) *Failure {
	codes := make([]string, len(reasons))
	for i, r := range reasons {
		codes[i] = r.Code
	}
	if !slices.ContainsFunc(reasons, func(r Reason) bool { return r.Code != "None" }) {
		return nil
	}
	return &Failure{
		Code:     "TransactionCanceledException",
		Messages: []string{"Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]"},
		Reasons:  reasons,
	}
}

// reason returns a failure as the reason of an action.
func (f *Failure) reason() Reason {
	switch {
	case f == nil:
		return Reason{Code: "None"}
	case f.Code == "ConditionalCheckFailedException":
		return Reason{Code: "ConditionalCheckFailed", Messages: f.Messages, Item: f.Item}
	}
	return Reason{Code: "ValidationError", Messages: f.Messages}
}

// observed converts an error of the SDK to a failure.
func observed(err error) *Failure {
	if err == nil {
		return nil
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		return &Failure{Code: "unexpected error", Messages: []string{err.Error()}}
	}
	f := &Failure{Code: api.ErrorCode(), Messages: []string{api.ErrorMessage()}}
	if e, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		f.Item = e.Item
	}
	if e, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, r := range e.CancellationReasons {
			reason := Reason{Code: aws.ToString(r.Code), Item: r.Item}
			if r.Message != nil {
				reason.Messages = []string{*r.Message}
			}
			f.Reasons = append(f.Reasons, reason)
		}
	}
	return f
}

// difference says how a failure differs from the expected one; empty if it does not.
func (f *Failure) difference(want *Failure) string {
	same := (f == nil) == (want == nil)
	if same && f != nil {
		same = f.Code == want.Code && fits(f.Messages, want.Messages) && Literal(f.Item) == Literal(want.Item) &&
			slices.EqualFunc(f.Reasons, want.Reasons, func(got, want Reason) bool {
				return got.Code == want.Code && fits(got.Messages, want.Messages) && Literal(got.Item) == Literal(want.Item)
			})
	}
	if same {
		return ""
	}
	return fmt.Sprintf("got error  %s\nwant error %s", Literal(f), Literal(want))
}

// fits reports whether a message is one of the expected ones.
func fits(got, want []string) bool {
	switch {
	case len(want) == 0:
		return true
	case len(got) == 0:
		return false
	}
	return slices.Contains(want, got[0])
}
