// Package wire speaks DynamoDB's JSON 1.0 protocol over net/http: it reads a
// request into the inputs of package dynamo, calls a [dynamo.API] and writes
// the answer, headers and errors included, the way the service does.
//
// Requests about items are read by a strict scanner of our own that writes the
// encoding of package dynamo straight from the request's bytes, and answered by
// appending JSON straight from that encoding: no tree is built in between. The
// operations on tables and streams, which are rare, are read and written by
// reflection on the shapes of package dynamo, with the same scanner.
//
// The package judges form only (is this JSON, is a string where a string must
// be). What a request means, and whether it is allowed, is the business of the
// API behind it. It opens no port and sets no timeouts: whoever makes the
// http.Server does. The engine calls it as its http.Handler.
package wire

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
)

// Options tunes a Handler. The zero Options means the defaults.
type Options struct {
	// Logger receives failures of the API behind the handler. Default: slog.Default().
	Logger *slog.Logger

	// Region is the region the handler says it is in. Default: us-east-1.
	Region string

	// AllowOrigin is the origin whose pages may call, or * for all. Default: none.
	AllowOrigin string
}

// A Handler answers DynamoDB requests. It is safe for concurrent use.
type Handler struct {
	api    dynamo.API
	logger *slog.Logger
	region string

	allowOrigin string
}

// NewHandler returns a Handler that runs its operations on api.
func NewHandler(api dynamo.API, o Options) *Handler {
	return &Handler{
		api:    api,
		logger: cmp.Or(o.Logger, slog.Default()),
		region: cmp.Or(o.Region, "us-east-1"),

		allowOrigin: o.AllowOrigin,
	}
}

// Call runs one operation on a JSON body and appends the JSON answer to dst,
// without HTTP: what ServeHTTP does between reading and writing. The status is
// the one an HTTP answer would have. Nothing in the answer points into body.
func (h *Handler) Call(ctx context.Context, operation string, body, dst []byte) (answer []byte, status int) {
	x := newExchange()
	answer, status = h.run(ctx, target{operation: operation}, body, &x.scanner, dst)
	x.release()
	return answer, status
}

// An exchange is the memory of one request and its answer, kept for the next one.
type exchange struct {
	body    []byte
	answer  []byte
	zipped  []byte
	scanner scanner
}

// maxKept is the size above which a buffer is left to the garbage collector, so
// that one large request does not hold its memory for ever.
const maxKept = 1 << 20

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange() *exchange { return exchanges.Get().(*exchange) }

// release gives the exchange back.
func (x *exchange) release() {
	x.body, x.answer, x.zipped = kept(x.body), kept(x.answer), kept(x.zipped)
	x.scanner.release()
	exchanges.Put(x)
}

// kept is the empty buffer to keep of b.
func kept(b []byte) []byte {
	if cap(b) > maxKept {
		return nil
	}
	return b[:0]
}
