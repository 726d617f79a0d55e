package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// A Person is a simulated user with an identity of its own: the headers that the system knows it
// by, such as an Authorization.
type Person struct {
	Number int
	Header http.Header

	play *Play
}

// Person returns a person by number. On first use join gives the new person an identity: it
// calls the system and sets Header. The identity is remembered, so the same person comes back
// after a restart.
func (p *Play) Person(ctx context.Context, crowd string, number int, join func(ctx context.Context, who *Person) error) (*Person, error) {
	who := &Person{Number: number, Header: http.Header{}, play: p}
	name := "person " + crowd + " " + strconv.Itoa(number)
	if p.Recall(name, &who.Header) {
		return who, nil
	}
	if err := join(ctx, who); err != nil {
		return nil, fmt.Errorf("join as %s %d: %w", crowd, number, err)
	}
	return who, p.Remember(name, who.Header)
}

// Anonymous returns a visitor without an identity.
func (p *Play) Anonymous() *Person { return &Person{Header: http.Header{}, play: p} }

// A StatusError is an answer of the system that is no success.
type StatusError struct {
	Status        int
	Code, Message string        // of the error in the body, if there is one
	RetryAfter    time.Duration // zero if the system does not ask to wait
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
}

// maxAnswer is the maximum size of an answer in bytes.
const maxAnswer = 4 << 20

// Call sends a request with a JSON body, unless in is nil, and decodes the answer into out, unless
// out is nil. It returns the headers of the answer. The error is a *StatusError if the system
// refuses.
func (who *Person) Call(ctx context.Context, method, path string, in, out any) (http.Header, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, who.play.o.BaseURL+path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range who.Header {
		request.Header[name] = values
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := who.play.o.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return response.Header, err
	case response.StatusCode >= 300:
		return response.Header, refusal(response, text)
	case out == nil:
		return response.Header, nil
	}
	return response.Header, json.Unmarshal(text, out)
}

// refusal reads the error of an answer, as all systems write it.
func refusal(response *http.Response, body []byte) error {
	e := &StatusError{Status: response.StatusCode, Message: http.StatusText(response.StatusCode)}
	var envelope struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal(body, &envelope) == nil && envelope.Error.Code != "" {
		e.Code, e.Message = envelope.Error.Code, envelope.Error.Message
	}
	if seconds, err := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 31); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
