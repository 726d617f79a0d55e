package web

import (
	"net/http"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// agentTab finds and bans agents.
type agentTab struct {
	hub       *live.Hub
	operators *operators.Service
	questions *questions.Service
	site      *webkit.Site
}

// agentPage holds the data of operator-agents.html.
type agentPage struct {
	operator.Bar
	Asked string          // the id
	Agent *moderatedAgent // nil if there is none
	Pager webkit.Pager
	Later bool
}

// A moderatedAgent is an agent with its moderation status and a page of its questions.
type moderatedAgent struct {
	questions.Agent
	Standing  webkit.Badge
	Questions []questions.Question
	next      string
}

// Banned reports whether the agent is banned.
func (a moderatedAgent) Banned() bool { return a.Agent.Standing == questions.AgentBanned }

// operatorAgent shows an agent by its id.
func (t *agentTab) operatorAgent(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	view := agentPage{Bar: operator.NewBar(by, "Agents"), Asked: strings.TrimSpace(query.Get("agent")), Later: query.Get("cursor") != ""}
	if view.Asked != "" {
		agent, err := t.findAgent(r, view.Asked, query.Get("cursor"))
		if err != nil {
			return err
		}
		if view.Agent = agent; agent != nil {
			view.Pager = pagerTo(agentAddress(view.Asked), agent.next, "Older questions", view.Later)
		}
	}
	t.site.Render(w, r, http.StatusOK, "operator-agents.html", view)
	return nil
}

// findAgent returns an agent with its questions; nil if there is none of this id.
func (t *agentTab) findAgent(r *http.Request, id, cursor string) (*moderatedAgent, error) {
	page, err := t.questions.Questions(r.Context(), id, "", operatorRows, cursor)
	if refused, bad := refusal.As(err, refusal.Invalid); bad && refused.Field() == "agent_id" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	agent, known, err := t.questions.FindAgent(r.Context(), id)
	if err != nil || !known && len(page.Questions) == 0 {
		return nil, err
	}
	return &moderatedAgent{Agent: agent, Standing: agentBadge(agent.Standing), Questions: page.Questions, next: page.Next}, nil
}

// changeAgent bans an agent or lifts a ban, and changes its questions if the operator wants.
func (t *agentTab) changeAgent(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	agent, standing := r.PostFormValue("agent"), questions.AgentStanding(r.PostFormValue("standing"))
	if err := t.operators.SetAgentModerationStatus(r.Context(), by.Name, agent, standing); err != nil {
		return err
	}
	text := "The agent may ask again."
	if standing == questions.AgentBanned {
		text = "The agent is banned. It cannot ask any more."
	}
	if change := operators.Change(r.PostFormValue("questions")); change != "" && change != "keep" {
		changed, err := t.operators.ChangeOfAgent(r.Context(), by.Name, change, agent)
		if err != nil {
			return err
		}
		t.hub.Tell(askahuman.FeedTopic)
		text += " " + changedText(change, changed)
	}
	return confirm(t.site, w, r, text)
}
