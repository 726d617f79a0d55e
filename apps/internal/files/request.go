package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"sortkey.dev/internal/wait"
)

// A requester sends signed requests to an S3-compatible service.
type requester struct {
	region      string
	credentials aws.CredentialsProvider
	client      *http.Client
	signer      *v4.Signer
	now         func() time.Time
	wait        func(ctx context.Context, d time.Duration) error
}

func newRequester(region string, o Options) *requester {
	r := &requester{
		region: region, credentials: o.Credentials, client: cmp.Or(o.HTTP, &http.Client{Timeout: bucketTimeout}),
		signer: v4.NewSigner(func(s *v4.SignerOptions) { s.DisableURIPathEscaping = true }), // as S3 wants it
		now:    o.Now, wait: o.Wait,
	}
	if r.now == nil {
		r.now = time.Now
	}
	if r.wait == nil {
		r.wait = wait.For
	}
	return r
}

// A call is a request to be made, possibly several times.
type call struct {
	method string
	url    *url.URL
	header http.Header
	body   io.Reader // nil for none; sent once
	size   int64
}

// A statusError is an answer that is no success.
type statusError struct {
	status  int
	code    string // such as SlowDown
	message string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the service answered %d %s %s", e.status, e.code, e.message)
}

func isStatus(err error, status int) bool {
	of, ok := errors.AsType[*statusError](err)
	return ok && of.status == status
}

const (
	attempts   = 4
	firstDelay = 200 * time.Millisecond
)

// send makes a call. It repeats calls without a body if the service is busy or cannot be reached.
// The response is a success, and its body must be closed.
func (r *requester) send(ctx context.Context, c call) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := r.try(ctx, c)
		if err == nil || c.body != nil || attempt == attempts || !temporaryFailure(err) {
			return response, err
		}
		if stopped := r.wait(ctx, firstDelay<<(attempt-1)); stopped != nil {
			return nil, errors.Join(stopped, err)
		}
	}
}

// temporaryFailure reports whether a call may succeed later.
func temporaryFailure(err error) bool {
	if of, ok := errors.AsType[*statusError](err); ok {
		return of.status >= 500 || of.status == http.StatusTooManyRequests
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// unsignedPayload is the hash of a body that is sent as it is read. The connection protects it.
const unsignedPayload = "UNSIGNED-PAYLOAD"

var emptyHash = func() string {
	sum := sha256.Sum256(nil)
	return hex.EncodeToString(sum[:])
}()

func (r *requester) try(ctx context.Context, c call) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, c.method, c.url.String(), nil)
	if err != nil {
		return nil, err
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	hash := emptyHash
	if c.body != nil {
		hash = unsignedPayload
		request.Body, request.ContentLength = io.NopCloser(c.body), c.size
		if c.size == 0 {
			hash = emptyHash
			request.Body = http.NoBody
			if _, err := io.Copy(io.Discard, c.body); err != nil { // a body of another size is an error
				return nil, err
			}
		}
	}
	request.Header.Set("X-Amz-Content-Sha256", hash)
	credentials, err := r.credentials.Retrieve(ctx)
	if err != nil {
		return nil, fmt.Errorf("get credentials: %w", err)
	}
	if err := r.signer.SignHTTP(ctx, credentials, request, hash, "s3", r.region, r.now().UTC()); err != nil {
		return nil, fmt.Errorf("sign the request: %w", err)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode/100 != 2 {
		return nil, failure(response)
	}
	return response, nil
}

// failure reads the error of a response.
func failure(response *http.Response) error {
	defer response.Body.Close()
	e := &statusError{status: response.StatusCode}
	var body struct{ Code, Message string }
	// An answer without XML, as to a HEAD, has only its status.
	if xml.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&body) == nil {
		e.code, e.message = body.Code, body.Message
	}
	return e
}

// presign returns a URL with a signature.
func (r *requester) presign(ctx context.Context, u *url.URL) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	credentials, err := r.credentials.Retrieve(ctx)
	if err != nil {
		return "", fmt.Errorf("files: get credentials: %w", err)
	}
	signed, _, err := r.signer.PresignHTTP(ctx, credentials, request, unsignedPayload, "s3", r.region, r.now().UTC())
	if err != nil {
		return "", fmt.Errorf("files: sign the URL: %w", err)
	}
	return signed, nil
}
