package wire

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
)

// errTooLarge is returned for a body above the service's limit, sent or inflated.
var errTooLarge = errors.New("request body is larger than the limit")

// firstRead is the size of the buffer for a body before any of it has arrived,
// whatever its Content-Length.
const firstRead = 64 << 10

// readBody reads the body of a request into buf, inflated if it is compressed.
func readBody(r *http.Request, buf []byte) ([]byte, error) {
	buf = buf[:0]
	if r.ContentLength > dynamo.MaxRequestSize {
		return buf, errTooLarge
	}
	if encodings := r.Header["Content-Encoding"]; len(encodings) > 0 {
		encoding := strings.ToLower(strings.Join(encodings, ","))
		if encoding != "" && encoding != "identity" {
			return readCompressed(buf, r.Body, encoding)
		}
	}
	if r.ContentLength == 0 || r.Body == nil {
		return buf, nil
	}
	length := int(max(r.ContentLength, 0))
	return readAll(slices.Grow(buf, min(length, firstRead)+1), r.Body, length)
}

// readCompressed inflates in a stream: a small body that inflates to a huge one
// fails at the limit.
func readCompressed(buf []byte, body io.Reader, encoding string) ([]byte, error) {
	if body == nil {
		body = http.NoBody
	}
	capped := &cappedReader{r: body, left: dynamo.MaxRequestSize}
	in := readers.Get().(*bufio.Reader)
	defer func() {
		in.Reset(nil)
		readers.Put(in)
	}()
	in.Reset(capped)
	var err error
	switch encoding {
	case "gzip":
		buf, err = readGzip(buf, in)
	case "deflate":
		buf, err = readDeflate(buf, in)
	default:
		return buf, undecodable("The Content-Encoding " + encoding + " is not supported; gzip and deflate are")
	}
	if err == nil { // what follows the compressed data is ignored, and counts
		_, err = io.Copy(io.Discard, capped)
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return buf, undecodable("The body of the request is not what its Content-Encoding " + encoding + " says")
	}
	return buf, err
}

// undecodable returns the error for a body that cannot be inflated, which the service
// treats as a failure of its own.
func undecodable(message string) *dynamo.Error {
	return &dynamo.Error{Code: dynamo.InternalFailure, Message: message}
}

func readDeflate(buf []byte, r *bufio.Reader) ([]byte, error) {
	inflated, err := newInflater(r)
	if err != nil {
		return buf, err
	}
	return readAll(buf, inflated, 0)
}

var (
	readers     = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
	gzipReaders sync.Pool
)

// readGzip inflates all members up to the first bytes that begin none.
func readGzip(buf []byte, r *bufio.Reader) ([]byte, error) {
	inflated, ok := gzipReaders.Get().(*gzip.Reader)
	if !ok {
		inflated = new(gzip.Reader)
	}
	defer gzipReaders.Put(inflated)
	if err := inflated.Reset(r); err != nil {
		return buf, fmt.Errorf("read gzip header: %w", err)
	}
	for {
		inflated.Multistream(false)
		var err error
		if buf, err = readAll(buf, inflated, 0); err != nil {
			return buf, err
		}
		if err := inflated.Reset(r); errors.Is(err, errTooLarge) {
			return buf, err
		} else if err != nil {
			return buf, nil
		}
	}
}

// newInflater decodes "deflate", which is the zlib format by the standard and
// raw deflate from some clients.
func newInflater(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(2)
	if err != nil {
		return nil, fmt.Errorf("read deflate header: %w", err)
	}
	if isZlib := head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0; isZlib {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

// trustedRead is the number of bytes that must have arrived before the buffer grows to the whole length that
// a request announces.
const trustedRead = 512 << 10

// readAll appends all of r to buf, up to the limit of a body. length is the announced size of all; 0 if it is unknown.
func readAll(buf []byte, r io.Reader, length int) ([]byte, error) {
	for {
		if len(buf) > dynamo.MaxRequestSize {
			return buf, errTooLarge
		}
		if len(buf) == cap(buf) {
			more := max(512, len(buf))
			if len(buf) >= trustedRead && length > len(buf) {
				more = length + 1 - len(buf) // one more, to see the end without growing again
			}
			buf = slices.Grow(buf, more)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF && len(buf) <= dynamo.MaxRequestSize {
			return buf, nil
		}
		if err != nil && err != io.EOF {
			return buf, fmt.Errorf("read request body: %w", err)
		}
	}
}

// A cappedReader fails with errTooLarge after left bytes, where an
// io.LimitedReader would report the end of the input.
type cappedReader struct {
	r    io.Reader
	left int
}

func (c *cappedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= n; c.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
