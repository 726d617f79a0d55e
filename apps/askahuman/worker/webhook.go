package worker

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notify"
	"sortkey.dev/apps/askahuman/questions"
)

// webhookTries is the maximum number of attempts of a webhook.
const webhookTries = 8

// webhookBackoffs lists the delays after failed attempts. Their sum is less than the day an
// expired question is kept.
var webhookBackoffs = [webhookTries - 1]time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour,
}

func webhookBackoff(tried int64) time.Duration {
	return webhookBackoffs[min(max(int(tried), 1), len(webhookBackoffs))-1]
}

// queueWebhook queues the webhook for the end of a question. Every end has its own job, because
// the job of an earlier end may be dead and kept.
func (w *Worker) queueWebhook(ctx context.Context, questionID string, callback *string, end time.Time) error {
	id := "hook-" + questionID + "-" + strconv.FormatInt(end.UnixMilli(), 36)
	payload := askahuman.JobPayload{QuestionID: questionID, Host: callbackHost(callback)}
	_, err := w.Env.QueueJob(ctx, id, askahumandb.JobKindWebhook, payload, w.now())
	return err
}

// webhook delivers the end of a question to its agent. A delivery that the agent has accepted
// is not repeated, even if the job runs twice.
func (w *Worker) webhook(ctx context.Context, payload askahuman.JobPayload) error {
	q, err := w.domain.Questions.Question(ctx, payload.QuestionID)
	switch {
	case errors.Is(err, askahuman.ErrNoQuestion):
		return nil
	case err != nil:
		return fmt.Errorf("read question %s: %w", payload.QuestionID, err)
	case !over(q) || q.CallbackURL == nil: // it was reopened; its next end has another job
		return nil
	}
	past, err := w.db.ListDeliveries(q.QuestionID).Limit(0).Slice(ctx)
	if err != nil {
		return fmt.Errorf("list deliveries of question %s: %w", q.QuestionID, err)
	}
	delivery := askahumandb.WebhookDelivery{
		QuestionID: q.QuestionID, Try: 1, AgentID: q.AgentID, URL: *q.CallbackURL, TTL: w.now().Add(askahuman.KeepClosed),
	}
	for _, d := range past {
		if accepted(d) && !d.At.Before(endOf(q)) {
			return nil
		}
		delivery.Try = max(delivery.Try, d.Try+1)
	}
	status, outcome := w.deliver(ctx, q)
	delivery.At = w.now()
	if status != 0 {
		delivery.HTTPStatus = new(int64(status))
	}
	if outcome != nil {
		delivery.Error = new(errorText(outcome))
	}
	if _, err := w.db.RecordDelivery(ctx, delivery); err != nil && !errors.Is(err, access.ErrExists) {
		return fmt.Errorf("record a delivery for question %s: %w", q.QuestionID, err)
	}
	if status == http.StatusGone { // the receiver wants no more deliveries
		return nil
	}
	return outcome
}

// accepted reports whether the receiver accepted a delivery, or refused all further ones.
func accepted(d askahumandb.WebhookDelivery) bool {
	return d.HTTPStatus != nil && (*d.HTTPStatus/100 == 2 || *d.HTTPStatus == http.StatusGone)
}

// endOf returns when a question ended.
func endOf(q askahumandb.Question) time.Time {
	switch {
	case q.Status == askahumandb.QuestionStatusClosed && q.ClosedAt != nil:
		return *q.ClosedAt
	case q.ExpiredAt != nil:
		return *q.ExpiredAt
	}
	return q.ExpiresAt
}

// deliver sends the question with its answers to its agent, signed as the Standard Webhooks
// specification says. The status is 0 without a response.
func (w *Worker) deliver(ctx context.Context, q askahumandb.Question) (status int, err error) {
	results, err := w.domain.Questions.Results(ctx, q)
	if err != nil {
		return 0, fmt.Errorf("read the answers of question %s: %w", q.QuestionID, err)
	}
	body, err := json.Marshal(questions.AgentView(q, results))
	if err != nil {
		return 0, fmt.Errorf("encode question %s: %w", q.QuestionID, err)
	}
	secret, err := w.domain.Questions.CallbackSecret(ctx, q.AgentID)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, *q.CallbackURL, bytes.NewReader(body))
	if err != nil {
		return 0, finalError{fmt.Errorf("make the request: %w", err)}
	}
	// The id is the same for all attempts, so that the receiver can detect duplicates.
	id := "evt_" + q.QuestionID + "_" + strconv.FormatInt(endOf(q).UnixMilli(), 36)
	stamp := strconv.FormatInt(w.now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "ask-a-human")
	request.Header.Set("webhook-id", id)
	request.Header.Set("webhook-timestamp", stamp)
	request.Header.Set("webhook-signature", sign(secret, id, stamp, body))
	response, err := w.client.Do(request)
	err = notify.WithoutURL(err)
	switch {
	case errors.Is(err, notify.ErrNotPublic):
		return 0, finalError{fmt.Errorf("reach %s: %w", request.URL.Host, err)}
	case err != nil:
		return 0, fmt.Errorf("reach %s: %w", request.URL.Host, err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be reused
	if response.StatusCode/100 == 2 {
		return response.StatusCode, nil
	}
	err = fmt.Errorf("%s answered %s", request.URL.Host, response.Status)
	return response.StatusCode, &notify.RetryError{After: notify.RetryAfter(response.Header, w.now()), Err: err}
}

// sign returns the signature of a delivery. The secret is base64 with the prefix whsec_.
func sign(secret, id, stamp string, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		key = []byte(secret)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// watchJob returns a job that polls for the end of a question. Each poll is a separate job,
// because an open question is no failure.
func (w *Worker) watchJob(questionID string, look int, due time.Time) (askahumandb.Job, error) {
	return w.Env.NewJob("watch-"+questionID+"-"+strconv.Itoa(look), askahumandb.JobKindWebhook,
		askahuman.JobPayload{QuestionID: questionID, Watch: true, Look: look}, due)
}

// watchInterval returns the delay between polls: a few seconds at first, up to a minute.
func watchInterval(look int) time.Duration {
	return min(5*time.Second+time.Duration(look)*time.Second, time.Minute)
}

// watch polls whether a question is over, where no stream reports it.
func (w *Worker) watch(ctx context.Context, payload askahuman.JobPayload) error {
	q, err := w.domain.Questions.Question(ctx, payload.QuestionID)
	switch {
	case errors.Is(err, askahuman.ErrNoQuestion):
		return nil
	case err != nil:
		return fmt.Errorf("read question %s: %w", payload.QuestionID, err)
	case over(q):
		return w.queueWebhook(ctx, q.QuestionID, q.CallbackURL, endOf(q))
	}
	due := w.now().Add(watchInterval(payload.Look))
	if due.After(q.ExpiresAt) {
		due = q.ExpiresAt
	}
	next, err := w.watchJob(q.QuestionID, payload.Look+1, due)
	if err != nil {
		return err
	}
	return &nextJob{next}
}
