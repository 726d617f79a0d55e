package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// minAnswer is how many characters the page asks for. Programs may send shorter ones.
const minAnswer = 10

// seenPurpose signs when a page with a question was made, so that the time an answer took is
// known without scripts and cannot be invented.
const (
	seenPurpose = "question seen"
	keepSeen    = 24 * time.Hour
)

// questionView is what question.html shows.
type questionView struct {
	Card   askahuman.Card
	Form   *webkit.Form
	Report *webkit.Form // the form of a report that was not taken
	Seen   string
	From   string
	Share  string
	Soon   time.Duration // when the time left becomes a warning
	// Own is what this person answered; then there is no form.
	Own *ownView
}

// ownView is one's own answer.
type ownView struct {
	Text       string
	Confidence int64
	At         time.Time
	Points     int64
	Erased     bool
}

func (web *Web) question(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person := web.person(r)
	card, err := web.service.Card(r.Context(), person, id)
	if errors.Is(err, askahuman.ErrClosed) {
		return web.closed(w, r, id)
	}
	if err != nil {
		return err
	}
	view := web.questionView(r, card)
	if !card.CanAnswer {
		own, err := web.ownAnswer(r, person, id)
		if err != nil {
			return err
		}
		if own != nil {
			view.Own = ownOf(*own, card.Options)
		}
		web.site.Render(w, r, http.StatusOK, "question.html", view)
		return nil
	}
	// Whoever sees the form gets an identity, so that sending it twice is answering once.
	if _, err := web.somebody(w, r); err != nil {
		if _, limited := isRefusal(err, askahuman.CodeRateLimited); !limited {
			return err
		}
	}
	web.site.Render(w, r, http.StatusOK, "question.html", view)
	return nil
}

func (web *Web) questionView(r *http.Request, card askahuman.Card) questionView {
	now := web.service.Now()
	return questionView{
		Card:  card,
		Soon:  2 * time.Minute,
		Seen:  web.box.Sign(seenPurpose, card.QuestionID+" "+strconv.FormatInt(now.UnixMilli(), 10), now.Add(keepSeen)),
		From:  string(sourceOf(r.URL.Query().Get("from"))),
		Share: web.absolute("/q/" + card.QuestionID + "?from=link"),
	}
}

// absolute is the address of a path for people elsewhere.
func (web *Web) absolute(path string) string { return web.options.PublicURL + path }

func ownOf(response askahumandb.Response, options []string) *ownView {
	own := &ownView{At: response.CreatedAt, Points: response.Points, Text: said(response, options)}
	if response.Confidence != nil {
		own.Confidence = *response.Confidence
	}
	own.Erased = own.Text == ""
	return own
}

// said is what an answer says, in words.
func said(response askahumandb.Response, options []string) string {
	switch {
	case response.Answer != nil:
		return *response.Answer
	case response.SelectedOption != nil && *response.SelectedOption < int64(len(options)):
		return options[*response.SelectedOption]
	case response.SelectedOption != nil:
		return "Option " + strconv.FormatInt(*response.SelectedOption+1, 10)
	}
	return ""
}

// closed answers for a question that takes no more answers, and says why.
func (web *Web) closed(w http.ResponseWriter, r *http.Request, id string) error {
	problem := webkit.Problem{Title: "This question is closed", Text: "It has all the answers it needed. Thank you for looking.", Actions: onward}
	question, err := web.service.Question(r.Context(), id)
	switch {
	case err != nil:
		return err
	case question.Status == askahumandb.QuestionStatusExpired:
		problem.Title, problem.Text = "This question is over", "Its time was up before you came. Others are waiting for an answer."
	}
	web.site.Problem(w, r, http.StatusGone, problem)
	return nil
}

func sourceOf(from string) askahumandb.ResponseSource {
	if source := askahumandb.ResponseSource(from); source.Valid() {
		return source
	}
	return askahumandb.ResponseSourceFeed
}

func (web *Web) answer(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person, err := web.somebody(w, r)
	if err != nil {
		return err
	}
	card, err := web.service.Card(r.Context(), person, id)
	switch {
	case errors.Is(err, askahuman.ErrClosed):
		return web.closed(w, r, id)
	case err != nil:
		return err
	case !card.CanAnswer:
		return web.answeredBefore(w, r, id)
	}
	form := webkit.ReadForm(r)
	answer := web.readAnswer(form, card)
	if !form.Valid() {
		web.showAgain(w, r, http.StatusUnprocessableEntity, card, form)
		return nil
	}
	reward, err := web.takeAnswer(r, person, answer)
	if err != nil {
		return web.refuseAnswer(w, r, card, form, err)
	}
	web.keepReward(w, id, reward)
	web.site.Redirect(w, r, "/done")
	return nil
}

