package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/serve"
	"sortkey.dev/apps/internal/webkit"
)

// questionPages shows a question and takes answers and reports.
type questionPages struct {
	addresses *addresses
	allow     allow
	answers   *answers.Service
	box       *secret.Box
	ends      *endPages
	hub       *live.Hub
	now       func() time.Time
	people    *people.Service
	rewards   *rewardPages
	site      *webkit.Site
	visitors  *visitors
	walk      *walk
}

func (p *questionPages) pages() map[string]page {
	return map[string]page{
		"GET /q/{id}":         p.question,
		"POST /q/{id}":        p.answer,
		"POST /q/{id}/report": p.report,
	}
}

// minAnswer is the minimum length of an answer on the page. The API accepts shorter ones.
const minAnswer = 10

// seenPurpose signs the time at which a question page was rendered, so that the duration of
// an answer is known without scripts and cannot be forged.
const (
	seenPurpose = "question seen"
	keepSeen    = 24 * time.Hour
)

// questionView holds the data of question.html.
type questionView struct {
	Card   answers.Card
	Form   *webkit.Form
	Report *webkit.Form // a report form with errors
	Seen   string
	From   string
	Share  string
	Icon   string // preview image of the page
	Closes string // deadline in the viewer's time zone
	Wait   int    // seconds until the rate limit allows an answer
	// New reports that the viewer has not answered yet or followed a shared link; the page
	// explains the site.
	New bool
	// Own is the viewer's answer; then there is no form.
	Own *ownView
}

// ownView is the viewer's own answer.
type ownView struct {
	Text       string
	Confidence int64
	At         time.Time
	Points     int64
	Erased     bool
}

func (p *questionPages) question(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person := p.visitors.person(r)
	card, err := p.answers.Card(r.Context(), person, id)
	if errors.Is(err, askahuman.ErrClosed) {
		return p.ends.closed(w, r, id)
	}
	if err != nil {
		return err
	}
	if card.Barred {
		return askahuman.ErrBanned
	}
	view := p.questionView(r, card)
	if !card.CanAnswer {
		own, err := p.answers.Own(r.Context(), person, id)
		if err != nil {
			return err
		}
		if own != nil {
			view.Own = ownOf(*own, card.Options)
		}
		p.site.Render(w, r, http.StatusOK, "question.html", view)
		return nil
	}
	// Viewers of the form get an identity, so that sending it twice counts as one answer.
	if _, err := p.visitors.ensurePerson(w, r); err != nil {
		return err
	}
	if view.New, err = p.isNew(r, person); err != nil {
		return err
	}
	p.site.Render(w, r, http.StatusOK, "question.html", view)
	return nil
}

// isNew reports whether the viewer may not know the site.
func (p *questionPages) isNew(r *http.Request, person askahuman.Person) (bool, error) {
	if person.Hash == "" || sourceOf(r.URL.Query().Get("from")) == answers.SourceLink {
		return true, nil
	}
	stats, err := p.people.Stats(r.Context(), person)
	return stats.TotalAnswers == 0, err
}

func (p *questionPages) questionView(r *http.Request, card answers.Card) questionView {
	now := p.now()
	return questionView{
		Card:   card,
		Seen:   p.box.Sign(seenPurpose, card.QuestionID+" "+strconv.FormatInt(now.UnixMilli(), 10), now.Add(keepSeen)),
		From:   string(sourceOf(r.URL.Query().Get("from"))),
		Share:  p.addresses.base(r) + "/q/" + card.QuestionID + "?from=link",
		Icon:   p.addresses.base(r) + "/icon-any-512.png",
		Closes: timeOfDay(card.ExpiresAt, now, p.site.Zone(r)),
	}
}

// timeOfDay formats a time of today, or of another day with its name.
func timeOfDay(at, now time.Time, zone *time.Location) string {
	at, now = at.In(zone), now.In(zone)
	layout := "15:04"
	if at.YearDay() != now.YearDay() {
		layout = "Monday 15:04"
	}
	if zone == time.UTC {
		layout += " MST"
	}
	return at.Format(layout)
}

