package telegram

import (
	"context"
	"errors"
	"time"
)

// pollWait is how long one request waits for updates.
const pollWait = 50 * time.Second

// Backoff of Poll after failures.
const (
	firstBackoff = time.Second
	lastBackoff  = time.Minute
)

// Poll fetches updates and hands each to handle, until ctx ends or Telegram answers that a webhook
// or another process receives them (an *Error with Conflict). An update is confirmed after handle
// returned nil; an update whose handling failed is fetched again, so handle must be idempotent.
// onError, if not nil, sees every failure before Poll waits and retries.
func (c *Client) Poll(ctx context.Context, handle func(context.Context, Update) error, onError func(error)) error {
	var offset int64
	backoff := firstBackoff
	for {
		next, err := c.pollOnce(ctx, offset, handle)
		offset = next
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			backoff = firstBackoff
			continue
		}
		var refused *Error
		if errors.As(err, &refused) && (refused.Conflict() || refused.Code == 401 || refused.Code == 404) {
			return err // a wrong token answers 401 or 404
		}
		if onError != nil {
			onError(err)
		}
		wait := backoff
		if refused != nil && refused.RetryAfter > wait {
			wait = refused.RetryAfter
		}
		if err := c.sleep(ctx, wait); err != nil {
			return err
		}
		backoff = min(2*backoff, lastBackoff)
	}
}

// pollOnce handles one batch and returns the offset of the first update that is not handled.
func (c *Client) pollOnce(ctx context.Context, offset int64, handle func(context.Context, Update) error) (int64, error) {
	updates, err := c.GetUpdates(ctx, offset, pollWait)
	if err != nil {
		return offset, err
	}
	for _, u := range updates {
		if err := handle(ctx, u); err != nil {
			return offset, err
		}
		offset = u.UpdateID + 1
	}
	return offset, nil
}
