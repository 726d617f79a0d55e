package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/serve"
	"sortkey.dev/apps/internal/webkit"
)

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

func (web *Web) developers(w http.ResponseWriter, r *http.Request) error {
	web.showDevelopers(w, r, http.StatusOK, nil)
	return nil
}

func (web *Web) showDevelopers(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form) {
	view := developersView{
		Form: form, Examples: examplesFor(web.programBase(r)), Times: times, FCM: web.options.FCM, Demo: web.options.Demo,
	}
	for _, audience := range askahuman.Audiences {
		view.Audiences = append(view.Audiences, webkit.Option{Value: audience, Text: capital(audience)})
	}
	web.site.Render(w, r, status, "developers.html", view)
}

// tryIt submits a real question for a developer who tries the service.
func (web *Web) tryIt(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("prompt", "Question").Label("options", "Answers to choose from").Label("context", "What people should know").
		Label("audience", "Audience").Label("min_responses", "Answers wanted").Label("timeout_seconds", "Time")
	ask := readAsk(form)
	if !form.Valid() {
		web.showDevelopers(w, r, http.StatusUnprocessableEntity, form)
		return nil
	}
	agent, known, err := web.agentOf(r)
	if err != nil {
		return err
	}
	if !known {
		agent.AgentID = web.trialAgent(form)
	}
	ask.AgentID, ask.IdempotencyKey = agent.AgentID, form.Key()
	question, err := web.submit(r, ask)
	if refused, ok := refusal.As(err); ok && (refused.Kind == refusal.Invalid || refused.Kind == refusal.TooMany || errors.Is(err, askahuman.ErrQuota)) {
		if refused.Kind == refusal.TooMany {
			setRetryAfter(w, refused)
		}
		field := ""
		if form.Has(refused.Field()) {
			field = refused.Field()
		}
		form.Fail(field, refused.Message)
		web.showDevelopers(w, r, serve.Status(refused.Kind), form)
		return nil
	}
	if err != nil {
		return err
	}
	web.keepAgent(w, agent)
	web.site.Redirect(w, r, "/developers/questions/"+question.QuestionID)
	return nil
}

// trialAgent returns the id of a new agent, the same one if the form is sent twice. Nobody else can make a form with
// its key.
func (web *Web) trialAgent(form *webkit.Form) string {
	key := form.Key()
	if key == "" {
		key = secret.NewID()
	}
	return "try-it-" + web.box.Hash("trial agent", key)[:16]
}

