// Package model is a classifier that asks a language model over any endpoint with OpenAI's chat
// completions and structured output. With Beside it looks only at messages that the rules left
// open.
//
// It trusts nothing that the model answers: an answer that does not fit the schema, or that names
// words, people or activities which are not in the message or the household, is an error and means
// nothing. It is off unless a household switches it on, because it sends messages to a third
// party. The system's ingest calls it.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/understanding"
)

// Options configures a Classifier. BaseURL and Model are required.
type Options struct {
	BaseURL   string // up to /chat/completions, for example https://api.openai.com/v1
	Key       string // sent as a bearer token; local endpoints may need none
	Model     string
	HTTP      *http.Client
	Timeout   time.Duration // of one attempt; DefaultTimeout if 0
	MaxTokens int           // of an answer; DefaultMaxTokens if 0
	// Sleep waits before the retry. Tests replace it.
	Sleep func(context.Context, time.Duration) error
	// Calibrate turns the confidence that the model states into the share of such answers that are
	// right. A stated confidence is no probability, so the default never reaches the clear limit: a
	// model alone leads to a question, not to an entry.
	Calibrate func(stated float64) float64
}

// The defaults of Options.
const (
	DefaultTimeout   = 10 * time.Second
	DefaultMaxTokens = 400
	temperature      = 0.2
	maxAnswer        = 1 << 20
	retryDelay       = 500 * time.Millisecond
)

// The errors that a caller may want to count apart.
var (
	ErrRefused = errors.New("model: the model refused to answer")
	ErrCutOff  = errors.New("model: the answer was cut off")
	ErrInvalid = errors.New("model: the answer does not fit")
)

// A StatusError is an HTTP status that the endpoint answered with.
type StatusError struct {
	Status     int
	RetryAfter time.Duration
}

func (e *StatusError) Error() string { return fmt.Sprintf("model: the endpoint answered %d", e.Status) }

// A Classifier asks a model. It is safe for concurrent use.
type Classifier struct {
	o Options
}

// New returns a classifier. It makes no call.
func New(o Options) (*Classifier, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, errors.New("model: the base URL must begin with http:// or https:// and name a host")
	}
	if o.Model == "" {
		return nil, errors.New("model: no model is named")
	}
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Calibrate == nil {
		o.Calibrate = func(stated float64) float64 { return min(stated, 0.80) }
	}
	return &Classifier{o: o}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Classify asks the model once, and once more if the endpoint was busy or failed.
func (c *Classifier) Classify(ctx context.Context, m understanding.Message) (understanding.Meaning, error) {
	meaning := understanding.Meaning{Language: m.Locale, Classifier: "model"}
	if len(m.Text) > understanding.MaxText || strings.TrimSpace(m.Text) == "" {
		return meaning, nil
	}
	body, err := json.Marshal(c.request(m))
	if err != nil {
		return meaning, fmt.Errorf("model: encoding the request: %w", err)
	}
	answer, err := c.attempt(ctx, body)
	if wait, again := retry(ctx, err, c.o.Timeout); again {
		if err := c.o.Sleep(ctx, wait); err != nil {
			return meaning, err
		}
		answer, err = c.attempt(ctx, body)
	}
	if err != nil {
		return meaning, err
	}
	meaning.Usage = understanding.Usage{PromptTokens: answer.Usage.PromptTokens, CompletionTokens: answer.Usage.CompletionTokens}
	return meaning, c.read(&meaning, m, answer)
}

// retry returns how long to wait before the second attempt, and whether to make one: after 429, 5xx
// and failures of the network, unless the endpoint asks for a longer wait than an attempt may take.
func retry(ctx context.Context, err error, limit time.Duration) (time.Duration, bool) {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrInvalid) {
		return 0, false
	}
	var status *StatusError
	if !errors.As(err, &status) {
		return retryDelay, true
	}
	if status.Status != http.StatusTooManyRequests && status.Status < 500 {
		return 0, false
	}
	return max(status.RetryAfter, retryDelay), status.RetryAfter <= limit
}

// A completion is the part of an answer that is used.
type completion struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
}

// attempt makes one call. Errors contain neither the key nor the message.
func (c *Classifier) attempt(ctx context.Context, body []byte) (*completion, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.o.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("model: the base URL is not valid")
	}
	request.Header.Set("Content-Type", "application/json")
	if c.o.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.o.Key)
	}
	response, err := c.o.HTTP.Do(request)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, fmt.Errorf("model: calling the endpoint: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("model: reading the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, &StatusError{Status: response.StatusCode, RetryAfter: retryAfter(response.Header.Get("Retry-After"))}
	}
	var a completion
	if err := json.Unmarshal(text, &a); err != nil || len(a.Choices) == 0 {
		return nil, fmt.Errorf("%w: it is no chat completion", ErrInvalid)
	}
	return &a, nil
}

// retryAfter reads the seconds of a Retry-After header. A date counts as no wait.
func retryAfter(value string) time.Duration {
	seconds, err := strconv.Atoi(value)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 3600)) * time.Second
}

// read adds what the model answered to the meaning.
func (c *Classifier) read(meaning *understanding.Meaning, m understanding.Message, a *completion) error {
	choice := a.Choices[0]
	switch {
	case choice.Message.Refusal != "" || choice.FinishReason == "content_filter":
		return ErrRefused
	case choice.FinishReason == "length":
		return ErrCutOff
	}
	events, err := decode(choice.Message.Content)
	if err != nil {
		return err
	}
	var checked understanding.Meaning
	for _, e := range events {
		if err := c.add(&checked, m, e); err != nil {
			return err
		}
	}
	meaning.Activities, meaning.Promises = checked.Activities, checked.Promises
	return nil
}
