package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/serve"
	"sortkey.dev/apps/internal/webkit"
)

// developerPages explains the API and submits trial questions.
type developerPages struct {
	addresses *addresses
	allow     allow
	box       *secret.Box
	demo      bool
	fcm       bool
	hub       *live.Hub
	questions *questions.Service
	sessions  *agentSessions
	site      *webkit.Site
	visitors  *visitors
}

func (p *developerPages) pages() map[string]page {
	return map[string]page{
		"GET /developers":       p.developers,
		"GET /developers/guide": p.guide,
		"POST /developers/try":  p.tryIt,
	}
}

// developersView holds the data of developers.html.
type developersView struct {
	Form             *webkit.Form
	Examples         examples
	Audiences, Times []webkit.Option
	FCM              bool
	Demo             bool
}

// times lists the timeouts offered for a trial question, in seconds.
var times = []webkit.Option{{Value: "300", Text: "5 minutes"}, {Value: "900", Text: "15 minutes"}, {Value: "3600", Text: "An hour"}, {Value: "86400", Text: "A day"}}

func (p *developerPages) developers(w http.ResponseWriter, r *http.Request) error {
	p.showDevelopers(w, r, http.StatusOK, nil)
	return nil
}

func (p *developerPages) showDevelopers(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) {
	view := developersView{
		Form: form, Examples: examplesFor(p.addresses.programBase(r)), Times: times, FCM: p.fcm, Demo: p.demo,
	}
	for _, audience := range askahuman.Audiences {
		view.Audiences = append(view.Audiences, webkit.Option{Value: audience, Text: capital(audience)})
	}
	p.site.Render(w, r, status, "developers.html", view)
}

// tryIt submits a real question for a developer who tries the service.
func (p *developerPages) tryIt(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("prompt", "Question").Label("options", "Answers to choose from").Label("context", "What people should know").
		Label("audience", "Audience").Label("min_responses", "Answers wanted").Label("timeout_seconds", "Time")
	ask := readAsk(form)
	if !form.Valid() {
		p.showDevelopers(w, r, http.StatusUnprocessableEntity, form)
		return nil
	}
	agent, known, err := p.sessions.agentOf(r)
	if err != nil {
		return err
	}
	if !known {
		agent.AgentID = p.trialAgent(form)
	}
	ask.AgentID, ask.IdempotencyKey = agent.AgentID, form.Key()
	question, err := p.submit(r, ask)
	if refused, ok := refusal.As(err); ok && (refused.Kind == refusal.Invalid || refused.Kind == refusal.TooMany || errors.Is(err, askahuman.ErrQuota)) {
		if refused.Kind == refusal.TooMany {
			setRetryAfter(w, refused)
		}
		field := ""
		if form.Has(refused.Field()) {
			field = refused.Field()
		}
		form.Fail(field, refused.Message)
		p.showDevelopers(w, r, serve.Status(refused.Kind), form)
		return nil
	}
	if err != nil {
		return err
	}
	p.sessions.keepAgent(w, agent)
	p.site.Redirect(w, r, "/developers/questions/"+question.QuestionID)
	return nil
}

// trialAgent returns the id of a new agent, the same one if the form is sent twice. Nobody else can make a form with
// its key.
func (p *developerPages) trialAgent(form *webkit.Form) string {
	key := form.Key()
	if key == "" {
		key = secret.NewID()
	}
	return "try-it-" + p.box.Hash("trial agent", key)[:16]
}

// submit submits a question. Trial agents are free, so addresses are counted as well.
func (p *developerPages) submit(r *http.Request, ask questions.Ask) (questions.Question, error) {
	for _, subject := range []string{"try " + p.visitors.network(r), ask.AgentID} {
		if _, err := p.allow(r.Context(), askahuman.LimitAsk, subject); err != nil {
			return questions.Question{}, err
		}
	}
	submitted, err := p.questions.Submit(r.Context(), ask)
	if err == nil {
		p.hub.Tell("feed")
	}
	return submitted.Question, err
}

func readAsk(form *webkit.Form) questions.Ask {
	ask := questions.Ask{
		Prompt:  form.Text("prompt", askahuman.MinPrompt, askahuman.MaxPrompt),
		Context: form.Text("context", 0, askahuman.MaxContext),
		Type:    string(questions.TypeText),
	}
	for line := range strings.Lines(form.Text("options", 0, askahuman.MaxOptions*(askahuman.MaxOption+2))) {
		if line = strings.TrimSpace(line); line != "" {
			ask.Options = append(ask.Options, line)
		}
	}
	if len(ask.Options) > 0 {
		ask.Type = string(questions.TypeMultipleChoice)
	}
	if audience := form.OptionalChoice("audience", askahuman.Audiences...); audience != "" {
		ask.Audience = []string{audience}
	}
	required := form.Int("min_responses", askahuman.MinResponses, askahuman.MaxResponses)
	seconds := form.Int("timeout_seconds", int(askahuman.MinTimeout/time.Second), int(askahuman.MaxTimeout/time.Second))
	timeout := time.Duration(seconds) * time.Second
	ask.Required, ask.Timeout = &required, &timeout
	return ask
}
