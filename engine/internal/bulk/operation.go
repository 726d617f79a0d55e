package bulk

import (
	"context"
	"sync"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// A record is the stored state of an operation.
type record struct {
	ID       string // sorts by time
	ARN      string
	Table    string
	TableID  string
	Token    string
	Input    dynamo.InputS3Configuration
	Output   dynamo.OutputS3Configuration
	MaxUnits int64 `json:",omitempty"`
	Tier     string
	Started  time.Time
	Asked    string // the requested parameters; two requests with the same token must have the same

	Status         string
	Ended          *time.Time `json:",omitempty"`
	FailureCode    string     `json:",omitempty"`
	FailureMessage string     `json:",omitempty"`
	progress
}

// progress counts the processed input of an operation.
type progress struct {
	Items      int64  // that were processed
	Failed     int64  // those that could not be decoded or were rejected
	Bytes      int64  // of the input that were read
	TotalBytes *int64 `json:",omitempty"` // of the input; nil: not known yet
	PutBytes   int64  // of the items that were put
}

// An operation is a record with its state while it runs.
type operation struct {
	mu sync.Mutex // guards the fields of the record that change
	record
	cancel context.CancelFunc
}

func (op *operation) ended() bool { return op.Ended != nil }

// end records the final state. The caller holds mu, or is alone.
func (op *operation) end(status string, now time.Time, code, message string) {
	op.Status, op.Ended, op.FailureCode, op.FailureMessage = status, &now, code, message
}

// startCancelling asks the operation to stop.
func (op *operation) startCancelling() error {
	op.mu.Lock()
	defer op.mu.Unlock()
	if op.ended() {
		return dynamo.Invalid("The bulk operation cannot be cancelled: its status is %s", op.Status)
	}
	op.Status = dynamo.BulkCancelling
	op.cancel()
	return nil
}

// count adds to the progress.
func (op *operation) count(add progress) {
	op.mu.Lock()
	defer op.mu.Unlock()
	op.Items += add.Items
	op.Failed += add.Failed
	op.Bytes += add.Bytes
	op.PutBytes += add.PutBytes
	if add.TotalBytes != nil {
		op.TotalBytes = add.TotalBytes
	}
}

// describe returns the operation as responses describe it.
func (op *operation) describe() *dynamo.BulkOperationDescription {
	op.mu.Lock()
	r := op.record
	op.mu.Unlock()
	d := &dynamo.BulkOperationDescription{
		BulkOperationArn: &r.ARN, BulkOperationStatus: r.Status, ClientToken: &r.Token,
		TableDetails:         []dynamo.BulkOperationTableDetail{{TableName: &r.Table, TableId: &r.TableID}},
		InputS3Configuration: &r.Input, OutputS3Configuration: &r.Output, PerformanceTier: r.Tier,
		StartTime: &r.Started, EndTime: r.Ended,
		ProcessedItemCount: &r.Items, FailedItemCount: &r.Failed, ProcessedInputBytes: &r.Bytes, TotalInputBytes: r.TotalBytes,
		BulkOperationUsage: []dynamo.BulkOperationUsage{{
			TableName: &r.Table, BulkPutBytes: &r.PutBytes, Table: &dynamo.BulkOperationBytes{BulkPutBytes: &r.PutBytes},
		}},
	}
	if r.MaxUnits != 0 {
		d.MaxWriteRequestUnits = &r.MaxUnits
	}
	if r.FailureCode != "" {
		d.FailureCode, d.FailureMessage = &r.FailureCode, &r.FailureMessage
	}
	return d
}
