package web

import (
	"net/http"
	"strconv"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

// examPages serves the catalogue and the start of an exam.
type examPages struct {
	bank    *bank.Service
	people  *people.Service
	sitting *sitting.Service
	site    *webkit.Site
	now     func() time.Time
}

func (h *examPages) pages() map[string]candidatePage {
	return map[string]candidatePage{
		"GET /exams/{id}":        h.exam,
		"POST /exams/{id}/start": h.start,
	}
}

// homeView holds the data of home.html.
type homeView struct {
	Running []runningExam
	Exams   []sitting.Entry
	Now     time.Time
	Pager   webkit.Pager
	First   bool
}

// A runningExam is a session that can be resumed.
type runningExam struct {
	sitting.ActiveExam
	Title string
}

// home shows the catalogue to candidates, and the way in to visitors. Others have pages of their own.
func (h *examPages) home(w http.ResponseWriter, r *http.Request) error {
	me, err := caller(r)
	if err != nil {
		h.site.Render(w, r, http.StatusOK, "welcome.html", nil)
		return nil
	}
	switch me.Role {
	case exambuddy.RoleAdmin:
		h.site.Redirect(w, r, "/admin")
		return nil
	case exambuddy.RoleOperator:
		h.site.Redirect(w, r, operator.Home)
		return nil
	}
	candidate, err := me.Candidate()
	if err != nil {
		return err
	}
	cursor := r.URL.Query().Get("cursor")
	page, err := h.sitting.Catalogue(r.Context(), candidate, exambuddy.PageSize, cursor)
	if err != nil {
		return err
	}
	view := homeView{Exams: page.Items, Now: h.now(), First: cursor == ""}
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: "/?cursor=" + page.Next, More: true}
	}
	active, err := h.sitting.Active(r.Context(), candidate)
	if err != nil {
		return err
	}
	for _, a := range active {
		running := runningExam{ActiveExam: a}
		if project, err := h.bank.ByID(r.Context(), a.ProjectID); err == nil {
			running.Title = project.Title
		}
		view.Running = append(view.Running, running)
	}
	h.site.Render(w, r, http.StatusOK, "home.html", view)
	return nil
}

// revealWords says when candidates see the right answers of an exam.
var revealWords = map[string]string{
	bank.RevealAtSubmit: "You see the right answers after you hand in.", bank.RevealAtClose: "You see the right answers when the exam has closed and all have handed in.", bank.RevealNever: "The right answers are not shown.",
}

// examView holds the data of exam.html.
type examView struct {
	Form         *webkit.Form
	Project      bank.Project
	Modes        []webkit.Option
	Difficulties []webkit.Option
	Factor       int
	MaxCount     int
	Count        int // questions of an exam that fixes it; 0 otherwise
	Fixed        question.Difficulty
	Free         bool
	Total        time.Duration // of an exam that fixes count and difficulty
	Active       string        // the session that runs; "" if there is none
	Closed       string        // why it cannot be started; "" if it can
	Closes       time.Time     // in the zone of the candidate; zero if it stays open
	Short        time.Duration // the time until it closes, if that is less than Total
	Taken        int64         // attempts of the candidate
}

// published returns an exam that a candidate may see.
func (h *examPages) published(r *http.Request, me exambuddy.Candidate) (bank.Project, error) {
	project, err := h.bank.Published(r.Context(), r.PathValue("id"))
	if err != nil {
		return bank.Project{}, err
	}
	groups, err := h.people.GroupsOf(r.Context(), me.ID)
	if err != nil {
		return bank.Project{}, err
	}
	if !bank.Visible(project, groups) {
		return bank.Project{}, exambuddy.ErrNoProject
	}
	return project, nil
}

func (h *examPages) exam(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	return h.showExam(w, r, me, http.StatusOK, webkit.NewForm(nil))
}

// showExam renders the page before the start.
func (h *examPages) showExam(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, status int, form *webkit.Form) error {
	project, err := h.published(r, me)
	if err != nil {
		return err
	}
	rules := project.Rules
	view := examView{
		Form: form, Project: project, Difficulties: difficultyOptions(), MaxCount: min(int(project.QuestionCount), exambuddy.MaxSessionQuestions), Count: int(value(rules.ExamCount)),
		Fixed: question.Difficulty(value(rules.ExamDifficulty)), Free: rules.Navigation == bank.Free,
		Modes: []webkit.Option{{Value: sitting.Exam, Text: "Exam", Hint: "Timed. " + revealWords[rules.Reveal]}},
	}
	if view.Taken, err = h.sitting.Taken(r.Context(), me, project.ProjectID); err != nil {
		return err
	}
	if rules.MaxAttempts != nil && view.Taken >= *rules.MaxAttempts {
		view.Modes = nil // no exam any more
	}
	if rules.Practice {
		view.Modes = append(view.Modes, webkit.Option{Value: sitting.Test, Text: "Practice", Hint: "You see the right answer and the reason after each question."})
	}
	factor, err := h.people.TimeFactor(r.Context(), me.ID, project.AdminID)
	if err != nil {
		return err
	}
	view.Factor = factor.Percent()
	view.Total = time.Duration(sitting.PerQuestion(view.Fixed.Seconds(), view.Factor)*view.Count) * time.Second
	active, err := h.sitting.Active(r.Context(), me)
	if err != nil {
		return err
	}
	for _, a := range active {
		if a.ProjectID == project.ProjectID {
			view.Active = a.AttemptID
		}
	}
	view.window(rules, h.now(), h.site.Zone(r))
	h.site.Render(w, r, status, "exam.html", view)
	return nil
}

// window fills in when the exam can be sat, in the zone of the candidate.
func (v *examView) window(rules bank.Rules, now time.Time, zone *time.Location) {
	if closes, ok := sitting.Closes(rules, v.Factor); ok {
		v.Closes = closes.In(zone)
		if left := closes.Sub(now); left < v.Total {
			v.Short = left.Truncate(time.Minute)
		}
	}
	switch {
	case rules.OpensAt != nil && now.Before(*rules.OpensAt):
		v.Closed = "This exam opens " + webkit.Exact(rules.OpensAt.In(zone)) + "."
	case rules.LastStartAt != nil && now.After(*rules.LastStartAt), rules.ClosesAt != nil && !now.Before(*rules.ClosesAt):
		v.Closed = "This exam can no longer be started."
	case len(v.Modes) == 0:
		v.Closed = "You have taken it as often as it can be taken."
	}
}

// start begins a session and shows its first question.
func (h *examPages) start(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	form := webkit.ReadForm(r).Label("question_count", "Number of questions")
	request := sitting.Request{
		ProjectID: r.PathValue("id"), Mode: form.Choice("mode", sitting.Exam, sitting.Test), Difficulty: question.Difficulty(form.Value("difficulty")),
		NoLimit: form.Flag("no_limit"), Questions: form.Values["question"],
	}
	if request.Difficulty == "" {
		request.Difficulty = question.Medium
	}
	if count, err := strconv.Atoi(form.Value("question_count")); err == nil {
		request.Count = count
	}
	if len(request.Questions) > 0 {
		request.Count = len(request.Questions)
	}
	var state sitting.State
	var err error
	if form.Valid() {
		state, err = h.sitting.Start(r.Context(), me, request)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
	}
	if !form.Valid() {
		return h.showExam(w, r, me, http.StatusUnprocessableEntity, form)
	}
	setWriter(h.site, w, state)
	if _, _, err := h.sitting.Present(r.Context(), me, state.ID, state.Writer, 1); err != nil {
		return err
	}
	h.site.Redirect(w, r, sitPath(state.ID, 1))
	return nil
}
