package wire

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	"sortkey.dev/engine/internal/dynamo"
)

// A target is the part of a request besides its body: the operation, and the
// host it was sent to.
type target struct {
	operation string
	host      string
}

// run decodes body, runs the operation and appends its response, or the response for
// its error, to dst.
func (h *Handler) run(ctx context.Context, t target, body []byte, s *scanner, dst []byte) (answer []byte, status int) {
	finished := false
	defer func() {
		if !finished {
			answer, status = h.recovered(ctx, t, recover(), dst)
		}
	}()
	s.start(body)
	answer, err := dispatch(ctx, h.api, t, s, dst)
	if err != nil {
		answer, status = appendError(dst, h.answerable(ctx, t, err))
	} else {
		status = http.StatusOK
	}
	finished = true
	return answer, status
}

// dispatch runs the operation. Invalid JSON is reported before an unknown operation, and an
// unknown operation before an empty body.
func dispatch(ctx context.Context, api dynamo.API, t target, s *scanner, dst []byte) ([]byte, error) {
	op := operations[t.operation]
	if op == nil {
		op = controls[t.operation]
	}
	if op != nil {
		return op(ctx, api, t, s, dst)
	}
	if s.next() != 0 {
		s.skip()
		if err := s.finish(); err != nil {
			return dst, err
		}
	}
	return dst, dynamo.Refusal(t.operation)
}

// answerable turns an error of the API into one that may be returned, and logs
// what it hides.
func (h *Handler) answerable(ctx context.Context, t target, err error) *dynamo.Error {
	if shown, ok := errors.AsType[*dynamo.Error](err); ok {
		return shown
	}
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) { // else the client has disconnected
		h.logger.ErrorContext(ctx, "operation failed",
			slog.String("operation", t.operation),
			slog.Any("error", err))
	}
	return errInternal
}

// recovered returns the response for an operation that panicked.
func (h *Handler) recovered(ctx context.Context, t target, cause any, dst []byte) ([]byte, int) {
	h.logger.ErrorContext(ctx, "operation panicked",
		slog.String("operation", t.operation),
		slog.Any("panic", cause),
		slog.String("stack", string(debug.Stack())))
	return appendError(dst, errInternal)
}

var errInternal = &dynamo.Error{Code: dynamo.InternalServerError, Message: "The request processing has failed because of an unknown error, exception or failure."}
