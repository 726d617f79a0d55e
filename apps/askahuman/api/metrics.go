package api

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/refusal"
)

// metricsHours is the period of the metrics, as on the operators' overview.
const metricsHours = 24

// metrics serves the metrics of the operators' overview and of this process's responses, in
// the text format of Prometheus.
func (h *status) metrics(w http.ResponseWriter, r *http.Request, _, _ contract.None) error {
	var text bytes.Buffer
	page := metrics.NewExposition(&text, "askahuman_")
	up := 1.0
	if err := h.storedMetrics(r, page); err != nil {
		h.log.Error("the numbers cannot be read", "request", jsonapi.RequestID(r), "error", err)
		up = 0
	}
	if h.expose != nil {
		if err := h.expose(r.Context(), page); err != nil {
			h.log.Error("the versions of the data cannot be read", "request", jsonapi.RequestID(r), "error", err)
			up = 0
		}
	}
	page.Gauge("database_up", "1 if the database could be read for this page. If not, what is in the database is missing here.", metrics.Sample{Value: up})
	if h.loops != nil {
		var loops []metrics.Sample
		for _, loop := range h.loops() {
			loops = append(loops, metrics.Sample{Value: float64(loop.Failures), Labels: []string{"loop", loop.Name}})
		}
		page.Gauge("loop_failures", "How often the work of the background of this process has failed in a row.", loops...)
	}
	exposeTraffic(page, h.traffic)
	if err := page.Flush(); err != nil {
		return err
	}
	w.Header().Set("Content-Type", metrics.ContentType)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text.Bytes()) // a disconnected client does not matter
	return nil
}

// storedMetrics adds the metrics of all processes, which are in the database.
func (h *status) storedMetrics(r *http.Request, page *metrics.Exposition) error {
	numbers, err := h.stored(r.Context(), metricsHours)
	if err != nil {
		return err
	}
	queues, err := h.operators.Queues(r.Context())
	if err != nil {
		return err
	}
	var events, medians []metrics.Sample
	for _, metric := range askahuman.AllMetrics {
		events = append(events, metrics.Sample{Value: float64(numbers.Total(metric)), Labels: []string{"event", string(metric)}})
	}
	for _, histogram := range []string{askahuman.TimeFirstAnswer, askahuman.TimeCompletion} {
		medians = append(medians, metrics.Sample{Value: numbers.Medians[histogram].Seconds(), Labels: []string{"until", histogram}})
	}
	waiting := func(queue string, n int64) metrics.Sample {
		return metrics.Sample{Value: float64(n), Labels: []string{"queue", queue}}
	}
	page.Gauge("events_24h", "What happened in the last 24 hours. A process writes it down every minute: what it had not is lost if it is killed.", events...)
	page.Gauge("median_seconds", "How long half of the questions of the last 24 hours took at most; 0 if there were none.", medians...)
	page.Gauge("queue", fmt.Sprintf("What waits now, counted up to %d.", operators.MaxQueueCount),
		waiting("flags", queues.Flags), waiting("reports", queues.Reports), waiting("jobs_due", queues.DueJobs), waiting("jobs_dead", queues.DeadJobs))
	return nil
}

// exposeTraffic writes the metrics of this process's responses. Collectors add up several
// processes.
func exposeTraffic(page *metrics.Exposition, t *jsonapi.Traffic) {
	var requests []metrics.Sample
	for _, count := range t.Counts() {
		requests = append(requests, metrics.Sample{
			Value: float64(count.Answers), Labels: []string{"route", count.Route, "method", count.Method, "code", strconv.Itoa(count.Status)},
		})
	}
	page.Counter("http_requests_total", "Requests this process has answered since it began; code 499: the caller left before. All pages are the route /, what nothing answers is other.", requests...)
	var waits []metrics.Distribution
	for _, wait := range t.Waits() {
		waits = append(waits, metrics.Distribution{
			Labels: []string{"route", wait.Route}, Bounds: jsonapi.WaitBounds[:], Counts: wait.Buckets[:], Sum: wait.Sum,
		})
	}
	page.Histogram("http_wait_seconds", "How long callers waited until an answer of this process began. Who asks to wait for an answer of people is in it.", waits...)
}

// operator requires the token for metrics or the first operator's secret.
func (h *status) operator(w http.ResponseWriter, r *http.Request) (none contract.None, err error) {
	given, err := bearer(r)
	if err != nil && !errors.Is(err, askahuman.ErrUnauthorized) {
		return none, err
	}
	if err == nil && given != "" && h.staff != nil {
		err := h.staff.CheckToken(r.Context(), given, jsonapi.ClientNetwork(r))
		if _, wrong := refusal.As(err, refusal.Unauthenticated); !wrong {
			return none, err
		}
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="operators"`)
	return none, refusal.New(refusal.Unauthenticated, "", "The metrics are for operators. Send the token that they find under Settings: Authorization: Bearer TOKEN.")
}
