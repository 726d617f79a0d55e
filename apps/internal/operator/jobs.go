package operator

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// jobsView holds the data of operator-jobs.html.
type jobsView struct {
	Bar
	Filter webkit.Filter
	Lanes  []jobs.LaneCount
	Dead   bool // the list is that of dead jobs
	Back   string
	Jobs   []jobView
	Kinds  []webkit.Option // of the dead jobs on the page
	Pager  webkit.Pager
	Later  bool // it is not the first page
}

// A jobView is a job.
type jobView struct {
	jobs.Job
	KindText string
	Subjects []Target
	Href     string
	Badge    webkit.Badge
}

func (f *Frame) jobs(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	lane, waiting := r.URL.Query().Get("lane"), r.URL.Query().Has("lane")
	cursor := r.URL.Query().Get("cursor")
	view := jobsView{Bar: f.machineBar(r, "Jobs"), Dead: !waiting, Back: r.URL.RequestURI(), Later: cursor != ""}
	list := f.o.Queue.Dead
	address := jobsPath
	if waiting {
		address = jobsPath + "?" + url.Values{"lane": {lane}}.Encode()
		list = func(ctx context.Context, limit int, cursor string) (access.Page[jobs.Job], error) {
			return f.o.Queue.Waiting(ctx, lane, limit, cursor)
		}
	}
	page, err := list(r.Context(), rowsOnPage, cursor)
	if err != nil {
		return err
	}
	if view.Lanes, err = f.o.Queue.CountLanes(r.Context()); err != nil {
		return err
	}
	view.Filter = f.jobFilter(r, view.Lanes, lane, waiting)
	for _, job := range page.Items {
		row := f.jobViewOf(job)
		view.Jobs = append(view.Jobs, row)
		option := webkit.Option{Value: job.Kind, Text: "Only: " + row.KindText}
		if !slices.Contains(view.Kinds, option) {
			view.Kinds = append(view.Kinds, option)
		}
	}
	view.Pager = pagerTo(address, page.Next, "More jobs", view.Later)
	f.site.Render(w, r, http.StatusOK, "operator-jobs.html", view)
	return nil
}

// jobFilter returns the lists of jobs: the dead ones, all that wait, and those of each lane.
func (f *Frame) jobFilter(r *http.Request, lanes []jobs.LaneCount, lane string, waiting bool) webkit.Filter {
	all := int64(0)
	for _, count := range lanes {
		all += count.Waiting
	}
	filter := webkit.Filter{Label: "Jobs", Tabs: []webkit.Tab{
		{Href: jobsPath, Text: "Dead", Count: countText(f.waiting(r.Context())[deadBadge]), Current: !waiting},
		{Href: jobsPath + "?lane=", Text: "Waiting", Count: countText(all), Current: waiting && lane == ""},
	}}
	if len(lanes) < 2 {
		return filter
	}
	for _, count := range lanes {
		filter.Tabs = append(filter.Tabs, webkit.Tab{
			Href: jobsPath + "?" + url.Values{"lane": {count.Lane}}.Encode(), Text: "Lane " + count.Lane, Count: countText(count.Waiting), Current: waiting && lane == count.Lane,
		})
	}
	return filter
}

func (f *Frame) jobViewOf(job jobs.Job) jobView {
	view := jobView{Job: job, KindText: cmp.Or(f.o.Kinds[job.Kind], job.Kind), Href: jobAddress(job.ID)}
	if f.o.Subjects != nil {
		view.Subjects = f.o.Subjects(job)
	}
	now := f.o.Platform.Now()
	switch {
	case job.Status == jobs.Dead:
		view.Badge = webkit.Badge{Text: "Dead after " + triesText(job.Tries), Tone: webkit.Bad, Icon: "error"}
	case job.Status == jobs.Running && job.Due.After(now):
		view.Badge = webkit.Badge{Text: "Running", Tone: webkit.Info, Icon: "refresh"}
	case job.Status == jobs.Running:
		view.Badge = webkit.Badge{Text: "Worker lost", Tone: webkit.Warn, Icon: "warn"}
	case job.Tries > 0:
		view.Badge = webkit.Badge{Text: "Retry after " + triesText(job.Tries), Tone: webkit.Warn, Icon: "refresh"}
	case job.Due.After(now):
		view.Badge = webkit.Badge{Text: "Scheduled", Icon: "clock"}
	default:
		view.Badge = webkit.Badge{Text: "Due", Tone: webkit.Info, Icon: "clock"}
	}
	return view
}

func jobAddress(id string) string { return jobsPath + "/show?" + url.Values{"id": {id}}.Encode() }

func triesText(n int) string {
	if n == 1 {
		return "1 try"
	}
	return webkit.Number(n) + " tries"
}

// oneJobView holds the data of operator-job.html.
type oneJobView struct {
	Bar
	Job     jobView
	Payload string
	Dead    bool
	History []eventView
}

func (f *Frame) job(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	job, err := f.o.Queue.Get(r.Context(), r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	history, err := f.o.Trail.About(r.Context(), job.ID, rowsOnPage, "")
	if err != nil {
		return err
	}
	view := oneJobView{Bar: f.machineBar(r, "Job"), Job: f.jobViewOf(job), Payload: payloadText(job.Payload), Dead: job.Status == jobs.Dead}
	view.History = f.eventViews(history.Items)
	f.site.Render(w, r, http.StatusOK, "operator-job.html", view)
	return nil
}

// payloadText returns the arguments of a job in lines.
func payloadText(payload any) string {
	encoded, _ := payload.(json.RawMessage)
	var text bytes.Buffer
	if json.Indent(&text, encoded, "", "  ") != nil {
		return string(encoded)
	}
	return text.String()
}

// decideJobs replays or drops one job, the chosen ones, or all of a kind.
func (f *Frame) decideJobs(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r)
	decide, decideAll, done := f.o.Queue.Replay, f.o.Queue.ReplayAll, "queued again"
	if form.Value("action") == "drop" || form.Value("drop") != "" {
		decide, decideAll, done = f.o.Queue.Drop, f.o.Queue.DropAll, "dropped"
	}
	one := cmp.Or(form.Value("drop"), form.Value("replay"))
	ids := form.Values["job"]
	var n int
	var err error
	switch {
	case one != "":
		n, err = 1, decide(r.Context(), by.Name, one)
	case form.Value("scope") == "all":
		n, err = decideAll(r.Context(), by.Name, form.Value("kind"))
	case len(ids) == 0:
		return refusal.New(refusal.Invalid, "", "Choose jobs first.")
	default:
		for _, id := range ids {
			switch err := decide(r.Context(), by.Name, id); {
			case err == nil:
				n++
			case !isRefusal(err): // others decided meanwhile
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	text := webkit.Number(n) + " jobs are " + done + "."
	if n == 1 {
		text = "The job is " + done + "."
	}
	f.site.Flash(w, r, webkit.Good, text)
	f.site.Redirect(w, r, Back(r))
	return nil
}

func isRefusal(err error) bool {
	_, refused := errors.AsType[*refusal.Error](err)
	return refused
}

// pagerTo returns the pager of a list with cursors.
func pagerTo(address, next, label string, later bool) webkit.Pager {
	pager := webkit.Pager{Label: label}
	if later {
		pager.Previous = address
	}
	if next != "" {
		u, err := url.Parse(address)
		if err != nil { // our own address
			return pager
		}
		query := u.Query()
		query.Set("cursor", next)
		u.RawQuery = query.Encode()
		pager.Next = u.String()
	}
	return pager
}
