package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webkit"
)

// resultPages shows a question to the agent that asked it.
type resultPages struct {
	addresses *addresses
	callbacks *callbacks.Service
	hub       *live.Hub
	questions *questions.Service
	sessions  *agentSessions
	site      *webkit.Site
	visitors  *visitors
}

func (p *resultPages) pages() map[string]page {
	return map[string]page{
		"GET /developers/questions/{id}":        p.result,
		"POST /developers/questions/{id}/close": p.closeQuestion,
		"GET /live/questions/{id}":              p.watchQuestion,
	}
}

// resultView holds the data of result.html.
type resultView struct {
	Question questions.Question
	View     contract.Question
	Open     bool
	Steps    []step
	Votes    *webkit.BarChart
	Answers  []resultAnswer
	JSON     string
	Share    string
	// Deliveries are the attempts to deliver the end of the question; Callback reports that
	// there is an address.
	Deliveries []deliveryView
	Callback   bool
}

// resultAnswer is one answer as the agent sees it, without its author.
type resultAnswer struct {
	Text       string
	Confidence int64
}

// step is an event in the life of a question, past or future.
type step struct {
	Text string
	At   time.Time
	Done bool
}

// owned returns a question of the viewer's agent. Questions of other agents do not exist.
func (p *resultPages) owned(r *http.Request) (question questions.Question, known bool, err error) {
	agent, known, err := p.sessions.agentOf(r)
	if err != nil || !known {
		return questions.Question{}, false, err
	}
	question, err = p.questions.Question(r.Context(), r.PathValue("id"))
	if err == nil && question.AgentID != agent.AgentID {
		err = askahuman.ErrNoQuestion
	}
	return question, true, err
}

// notYours renders the page for a question of another agent, or a deleted one.
func (p *resultPages) notYours(w http.ResponseWriter, r *http.Request) error {
	agent, _, err := p.sessions.agentOf(r)
	if err != nil {
		return err
	}
	p.site.Problem(w, r, http.StatusNotFound, webkit.Problem{
		Title: "This question is not one of " + agent.AgentID + "’s",
		Text:  "Another agent may have asked it, or it is too old to be kept.",
		Actions: []webkit.Link{
			{Href: "/developers/agent?" + url.Values{"another": {"1"}, "back": {r.URL.Path}}.Encode(), Text: "Another agent"},
			{Href: "/developers/agent", Text: "Questions of " + agent.AgentID},
		},
	})
	return nil
}

func (p *resultPages) result(w http.ResponseWriter, r *http.Request) error {
	question, known, err := p.owned(r)
	if errors.Is(err, askahuman.ErrNoQuestion) {
		return p.notYours(w, r)
	}
	if err != nil {
		return err
	}
	if !known {
		p.site.Redirect(w, r, "/developers/agent?"+url.Values{"back": {r.URL.Path}}.Encode())
		return nil
	}
	results, err := p.questions.Results(r.Context(), question)
	if err != nil {
		return err
	}
	view := resultView{
		Question: question, View: questions.AgentView(question, results), Open: isOpen(question.Status),
		Steps: steps(question), Share: p.addresses.base(r) + "/q/" + question.QuestionID + "?from=link",
	}
	if view.Callback = question.CallbackURL != nil; view.Callback {
		deliveries, err := p.callbacks.Deliveries(r.Context(), question.QuestionID)
		if err != nil {
			return err
		}
		view.Deliveries = deliveryViews(deliveries)
	}
	if question.Type == questions.TypeMultipleChoice {
		view.Votes = votesChart(question, results)
	}
	for _, response := range results.Answers {
		answer := resultAnswer{Text: said(response, question.Options)}
		if response.Confidence != nil {
			answer.Confidence = *response.Confidence
		}
		view.Answers = append(view.Answers, answer)
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // the template escapes
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(view.View); err != nil {
		return err
	}
	view.JSON = strings.TrimSpace(text.String())
	p.site.Render(w, r, http.StatusOK, "result.html", view)
	return nil
}

func isOpen(status questions.Status) bool {
	return status == questions.StatusOpen || status == questions.StatusPartial
}

func votesChart(question questions.Question, results questions.Results) *webkit.BarChart {
	chart := &webkit.BarChart{Title: "Votes", Unit: "votes", Format: "percent"}
	most := 0
	for _, votes := range results.Votes {
		most = max(most, votes)
	}
	for i, option := range question.Options {
		votes := 0
		if i < len(results.Votes) {
			votes = results.Votes[i]
		}
		chart.Bars = append(chart.Bars, webkit.Bar{Label: option, Value: float64(votes), Mark: most > 0 && votes == most})
	}
	return chart
}

// steps returns the past events of a question and the next one.
func steps(question questions.Question) []step {
	list := []step{{Text: "Asked", At: question.CreatedAt, Done: true}}
	if question.LastNotifiedAt != nil {
		list = append(list, step{Text: "People notified: " + webkit.Number(question.NotifiedCount), At: *question.LastNotifiedAt, Done: true})
	}
	if question.FirstResponseAt != nil {
		list = append(list, step{Text: "First answer", At: *question.FirstResponseAt, Done: true})
	}
	switch {
	case question.Status == questions.StatusClosed && question.ClosedAt != nil:
		closed := stateBadge(question.Status, question.CurrentResponses, question.RequiredResponses).Text
		return append(list, step{Text: closed, At: *question.ClosedAt, Done: true})
	case question.Status == questions.StatusExpired:
		return append(list, step{Text: "Expired", At: question.ExpiresAt, Done: true})
	}
	return append(list, step{Text: "Ends at the latest", At: question.ExpiresAt})
}

func (p *resultPages) closeQuestion(w http.ResponseWriter, r *http.Request) error {
	question, known, err := p.owned(r)
	if err != nil {
		return err
	}
	if !known {
		return askahuman.ErrUnauthorized
	}
	if _, err := p.questions.Close(r.Context(), question.AgentID, question.QuestionID); err != nil {
		return err
	}
	p.hub.Tell("feed", live.Topic("question "+question.QuestionID))
	p.site.Flash(w, r, webkit.Good, "Closed. It takes no more answers.")
	p.site.Redirect(w, r, "/developers/questions/"+question.QuestionID)
	return nil
}

func (p *resultPages) watchQuestion(w http.ResponseWriter, r *http.Request) error {
	question, known, err := p.owned(r)
	if err != nil {
		return err
	}
	if !known {
		return askahuman.ErrUnauthorized
	}
	leave, ok := p.hub.Enter(p.visitors.network(r))
	if !ok {
		p.site.TooMany(w, r, waitForPlace)
		return nil
	}
	defer leave()
	p.site.Watch(w, r, p.hub, live.Topic("question "+question.QuestionID))
	return nil
}