func (web *Web) takeAnswer(r *http.Request, person askahuman.Person, answer askahuman.Answer) (askahuman.Reward, error) {
	if _, err := web.service.Allow(r.Context(), askahuman.LimitAnswer, person.Hash); err != nil {
		return askahuman.Reward{}, err
	}
	reward, err := web.service.Answer(r.Context(), person, answer)
	if err == nil {
		web.hub.Tell("feed", live.Topic("question "+answer.QuestionID))
	}
	return reward, err
}

// refuseAnswer says why an answer was not taken. Where it can be sent again, what was
// written is not lost.
func (web *Web) refuseAnswer(w http.ResponseWriter, r *http.Request, card askahuman.Card, form *webkit.Form, err error) error {
	if refusal, ok := isRefusal(err, askahuman.CodeValidation, askahuman.CodeRateLimited); ok {
		web.setRetryAfter(w, refusal)
		form.Fail(fieldOf(refusal), refusal.Message)
		web.showAgain(w, r, refusal.Code.Status(), card, form)
		return nil
	}
	switch {
	case errors.Is(err, askahuman.ErrAlreadyAnswered):
		return web.answeredBefore(w, r, card.QuestionID)
	case errors.Is(err, askahuman.ErrClosed):
		return web.closed(w, r, card.QuestionID)
	}
	return err
}

// fieldOf is the field of the form that a refusal is about; "" for the whole form.
func fieldOf(refusal *askahuman.Error) string {
	if refusal.Field == nil {
		return ""
	}
	switch refusal.Field.Field {
	case "selected_option":
		return "option"
	case "answer", "confidence":
		return refusal.Field.Field
	}
	return ""
}

func (web *Web) answeredBefore(w http.ResponseWriter, r *http.Request, id string) error {
	web.site.Flash(w, r, webkit.Info, "You have answered this question already. Your first answer stands.")
	web.site.Redirect(w, r, "/q/"+id)
	return nil
}

// showAgain shows the form with what was filled in, as if the page had never been left.
func (web *Web) showAgain(w http.ResponseWriter, r *http.Request, status int, card askahuman.Card, form *webkit.Form) {
	view := web.questionView(r, card)
	view.Form, view.From = form, string(sourceOf(form.Value("from")))
	if seen := form.Value("seen"); seen != "" {
		view.Seen = seen
	}
	web.site.Render(w, r, status, "question.html", view)
}

func (web *Web) readAnswer(form *webkit.Form, card askahuman.Card) askahuman.Answer {
	answer := askahuman.Answer{
		QuestionID: card.QuestionID, Source: sourceOf(form.Value("from")), Took: web.took(form.Value("seen"), card.QuestionID),
	}
	if card.Type == askahumandb.QuestionTypeText {
		answer.Text = form.Text("answer", minAnswer, askahuman.MaxAnswer)
	} else if !form.Has("option") {
		form.Fail("option", "Choose one of the answers.")
	} else {
		option := form.Int("option", 0, len(card.Options)-1)
		answer.Option = &option
	}
	if sure, said := form.OptionalInt("confidence", askahuman.MinConfidence, askahuman.MaxConfidence); said {
		answer.Confidence = &sure
	}
	return answer
}

// took is the time since the page with a question was made; nil if that is not known.
func (web *Web) took(seen, questionID string) *time.Duration {
	value, err := web.box.Open(seenPurpose, seen, web.service.Now())
	if err != nil {
		return nil
	}
	id, at, _ := strings.Cut(value, " ")
	made, err := strconv.ParseInt(at, 10, 64)
	if err != nil || id != questionID {
		return nil
	}
	took := max(0, web.service.Now().Sub(time.UnixMilli(made)))
	return &took
}

func (web *Web) report(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person, err := web.somebody(w, r)
	if err != nil {
		return err
	}
	card, err := web.service.Card(r.Context(), person, id)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r)
	reason := form.Text("reason", 3, askahuman.MaxReason)
	if form.Valid() {
		if _, err := web.service.Allow(r.Context(), askahuman.LimitReport, person.Hash); err != nil {
			return err
		}
		err := web.service.Report(r.Context(), person, id, reason)
		refusal, refused := isRefusal(err, askahuman.CodeValidation)
		switch {
		case refused:
			form.Fail("reason", refusal.Message)
		case err != nil:
			return err
		default:
			web.site.Flash(w, r, webkit.Good, "Thank you. Somebody will look at this question.")
			return web.goOn(w, r, append(web.skipped(r), id))
		}
	}
	view := web.questionView(r, card)
	view.Report = form
	web.site.Render(w, r, http.StatusUnprocessableEntity, "question.html", view)
	return nil
}
