// Package stream hands the changes of a table to typed functions: from the event of an
// AWS Lambda function, or from a Consumer, which reads the stream itself and works
// wherever a program runs. A Tail is for what each process wants to hear from now on, and
// may miss.
//
// A change is a Record. Generated code turns records into calls of the functions of an On,
// through Dispatch; a program that wants the records themselves writes a Handler.
//
// Delivery is at least once, but for tails: after a failure or a take-over, records come
// again that were handled already. The records of one item come in their order. A handler
// therefore has to give the same result when it sees a record a second time.
//
// The package stands on the AWS SDK alone. It does not switch streams on; that is part of
// a table's definition. Handlers with old and new items need the view NEW_AND_OLD_IMAGES.
package stream

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"sortkey.dev/access"
)

// A Kind is what happened to an item.
type Kind string

// The kinds, as DynamoDB writes them.
const (
	Insert Kind = "INSERT"
	Modify Kind = "MODIFY"
	Remove Kind = "REMOVE"
)

// A Record is one change of one item.
type Record struct {
	EventID        string // the same whenever the record is read
	Table          string // its real name
	SequenceNumber string // grows from change to change of an item
	Kind           Kind
	Keys           access.Item
	Old, New       access.Item // nil where there is none, or the stream does not keep it
	Expired        bool        // removed because its time to live was over
	At             time.Time   // about when it happened, to the second
}

// notBefore reports whether a record is for somebody who begins at a moment. One that does
// not say when it happened is: the protocol lets it be silent, and to miss it is worse.
func (r Record) notBefore(since time.Time) bool { return r.At.IsZero() || !r.At.Before(since) }

// A Handler does something about a record. An error means that the record was not handled
// and has to come again. A panic means the same: it is turned into an error that has the
// stack in its text.
type Handler func(ctx context.Context, r Record) error

// call calls the handler. A process that ended by its panic would get the same record again
// after every start, and never come to say which one it is.
func (h Handler) call(ctx context.Context, r Record) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return h(ctx, r)
}

// What a record carries if time to live removed the item.
const (
	serviceType      = "Service"
	servicePrincipal = "dynamodb.amazonaws.com"
)

func removedByService(identityType, principal string) bool {
	return identityType == serviceType && principal == servicePrincipal
}

// tableOf is the name of the table in the ARN of its stream:
// arn:aws:dynamodb:us-east-1:123456789012:table/Music/stream/2026-11-01T12:00:00.000.
func tableOf(streamARN string) (string, error) {
	parts := strings.SplitN(streamARN, ":", 6)
	if len(parts) == 6 && parts[0] == "arn" && parts[2] == "dynamodb" {
		resource := strings.Split(parts[5], "/")
		if len(resource) == 4 && resource[0] == "table" && resource[1] != "" && resource[2] == "stream" && resource[3] != "" {
			return resource[1], nil
		}
	}
	return "", fmt.Errorf("stream: %q is not the ARN of a DynamoDB stream", streamARN)
}
