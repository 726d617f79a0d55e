package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/webkit"
)

// jobsView holds the data of operator-jobs.html.
type jobsView struct {
	Operator string
	Jobs     []jobView
	Queues   operators.Queues
	Pager    webkit.Pager
	Later    bool
}

// A jobView is a dead job.
type jobView struct {
	jobs.Job
	Name  string // its id, without whole hashes
	Label string
	About []target
	Error string
}

// jobKinds maps kinds of jobs to their labels.
var jobKinds = map[string]string{
	askahuman.JobDispatch: "Notify people", askahuman.JobCatchUp: "Notify more people",
	askahuman.JobPush: "Notify a person", askahuman.JobWebhook: "Call a webhook",
}

func (web *Web) operatorJobs(w http.ResponseWriter, r *http.Request, operator string) error {
	cursor := r.URL.Query().Get("cursor")
	dead, err := web.domain.Jobs.Dead(r.Context(), operatorRows, cursor)
	if err != nil {
		return err
	}
	view := jobsView{Operator: operator, Later: cursor != "", Pager: pagerTo("/operator/jobs", dead.Next, "Older jobs", cursor != "")}
	if view.Queues, err = web.domain.Operators.Queues(r.Context()); err != nil {
		return err
	}
	for _, job := range dead.Items {
		view.Jobs = append(view.Jobs, jobView{
			Job: job, Name: withoutHashes(job.ID), Label: cmp.Or(jobKinds[job.Kind], job.Kind), About: jobTargets(job),
			Error: cmp.Or(withoutHashes(job.LastError), "No error was noted."),
		})
	}
	web.site.Render(w, r, http.StatusOK, "operator-jobs.html", view)
	return nil
}

// jobTargets returns the subjects of a job, with links.
func jobTargets(job jobs.Job) []target {
	about, err := jobs.Payload[askahuman.JobPayload](job)
	if err != nil {
		return []target{{Text: "what it is about cannot be read"}}
	}
	var targets []target
	if about.QuestionID != "" {
		targets = append(targets, target{"question " + about.QuestionID, "/operator/questions/" + url.PathEscape(about.QuestionID)})
	}
	if about.SubscriptionID != "" {
		targets = append(targets, target{"subscription " + withoutHashes(about.SubscriptionID), ""})
	}
	return targets
}

func (web *Web) reviveJob(w http.ResponseWriter, r *http.Request, operator string) error {
	if err := web.domain.Jobs.Replay(r.Context(), operator, r.PostFormValue("job")); err != nil {
		return err
	}
	web.site.Flash(w, r, webkit.Good, "The job is queued again.")
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}

// patternsView holds the data of operator-patterns.html.
type patternsView struct {
	Operator string
	Metered  bool
	Columns  []columnView
	Rows     []patternView
	Unused   []string
	Used     int
	Calls    int64
	Over     int    // patterns clearly above the design's estimate
	OnlyOver bool   // show only those
	Others   string // link that toggles OnlyOver
}

// A columnView is the head of a column that can be sorted by.
type columnView struct {
	Text, Href, Sort string // Sort is ascending, descending or ""
	Number           bool
	by               string // sort order of the link
}

// A patternView is one access pattern as it is used.
type patternView struct {
	access.PatternReport
	Path             string
	Units, Ratio     string
	P50Text, P99Text string
	Over             bool
}

// clearlyMore is the ratio to the design's estimate above which a pattern is reported.
const clearlyMore = 1.25

// A patternColumn is a column of the table of patterns.
type patternColumn struct {
	name, text string
	compare    func(a, b access.PatternReport) int
}

// patternColumns lists the sortable columns. Numbers sort descending first.
var patternColumns = []patternColumn{
	{"pattern", "Pattern", func(a, b access.PatternReport) int { return strings.Compare(a.Pattern, b.Pattern) }},
	{"calls", "Calls", func(a, b access.PatternReport) int { return cmp.Compare(a.Calls, b.Calls) }},
	{"units", "Units a call", func(a, b access.PatternReport) int { return cmp.Compare(a.UnitsPerCall, b.UnitsPerCall) }},
	{"estimate", "Design", func(a, b access.PatternReport) int { return cmp.Compare(a.Estimated, b.Estimated) }},
	{"ratio", "Ratio", func(a, b access.PatternReport) int { return cmp.Compare(a.Ratio, b.Ratio) }},
	{"p50", "p50", func(a, b access.PatternReport) int { return cmp.Compare(a.P50, b.P50) }},
	{"p99", "p99", func(a, b access.PatternReport) int { return cmp.Compare(a.P99, b.P99) }},
	{"refused", "Refused", func(a, b access.PatternReport) int { return cmp.Compare(a.Refused, b.Refused) }},
	{"errors", "Errors", func(a, b access.PatternReport) int { return cmp.Compare(a.Errors, b.Errors) }},
}

