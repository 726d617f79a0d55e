package stream

import (
	"context"
	"log/slog"
)

// A Response tells Lambda how much of a batch was handled.
type Response struct {
	// BatchItemFailures is empty, or names the record from which on the batch has to come
	// again.
	BatchItemFailures []BatchItemFailure `json:"batchItemFailures"`
}

// A BatchItemFailure names a record by its sequence number.
type BatchItemFailure struct {
	ItemIdentifier string `json:"itemIdentifier"`
}

// Lambda makes a function for lambda.Start out of a handler. The records of a batch are
// handled in their order. At the first one whose handler fails or panics it stops and reports
// it, so that Lambda sends the batch again from that record on; the error, of a panic with its
// stack, goes to the default logger, as Lambda has no place for it.
//
// The event source mapping has to list ReportBatchItemFailures under its function response
// types. Without that Lambda does not read the answer and takes a failed batch for a
// handled one.
func Lambda(h Handler) func(context.Context, Event) (Response, error) {
	return func(ctx context.Context, e Event) (Response, error) {
		for _, r := range e.Records {
			err := ctx.Err()
			if err == nil {
				err = h.call(ctx, r)
			}
			if err != nil {
				slog.ErrorContext(ctx, "a record of a stream was not handled",
					slog.String("table", r.Table), slog.String("sequence", r.SequenceNumber), slog.Any("error", err))
				return Response{BatchItemFailures: []BatchItemFailure{{r.SequenceNumber}}}, nil
			}
		}
		return Response{BatchItemFailures: []BatchItemFailure{}}, nil
	}
}
