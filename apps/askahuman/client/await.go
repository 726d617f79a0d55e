package client

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// usualResponses is the default number of answers of a question.
const usualResponses = 5

// The pauses between polls.
const (
	firstPause   = 30 * time.Second
	longestPause = 300 * time.Second
)

// Pause returns the pause after the nth poll, counted from 0: 30 seconds, half as long again each
// time, at most 5 minutes.
func Pause(n int) time.Duration { return pause(firstPause, n) }

// pause returns the pause after the nth poll for a given first pause.
func pause(first time.Duration, n int) time.Duration {
	pause := min(first, longestPause)
	for range n {
		pause = min(pause*3/2, longestPause)
		if pause == longestPause {
			break
		}
	}
	return pause
}

// AwaitOptions configures Await.
type AwaitOptions struct {
	// Min is the number of answers that is enough for each question; 1 by default. A question
	// that is over is always enough.
	Min int
	// Timeout is the maximum time to wait; an hour by default.
	Timeout time.Duration
	// FirstPause is the pause after the first poll; 30 seconds by default. Later pauses grow. Use
	// a short one for interactive programs: an agent has 600 polls an hour.
	FirstPause time.Duration
	// Progress is called after every poll with the known questions, in the order of their ids.
	Progress func([]Question)
}

// longPoll is the time for which the server is asked to wait for a change; less than
// RequestTimeout.
const longPoll = 20 * time.Second

// rest waits until the next poll. If one question is left, the server tells when it changes, and
// the wait ends then.
func (c *Client) rest(ctx context.Context, ids []string, known map[string]Question, least int, d time.Duration) error {
	left, ok := lastOne(ids, known, least)
	for until := c.now().Add(d); ok; {
		began := c.now()
		remaining := until.Sub(began)
		wait := min(remaining, longPoll).Truncate(time.Second)
		if wait < time.Second {
			d = max(remaining, 0)
			break
		}
		question, err := c.getChanged(ctx, left, wait)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && (question.CurrentResponses != left.CurrentResponses || question.Status != left.Status):
			return nil
		}
		d = max(until.Sub(c.now()), 0)
		ok = err == nil && c.now().Sub(began) >= wait/2 // else the server fails, or does not wait
	}
	return c.sleep(ctx, d)
}

// lastOne returns the only question that is not done, if there is one and it is known.
func lastOne(ids []string, known map[string]Question, least int) (last Question, ok bool) {
	for _, id := range ids {
		question, isKnown := known[id]
		switch {
		case isKnown && done(question, least):
		case !isKnown || ok:
			return Question{}, false
		default:
			last, ok = question, true
		}
	}
	return last, ok
}

// Await polls until every question is over or has enough answers, and returns them in the order
// of their ids. While one question is left, it returns as soon as the server knows. At the timeout it returns the questions as they are, without an error. It retries
// after server failures and rate limits; it fails only on permanent errors and when ctx is done.
func (c *Client) Await(ctx context.Context, ids []string, options AwaitOptions) ([]Question, error) {
	if options.Min <= 0 {
		options.Min = 1
	}
	if options.Timeout <= 0 {
		options.Timeout = time.Hour
	}
	if options.FirstPause <= 0 {
		options.FirstPause = firstPause
	}
	deadline := c.now().Add(options.Timeout)
	known := make(map[string]Question, len(ids))
	for poll := 0; ; poll++ {
		wait, err := c.poll(ctx, ids, known, options.Min)
		if err != nil {
			return inOrder(ids, known), err
		}
		if options.Progress != nil {
			options.Progress(inOrder(ids, known))
		}
		left := deadline.Sub(c.now())
		if enough(ids, known, options.Min) || left <= 0 {
			return inOrder(ids, known), nil
		}
		rest := min(max(pause(options.FirstPause, poll), wait), left)
		if err := c.rest(ctx, ids, known, options.Min, rest); err != nil {
			return inOrder(ids, known), err
		}
	}
}

// PollOnce returns the current state of questions, in the order of their ids.
func (c *Client) PollOnce(ctx context.Context, ids ...string) ([]Question, error) {
	questions := make([]Question, 0, len(ids))
	for _, id := range ids {
		question, err := c.Get(ctx, id)
		if err != nil {
			return questions, err
		}
		questions = append(questions, question)
	}
	return questions, nil
}

// SubmitAndWait submits a question and waits for it as Await does. Min defaults to the number of
// answers the question asks for.
func (c *Client) SubmitAndWait(ctx context.Context, ask Ask, options AwaitOptions) (Question, error) {
	submitted, err := c.Submit(ctx, ask)
	if err != nil {
		return Question{}, err
	}
	if options.Min <= 0 {
		options.Min = usualResponses
		if ask.MinResponses != nil {
			options.Min = *ask.MinResponses
		}
	}
	questions, err := c.Await(ctx, []string{submitted.QuestionID}, options)
	if len(questions) == 0 {
		return Question{ListedQuestion: ListedQuestion{QuestionID: submitted.QuestionID, Status: submitted.Status}}, err
	}
	return questions[0], err
}

// poll fetches the questions that are not done yet. It returns the delay that the server asks
// for, and fails only on permanent errors.
func (c *Client) poll(ctx context.Context, ids []string, known map[string]Question, least int) (time.Duration, error) {
	for _, id := range ids {
		if question, ok := known[id]; ok && done(question, least) {
			continue
		}
		question, err := c.Get(ctx, id)
		if err == nil {
			known[id] = question
			continue
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		refused, isRefusal := errors.AsType[*Error](err)
		switch {
		case !isRefusal, refused.Status >= http.StatusInternalServerError:
			return 0, nil // a network or server failure, which the next poll may not have
		case refused.Status == http.StatusTooManyRequests:
			return refused.RetryAfter, nil
		default:
			return 0, err
		}
	}
	return 0, nil
}

func done(q Question, least int) bool { return q.Status.Over() || q.CurrentResponses >= least }

func enough(ids []string, known map[string]Question, least int) bool {
	for _, id := range ids {
		if question, ok := known[id]; !ok || !done(question, least) {
			return false
		}
	}
	return true
}

func inOrder(ids []string, known map[string]Question) []Question {
	questions := make([]Question, 0, len(ids))
	for _, id := range ids {
		if question, ok := known[id]; ok {
			questions = append(questions, question)
		}
	}
	return questions
}
