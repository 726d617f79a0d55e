package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// sittingPages serves running sessions.
type sittingPages struct {
	sitting *sitting.Service
	bank    *bank.Service
	results *results.Service
	site    *webkit.Site
}

func (h *sittingPages) pages() map[string]candidatePage {
	return map[string]candidatePage{
		"GET /sit/{id}":           h.resume,
		"GET /sit/{id}/{n}":       h.question,
		"POST /sit/{id}/{n}":      h.answer,
		"POST /sit/{id}/{n}/save": h.save,
		"GET /sit/{id}/hand-in":   h.handIn,
		"POST /sit/{id}/submit":   h.submit,
		"POST /sit/{id}/cancel":   h.cancel,
		"POST /sit/{id}/take":     h.take,
	}
}

// sitView holds the data of sit.html. It cannot hold a key; only Feedback of a practice question
// does, after its answer is final.
type sitView struct {
	Form     *webkit.Form
	State    sitting.State
	Title    string
	Question sitting.Question
	Asked    asked
	Sequence int64
	Flagged  bool
	Free     bool
	Practice bool
	Last     bool
	Over     bool   // the time of the question is over
	Done     bool   // the answer of a practice question is final
	Cancel   string // the question before an exam is cancelled; "" in practice
	Feedback *feedback
}

// A feedback says what is right after a practice question.
type feedback struct {
	Correct     bool
	Late        time.Duration
	Mark        int
	Right       string
	Explanation string
	Images      []question.Image // of the explanation
}

func sitPath(id string, position int) string { return "/sit/" + id + "/" + strconv.Itoa(position) }

const writerKeep = 2 * exambuddy.SessionTTL

// setWriter keeps the key with which this browser writes to a session.
func setWriter(site *webkit.Site, w http.ResponseWriter, state sitting.State) {
	site.SetCookie(w, "sit-"+state.ID, state.Writer, writerKeep)
}

func (h *sittingPages) writer(r *http.Request) string {
	key, _ := h.site.Cookie(r, "sit-"+r.PathValue("id"))
	return key
}

// resume leads to the current question of a session.
func (h *sittingPages) resume(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	state, _, err := h.sitting.Resume(r.Context(), me, r.PathValue("id"))
	if err != nil || state.Status != sitting.Started {
		return h.leave(w, r, me, err)
	}
	if state.Position == 0 && state.Navigation != bank.Free || h.writer(r) == "" {
		return h.showReady(w, r, me, http.StatusOK, state)
	}
	h.site.Redirect(w, r, sitPath(state.ID, max(1, state.Position)))
	return nil
}

// leave leads away from a session that cannot go on: to its result, or to what to do.
func (h *sittingPages) leave(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, err error) error {
	id := r.PathValue("id")
	switch {
	case err == nil, errors.Is(err, exambuddy.ErrOver):
		if _, missing := h.results.Own(r.Context(), me, id); missing == nil {
			h.site.Redirect(w, r, "/results/"+id)
			return nil
		}
		return exambuddy.ErrOver
	case errors.Is(err, exambuddy.ErrWriter):
		state, _, err := h.sitting.Resume(r.Context(), me, id)
		if err != nil {
			return err
		}
		return h.showReady(w, r, me, http.StatusConflict, state)
	case errors.Is(err, exambuddy.ErrNotCurrent):
		h.site.Redirect(w, r, "/sit/"+id)
		return nil
	}
	return err
}

// readyView holds the data of ready.html.
type readyView struct {
	State  sitting.State
	Title  string
	Other  bool   // another browser writes
	Cancel string // the question before an exam is cancelled; "" in practice
}

// showReady offers to go on with a session in this browser.
func (h *sittingPages) showReady(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, status int, state sitting.State) error {
	exam, err := h.examOf(r, state)
	if err != nil {
		return err
	}
	view := readyView{State: state, Title: exam.Title, Other: state.Position > 0 || state.Navigation == bank.Free || status == http.StatusConflict}
	if view.Cancel, err = h.cancelQuestion(r, me, state, exam); err != nil {
		return err
	}
	h.site.Render(w, r, status, "ready.html", view)
	return nil
}

