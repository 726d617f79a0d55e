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
func (web *Web) closed(w http.ResponseWriter, r *http.Request, id string) error {
	question, err := web.domain.Questions.Question(r.Context(), id)
	if err != nil {
		return err
	}
	title, text := whyOver(question)
	web.site.Problem(w, r, http.StatusGone, webkit.Problem{Title: title, Text: text + " Thank you for looking.", Actions: onward})
	return nil
}

// lateView holds the data of late.html.
type lateView struct {
	Why  string
	Said string // the unsent text; "" if there was none
}

// tooLate handles an answer that came after the end. The page returns the text to the person.
func (web *Web) tooLate(w http.ResponseWriter, r *http.Request, id string, form *webkit.Form) error {
	question, err := web.domain.Questions.Question(r.Context(), id)
	if err != nil {
		return err
	}
	view := lateView{Said: form.Value("answer")}
	if option, err := strconv.Atoi(form.Value("option")); err == nil && 0 <= option && option < len(question.Options) {
		view.Said = question.Options[option]
	}
	_, view.Why = whyOver(question)
	web.site.Render(w, r, http.StatusGone, "late.html", view)
	return nil
}

// watchEnd streams the event "over" to an open question page when the question ends, with the
// reason. After the end it is sent at once.
func (web *Web) watchEnd(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := web.domain.Questions.Question(r.Context(), id); err != nil {
		return err
	}
	leave, ok := web.hub.Enter(web.network(r))
	if !ok {
		web.site.TooMany(w, r, waitForPlace)
		return nil
	}
	defer leave()
	listener := web.hub.Listen(live.Topic("question " + id))
	defer listener.Close()
	stream, err := web.site.Stream(w, r)
	if err != nil {
		return nil // the viewer left before the first byte
	}
	defer stream.Close()
	for told := false; ; {
		if why, over := web.isOver(r, id); over && !told {
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
func (web *Web) isOver(r *http.Request, id string) (why string, over bool) {
	question, err := web.domain.Questions.Question(r.Context(), id)
	if errors.Is(err, askahuman.ErrNoQuestion) || err == nil && question.Hidden {
		return "It was taken away.", true
	}
	if err != nil || isOpen(question.Status) {
		return "", false
	}
	_, why = whyOver(question)
	return why, true
}
