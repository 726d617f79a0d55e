package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// A recorder measures the requests of all callers by endpoint.
type recorder struct {
	transport http.RoundTripper
	httpload.Record
}

func newRecorder() *recorder { return &recorder{transport: httpload.NewClient().Transport} }

// caller returns the HTTP client of one caller, who has an address of its own.
func (r *recorder) caller(number int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: caller{r, fmt.Sprintf("10.%d.%d.1", number/250, number%250)}}
}

type caller struct {
	record  *recorder
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
	response, err := c.record.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	took := time.Since(began)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	refusal := ""
	if response.StatusCode >= 300 {
		refusal = response.Status
	}
	c.record.Add(httpload.Sample{
		Endpoint: request.Method + " " + id.ReplaceAllString(request.URL.Path, "/{id}"), Method: request.Method, Path: request.URL.RequestURI(),
		Header: request.Header, Body: sent, Status: response.StatusCode,
	}, took, len(text), refusal)
	return response, nil
}