func (web *Web) operatorPatterns(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	view := patternsView{Operator: operator, Metered: web.options.Meter != nil}
	if view.Metered {
		reports := web.options.Meter.Report()
		view.OnlyOver = query.Get("only") == onlyOver
		view.Columns = sortPatterns(reports, query.Get("sort"))
		view.Unused, view.Used = unusedPatterns(reports), len(reports)
		for _, report := range reports {
			row := patternRow(report)
			view.Calls += report.Calls
			if row.Over {
				view.Over++
			}
			if row.Over || !view.OnlyOver {
				view.Rows = append(view.Rows, row)
			}
		}
		for i := range view.Columns {
			view.Columns[i].Href = patternsAddress(view.Columns[i].by, view.OnlyOver)
		}
		view.Others = patternsAddress(query.Get("sort"), !view.OnlyOver)
	}
	web.site.Render(w, r, http.StatusOK, "operator-patterns.html", view)
	return nil
}

// onlyOver selects the patterns clearly above the design's estimate.
const onlyOver = "over"

// patternsAddress returns the URL of the table in an order; "" is the default order.
func patternsAddress(by string, only bool) string {
	query := url.Values{}
	if by != "" {
		query.Set("sort", by)
	}
	if only {
		query.Set("only", onlyOver)
	}
	return (&url.URL{Path: "/operator/patterns", RawQuery: query.Encode()}).String()
}

// sortPatterns sorts by a column, in reverse with a minus before its name, and returns the
// column headers.
func sortPatterns(reports []access.PatternReport, by string) []columnView {
	name, backwards := strings.CutPrefix(by, "-")
	if !slices.ContainsFunc(patternColumns, func(c patternColumn) bool { return c.name == name }) {
		name, backwards = "calls", true
	}
	var columns []columnView
	for _, c := range patternColumns {
		column := columnView{Text: c.text, Number: c.name != "pattern", by: "-" + c.name}
		if !column.Number {
			column.by = c.name
		}
		if c.name == name {
			column.Sort, column.by = "ascending", "-"+c.name
			if backwards {
				column.Sort, column.by = "descending", c.name
			}
			slices.SortStableFunc(reports, func(a, b access.PatternReport) int {
				if backwards {
					a, b = b, a
				}
				return c.compare(a, b)
			})
		}
		columns = append(columns, column)
	}
	return columns
}

func patternRow(report access.PatternReport) patternView {
	row := patternView{
		PatternReport: report, Path: (&access.Pattern{Table: report.Table, Index: report.Index}).Path(),
		Units: "–", Ratio: "–", P50Text: latency(report.P50), P99Text: latency(report.P99), Over: report.Ratio > clearlyMore,
	}
	if report.UnitsPerCall > 0 {
		row.Units = webkit.Decimal(report.UnitsPerCall, 2)
	}
	if report.Ratio > 0 {
		row.Ratio = webkit.Decimal(report.Ratio, 2)
	}
	return row
}

// latency formats a short duration with three digits.
func latency(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return webkit.Number(d.Microseconds()) + " µs"
	case d < time.Second:
		return webkit.Decimal(float64(d)/float64(time.Millisecond), 1) + " ms"
	}
	return webkit.Decimal(d.Seconds(), 2) + " s"
}

// unusedPatterns returns the patterns of the design that this process has not called.
func unusedPatterns(reports []access.PatternReport) []string {
	used := make(map[string]bool)
	for _, report := range reports {
		for name := range strings.SplitSeq(report.Pattern, " + ") {
			used[name] = true
		}
	}
	var unused []string
	for _, pattern := range operators.Patterns() {
		if !used[pattern.Name] {
			unused = append(unused, pattern.Name)
		}
	}
	slices.Sort(unused)
	return unused
}

// auditView holds the data of operator-audit.html.
type auditView struct {
	Operator      string
	Day           access.Date
	Today         bool
	Before, After string // addresses of the days around; After is "" today
	Events        []eventView
	Pager         webkit.Pager
	Later         bool
}

// An eventView is an audit event.
type eventView struct {
	audit.Event
	What    string
	Targets []target
}

func (web *Web) operatorAudit(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	today := access.DateOf(web.domain.Now())
	day := access.Date(cmp.Or(query.Get("day"), string(today)))
	events, next, err := web.domain.Operators.Audit(r.Context(), day, operatorRows, query.Get("cursor"))
	if err != nil {
		return err
	}
	view := auditView{Operator: operator, Day: day, Today: day == today, Later: query.Get("cursor") != ""}
	view.Before = auditAddress(day, -1)
	if day < today {
		view.After = auditAddress(day, 1)
	}
	for _, event := range events {
		what := strings.ReplaceAll(event.Action, "_", " ")
		view.Events = append(view.Events, eventView{event, capital(what), auditTargets(event.Action, event.Target)})
	}
	view.Pager = pagerTo("/operator/audit?"+url.Values{"day": {string(day)}}.Encode(), next, "Earlier that day", view.Later)
	web.site.Render(w, r, http.StatusOK, "operator-audit.html", view)
	return nil
}

func auditAddress(day access.Date, days int) string {
	return "/operator/audit?day=" + string(access.DateOf(day.Time().AddDate(0, 0, days)))
}
