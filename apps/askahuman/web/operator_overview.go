package web

import (
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

const (
	overviewHours = 24
	// Open overviews reload after a change, at most every lookPause, and at least every
	// lookEvery.
	lookPause = 2 * time.Second
	lookEvery = 5 * time.Second
)

// overviewView holds the data of operator.html.
type overviewView struct {
	Operator string
	Alerts   []askahuman.Alert
	Stats    []webkit.Stat
	Queues   []queueView
	Charts   []any
	Loops    []loopView
	CanKick  bool
}

// A queueView is the length of a queue.
type queueView struct {
	Href, Text, Value, Note string
	Waits                   bool
}

// A loopView is the state of a background loop.
type loopView struct {
	background.State
	Badge     webkit.Badge
	Listening bool // it follows a stream without errors
	TookText  string
}

func (web *Web) operatorOverview(w http.ResponseWriter, r *http.Request, operator string) error {
	numbers, err := web.domain.Metrics(r.Context(), overviewHours)
	if err != nil {
		return err
	}
	queues, err := web.domain.Operators.Queues(r.Context())
	if err != nil {
		return err
	}
	view := overviewView{
		Operator: operator, Alerts: severeFirst(numbers.Alerts), Stats: overviewStats(numbers),
		Queues: queueViews(queues), Charts: overviewCharts(numbers, web.site.Zone(r)), CanKick: web.options.Kick != nil,
	}
	if web.options.Loops != nil {
		for _, state := range web.options.Loops() {
			view.Loops = append(view.Loops, loopViewOf(state, web.domain.Now()))
		}
	}
	web.site.Render(w, r, http.StatusOK, "operator.html", view)
	return nil
}

func severeFirst(alerts []askahuman.Alert) []askahuman.Alert {
	sorted := slices.Clone(alerts)
	slices.SortStableFunc(sorted, func(a, b askahuman.Alert) int {
		switch {
		case a.Severe == b.Severe:
			return 0
		case a.Severe:
			return -1
		}
		return 1
	})
	return sorted
}

// overviewStats returns the key figures of the day.
func overviewStats(n askahuman.Metrics) []webkit.Stat {
	var stats []webkit.Stat
	for _, m := range []struct {
		metric askahuman.Metric
		label  string
	}{
		{askahuman.MetricSubmitted, "Questions asked"}, {askahuman.MetricAnswered, "Answers"},
		{askahuman.MetricCompleted, "Completed"}, {askahuman.MetricExpired, "Expired"},
		{askahuman.MetricNotified, "People notified"}, {askahuman.MetricFlagged, "Flagged answers"},
		{askahuman.MetricDuplicate, "Duplicate attempts"}, {askahuman.MetricRateLimited, "Rate-limited"},
	} {
		values := hourly(n, m.metric)
		stats = append(stats, webkit.Stat{
			Label: m.label, Value: webkit.Number(n.Total(m.metric)),
			Trend: &webkit.Sparkline{Label: m.label + " by hour", Values: values},
		})
	}
	completed, expired := n.Total(askahuman.MetricCompleted), n.Total(askahuman.MetricExpired)
	rate := "–"
	if ended := completed + expired; ended > 0 {
		rate = webkit.Percent(float64(completed) / float64(ended))
	}
	return append([]webkit.Stat{
		{Label: "Completion rate", Value: rate, Note: "of the questions that ended"},
		{Label: "Median first answer", Value: durationOrNone(n.Medians[askahuman.TimeFirstAnswer]), Note: "after the question"},
		{Label: "Median completion", Value: durationOrNone(n.Medians[askahuman.TimeCompletion]), Note: "after the question"},
	}, stats...)
}

func durationOrNone(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return webkit.Duration(d)
}

func hourly(n askahuman.Metrics, metric askahuman.Metric) []float64 {
	values := make([]float64, len(n.Hours))
	for i, hour := range n.Hours {
		values[i] = float64(hour.Values[string(metric)])
	}
	return values
}

// overviewCharts returns the metrics by hour, in the viewer's time zone.
func overviewCharts(n askahuman.Metrics, zone *time.Location) []any {
	labels := make([]string, len(n.Hours))
	for i, hour := range n.Hours {
		labels[i] = hourLabel(hour.Start.In(zone))
	}
	series := func(name string, metric askahuman.Metric) webkit.Series {
		return webkit.Series{Name: name, Values: hourly(n, metric)}
	}
	return []any{
		webkit.LineChart{
			Title: "Questions and answers by hour", Desc: "How much was asked, answered and completed in each of the last 24 hours.",
			Labels: labels, Series: []webkit.Series{
				series("Asked", askahuman.MetricSubmitted), series("Answered", askahuman.MetricAnswered), series("Completed", askahuman.MetricCompleted),
			},
		},
		webkit.StackedChart{
			Title: "What went wrong by hour", Desc: "Questions whose time was up, answers that were flagged, and what was refused.",
			Labels: labels, Series: []webkit.Series{
				series("Expired", askahuman.MetricExpired), series("Flagged", askahuman.MetricFlagged),
				series("Duplicate", askahuman.MetricDuplicate), series("Rate-limited", askahuman.MetricRateLimited),
			},
		},
	}
}

// hourLabel formats an hour as shortly as possible, because a phone has little room. Some zones
// are half an hour off.
func hourLabel(start time.Time) string {
	if start.Minute() == 0 {
		return start.Format("15")
	}
	return start.Format("15:04")
}

func queueViews(q operators.Queues) []queueView {
	views := []queueView{
		{Href: "/operator/flags", Text: "Flagged answers", Value: queueCount(q.Flags), Note: "to review", Waits: q.Flags > 0},
		{Href: "/operator/reports", Text: "Reports", Value: queueCount(q.Reports), Note: "to decide", Waits: q.Reports > 0},
		{Href: "/operator/jobs", Text: "Dead jobs", Value: queueCount(q.DeadJobs), Note: queueCount(q.DueJobs) + " due now", Waits: q.DeadJobs > 0},
	}
	return views
}

// queueCount formats the length of a queue, which is counted up to a limit.
func queueCount(n int64) string {
	if n >= operators.MaxQueueCount {
		return webkit.Number(n) + "+"
	}
	return webkit.Number(n)
}

// holds is the time without a failure after which a listener counts as healthy.
const holds = time.Minute

func loopViewOf(state background.State, now time.Time) loopView {
	view := loopView{State: state, Badge: loopBadge(state), TookText: latency(state.Took)}
	if state.Listens && state.Running && (state.Failures == 0 || now.Sub(state.LastRun) >= holds) {
		view.Listening, view.Badge = true, webkit.Badge{Text: "Listening", Tone: webkit.Good, Icon: "check"}
	}
	return view
}

func loopBadge(state background.State) webkit.Badge {
	switch {
	case state.Failures > 0:
		return webkit.Badge{Text: "Failing", Tone: webkit.Bad, Icon: "error"}
	case state.Running:
		return webkit.Badge{Text: "Running", Tone: webkit.Info, Icon: "refresh"}
	case state.Runs == 0:
		return webkit.Badge{Text: "Not yet run"}
	}
	return webkit.Badge{Text: "Resting", Tone: webkit.Good, Icon: "check"}
}

// kickLoop runs a background loop now.
func (web *Web) kickLoop(w http.ResponseWriter, r *http.Request, operator string) error {
	name := r.PostFormValue("loop")
	if web.options.Kick == nil || !web.options.Kick(name) {
		return refusal.New(refusal.NotFound, "", "There is no such loop in this process.")
	}
	if err := web.domain.Operators.RecordAuditEvent(r.Context(), operator, "run loop", name); err != nil {
		return err
	}
	web.site.Flash(w, r, webkit.Good, "The loop "+name+" runs now.")
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}

// watchOperator streams reload events to an open page, after changes and periodically.
func (web *Web) watchOperator(w http.ResponseWriter, r *http.Request, _ string) error {
	listener := web.hub.Listen("feed")
	defer listener.Close()
	stream, err := web.site.Stream(w, r)
	if err != nil {
		return nil // the viewer left before the first byte
	}
	defer stream.Close()
	for {
		timer := time.NewTimer(lookEvery)
		select {
		case <-stream.Done():
			timer.Stop()
			return nil
		case <-listener.C():
			timer.Stop()
			listener.Changed()
		case <-timer.C:
		}
		if stream.Send("change", "1", "look again") != nil {
			return nil
		}
		select { // hints may come faster than pages should reload
		case <-stream.Done():
			return nil
		case <-time.After(lookPause):
		}
	}
}