func ownOf(response answers.Response, options []string) *ownView {
	own := &ownView{At: response.CreatedAt, Points: response.Points, Text: said(response, options)}
	if response.Confidence != nil {
		own.Confidence = *response.Confidence
	}
	own.Erased = own.Text == ""
	return own
}

// said returns an answer in words.
func said(response answers.Response, options []string) string {
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

func sourceOf(from string) answers.Source {
	if source := answers.Source(from); source.Valid() {
		return source
	}
	return answers.SourceFeed
}

func (p *questionPages) answer(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person, err := p.visitors.ensurePerson(w, r)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("answer", "Your answer").Label("option", "Your answer")
	card, err := p.answers.Card(r.Context(), person, id)
	switch {
	case errors.Is(err, askahuman.ErrClosed):
		return p.ends.tooLate(w, r, id, form)
	case err != nil:
		return err
	case card.Barred:
		return askahuman.ErrBanned
	case !card.CanAnswer:
		return p.answeredBefore(w, r, id)
	}
	answer := p.readAnswer(form, card)
	if !form.Valid() {
		p.showAgain(w, r, http.StatusUnprocessableEntity, card, form, 0)
		return nil
	}
	reward, err := p.takeAnswer(r, person, answer)
	if err != nil {
		return p.refuseAnswer(w, r, card, form, err)
	}
	p.rewards.keepReward(w, id, reward)
	p.site.Redirect(w, r, "/done")
	return nil
}

func (p *questionPages) takeAnswer(r *http.Request, person askahuman.Person, answer answers.Answer) (answers.Reward, error) {
	if _, err := p.allow(r.Context(), askahuman.LimitAnswer, person.Hash); err != nil {
		return answers.Reward{}, err
	}
	if _, err := p.allow(r.Context(), askahuman.LimitAnswerFrom, p.visitors.network(r)); err != nil {
		return answers.Reward{}, err
	}
	reward, err := p.answers.Answer(r.Context(), person, answer)
	if err == nil {
		p.hub.Tell("feed", live.Topic("question "+answer.QuestionID))
	}
	return reward, err
}

// refuseAnswer explains why an answer was not accepted. If it can be sent again, the form
// keeps the text.
func (p *questionPages) refuseAnswer(w http.ResponseWriter, r *http.Request, card answers.Card, form *webkit.Form, err error) error {
	if refused, ok := refusal.As(err, refusal.Invalid); ok {
		form.Fail(fieldOf(refused), refused.Message)
		p.showAgain(w, r, serve.Status(refused.Kind), card, form, 0)
		return nil
	}
	if refused, ok := refusal.As(err, refusal.TooMany); ok {
		wait := setRetryAfter(w, refused)
		form.Fail("", slowDown(refused, wait))
		p.showAgain(w, r, serve.Status(refused.Kind), card, form, wait)
		return nil
	}
	switch {
	case errors.Is(err, askahuman.ErrAlreadyAnswered):
		return p.answeredBefore(w, r, card.QuestionID)
	case errors.Is(err, askahuman.ErrClosed):
		return p.ends.tooLate(w, r, card.QuestionID, form)
	}
	return err
}

// slowDown explains when an answer can be sent again.
func slowDown(refused *refusal.Error, wait int) string {
	when := webkit.Duration(time.Duration(wait) * time.Second)
	switch {
	case wait == 1:
		when = "a second"
	case wait <= 90:
		when = strconv.Itoa(wait) + " seconds"
	}
	limit := ""
	if refused.Limit != nil {
		limit = refused.Limit.Name
	}
	switch limit {
	case askahuman.LimitAnswer.Name:
		return "You have answered a lot in this hour. Send this again in " + when + "."
	case askahuman.LimitAnswerFrom.Name:
		return "Very many answers come from your network in this hour, from you or from others. Send this again in " + when + "."
	}
	return "You answer very fast. Send this again in " + when + "."
}

// fieldOf returns the form field of an error; "" for the whole form.
func fieldOf(refused *refusal.Error) string {
	switch field := refused.Field(); field {
	case "selected_option":
		return "option"
	case "answer", "confidence":
		return field
	}
	return ""
}

func (p *questionPages) answeredBefore(w http.ResponseWriter, r *http.Request, id string) error {
	if r.Header.Get("X-CSRF-Token") == "" { // else the service worker sent a queued answer; it tells the person itself
		p.site.Flash(w, r, webkit.Info, "You have answered this question already. Your first answer stands.")
	}
	p.site.Redirect(w, r, "/q/"+id)
	return nil
}

// showAgain shows the form as it was filled in. After wait seconds it can be sent again.
func (p *questionPages) showAgain(w http.ResponseWriter, r *http.Request, status int, card answers.Card, form *webkit.Form, wait int) {
	view := p.questionView(r, card)
	view.Form, view.From, view.Wait = form, string(sourceOf(form.Value("from"))), wait
	if seen := form.Value("seen"); seen != "" {
		view.Seen = seen
	}
	p.site.Render(w, r, status, "question.html", view)
}

func (p *questionPages) readAnswer(form *webkit.Form, card answers.Card) answers.Answer {
	answer := answers.Answer{
		QuestionID: card.QuestionID, Source: sourceOf(form.Value("from")), Took: p.took(form.Value("seen"), card.QuestionID),
	}
	if card.Type == questions.TypeText {
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

// took returns the time since the question page was rendered; nil if unknown.
func (p *questionPages) took(seen, questionID string) *time.Duration {
	value, err := p.box.Open(seenPurpose, seen, p.now())
	if err != nil {
		return nil
	}
	id, at, _ := strings.Cut(value, " ")
	made, err := strconv.ParseInt(at, 10, 64)
	if err != nil || id != questionID {
		return nil
	}
	took := max(0, p.now().Sub(time.UnixMilli(made)))
	return &took
}

func (p *questionPages) report(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	person, err := p.visitors.ensurePerson(w, r)
	if err != nil {
		return err
	}
	card, err := p.answers.Card(r.Context(), person, id)
	if err != nil {
		return err
	}
	form := webkit.ReadForm(r).Label("reason", "What is wrong with it?")
	reason := form.Text("reason", 3, answers.MaxReason)
	status := http.StatusUnprocessableEntity
	if form.Valid() {
		err := p.takeReport(r, person, id, reason)
		refused, ok := refusal.As(err, refusal.Invalid, refusal.TooMany)
		switch {
		case ok && refused.Kind == refusal.TooMany:
			setRetryAfter(w, refused)
			status = http.StatusTooManyRequests
			form.Fail("reason", tooManyReports(refused))
		case ok:
			form.Fail("reason", refused.Message)
		case err != nil:
			return err
		default:
			p.site.Flash(w, r, webkit.Good, "Thank you. Somebody will look at this question.")
			return p.walk.goOn(w, r, append(p.walk.skipped(r), id))
		}
	}
	view := p.questionView(r, card)
	view.Report = form
	p.site.Render(w, r, status, "question.html", view)
	return nil
}

func (p *questionPages) takeReport(r *http.Request, person askahuman.Person, questionID, reason string) error {
	if _, err := p.allow(r.Context(), askahuman.LimitReport, person.Hash); err != nil {
		return err
	}
	if _, err := p.allow(r.Context(), askahuman.LimitReportFrom, p.visitors.network(r)); err != nil {
		return err
	}
	return p.answers.Report(r.Context(), person, questionID, reason)
}

// tooManyReports explains whose reports are too many.
func tooManyReports(refused *refusal.Error) string {
	from := "you"
	if refused.Limit != nil && refused.Limit.Name == askahuman.LimitReportFrom.Name {
		from = "your network"
	}
	return "Very many reports came from " + from + " in this hour. Send this again in " + webkit.Duration(refused.Wait) + "."
}
