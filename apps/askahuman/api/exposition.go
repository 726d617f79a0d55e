package api

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/internal/jsonapi"
)

// An exposition is a page of metrics in the text format of Prometheus.
type exposition struct{ bytes.Buffer }

// family writes the header of a metric.
func (e *exposition) family(kind, name, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one sample of a metric with its labels.
func (e *exposition) sample(name string, number float64, labels ...string) {
	var pairs []string
	for pair := range slices.Chunk(labels, 2) {
		pairs = append(pairs, fmt.Sprintf("%s=%q", pair[0], pair[1]))
	}
	if len(pairs) > 0 {
		name += "{" + strings.Join(pairs, ",") + "}"
	}
	fmt.Fprintf(e, "%s %s\n", name, decimal(number))
}

func decimal(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// traffic writes the metrics of this process's responses. Collectors add up several
// processes.
func (e *exposition) traffic(t *jsonapi.Traffic) {
	const requests, seconds = "askahuman_http_requests_total", "askahuman_http_wait_seconds"
	e.family("counter", requests, "Requests this process has answered since it began; code 499: the caller left before. All pages are the route /, what nothing answers is other.")
	for _, count := range t.Counts() {
		e.sample(requests, float64(count.Answers), "route", count.Route, "method", count.Method, "code", strconv.Itoa(count.Status))
	}
	e.family("histogram", seconds, "How long callers waited until an answer of this process began. Who asks to wait for an answer of people is in it.")
	for _, waits := range t.Waits() {
		all := int64(0)
		for i, answers := range waits.Buckets {
			bound := "+Inf"
			if i < len(jsonapi.WaitBounds) {
				bound = decimal(jsonapi.WaitBounds[i].Seconds())
			}
			all += answers
			e.sample(seconds+"_bucket", float64(all), "route", waits.Route, "le", bound)
		}
		e.sample(seconds+"_sum", waits.Sum.Seconds(), "route", waits.Route)
		e.sample(seconds+"_count", float64(all), "route", waits.Route)
	}
}
