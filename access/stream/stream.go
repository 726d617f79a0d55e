// Package stream hands the changes of a table to typed functions: from the event of an
// AWS Lambda function, or from a Consumer, which reads the stream itself and works
// wherever a program runs. A Tail delivers changes from now on to every process that runs
// one, and may miss some.
//
// A change is a Record. Generated code turns records into calls of the functions of an On,
// through Dispatch; a program that wants the records themselves writes a Handler.
//
// Delivery is at least once, but for tails: after a failure or a take-over, records come
// again that were handled already. The records of one item come in their order. A handler
// therefore has to give the same result when it sees a record a second time.
//
// The package needs the AWS SDK alone. It does not enable streams; that is part of
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

// A Kind is the kind of a change.
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
	Shard          string // that a Consumer has read it from
	SequenceNumber string // grows from change to change of an item
	Kind           Kind
	Keys           access.Item
	Old, New       access.Item // nil where there is none, or the stream does not keep it
	Expired        bool        // removed because its time to live was over
	At             time.Time   // about when it happened, to the second
}

// notBefore reports whether a record belongs to a reader that begins at since. A record without
// a time does: the protocol allows that, and missing a record would be worse.
func (r Record) notBefore(since time.Time) bool { return r.At.IsZero() || !r.At.Before(since) }

// A Handler handles a record. After an error the record is delivered again. A panic counts as
// an error, whose text has the stack.
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

// tableOf returns the name of the table in the ARN of its stream:
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
