package web

import (
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/webkit"
)

// handInView holds the data of hand-in.html.
type handInView struct {
	State    sitting.State
	Title    string
	Free     bool
	Cells    []cell
	Answered int
	Flagged  int
	Open     []int // positions without an answer
}

// A cell is a question of the overview before the hand-in.
type cell struct {
	Position int
	Answered bool
	Flagged  bool
}

// handIn shows which questions are answered, before the exam ends.
func (h *sittingPages) handIn(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	state, answers, err := h.sitting.Resume(r.Context(), me, r.PathValue("id"))
	if err != nil || state.Status != sitting.Started {
		return h.leave(w, r, me, err)
	}
	exam, err := h.examOf(r, state)
	if err != nil {
		return err
	}
	view := handInView{State: state, Title: exam.Title, Free: state.Navigation == bank.Free}
	flagged := map[int]bool{}
	if view.Free {
		paper, err := h.sitting.Paper(r.Context(), me, state.ID)
		if err != nil {
			return h.leave(w, r, me, err)
		}
		for _, q := range paper {
			flagged[q.Position] = contains(state.Flagged, q.ID)
		}
	}
	answered := map[int]bool{}
	for _, a := range answers {
		answered[a.Position] = !a.Answer.Empty()
	}
	for position := 1; position <= state.Questions; position++ {
		c := cell{Position: position, Answered: answered[position], Flagged: flagged[position]}
		view.Cells = append(view.Cells, c)
		if c.Answered {
			view.Answered++
		} else {
			view.Open = append(view.Open, position)
		}
		if c.Flagged {
			view.Flagged++
		}
	}
	h.site.Render(w, r, http.StatusOK, "hand-in.html", view)
	return nil
}

// submit ends a session and shows the result.
func (h *sittingPages) submit(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	attempt, err := h.sitting.Submit(r.Context(), me, r.PathValue("id"), h.writer(r))
	if err != nil {
		return h.leave(w, r, me, err)
	}
	h.site.DropCookie(w, "sit-"+attempt.AttemptID)
	h.site.Redirect(w, r, "/results/"+attempt.AttemptID)
	return nil
}

// cancel discards a session.
func (h *sittingPages) cancel(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	if err := h.sitting.Cancel(r.Context(), me, r.PathValue("id")); err != nil {
		return h.leave(w, r, me, err)
	}
	h.site.DropCookie(w, "sit-"+r.PathValue("id"))
	h.site.Flash(w, r, webkit.Info, "Cancelled. There is no result.")
	h.site.Redirect(w, r, "/")
	return nil
}

// take lets this browser go on with a session.
func (h *sittingPages) take(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	state, err := h.sitting.Take(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return h.leave(w, r, me, err)
	}
	setWriter(h.site, w, state)
	if state.Position == 0 && state.Navigation != bank.Free {
		if _, _, err := h.sitting.Present(r.Context(), me, state.ID, state.Writer, 1); err != nil {
			return h.leave(w, r, me, err)
		}
	}
	h.site.Redirect(w, r, sitPath(state.ID, max(1, state.Position)))
	return nil
}
