package web

import (
	"errors"
	"net/http"
	"strconv"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// endPages tells people that a question has ended.
type endPages struct {
	hub       *live.Hub
	questions *questions.Service
	site      *webkit.Site
	visitors  *visitors
}

func (p *endPages) pages() map[string]page {
	return map[string]page{
		"GET /live/q/{id}": p.watchEnd,
	}
}

// whyOver explains why a question accepts no more answers.
func whyOver(question questions.Question) (title, text string) {
	switch {
	case question.Status == questions.StatusExpired:
		return "This question is over", "Its time was up."
	case question.CurrentResponses < question.RequiredResponses:
		return "This question is closed", "The question was closed early." // by its agent or an operator
	}
	return "This question is closed", "It has all the answers it needed."
}

// closed shows why a question accepts no more answers.
func (p *endPages) closed(w http.ResponseWriter, r *http.Request, id string) error {
	question, err := p.questions.Question(r.Context(), id)
	if err != nil {
		return err
	}
	title, text := whyOver(question)
	p.site.Problem(w, r, http.StatusGone, webkit.Problem{Title: title, Text: text + " Thank you for looking.", Actions: onward})
	return nil
}

// lateView holds the data of late.html.
type lateView struct {
	Why  string
	Said string // the unsent text; "" if there was none
}

// tooLate handles an answer that came after the end. The page returns the text to the person.
func (p *endPages) tooLate(w http.ResponseWriter, r *http.Request, id string, form *webkit.Form) error {
	question, err := p.questions.Question(r.Context(), id)
	if err != nil {
		return err
	}
	view := lateView{Said: form.Value("answer")}
	if option, err := strconv.Atoi(form.Value("option")); err == nil && 0 <= option && option < len(question.Options) {
		view.Said = question.Options[option]
	}
	_, view.Why = whyOver(question)
	p.site.Render(w, r, http.StatusGone, "late.html", view)
	return nil
}

// watchEnd streams the event "over" to an open question page when the question ends, with the
// reason. After the end it is sent at once.
func (p *endPages) watchEnd(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := p.questions.Question(r.Context(), id); err != nil {
		return err
	}
	leave, ok := p.hub.Enter(p.visitors.network(r))
	if !ok {
		p.site.TooMany(w, r, waitForPlace)
		return nil
	}
	defer leave()
	listener := p.hub.Listen(live.Topic("question " + id))
	defer listener.Close()
	stream, err := p.site.Stream(w, r)
	if err != nil {
		return nil // the viewer left before the first byte
	}
	defer stream.Close()
	for told := false; ; {
		if why, over := p.isOver(r, id); over && !told {
			if stream.Send("over", "1", why) != nil {
				return nil
			}
			told = true
		}
		select {
		case <-stream.Done():
			return nil
		case <-listener.C():
			listener.Changed()
		}
	}
}

// isOver reports whether a question accepts no more answers, and why. Read errors are
// ignored; the next hint retries.
func (p *endPages) isOver(r *http.Request, id string) (why string, over bool) {
	question, err := p.questions.Question(r.Context(), id)
	if errors.Is(err, askahuman.ErrNoQuestion) || err == nil && question.Hidden {
		return "It was taken away.", true
	}
	if err != nil || isOpen(question.Status) {
		return "", false
	}
	_, why = whyOver(question)
	return why, true
}
