package httpload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"
)

// A Recorder is a transport that measures the requests of all callers by endpoint.
type Recorder struct {
	transport http.RoundTripper
	Record
}

// NewRecorder returns a recorder that keeps the connections of many callers open.
func NewRecorder() *Recorder { return &Recorder{transport: NewClient().Transport} }

// From returns the HTTP client of a caller with an address of its own, because systems limit the
// requests of one. The system must trust the proxy that says so.
func (r *Recorder) From(address string) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: caller{r, address}}
}

// Address returns the address of a caller.
func Address(number int) string { return fmt.Sprintf("10.%d.%d.1", number/250, number%250) }

type caller struct {
	*Recorder
	address string
}

var id = regexp.MustCompile(`/[0-9A-Z]{26}`)

// RoundTrip sends a request and measures the time to the end of the response.
func (c caller) RoundTrip(request *http.Request) (*http.Response, error) {
	var sent []byte
	request = request.Clone(request.Context())
	if request.Body != nil {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(sent))
	}
	request.Header.Set("X-Forwarded-For", c.address)
	began := time.Now()
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	took := time.Since(began)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	c.Add(Sample{
		Endpoint: request.Method + " " + id.ReplaceAllString(request.URL.Path, "/{id}"), Method: request.Method, Path: request.URL.RequestURI(),
		Header: request.Header, Body: sent, Status: response.StatusCode,
	}, took, len(text), refusalName(response.StatusCode, text))
	return response, nil
}

// refusalName returns the status and code of a refusal; "" if the request was not refused.
func refusalName(status int, text []byte) string {
	if status < 300 {
		return ""
	}
	var envelope struct {
		Error struct{ Code string }
	}
	if json.Unmarshal(text, &envelope) != nil || envelope.Error.Code == "" {
		return fmt.Sprint(status)
	}
	return fmt.Sprintf("%d %s", status, envelope.Error.Code)
}
