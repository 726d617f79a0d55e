package operator

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

const (
	overviewHours = 24
	// Open overviews reload after a change, at most every lookPause, and at least every
	// lookEvery.
	lookPause = 2 * time.Second
	lookEvery = 5 * time.Second
	// late is the delay of a due job that is worth an alert.
	late = 10 * time.Minute
	// failing is the number of consecutive failures of a loop that is worth a severe alert.
	failing = 3
)

// Overview says which numbers of a system stand on the overview.
type Overview struct {
	// Figures returns key figures that are made of several counts, such as a rate. May be nil.
	Figures  func(metrics.Report) []webkit.Stat
	Counters []Counter
	Charts   []Chart
	// Alerts returns the numbers that exceed their bounds. May be nil.
	Alerts func(metrics.Report) []Alert
}

// A Counter is a counter of package metrics with a label for people.
type Counter struct{ Name, Label string }

// A Chart shows counters by the hour, as lines or stacked.
type Chart struct {
	Title, Desc string
	Counters    []Counter
	Stacked     bool
}

// An Alert is a number that exceeds its bounds.
type Alert struct {
	Name   string // "Errors"
	Is     string // "12 % of all requests"
	Should string // "at most 5 %"
	Severe bool
}

// overviewView holds the data of operator.html.
type overviewView struct {
	Bar
	Health  webkit.Badge
	Alerts  []Alert
	Waiting []waitingView
	Metered bool
	Stats   []webkit.Stat
	Charts  []webkit.Component
	Traffic trafficView
	Loops   []loopView
	CanKick bool
	Alone   bool // there is no operator but the first one
}

// A waitingView is the count of what waits in a tab.
type waitingView struct {
	Href, Text, Value, Note string
	Waits                   bool
}

func (f *Frame) overview(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	ctx := r.Context()
	view := overviewView{Bar: NewBar(by, "Overview"), Waiting: f.waitingViews(ctx), Traffic: trafficOf(f.o.Traffic), CanKick: f.o.Kick != nil}
	var states []background.State
	if f.o.Loops != nil {
		states = f.o.Loops()
	}
	for _, state := range states {
		view.Loops = append(view.Loops, loopViewOf(state, f.o.Platform.Now()))
	}
	health, alerts, err := f.machineAlerts(ctx, states)
	if err != nil {
		return err
	}
	view.Health = health
	if f.o.Metrics != nil {
		report, err := f.o.Metrics.Report(ctx, overviewHours)
		if err != nil {
			return err
		}
		view.Metered, view.Stats, view.Charts = true, f.stats(report), f.charts(report, f.site.Zone(r))
		if f.o.Overview.Alerts != nil {
			alerts = append(alerts, f.o.Overview.Alerts(report)...)
		}
	}
	view.Alerts = severeFirst(alerts)
	list, err := f.o.Staff.List(ctx)
	if err != nil {
		return err
	}
	view.Alone = len(list) == 1
	f.site.Render(w, r, http.StatusOK, "operator.html", view)
	return nil
}

// machineAlerts returns the state of the database and what is wrong with the machinery of the
// system.
func (f *Frame) machineAlerts(ctx context.Context, states []background.State) (webkit.Badge, []Alert, error) {
	var alerts []Alert
	health := webkit.Badge{Text: "Database takes writes", Tone: webkit.Good, Icon: "check"}
	if err := f.o.Platform.Writable(ctx); err != nil {
		health = webkit.Badge{Text: "Database takes no writes", Tone: webkit.Bad, Icon: "error"}
		alerts = append(alerts, Alert{Name: "Database", Is: webkit.Cut(err.Error(), 160), Should: "taking writes", Severe: true})
	}
	for _, state := range states {
		if state.Failures > 0 {
			alerts = append(alerts, Alert{
				Name: "Loop " + state.Name, Is: "failed " + timesText(state.Failures) + " in a row", Should: "running", Severe: state.Failures >= failing,
			})
		}
	}
	if f.o.Queue == nil {
		return health, alerts, nil
	}
	if n := f.waiting(ctx)[deadBadge]; n > 0 {
		alerts = append(alerts, Alert{Name: "Dead jobs", Is: countText(n), Should: "0"})
	}
	page, err := f.o.Queue.Waiting(ctx, "", 1, "")
	if err != nil {
		return health, nil, err
	}
	for _, job := range page.Items {
		if behind := f.o.Platform.Now().Sub(job.Due); behind > late {
			alerts = append(alerts, Alert{Name: "Late jobs", Is: "one waits since " + webkit.Duration(behind), Should: "at most " + webkit.Duration(late), Severe: true})
		}
	}
	return health, alerts, nil
}