// cancelQuestion returns the question before an exam is cancelled, which says what that costs; "" in
// practice, which costs nothing.
func (h *sittingPages) cancelQuestion(r *http.Request, me exambuddy.Candidate, state sitting.State, exam bank.Project) (string, error) {
	if state.Mode == sitting.Test {
		return "", nil
	}
	left, limited, err := h.sitting.LeftAfter(r.Context(), me, exam)
	if err != nil {
		return "", err
	}
	text := "Cancel this exam? There is no result, and it counts as an attempt."
	switch {
	case limited && left == 0:
		text += " You have no attempt left after it."
	case limited && left == 1:
		text += " You have 1 attempt left after it."
	case limited:
		text += " You have " + strconv.FormatInt(left, 10) + " attempts left after it."
	}
	return text, nil
}

// examOf returns the exam of a session; one without a title and rules if it was deleted.
func (h *sittingPages) examOf(r *http.Request, state sitting.State) (bank.Project, error) {
	exam, err := h.bank.ByID(r.Context(), state.ProjectID)
	if errors.Is(err, exambuddy.ErrNoProject) {
		return bank.Project{}, nil
	}
	return exam, err
}

func (h *sittingPages) question(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	view, exam, err := h.sitView(r, me)
	if err != nil {
		return h.leave(w, r, me, err)
	}
	if view.Cancel, err = h.cancelQuestion(r, me, view.State, exam); err != nil {
		return err
	}
	h.site.Render(w, r, http.StatusOK, "sit.html", view)
	return nil
}

// sitView reads the question of a page. It never moves to another question: a page that a browser
// loads ahead must not start a clock.
func (h *sittingPages) sitView(r *http.Request, me exambuddy.Candidate) (sitView, bank.Project, error) {
	id := r.PathValue("id")
	position, err := strconv.Atoi(r.PathValue("n"))
	if err != nil {
		return sitView{}, bank.Project{}, exambuddy.ErrNoQuestion
	}
	state, answers, err := h.sitting.Resume(r.Context(), me, id)
	switch {
	case err != nil:
		return sitView{}, bank.Project{}, err
	case state.Status != sitting.Started:
		return sitView{}, bank.Project{}, exambuddy.ErrOver
	case state.Navigation != bank.Free && position != state.Position:
		return sitView{}, bank.Project{}, exambuddy.ErrNotCurrent
	}
	shown, state, err := h.sitting.Present(r.Context(), me, id, h.writer(r), position)
	if err != nil {
		return sitView{}, bank.Project{}, err
	}
	exam, err := h.examOf(r, state)
	if err != nil {
		return sitView{}, bank.Project{}, err
	}
	view := sitView{
		Form: webkit.NewForm(nil), State: state, Title: exam.Title, Question: shown, Sequence: 1, Flagged: slices.Contains(state.Flagged, shown.ID),
		Free: state.Navigation == bank.Free, Practice: state.Mode == sitting.Test, Last: position == state.Questions, Over: !state.Deadline.IsZero() && state.Remaining == 0,
	}
	var given question.Answer
	for _, a := range answers {
		if a.Position == position {
			given, view.Sequence = a.Answer, a.Sequence+1
			view.Done = view.Practice
		}
	}
	view.Asked = ask(shown.Question, given, view.Done || view.Over && view.Free)
	return view, exam, nil
}

// answer stores the answer of a form and goes where its button leads. The form works without
// scripts.
func (h *sittingPages) answer(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	if r.PathValue("n") == "0" {
		return h.present(w, r, me, 1)
	}
	view, _, err := h.sitView(r, me)
	if err != nil {
		return h.leave(w, r, me, err)
	}
	form := webkit.ReadForm(r)
	given := readAnswer(view.Question.Question, form)
	do, option, _ := strings.Cut(form.Value("do"), ":")
	switch do {
	case "up":
		given.Chosen = move(given.Chosen, option, -1)
	case "down":
		given.Chosen = move(given.Chosen, option, 1)
	}
	if view.Practice {
		return h.practise(w, r, me, view, given, do)
	}
	if err := h.keep(w, r, me, view, form, given); err != nil {
		return h.leave(w, r, me, err)
	}
	return h.goOn(w, r, me, view, do, form)
}

