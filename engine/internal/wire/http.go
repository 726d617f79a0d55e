package wire

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

const (
	json10      = "application/x-amz-json-1.0"
	jsonGeneral = "application/json"
)

// The service's responses to requests that are not operations.
const (
	notFoundBody = "<UnknownOperationException/>\n"
	healthyStart = "healthy: dynamodb."
	healthyEnd   = ".amazonaws.com " // the space at the end is the service's
)

// maxHead is the service's limit for the first line and the headers of a request.
const maxHead = 16 << 10

// ServeHTTP serves one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if headSize(r) > maxHead {
		write(w, http.StatusBadRequest, nil)
		return
	}
	head := w.Header()
	if origin := r.Header["Origin"]; len(origin) > 0 && h.admits(origin[0]) {
		allow(head, origin)
		if r.Method == http.MethodOptions {
			preflight(w, r)
			return
		}
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		write(w, http.StatusOK, h.health())
	default:
		write(w, http.StatusNotFound, []byte(notFoundBody))
	}
}

// health returns the service's response to a health check. Each warning is a further line.
func (h *Handler) health() []byte {
	body := healthyStart + h.region + healthyEnd
	if h.warnings == nil {
		return []byte(body)
	}
	for _, warning := range h.warnings() {
		body += "\nwarning: " + warning
	}
	return []byte(body)
}

// headSize returns the approximate size of the first line and the headers.
func headSize(r *http.Request) int {
	size := len(r.Method) + len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	return size
}

// post reads the body, runs the operation and writes its response.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" && r.URL.Path != "" {
		write(w, http.StatusNotFound, []byte(notFoundBody))
		return
	}
	x := newExchange()
	defer x.release()
	var readErr error
	x.body, readErr = readBody(r, x.body)
	if errors.Is(readErr, errTooLarge) {
		write(w, http.StatusRequestEntityTooLarge, nil)
		return
	}
	contentType := baseType(r.Header["Content-Type"])
	if contentType != json10 && contentType != jsonGeneral && len(x.body) > 0 {
		write(w, http.StatusNotFound, []byte(notFoundBody))
		return
	}
	status := 0
	if readErr != nil {
		x.answer, status = appendError(x.answer[:0], unreadable(readErr))
	} else if refused := h.authenticate(r, x.body); refused != nil {
		x.answer, status = appendError(x.answer[:0], refused)
	} else if ctx, refused := limited(r); refused != nil {
		x.answer, status = appendError(x.answer[:0], refused)
	} else {
		x.answer, status = h.run(ctx, targetOf(r), x.body, &x.scanner, x.answer[:0])
	}
	writeAnswer(w, r, contentType, status, x)
}

// untilHeader is the header, ours, that says until when a request may be carried out: in milliseconds of Unix time. Generated
// packages of a design with a history send the end of their lease.
const untilHeader = "X-Sortkey-Until"

// limited returns the context of a request, with the time until which it may be carried out.
func limited(r *http.Request) (context.Context, *dynamo.Error) {
	values := r.Header[untilHeader]
	if len(values) == 0 {
		return r.Context(), nil
	}
	until, err := strconv.ParseInt(values[0], 10, 64)
	if err != nil {
		return nil, dynamo.Invalid("The header %s must be milliseconds of Unix time", untilHeader)
	}
	return dynamo.WithUntil(r.Context(), time.UnixMilli(until)), nil
}

// unreadable returns the error for a body that could not be read.
func unreadable(err error) *dynamo.Error {
	if shown, ok := errors.AsType[*dynamo.Error](err); ok {
		return shown
	}
	return errNotJSON
}

// authenticate is the place to check a request's signature: its body is
// complete and not yet parsed. For now every caller is
// trusted, with any signature or none, except a web page. A browser asks no server
// before a page calls the host it came from, and the owner of that host's name
// can let it point to this machine.
func (h *Handler) authenticate(r *http.Request, _ []byte) *dynamo.Error {
	if origin := r.Header["Origin"]; len(origin) > 0 && !h.admits(origin[0]) {
		return dynamo.Errorf(dynamo.AccessDenied, "Web pages of %s may not call this endpoint. To let them in, allow their origin: sortkey serve --allow-origin, or Options.AllowOrigin", origin[0])
	}
	return nil
}

// The interfaces a request can name in its target header.
const (
	tablesInterface  = "DynamoDB_20120810"
	streamsInterface = "DynamoDBStreams_20120810"
)

// targetOf returns the operation of a request; an empty one if its header is invalid.
func targetOf(r *http.Request) (t target) {
	t.host = r.Host
	if values := r.Header["X-Amz-Target"]; len(values) > 0 {
		named, operation, _ := strings.Cut(values[0], ".")
		switch named {
		case interfaceOf(operation):
			t.operation = operation
		case controlInterface:
			t.operation = values[0]
		}
	}
	return t
}

// baseType returns a content type without its parameters.
func baseType(values []string) string {
	if len(values) == 0 {
		return ""
	}
	if values[0] == json10 {
		return json10
	}
	base, _, _ := strings.Cut(values[0], ";")
	return strings.TrimSpace(base)
}

// admits reports whether pages from an origin may call. DynamoDB lets all pages
// call, because a page cannot sign a request. Nothing is signed here, so no page
// may call unless the operator allows it.
func (h *Handler) admits(origin string) bool {
	return h.allowOrigin == "*" || h.allowOrigin == origin
}

// allow lets a page from an origin read the response.
func allow(head http.Header, origin []string) {
	head["Access-Control-Allow-Origin"] = origin
	head["Vary"] = append(head["Vary"], "Origin")
	head["Access-Control-Expose-Headers"] = []string{"x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"}
}

// preflight serves a CORS preflight request.
func preflight(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	if asked := r.Header["Access-Control-Request-Headers"]; len(asked) > 0 {
		head["Access-Control-Allow-Headers"] = asked
	}
	if asked := r.Header["Access-Control-Request-Method"]; len(asked) > 0 {
		head["Access-Control-Allow-Methods"] = asked
	}
	head["Access-Control-Max-Age"] = []string{"172800"}
	write(w, http.StatusOK, nil)
}
