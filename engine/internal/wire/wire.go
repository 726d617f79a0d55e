// Package wire implements DynamoDB's JSON 1.0 protocol over net/http: it decodes a
// request into the inputs of package dynamo, calls a [dynamo.API] and writes
// the response, including headers and errors, like the service.
//
// Requests about items are decoded by a strict scanner that writes the
// encoding of package dynamo straight from the request's bytes, and responses are
// appended as JSON straight from that encoding: no tree is built in between. The
// operations on tables and streams, which are rare, are decoded and encoded by
// reflection on the shapes of package dynamo, with the same scanner.
//
// The package checks form only (is this JSON, is a string where a string must
// be). The API behind it checks what a request means and whether it is allowed. The package
// opens no port and sets no timeouts: the owner of the http.Server does. The engine
// uses it as its http.Handler.
package wire

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
)

// Options configures a Handler. The zero Options means the defaults.
type Options struct {
	// Logger receives failures of the API behind the handler. Default: slog.Default().
	Logger *slog.Logger

	// Region is the region in responses. Default: us-east-1.
	Region string

	// AllowOrigin is the origin whose pages may call, or * for all. Default: none.
	AllowOrigin string

	// Warnings returns the further lines of the response to a health check. Default: none.
	Warnings func() []string
}

// A Handler serves DynamoDB requests. It is safe for concurrent use.
type Handler struct {
	api    dynamo.API
	logger *slog.Logger
	region string

	allowOrigin string
	warnings    func() []string
}

// NewHandler returns a Handler that runs its operations on api.
func NewHandler(api dynamo.API, o Options) *Handler {
	return &Handler{
		api:    api,
		logger: cmp.Or(o.Logger, slog.Default()),
		region: cmp.Or(o.Region, "us-east-1"),

		allowOrigin: o.AllowOrigin,
		warnings:    o.Warnings,
	}
}

// Call runs one operation on a JSON body and appends the JSON response to dst,
// without HTTP: what ServeHTTP does between reading and writing. The status is
// that of the HTTP response. The response shares no memory with body.
func (h *Handler) Call(ctx context.Context, operation string, body, dst []byte) (answer []byte, status int) {
	x := newExchange()
	answer, status = h.run(ctx, target{operation: operation}, body, &x.scanner, dst)
	x.release()
	return answer, status
}

// An exchange holds the buffers of one request and its response, for reuse.
type exchange struct {
	body    []byte
	answer  []byte
	zipped  []byte
	scanner scanner
}

// maxKept is the size above which a buffer is left to the garbage collector, so
// that one large request does not hold its memory forever.
const maxKept = 1 << 20

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange() *exchange { return exchanges.Get().(*exchange) }

// release returns the exchange to the pool.
func (x *exchange) release() {
	x.body, x.answer, x.zipped = kept(x.body), kept(x.answer), kept(x.zipped)
	x.scanner.release()
	exchanges.Put(x)
}

// kept returns the empty buffer of b to reuse.
func kept(b []byte) []byte {
	if cap(b) > maxKept {
		return nil
	}
	return b[:0]
}
