package web

import (
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

// agentSessions remembers by a cookie which agent a developer uses.
type agentSessions struct {
	box       *secret.Box
	questions *questions.Service
	site      *webkit.Site
}

// A browser sees the questions of the agent it is signed in as or has tried, and no others.
const (
	agentCookie = "agent"
	keepAgent   = 24 * time.Hour
)

func (s *agentSessions) keepAgent(w http.ResponseWriter, agent questions.Agent) {
	s.site.SetCookie(w, agentCookie, agent.AgentID+" "+s.agentSession(agent), keepAgent)
}

// agentSession depends on the agent's key, so that a new key ends all earlier sessions.
func (s *agentSessions) agentSession(agent questions.Agent) string {
	return s.box.Hash("agent session", agent.AgentID, text(agent.KeyHash))
}

// agentOf returns the agent a browser is signed in as.
func (s *agentSessions) agentOf(r *http.Request) (agent questions.Agent, known bool, err error) {
	value, ok := s.site.Cookie(r, agentCookie)
	if !ok {
		return questions.Agent{}, false, nil
	}
	id, session, _ := strings.Cut(value, " ")
	agent, _, err = s.questions.FindAgent(r.Context(), id) // it may not have asked yet
	if err != nil || agent.Standing == questions.AgentBanned || session != s.agentSession(agent) {
		return questions.Agent{}, false, err
	}
	return agent, true, nil
}
