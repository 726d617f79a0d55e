package host

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/operator"
)

// metricsHours is the period of the stored metrics, as on the operators' overview.
const metricsHours = 24

// healthView is the answer of /health.
type healthView struct {
	Status   string `json:"status"` // ok, unavailable, or outdated: a newer program has to be started
	Database bool   `json:"database"`
	Time     string `json:"time"`
	Reason   string `json:"reason,omitempty"` // if it is outdated
}

// health answers whether the system can work. It answers within two seconds, also if the database
// hangs.
func (s *System) health(w http.ResponseWriter, r *http.Request) error {
	view := healthView{Status: "ok", Database: true, Time: s.h.Platform.Now().Format("2006-01-02T15:04:05Z")}
	status := http.StatusOK
	if err := s.h.outdated(r.Context()); err != nil {
		view.Status, view.Reason, status = "outdated", err.Error(), http.StatusServiceUnavailable
	} else if err := s.h.Platform.Writable(r.Context()); err != nil {
		s.h.Config.Log.Error("the database takes no writes", "error", err)
		view.Status, view.Database, status = "unavailable", false, http.StatusServiceUnavailable
	}
	w.Header().Set("Cache-Control", "no-store")
	return jsonapi.Write(w, status, view)
}

// metrics serves the metrics of all processes and of this one, in the text format of Prometheus.
func (s *System) metrics(w http.ResponseWriter, r *http.Request) error {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if err := s.h.Staff.CheckToken(r.Context(), token, jsonapi.ClientNetwork(r)); err != nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="operators"`)
		return err
	}
	var text bytes.Buffer
	page := metrics.NewExposition(&text, strings.ReplaceAll(s.h.o.System, "-", "_")+"_")
	up := 1.0
	if err := s.stored(r, page); err != nil {
		s.h.Config.Log.Error("the metrics cannot be read", "request", jsonapi.RequestID(r), "error", err)
		up = 0
	}
	if err := s.ExposeData(r.Context(), page); err != nil {
		s.h.Config.Log.Error("the versions of the data cannot be read", "request", jsonapi.RequestID(r), "error", err)
		up = 0
	}
	page.Gauge("database_up", "1 if the database could be read for this page. If not, what is in the database is missing here.", metrics.Sample{Value: up})
	var loops []metrics.Sample
	for _, loop := range s.loops.States() {
		loops = append(loops, metrics.Sample{Value: float64(loop.Failures), Labels: []string{"loop", loop.Name}})
	}
	page.Gauge("loop_failures", "Consecutive failures of the background loops of this process.", loops...)
	s.exposePatterns(page)
	exposeTraffic(page, s.h.Traffic)
	if err := page.Flush(); err != nil {
		return err
	}
	w.Header().Set("Content-Type", metrics.ContentType)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text.Bytes()) // a disconnected client does not matter
	return nil
}

// stored adds the metrics of all processes, which are in the database.
func (s *System) stored(r *http.Request, page *metrics.Exposition) error {
	report, err := s.h.Metrics.Report(r.Context(), metricsHours)
	if err != nil {
		return err
	}
	lanes, err := s.h.Queue.CountLanes(r.Context())
	if err != nil {
		return err
	}
	dead, err := s.h.Queue.CountDead(r.Context())
	if err != nil {
		return err
	}
	s.h.Metrics.Expose(page, report)
	var due, waiting []metrics.Sample
	for _, lane := range lanes {
		due = append(due, metrics.Sample{Value: float64(lane.Due), Labels: []string{"lane", lane.Lane}})
		waiting = append(waiting, metrics.Sample{Value: float64(lane.Waiting), Labels: []string{"lane", lane.Lane}})
	}
	up := fmt.Sprintf(", counted up to %d.", jobs.MaxCount)
	page.Gauge("jobs_waiting", "Jobs that are queued or running"+up, waiting...)
	page.Gauge("jobs_due", "Jobs that could be started now"+up, due...)
	page.Gauge("jobs_dead", "Jobs that ran out of attempts"+up, metrics.Sample{Value: float64(dead)})
	var queues []metrics.Sample
	for _, tab := range s.front.Operator.Tabs {
		if tab.Waiting == nil {
			continue
		}
		n, err := tab.Waiting(r.Context())
		if err != nil {
			return err
		}
		queues = append(queues, metrics.Sample{Value: float64(n), Labels: []string{"tab", tab.Name}})
	}
	page.Gauge("operators_waiting", fmt.Sprintf("What waits for operators, counted up to %d.", operator.MaxWaiting), queues...)
	return nil
}

// ExposeData adds the versions of the data, and how far migrations are.
func (s *System) ExposeData(ctx context.Context, page *metrics.Exposition) error {
	var versions, programs, under, waits, conflicts, seen, changed, done []metrics.Sample
	for _, data := range s.h.data {
		stand, err := data.Stand(ctx)
		if err != nil {
			return err
		}
		sample := func(value float64, labels ...string) metrics.Sample {
			return metrics.Sample{Value: value, Labels: append([]string{"design", stand.Design}, labels...)}
		}
		versions = append(versions, sample(float64(stand.Version)))
		programs = append(programs, sample(float64(stand.Program)))
		under = append(under, sample(truth(stand.Under), "phase", stand.Phase.String()))
		waits = append(waits, sample(truth(stand.Waits != "" || stand.Paused != "")))
		conflicts = append(conflicts, sample(float64(len(stand.Conflicts)+stand.More)))
		for _, part := range stand.Parts {
			seen = append(seen, sample(float64(part.Seen), "part", part.Name, "step", stand.Step))
			changed = append(changed, sample(float64(part.Changed), "part", part.Name, "step", stand.Step))
			done = append(done, sample(float64(part.Done)/float64(max(part.Segments, 1)), "part", part.Name, "step", stand.Step))
		}
	}
	page.Gauge("data_version", "Version of a design that the data has.", versions...)
	page.Gauge("data_program_version", "Version of a design that this program has.", programs...)
	page.Gauge("data_migration", "1 while a migration is under way, with its phase.", under...)
	page.Gauge("data_migration_waits", "1 while a migration waits for an operator.", waits...)
	page.Gauge("data_conflicts", "Items that cannot be brought to the next version.", conflicts...)
	page.Gauge("data_part_done", "Share of a part that the present step has passed, of what it has begun.", done...)
	page.Gauge("data_part_items_read", "Items that the present step has read.", seen...)
	page.Gauge("data_part_items_written", "Items that the present step has written.", changed...)
	return nil
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// exposePatterns writes what the calls of the database took.
func (s *System) exposePatterns(page *metrics.Exposition) {
	var calls, units []metrics.Sample
	for _, report := range s.h.Meter.Report() {
		labels := []string{"pattern", report.Pattern}
		calls = append(calls, metrics.Sample{Value: float64(report.Calls), Labels: labels})
		units = append(units, metrics.Sample{Value: report.Units, Labels: labels})
	}
	page.Counter("pattern_calls_total", "Calls of access patterns by this process.", calls...)
	page.Counter("pattern_units_total", "Capacity units that the calls of this process took.", units...)
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
	page.Counter("http_requests_total", "Requests that this process has answered; code 499: the client disconnected. All pages are the route /.", requests...)
	var waits []metrics.Distribution
	for _, wait := range t.Waits() {
		waits = append(waits, metrics.Distribution{
			Labels: []string{"route", wait.Route}, Bounds: jsonapi.WaitBounds[:], Counts: wait.Buckets[:], Sum: wait.Sum,
		})
	}
	page.Histogram("http_wait_seconds", "Time until an answer of this process began.", waits...)
}

// shownSettings returns the common settings for operators, as they are.
func (h *Host) shownSettings() []operator.Setting {
	c, uses := h.Chosen, h.o.Uses
	var list []operator.Setting
	add := func(has, on bool, title, whenOn, whenOff, value, name string) {
		if !has {
			return
		}
		text := whenOff
		if on {
			text = whenOn
		}
		list = append(list, operator.Setting{Title: title, On: on, Text: text, Value: value, Name: h.o.Prefix + name})
	}
	mailValue, filesValue, names := "", cmp.Or(c.Files, h.Config.FilesDir), make([]string, 0, len(c.Providers))
	if c.Mail != nil {
		mailValue = c.Mail.String()
	}
	for _, p := range c.Providers {
		names = append(names, p.Name)
	}
	add(true, c.OperatorSecret != "", "First operator's secret", "It was chosen.", "It was made from the system's secret and is shown at the start.", "", settingOperator)
	add(true, c.Proxies > 0, "Proxies", "Addresses of callers come from X-Forwarded-For.", "X-Forwarded-For is ignored: callers are the addresses that connect.", proxiesText(c.Proxies), settingProxies)
	add(uses.Mail, c.Mail != nil, "Mail", "Mail is sent.", "No mail is sent. It is kept on a page whose address is shown at the start.", mailValue, settingMail)
	add(uses.Providers, len(c.Providers) > 0, "Sign-in through providers", "People can sign in through them.", "People sign in with passwords.", strings.Join(names, ", "), settingProviders)
	add(uses.Push, c.Contact != "", "Web push", "Browsers are notified.", "People have an inbox on the page.", c.Contact, settingVAPID)
	add(uses.Push, c.FCM != nil, "Firebase Cloud Messaging", "Apps are notified.", "Apps are not notified.", "", settingFCM)
	add(uses.Files, filesValue != "", "Files", "Files are kept.", "Files are in a temporary directory and end with the process.", filesValue, settingFiles)
	add(uses.Callbacks, c.PrivateCallbacks, "Private callbacks", "Webhooks may reach addresses that are not public. Switch this off on the internet.", "Webhooks reach public addresses only.", "", settingCallbacks)
	return list
}

func proxiesText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
