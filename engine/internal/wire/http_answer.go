package wire

import (
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// minZipped is the minimum size of a response that is compressed.
const minZipped = 4 << 10

var (
	json10Header      = []string{json10}
	jsonGeneralHeader = []string{jsonGeneral}
	gzipHeader        = []string{"gzip"}
	deflateHeader     = []string{"deflate"}
	serverHeader      = []string{"Server"} // the service's own name for itself
)

// writeAnswer writes the response of an operation, compressed if that is worthwhile and
// the client accepts it. Errors are not compressed.
func writeAnswer(w http.ResponseWriter, r *http.Request, contentType string, status int, x *exchange) {
	head := w.Header()
	if contentType == json10 {
		head["Content-Type"] = json10Header
	} else {
		head["Content-Type"] = jsonGeneralHeader
	}
	body := x.answer
	if len(body) >= minZipped && status == http.StatusOK {
		switch accepted := r.Header["Accept-Encoding"]; {
		case accepts(accepted, "gzip"):
			x.zipped = zipped(x.zipped[:0], body)
			head["Content-Encoding"] = gzipHeader
			body = x.zipped
		case accepts(accepted, "deflate"):
			x.zipped = deflated(x.zipped[:0], body)
			head["Content-Encoding"] = deflateHeader
			body = x.zipped
		}
	}
	write(w, status, body)
}

// write writes a whole response. The checksum covers the bytes as sent:
// clients check it before they inflate them.
func write(w http.ResponseWriter, status int, body []byte) {
	v := newHeaderValues(body)
	head := w.Header()
	head["Server"] = serverHeader
	head["X-Amzn-Requestid"] = v.values[0:1:1]
	head["X-Amz-Crc32"] = v.values[1:2:2]
	head["Content-Length"] = v.values[2:3:3]
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// headerValues holds the values of the headers that differ from answer to answer,
// and their text, in one allocation.
type headerValues struct {
	values [3]string
	text   [requestIDLen + 10 + 19]byte // the id, the checksum and the length
}

// newHeaderValues makes the request id, the checksum and the length of body.
func newHeaderValues(body []byte) *headerValues {
	v := new(headerValues)
	text := appendRequestID(v.text[:0])
	text = strconv.AppendUint(text, uint64(crc32.ChecksumIEEE(body)), 10)
	length := len(text)
	text = strconv.AppendInt(text, int64(len(body)), 10)
	all := unsafe.String(&text[0], len(text)) // nobody writes to it any more
	v.values = [3]string{all[:requestIDLen], all[requestIDLen:length], all[length:]}
	return v
}

const requestIDLen = 52

// idDigits are the digits of request ids.
const idDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV"

// idPairs holds all pairs of digits.
var idPairs = func() (pairs [len(idDigits) * len(idDigits)][2]byte) {
	for i := range pairs {
		pairs[i] = [2]byte{idDigits[i%len(idDigits)], idDigits[i/len(idDigits)]}
	}
	return pairs
}()

// appendRequestID appends a new request id. It needs to be unlike all others
// and has no other meaning.
func appendRequestID(dst []byte) []byte {
	const perWord = 64 / 10 // pairs
	var bits uint64
	for i := range requestIDLen / 2 {
		if i%perWord == 0 {
			bits = rand.Uint64()
		}
		pair := idPairs[bits%uint64(len(idPairs))]
		dst = append(dst, pair[0], pair[1])
		bits >>= 10
	}
	return dst
}

// accepts reports whether an Accept-Encoding header allows an encoding.
func accepts(values []string, encoding string) bool {
	for _, value := range values {
		for coding := range strings.SplitSeq(value, ",") {
			name, quality, _ := strings.Cut(coding, ";")
			if strings.EqualFold(strings.TrimSpace(name), encoding) {
				return !isZeroQuality(quality)
			}
		}
	}
	return false
}

// isZeroQuality reports whether a parameter such as q=0 forbids its encoding.
func isZeroQuality(parameter string) bool {
	value, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
	q, err := strconv.ParseFloat(value, 64)
	return ok && err == nil && q == 0
}

var gzipWriters sync.Pool

// zipped appends body to dst, compressed.
func zipped(dst, body []byte) []byte {
	out := (*appendWriter)(&dst)
	z, ok := gzipWriters.Get().(*gzip.Writer)
	if ok {
		z.Reset(out)
	} else {
		z, _ = gzip.NewWriterLevel(out, gzip.BestSpeed) // fails for unknown levels only
	}
	_, _ = z.Write(body) // an appendWriter does not fail
	_ = z.Close()
	gzipWriters.Put(z)
	return dst
}

// deflated is zipped for the encoding deflate, which is the zlib format. It is rare, so its
// writers are not pooled.
func deflated(dst, body []byte) []byte {
	z, _ := zlib.NewWriterLevel((*appendWriter)(&dst), zlib.BestSpeed) // fails for unknown levels only
	_, _ = z.Write(body)                                               // an appendWriter does not fail
	_ = z.Close()
	return dst
}

// An appendWriter is a byte slice that appends what is written to it.
type appendWriter []byte

func (w *appendWriter) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}
