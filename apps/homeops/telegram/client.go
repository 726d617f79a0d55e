package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultBaseURL is the address of Telegram's servers.
const DefaultBaseURL = "https://api.telegram.org"

// maxAnswer is the size in bytes up to which an answer is read.
const maxAnswer = 8 << 20

// Options configures a Client. Token is required.
type Options struct {
	Token   string
	BaseURL string       // DefaultBaseURL if empty
	HTTP    *http.Client // a client with a timeout of CallTimeout if nil
	Now     func() time.Time
	// Sleep waits for a duration or until the context ends. Tests replace it.
	Sleep func(context.Context, time.Duration) error
	// MaxWait limits how long a call that may wait does so for a rate limit; a minute if 0.
	MaxWait time.Duration
	Limits  Limits // DefaultLimits if zero
}

// CallTimeout limits a call, except for getUpdates, which waits for updates longer.
const CallTimeout = 15 * time.Second

// A Client calls the Bot API for one bot. It is safe for concurrent use.
type Client struct {
	base    string
	token   string
	http    *http.Client
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	maxWait time.Duration
	limiter *limiter
}

// New returns a client. It makes no call.
func New(o Options) (*Client, error) {
	if o.Token == "" || strings.ContainsFunc(o.Token, func(r rune) bool { return r <= ' ' || r == '/' || r > '~' }) {
		return nil, errors.New("telegram: the bot token is missing or has characters that a token never has")
	}
	c := &Client{base: strings.TrimSuffix(o.BaseURL, "/"), token: o.Token, http: o.HTTP, now: o.Now, sleep: o.Sleep, maxWait: o.MaxWait}
	if c.base == "" {
		c.base = DefaultBaseURL
	}
	if c.http == nil {
		c.http = &http.Client{}
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.sleep == nil {
		c.sleep = sleep
	}
	if c.maxWait == 0 {
		c.maxWait = time.Minute
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits
	}
	c.limiter = newLimiter(o.Limits)
	return c, nil
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

// String returns a description without the token, so that a logged client reveals nothing.
func (c *Client) String() string { return "telegram client of " + c.base }

// GoString returns the same as String, for %#v.
func (c *Client) GoString() string { return c.String() }

// answer is the envelope of every answer.
type answer struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	ErrorCode   int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		MigrateToChatID int64 `json:"migrate_to_chat_id"`
		RetryAfter      int   `json:"retry_after"`
	} `json:"parameters"`
}

// call calls a method and decodes its result. Errors never contain the token.
func (c *Client) call(ctx context.Context, timeout time.Duration, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	body, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("telegram: %s: encoding the parameters: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/bot"+c.token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("telegram: %s: the base URL is not valid", method)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("telegram: %s: %w", method, c.redact(err))
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("telegram: %s: reading the answer: %w", method, c.redact(err))
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return &Error{Method: method, Code: response.StatusCode, Description: "the answer is not JSON"}
	}
	if !a.OK {
		return &Error{
			Method: method, Code: a.ErrorCode, Description: strings.ReplaceAll(a.Description, c.token, "<token>"),
			RetryAfter: time.Duration(a.Parameters.RetryAfter) * time.Second, MigrateTo: a.Parameters.MigrateToChatID,
		}
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(a.Result, result); err != nil {
		return &Error{Method: method, Code: response.StatusCode, Description: "the result has another form than documented"}
	}
	return nil
}

// redact removes the URL, which contains the token, from an error of net/http. The cause stays
// reachable for errors.Is.
func (c *Client) redact(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if strings.Contains(err.Error(), c.token) {
		return errors.New("the request failed")
	}
	return err
}

// An Error is a refusal by the Bot API.
type Error struct {
	Method      string
	Code        int
	Description string
	RetryAfter  time.Duration // for 429
	MigrateTo   int64         // the new id of a group that became a supergroup
}

func (e *Error) Error() string {
	return fmt.Sprintf("telegram: %s: %d %s", e.Method, e.Code, e.Description)
}

// Throttled reports whether the call exceeded a rate limit.
func (e *Error) Throttled() bool { return e.Code == http.StatusTooManyRequests }

// Unreachable reports whether the bot cannot write to the chat until the user or the group acts:
// it was blocked or removed, the account was deleted, or the user never started the bot.
func (e *Error) Unreachable() bool {
	return e.Code == http.StatusForbidden || e.Code == http.StatusBadRequest && strings.Contains(e.Description, "chat not found")
}

// Conflict reports whether a webhook and long polling exclude each other, or another process
// polls.
func (e *Error) Conflict() bool { return e.Code == http.StatusConflict }

// Temporary reports whether the same call may succeed later.
func (e *Error) Temporary() bool { return e.Throttled() || e.Code >= 500 }

// Unchanged reports whether an edit would leave the message as it is.
func (e *Error) Unchanged() bool {
	return e.Code == http.StatusBadRequest && strings.Contains(e.Description, "message is not modified")
}
