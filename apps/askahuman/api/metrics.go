package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/refusal"
)

// metricsHours is the period of the metrics, as on the operators' overview.
const metricsHours = 24

// told lists the exported metrics, including those with a count of zero.
var told = []askahuman.Metric{
	askahuman.MetricSubmitted, askahuman.MetricAnswered, askahuman.MetricCompleted, askahuman.MetricExpired,
	askahuman.MetricNotified, askahuman.MetricPushFailed, askahuman.MetricFlagged, askahuman.MetricDuplicate,
	askahuman.MetricRateLimited, askahuman.MetricRequest, askahuman.MetricFailure,
}

// metrics serves the metrics of the operators' overview and of this process's responses, in
// the text format of Prometheus.
func (a *api) metrics(w http.ResponseWriter, r *http.Request) error {
	if err := a.operatorOnly(w, r); err != nil {
		return err
	}
	var page exposition
	up := 1.0
	if err := a.storedMetrics(r, &page); err != nil {
		a.log.Error("the numbers cannot be read", "request", jsonapi.RequestID(r), "error", err)
		up = 0
	}
	page.family("gauge", "askahuman_database_up", "1 if the database could be read for this page. If not, what is in the database is missing here.")
	page.sample("askahuman_database_up", up)
	if a.loops != nil {
		page.family("gauge", "askahuman_loop_failures", "How often the work of the background of this process has failed in a row.")
		for _, loop := range a.loops() {
			page.sample("askahuman_loop_failures", float64(loop.Failures), "loop", loop.Name)
		}
	}
	page.traffic(a.traffic)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(page.Bytes()) // a disconnected client does not matter
	return nil
}

// storedMetrics adds the metrics of all processes, which are in the database.
func (a *api) storedMetrics(r *http.Request, page *exposition) error {
	numbers, err := a.domain.Metrics(r.Context(), metricsHours)
	if err != nil {
		return err
	}
	queues, err := a.domain.Operators.Queues(r.Context())
	if err != nil {
		return err
	}
	page.family("gauge", "askahuman_events_24h", "What happened in the last 24 hours. A process writes it down every minute: what it had not is lost if it is killed.")
	for _, metric := range told {
		page.sample("askahuman_events_24h", float64(numbers.Totals[string(metric)]), "event", string(metric))
	}
	page.family("gauge", "askahuman_median_seconds", "How long half of the questions of the last 24 hours took at most; 0 if there were none.")
	page.sample("askahuman_median_seconds", numbers.MedianFirstAnswer.Seconds(), "until", askahuman.TimeFirstAnswer)
	page.sample("askahuman_median_seconds", numbers.MedianCompletion.Seconds(), "until", askahuman.TimeCompletion)
	page.family("gauge", "askahuman_queue", fmt.Sprintf("What waits now, counted up to %d.", operators.MaxQueueCount))
	page.sample("askahuman_queue", float64(queues.Flags), "queue", "flags")
	page.sample("askahuman_queue", float64(queues.Reports), "queue", "reports")
	page.sample("askahuman_queue", float64(queues.DueJobs), "queue", "jobs_due")
	page.sample("askahuman_queue", float64(queues.DeadJobs), "queue", "jobs_dead")
	return nil
}

// operatorOnly requires the operator secret. Only wrong secrets count against the rate limit,
// so that frequent scrapes are not limited; after too many, the right secret has to wait as
// well. Sign-ins of operators have limits of their own.
func (a *api) operatorOnly(w http.ResponseWriter, r *http.Request) error {
	given, err := bearer(r)
	if err == nil && given != "" {
		network := jsonapi.ClientNetwork(r).String()
		if a.isOperatorSecret(given) {
			err := a.domain.Allows(r.Context(), askahuman.LimitScrape, network)
			if askahuman.Passing(err) { // metrics matter most when the database is unavailable
				return nil
			}
			return err
		}
		if _, err := a.domain.Allow(r.Context(), askahuman.LimitScrape, network); err != nil {
			return err
		}
	}
	if err != nil && !errors.Is(err, askahuman.ErrUnauthorized) {
		return err
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="operators"`)
	return refusal.New(refusal.Unauthenticated, "", "The metrics are for operators. Send their secret: Authorization: Bearer SECRET.")
}

// isOperatorSecret compares hashes, which have one length, in constant time.
func (a *api) isOperatorSecret(given string) bool {
	got, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(a.operator))
	return a.operator != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
