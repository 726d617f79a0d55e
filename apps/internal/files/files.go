// Package files stores objects, such as pictures and exports, under keys: in a directory, or in a
// bucket of any S3-compatible service. Open chooses by a URL, so that a system runs on a laptop
// without a service and unchanged on several machines with one.
//
// The type of an object is found by looking at its content, because what a client declares may be
// wrong or malicious. Package fileserve serves objects to browsers. Who may store and read which
// key is decided by the systems' domains, which call it.
//
// Requests to S3 are made with net/http and the signer of the AWS SDK, not with the SDK's S3
// client: the package needs five operations, and the client would add a module to every program.
// If multipart uploads or event streams are needed one day, the client takes the place of
// bucket.go.
package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// MaxSize is the default maximum size of an object, in bytes.
const MaxSize = 25 << 20

// MaxKey is the maximum length of a key, in bytes.
const MaxKey = 512

// ErrNotFound refuses a request for an object that does not exist.
var ErrNotFound = refusal.New(refusal.NotFound, "FILE_NOT_FOUND", "There is no such file.")

// A Store keeps objects. It is safe for use by many goroutines and processes: readers of a key
// see one object or another, never a part.
type Store interface {
	// Put stores an object of size bytes, which r must return exactly. It replaces the object of
	// the same key. A client declares contentType; the result has the type that the content
	// shows.
	Put(ctx context.Context, key, contentType string, r io.Reader, size int64) (Info, error)
	// Get opens an object, which must be closed. The error is ErrNotFound if there is none.
	Get(ctx context.Context, key string) (*Object, error)
	// Delete deletes an object, if there is one.
	Delete(ctx context.Context, key string) error
	// List returns the objects whose keys begin with a prefix, in the order of their keys. Their
	// types are not known.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// URL returns a URL from which a browser can download an object directly for a while; "" if
	// the store has none.
	URL(ctx context.Context, key string, d Download) (string, error)
}

// An Info describes an object.
type Info struct {
	Key      string
	Type     string // media type; "" in lists
	Size     int64
	ETag     string // changes with the content
	Modified time.Time
}

// An Object is an open object.
type Object struct {
	Info
	io.ReadSeekCloser
}

// A Download describes a direct download.
type Download struct {
	Name  string        // the name of the file for the person; "" for the last part of the key
	Valid time.Duration // 15 minutes by default
}

// Options configures a store. The zero value works for a directory.
type Options struct {
	MaxSize int64 // of an object, in bytes; MaxSize by default

	// The following fields are for S3.
	Credentials aws.CredentialsProvider
	HTTP        *http.Client // http.DefaultClient with a timeout by default
	Now         func() time.Time
	Wait        func(ctx context.Context, d time.Duration) error // between attempts
}

// Open opens the store of a URL:
//
//	file:///var/lib/shop/files
//	s3://bucket/prefix?region=eu-north-1
//	s3://bucket?region=auto&endpoint=https://storage.example.com
//
// A bucket at an endpoint other than that of AWS is addressed by the path.
func Open(setting string, options Options) (Store, error) {
	if options.MaxSize <= 0 {
		options.MaxSize = MaxSize
	}
	u, err := parse(setting)
	switch {
	case err != nil:
		return nil, err
	case u.Scheme == "s3":
		return openBucket(u, options)
	}
	return openDirectory(filepath.FromSlash(u.Path), options)
}

// Check reports whether a setting is the URL of a store. It opens nothing.
func Check(setting string) error {
	_, err := parse(setting)
	return err
}

func parse(setting string) (*url.URL, error) {
	u, err := url.Parse(setting)
	switch {
	case err != nil:
		return nil, fmt.Errorf("files: the setting is not a URL: %w", err)
	case u.Scheme == "file" && (u.Host != "" || !filepath.IsAbs(u.Path)):
		return nil, errors.New("files: a directory is written file:///absolute/path")
	case u.Scheme == "s3":
		return u, checkBucket(u)
	case u.Scheme != "file":
		return nil, fmt.Errorf("files: the setting begins with file:// or s3://, not with %q", u.Scheme)
	}
	return u, nil
}

// segment is a part of a key. Letters are small, because some file systems do not tell them from
// capitals.
var segment = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,127}$`)

// checkKey rejects keys that not every store can keep, or that leave the store.
func checkKey(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("files: a key has at most %d bytes", MaxKey)
	}
	for part := range strings.SplitSeq(key, "/") {
		if !segment.MatchString(part) {
			return fmt.Errorf("files: the key %q is not made of small letters, digits, '.', '_', '-' and single slashes", key)
		}
	}
	return nil
}

// checkPrefix rejects prefixes that no key has.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return checkKey(strings.TrimSuffix(prefix, "/"))
}

// checkSize refuses objects that are too large.
func (o Options) checkSize(size int64) error {
	switch {
	case size < 0:
		return errors.New("files: the size of an object must be known")
	case size > o.MaxSize:
		return refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "A file has at most %s; this one has %s.", megabytes(o.MaxSize), megabytes(size))
	}
	return nil
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// ErrSize reports a reader that returned fewer or more bytes than were announced.
var ErrSize = errors.New("files: the content is shorter or longer than announced")

// exactly returns a reader that fails with ErrSize unless r has size bytes. It returns the last
// bytes only when it knows that no more follow: a service that got all announced bytes would
// store them.
func exactly(r io.Reader, size int64) io.Reader {
	return &exactReader{r: bufio.NewReader(r), left: size}
}

type exactReader struct {
	r    *bufio.Reader
	left int64
}

func (e *exactReader) Read(p []byte) (int, error) {
	if int64(len(p)) > e.left {
		p = p[:e.left]
	}
	n, err := e.r.Read(p)
	e.left -= int64(n)
	switch {
	case err == io.EOF && e.left > 0:
		return n, ErrSize
	case err != nil && err != io.EOF || e.left > 0:
		return n, err
	}
	switch _, err := e.r.Peek(1); err {
	case io.EOF:
		return n, io.EOF
	case nil:
		return 0, ErrSize
	default:
		return 0, err
	}
}