// keep stores an answer of an exam. An empty one replaces only an earlier one.
func (h *sittingPages) keep(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, view sitView, form *webkit.Form, given question.Answer) error {
	if given.Empty() && view.Sequence == 1 || view.Over && view.Free {
		return nil
	}
	sequence := view.Sequence
	if sent, err := strconv.ParseInt(form.Value("sequence"), 10, 64); err == nil {
		sequence = max(sequence, sent)
	}
	saved, err := h.sitting.Answer(r.Context(), me, view.State.ID, h.writer(r), sitting.Input{Position: view.Question.Position, Answer: given, Sequence: sequence, Elapsed: elapsed(form)})
	if errors.Is(err, exambuddy.ErrOldAnswer) {
		return nil // a script has saved a newer one
	}
	if err == nil && saved.Late > 0 && view.Sequence == 1 && !given.Empty() {
		h.site.Flash(w, r, webkit.Warn, "Your last answer arrived "+seconds(saved.Late)+" after the limit and does not count.")
	}
	return err
}

// elapsed returns the time since the question was shown, by the clock of the device; 0 without a
// script.
func elapsed(form *webkit.Form) time.Duration {
	ms, err := strconv.ParseInt(form.Value("elapsed"), 10, 64)
	if err != nil || ms < 0 {
		return 0
	}
	return time.Duration(min(ms, exambuddy.SessionTTL.Milliseconds())) * time.Millisecond
}

// seconds returns a short time with tenths of a second.
func seconds(d time.Duration) string { return webkit.Decimal(d.Seconds(), 1) + " s" }

// goOn goes where the button of a form leads.
func (h *sittingPages) goOn(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, view sitView, do string, form *webkit.Form) error {
	position, last := view.Question.Position, view.State.Questions
	switch do {
	case "next":
		if position == last {
			h.site.Redirect(w, r, "/sit/"+view.State.ID+"/hand-in")
			return nil
		}
		return h.present(w, r, me, position+1)
	case "previous":
		if view.Free && position > 1 {
			position--
		}
	case "flag", "unflag":
		if _, err := h.sitting.Flag(r.Context(), me, view.State.ID, h.writer(r), view.Question.ID, do == "flag"); err != nil {
			return h.leave(w, r, me, err)
		}
	case "hand-in":
		h.site.Redirect(w, r, "/sit/"+view.State.ID+"/hand-in")
		return nil
	}
	h.site.Redirect(w, r, sitPath(view.State.ID, position))
	return nil
}

// present shows another question, whose clock begins.
func (h *sittingPages) present(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, position int) error {
	id := r.PathValue("id")
	if _, _, err := h.sitting.Present(r.Context(), me, id, h.writer(r), position); err != nil {
		return h.leave(w, r, me, err)
	}
	h.site.Redirect(w, r, sitPath(id, position))
	return nil
}