// submit submits a question. Trial agents are free, so addresses are counted as well.
func (web *Web) submit(r *http.Request, ask questions.Ask) (questions.Question, error) {
	for _, subject := range []string{"try " + web.network(r), ask.AgentID} {
		if _, err := web.domain.Allow(r.Context(), askahuman.LimitAsk, subject); err != nil {
			return questions.Question{}, err
		}
	}
	submitted, err := web.domain.Questions.Submit(r.Context(), ask)
	if err == nil {
		web.hub.Tell("feed")
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

// A browser sees the questions of the agent it is signed in as or has tried, and no others.
const (
	agentCookie = "agent"
	keepAgent   = 24 * time.Hour
)

func (web *Web) keepAgent(w http.ResponseWriter, agent questions.Agent) {
	web.site.SetCookie(w, agentCookie, agent.AgentID+" "+web.agentSession(agent), keepAgent)
}

// agentSession depends on the agent's key, so that a new key ends all earlier sessions.
func (web *Web) agentSession(agent questions.Agent) string {
	return web.box.Hash("agent session", agent.AgentID, text(agent.KeyHash))
}

// agentOf returns the agent a browser is signed in as.
func (web *Web) agentOf(r *http.Request) (agent questions.Agent, known bool, err error) {
	value, ok := web.site.Cookie(r, agentCookie)
	if !ok {
		return questions.Agent{}, false, nil
	}
	id, session, _ := strings.Cut(value, " ")
	agent, _, err = web.domain.Questions.FindAgent(r.Context(), id) // it may not have asked yet
	if err != nil || agent.Standing == questions.AgentBanned || session != web.agentSession(agent) {
		return questions.Agent{}, false, err
	}
	return agent, true, nil
}

// limitAgent is the rate limit of agent sign-ins from an address.
var limitAgent = askahuman.Limit{Name: "agent sign-in", Most: 60, Window: time.Hour}

// agentView holds the data of agent.html.
type agentView struct {
	Form      *webkit.Form
	Back      string // where to go after signing in
	ID        string // "" before
	Key       string // a new key, shown once
	Questions []questions.Question
	Tabs      webkit.Tabs
	Pager     webkit.Pager
	Status    string
	Later     bool
}

// statusTabs lists the filters of an agent's questions.
var statusTabs = []struct{ status, text string }{{"", "All questions"}, {"OPEN", "Open"}, {"PARTIAL", "Partly answered"}, {"CLOSED", "Closed"}, {"EXPIRED", "Expired"}}

func (web *Web) agent(w http.ResponseWriter, r *http.Request) error {
	agent, known, err := web.agentOf(r)
	if err != nil {
		return err
	}
	if !known || r.URL.Query().Has("another") {
		web.askWho(w, r, http.StatusOK, nil, r.URL.Query().Get("back"))
		return nil
	}
	return web.showAgent(w, r, agentView{ID: agent.AgentID})
}

// askWho shows the form that asks for the agent's id.
func (web *Web) askWho(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form, back string) {
	web.site.Render(w, r, status, "agent.html", agentView{Form: form, Back: back})
}

func (web *Web) showAgent(w http.ResponseWriter, r *http.Request, view agentView) error {
	query := r.URL.Query()
	view.Later = query.Get("cursor") != ""
	view.Tabs.Label = "Which questions"
	for _, tab := range statusTabs {
		current := tab.status == query.Get("status")
		if current {
			view.Status = tab.status
		}
		view.Tabs.Tabs = append(view.Tabs.Tabs, webkit.Tab{Href: "/developers/agent?status=" + tab.status, Text: tab.text, Current: current})
	}
	page, err := web.domain.Questions.Questions(r.Context(), view.ID, view.Status, 20, query.Get("cursor"))
	if _, bad := refusal.As(err, refusal.Invalid); bad {
		web.site.Redirect(w, r, "/developers/agent")
		return nil
	}
	if err != nil {
		return err
	}
	view.Questions = page.Questions
	if page.Next != "" {
		next := url.Values{"cursor": {page.Next}, "status": {view.Status}}
		view.Pager = webkit.Pager{More: true, Next: "/developers/agent?" + next.Encode(), Label: "Older questions"}
	}
	web.site.Render(w, r, http.StatusOK, "agent.html", view)
	return nil
}

func (web *Web) signInAgent(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("agent_id", "Agent id").Label("key", "Key")
	back := webkit.LocalPath(form.Value("back"))
	id, key := form.Line("agent_id", 0, askahuman.MaxAgentID), form.Line("key", 0, 200)
	if id == "" && key == "" {
		form.Fail("agent_id", "Say which agent you are.")
	}
	if form.Valid() {
		if _, err := web.domain.Allow(r.Context(), limitAgent, web.network(r)); err != nil {
			return err
		}
		agent, err := web.domain.Questions.Agent(r.Context(), id, key)
		refused, ok := refusal.As(err, refusal.Invalid, refusal.Unauthenticated)
		switch {
		case ok && refused.Kind == refusal.Unauthenticated:
			form.Fail("key", "This agent has a key, and this is not it.")
		case ok:
			form.Fail("agent_id", refused.Message)
		case err != nil:
			return err
		default:
			web.keepAgent(w, agent)
			if !strings.HasPrefix(back, "/developers/") {
				back = "/developers/agent"
			}
			web.site.Redirect(w, r, back)
			return nil
		}
	}
	web.askWho(w, r, http.StatusUnprocessableEntity, form, back)
	return nil
}

func (web *Web) signOutAgent(w http.ResponseWriter, r *http.Request) error {
	web.site.DropCookie(w, agentCookie)
	web.site.Redirect(w, r, "/developers/agent")
	return nil
}

// protectAgent creates an agent's key and shows it once.
func (web *Web) protectAgent(w http.ResponseWriter, r *http.Request) error {
	agent, known, err := web.agentOf(r)
	if err != nil {
		return err
	}
	if !known {
		return askahuman.ErrUnauthorized
	}
	form := webkit.ReadForm(r)
	key, err := web.domain.Questions.ProtectAgent(r.Context(), agent.AgentID, form.Line("key", 0, 200))
	if _, wrong := refusal.As(err, refusal.Unauthenticated); wrong {
		web.site.Flash(w, r, webkit.Bad, "This agent has a key. Give the one it has to get another.")
		web.site.Redirect(w, r, "/developers/agent")
		return nil
	}
	if err != nil {
		return err
	}
	if agent, err = web.domain.Questions.Agent(r.Context(), agent.AgentID, key); err != nil {
		return err
	}
	web.keepAgent(w, agent)
	w.Header().Set("Cache-Control", "no-store")
	return web.showAgent(w, r, agentView{ID: agent.AgentID, Key: key})
}