func timesText(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func severeFirst(alerts []Alert) []Alert {
	slices.SortStableFunc(alerts, func(a, b Alert) int {
		switch {
		case a.Severe == b.Severe:
			return 0
		case a.Severe:
			return -1
		}
		return 1
	})
	return alerts
}

func (f *Frame) waitingViews(ctx context.Context) []waitingView {
	counts := f.waiting(ctx)
	var views []waitingView
	add := func(href, text, note, name string) {
		if n, counted := counts[name]; counted {
			views = append(views, waitingView{Href: href, Text: text, Value: countText(n), Note: note, Waits: n > 0})
		}
	}
	for _, tab := range f.o.Tabs {
		add(tab.path(), tab.Title, tab.Note, tab.Name)
	}
	add(jobsPath, "Dead jobs", "to replay or drop", deadBadge)
	return views
}

// stats returns the key figures of the day.
func (f *Frame) stats(report metrics.Report) []webkit.Stat {
	var stats []webkit.Stat
	if f.o.Overview.Figures != nil {
		stats = f.o.Overview.Figures(report)
	}
	for _, c := range f.o.Overview.Counters {
		stats = append(stats, webkit.Stat{
			Label: c.Label, Value: webkit.Number(report.Totals[c.Name]),
			Trend: &webkit.Sparkline{Label: c.Label + " by hour", Values: hourly(report, c.Name)},
		})
	}
	return stats
}

func hourly(report metrics.Report, counter string) []float64 {
	values := make([]float64, len(report.Hours))
	for i, hour := range report.Hours {
		values[i] = float64(hour.Values[counter])
	}
	return values
}

// charts returns the charts by hour, in the viewer's time zone.
func (f *Frame) charts(report metrics.Report, zone *time.Location) []webkit.Component {
	labels := make([]string, len(report.Hours))
	for i, hour := range report.Hours {
		labels[i] = hourLabel(hour.Start.In(zone))
	}
	var charts []webkit.Component
	for _, chart := range f.o.Overview.Charts {
		var series []webkit.Series
		for _, c := range chart.Counters {
			series = append(series, webkit.Series{Name: c.Label, Values: hourly(report, c.Name)})
		}
		if chart.Stacked {
			charts = append(charts, webkit.StackedChart{Title: chart.Title, Desc: chart.Desc, Labels: labels, Series: series})
			continue
		}
		charts = append(charts, webkit.LineChart{Title: chart.Title, Desc: chart.Desc, Labels: labels, Series: series})
	}
	return charts
}

// hourLabel formats an hour as shortly as possible, because a phone has little room. Some zones
// are half an hour off.
func hourLabel(start time.Time) string {
	if start.Minute() == 0 {
		return start.Format("15")
	}
	return start.Format("15:04")
}

// kick runs a background loop now.
func (f *Frame) kick(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	name := r.PostFormValue("loop")
	if f.o.Kick == nil || !f.o.Kick(name) {
		return refusal.New(refusal.NotFound, "", "There is no such loop in this process.")
	}
	if err := f.o.Trail.RecordAlone(r.Context(), audit.Event{Actor: by.Name, Action: "run loop", Target: name}); err != nil {
		return err
	}
	f.site.Flash(w, r, webkit.Good, "The loop "+name+" runs now.")
	f.site.Redirect(w, r, Back(r))
	return nil
}

// watch streams reload events to an open page, after changes and periodically.
func (f *Frame) watch(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	listener := f.o.Hub.Listen(f.o.Topics...)
	defer listener.Close()
	stream, err := f.site.Stream(w, r)
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