// practise stores the final answer of a practice question and shows what is right.
func (h *sittingPages) practise(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, view sitView, given question.Answer, do string) error {
	switch {
	case do == "next" && view.Done && view.Last:
		return h.submit(w, r, me)
	case do == "next" && view.Done:
		return h.present(w, r, me, view.Question.Position+1)
	case view.Done:
		h.site.Redirect(w, r, sitPath(view.State.ID, view.Question.Position))
		return nil
	case do == "up", do == "down":
		view.Asked = ask(view.Question.Question, given, false)
		h.site.Render(w, r, http.StatusOK, "sit.html", view)
		return nil
	case do == "skip":
		given = question.Answer{}
	case given.Empty() && !view.Over:
		view.Form.Fail("", "Answer the question first, or choose “I do not know”.")
		h.site.Render(w, r, http.StatusUnprocessableEntity, "sit.html", view)
		return nil
	}
	result, err := h.sitting.Practise(r.Context(), me, view.State.ID, h.writer(r), sitting.Input{Position: view.Question.Position, Answer: given, Sequence: view.Sequence})
	if refused, ok := refusal.As(err, refusal.Invalid); ok {
		view.Form.Fail("", refused.Message)
		view.Asked = ask(view.Question.Question, given, false)
		h.site.Render(w, r, http.StatusUnprocessableEntity, "sit.html", view)
		return nil
	}
	if err != nil {
		return h.leave(w, r, me, err)
	}
	view.Done, view.Asked = true, ask(view.Question.Question, given, true)
	view.Feedback = &feedback{
		Correct: result.Correct, Late: result.Late, Mark: result.Mark, Right: question.DescribeKey(view.Question.Question, result.Key), Explanation: result.Key.Explanation, Images: result.Key.ExplanationImages,
	}
	h.site.Render(w, r, http.StatusOK, "sit.html", view)
	return nil
}

// savedJSON is the response to a script that saves an answer.
type savedJSON struct {
	Accepted bool   `json:"accepted"`
	LateMS   int64  `json:"late_ms,omitempty"`
	Sequence int64  `json:"sequence"`
	Newer    int64  `json:"newer,omitempty"` // sequence of the answer that stays, if it is not this one
	Code     string `json:"code,omitempty"`
	Message  string `json:"message,omitempty"`
}

// save stores the answer of an exam for a script, which sends every change.
func (h *sittingPages) save(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	form := webkit.ReadForm(r)
	position, _ := strconv.Atoi(r.PathValue("n"))
	q, err := h.openQuestion(r.Context(), me, r.PathValue("id"), h.writer(r), position)
	var saved sitting.Saved
	if err == nil {
		in := sitting.Input{Position: position, Answer: readAnswer(q, form), Queued: form.Flag("queued"), Elapsed: elapsed(form)}
		in.Sequence, _ = strconv.ParseInt(form.Value("sequence"), 10, 64)
		saved, err = h.sitting.Answer(r.Context(), me, r.PathValue("id"), h.writer(r), in)
	}
	var newer int64
	if errors.Is(err, exambuddy.ErrOldAnswer) {
		newer, err = h.storedSequence(r.Context(), me, r.PathValue("id"), position)
	}
	out, status := savedJSON{Accepted: saved.Accepted, LateMS: saved.Late.Milliseconds(), Sequence: saved.Sequence, Newer: newer}, http.StatusOK
	if err != nil {
		refused, ok := refusal.As(err)
		if !ok {
			return err
		}
		out, status = savedJSON{Code: refused.Code, Message: refused.Message}, http.StatusConflict
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	return json.NewEncoder(w).Encode(out)
}

// storedSequence returns the sequence of the answer to a question that is stored; 0 if there is none.
func (h *sittingPages) storedSequence(ctx context.Context, me exambuddy.Candidate, id string, position int) (int64, error) {
	_, answers, err := h.sitting.Resume(ctx, me, id)
	for _, a := range answers {
		if a.Position == position {
			return a.Sequence, err
		}
	}
	return 0, err
}

// openQuestion returns a question of a session whose answer can be saved: the current one, or any
// one of an exam that shows its paper.
func (h *sittingPages) openQuestion(ctx context.Context, me exambuddy.Candidate, id, writer string, position int) (question.Question, error) {
	state, _, err := h.sitting.Resume(ctx, me, id)
	if err != nil {
		return question.Question{}, err
	}
	if state.Navigation == bank.Free || state.Position == position {
		shown, _, err := h.sitting.Present(ctx, me, id, writer, position)
		return shown.Question, err
	}
	paper, err := h.sitting.Paper(ctx, me, id)
	if err != nil {
		return question.Question{}, err
	}
	for _, q := range paper {
		if q.Position == position && position <= state.Position {
			return q.Question, nil
		}
	}
	return question.Question{}, exambuddy.ErrNotCurrent
}
