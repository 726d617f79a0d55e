package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// agentPages signs an agent in, lists its questions and protects it by a key.
type agentPages struct {
	allow     allow
	questions *questions.Service
	sessions  *agentSessions
	site      *webkit.Site
	visitors  *visitors
}

func (p *agentPages) pages() map[string]page {
	return map[string]page{
		"GET /developers/agent":      p.agent,
		"POST /developers/agent":     p.signInAgent,
		"POST /developers/agent/out": p.signOutAgent,
		"POST /developers/agent/key": p.protectAgent,
	}
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

func (p *agentPages) agent(w http.ResponseWriter, r *http.Request) error {
	agent, known, err := p.sessions.agentOf(r)
	if err != nil {
		return err
	}
	if !known || r.URL.Query().Has("another") {
		p.askWho(w, r, http.StatusOK, nil, r.URL.Query().Get("back"))
		return nil
	}
	return p.showAgent(w, r, agentView{ID: agent.AgentID})
}

// askWho shows the form that asks for the agent's id.
func (p *agentPages) askWho(w http.ResponseWriter, r *http.Request, status int, form *webkit.Form, back string) {
	p.site.Render(w, r, status, "agent.html", agentView{Form: form, Back: back})
}

func (p *agentPages) showAgent(w http.ResponseWriter, r *http.Request, view agentView) error {
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
	page, err := p.questions.Questions(r.Context(), view.ID, view.Status, 20, query.Get("cursor"))
	if _, bad := refusal.As(err, refusal.Invalid); bad {
		p.site.Redirect(w, r, "/developers/agent")
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
	p.site.Render(w, r, http.StatusOK, "agent.html", view)
	return nil
}

func (p *agentPages) signInAgent(w http.ResponseWriter, r *http.Request) error {
	form := webkit.ReadForm(r).Label("agent_id", "Agent id").Label("key", "Key")
	back := webkit.LocalPath(form.Value("back"))
	id, key := form.Line("agent_id", 0, askahuman.MaxAgentID), form.Line("key", 0, 200)
	if id == "" && key == "" {
		form.Fail("agent_id", "Say which agent you are.")
	}
	if form.Valid() {
		if _, err := p.allow(r.Context(), limitAgent, p.visitors.network(r)); err != nil {
			return err
		}
		agent, err := p.questions.Agent(r.Context(), id, key)
		refused, ok := refusal.As(err, refusal.Invalid, refusal.Unauthenticated)
		switch {
		case ok && refused.Kind == refusal.Unauthenticated:
			form.Fail("key", "This agent has a key, and this is not it.")
		case ok:
			form.Fail("agent_id", refused.Message)
		case err != nil:
			return err
		default:
			p.sessions.keepAgent(w, agent)
			if !strings.HasPrefix(back, "/developers/") {
				back = "/developers/agent"
			}
			p.site.Redirect(w, r, back)
			return nil
		}
	}
	p.askWho(w, r, http.StatusUnprocessableEntity, form, back)
	return nil
}

func (p *agentPages) signOutAgent(w http.ResponseWriter, r *http.Request) error {
	p.site.DropCookie(w, agentCookie)
	p.site.Redirect(w, r, "/developers/agent")
	return nil
}

// protectAgent creates an agent's key and shows it once.
func (p *agentPages) protectAgent(w http.ResponseWriter, r *http.Request) error {
	agent, known, err := p.sessions.agentOf(r)
	if err != nil {
		return err
	}
	if !known {
		return askahuman.ErrUnauthorized
	}
	form := webkit.ReadForm(r)
	key, err := p.questions.ProtectAgent(r.Context(), agent.AgentID, form.Line("key", 0, 200))
	if _, wrong := refusal.As(err, refusal.Unauthenticated); wrong {
		p.site.Flash(w, r, webkit.Bad, "This agent has a key. Give the one it has to get another.")
		p.site.Redirect(w, r, "/developers/agent")
		return nil
	}
	if err != nil {
		return err
	}
	if agent, err = p.questions.Agent(r.Context(), agent.AgentID, key); err != nil {
		return err
	}
	p.sessions.keepAgent(w, agent)
	w.Header().Set("Cache-Control", "no-store")
	return p.showAgent(w, r, agentView{ID: agent.AgentID, Key: key})
}
