package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// searchView holds the data of operator-questions.html.
type searchView struct {
	Operator  string
	Asked     string // the search text
	Agent     *askahumandb.Agent
	Standing  webkit.Badge
	Questions []askahumandb.Question
	Open      []askahuman.Card // open questions, shown without a search text
	Pager     webkit.Pager
	Later     bool
}

// findQuestions searches for a question by its id, or for an agent.
func (web *Web) findQuestions(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	view := searchView{Operator: operator, Asked: strings.TrimSpace(query.Get("q")), Later: query.Get("cursor") != ""}
	switch {
	case view.Asked == "":
		feed, err := web.service.Feed(r.Context(), askahuman.Person{}, askahuman.FeedQuery{Limit: operatorRows, Cursor: query.Get("cursor")})
		if err != nil {
			return err
		}
		view.Open, view.Pager = feed.Cards, pagerTo("/operator/questions", feed.Next, "Older questions", view.Later)
	default:
		_, err := web.service.Question(r.Context(), view.Asked)
		if err == nil {
			web.site.Redirect(w, r, "/operator/questions/"+url.PathEscape(view.Asked))
			return nil
		}
		if !errors.Is(err, askahuman.ErrNoQuestion) {
			return err
		}
		if err := web.findAgent(r, &view); err != nil {
			return err
		}
	}
	web.site.Render(w, r, http.StatusOK, "operator-questions.html", view)
	return nil
}

// findAgent adds the agent of the search text with its questions, if it exists.
func (web *Web) findAgent(r *http.Request, view *searchView) error {
	page, err := web.service.Questions(r.Context(), view.Asked, "", operatorRows, r.URL.Query().Get("cursor"))
	if refused, bad := refusal.As(err, refusal.Invalid); bad && refused.Field() == "agent_id" {
		return nil // not a valid agent id
	}
	if err != nil {
		return err
	}
	agent, err := web.service.DB().GetAgent(r.Context(), view.Asked)
	if errors.Is(err, access.ErrNotFound) {
		if len(page.Questions) == 0 {
			return nil
		}
		agent, err = askahumandb.Agent{AgentID: view.Asked}, nil
	}
	if err != nil {
		return err
	}
	view.Agent, view.Standing, view.Questions = &agent, agentBadge(agent.Standing), page.Questions
	view.Pager = pagerTo("/operator/questions?"+url.Values{"q": {view.Asked}}.Encode(), page.Next, "Older questions", view.Later)
	return nil
}

// inspectorView holds the data of operator-question.html: everything of a question.
type inspectorView struct {
	Operator    string
	Question    askahumandb.Question
	Open        bool
	Steps       []step
	Votes       *webkit.BarChart
	Answers     []answerView
	More        bool // there are more answers than shown
	Deliveries  []deliveryView
	Reports     []inspectedReport
	Agent       *askahumandb.Agent
	AgentBadge  webkit.Badge
	AgentBanned bool
}

// An answerView is an answer as operators see it.
type answerView struct {
	Response   askahumandb.Response
	Text       string
	Took, Sure string
	State      webkit.Badge
	Person     personRef
}

// A deliveryView is one webhook delivery.
type deliveryView struct {
	askahumandb.WebhookDelivery
	Result webkit.Badge
	Error  string
}

// An inspectedReport is one report of the question.
type inspectedReport struct {
	Report askahumandb.QuestionReport
	Person personRef
	State  webkit.Badge
}

func (web *Web) inspectQuestion(w http.ResponseWriter, r *http.Request, operator string) error {
	question, err := web.service.Question(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	view := inspectorView{Operator: operator, Question: question, Open: isOpen(question.Status), Steps: steps(question)}
	for _, add := range []func(*http.Request, *inspectorView) error{web.addAnswers, web.addDeliveries, web.addReports, web.addAgent} {
		if err := add(r, &view); err != nil {
			return err
		}
	}
	web.site.Render(w, r, http.StatusOK, "operator-question.html", view)
	return nil
}

// maxInspected is the maximum number of answers shown; further answers did not count.
const maxInspected = 100

// addAnswers adds all answers, including those that do not count.
func (web *Web) addAnswers(r *http.Request, view *inspectorView) error {
	question := view.Question
	responses, err := web.service.DB().ListResponses(question.QuestionID).Limit(maxInspected).Slice(r.Context())
	if err != nil {
		return err
	}
	for _, response := range responses {
		view.Answers = append(view.Answers, answerView{
			Response: response, Text: said(response, question.Options), Took: answeredIn(response.ResponseTimeMs), Sure: confidenceText(response.Confidence),
			State: flagBadge(response), Person: personRef{response.FingerprintHash, question.QuestionID},
		})
	}
	view.More = len(responses) == maxInspected
	if question.Type == askahumandb.QuestionTypeMultipleChoice {
		results, err := web.service.Results(r.Context(), question)
		if err != nil {
			return err
		}
		view.Votes = votesChart(question, results)
	}
	return nil
}

func (web *Web) addDeliveries(r *http.Request, view *inspectorView) error {
	deliveries, err := web.service.DB().ListDeliveries(view.Question.QuestionID).Slice(r.Context())
	if err != nil {
		return err
	}
	for _, delivery := range deliveries {
		row := deliveryView{WebhookDelivery: delivery, Result: webkit.Badge{Text: "No answer", Tone: webkit.Bad, Icon: "error"}}
		if status := delivery.HTTPStatus; status != nil {
			row.Result.Text = "Status " + strconv.FormatInt(*status, 10)
			if *status >= 200 && *status < 300 {
				row.Result.Tone, row.Result.Icon = webkit.Good, "check"
			}
		}
		if delivery.Error != nil {
			row.Error = *delivery.Error
		}
		view.Deliveries = append(view.Deliveries, row)
	}
	return nil
}

func (web *Web) addReports(r *http.Request, view *inspectorView) error {
	reports, err := web.service.DB().ListReports(view.Question.QuestionID).Slice(r.Context())
	if err != nil {
		return err
	}
	for _, report := range reports {
		state := webkit.Badge{Text: "To decide", Tone: webkit.Warn}
		switch report.State {
		case askahumandb.QuestionReportStateUpheld:
			state = webkit.Badge{Text: "Upheld", Tone: webkit.Bad}
		case askahumandb.QuestionReportStateDismissed:
			state = webkit.Badge{Text: "Dismissed", Tone: webkit.Good}
		}
		view.Reports = append(view.Reports, inspectedReport{report, personRef{report.FingerprintHash, report.QuestionID}, state})
	}
	return nil
}

func (web *Web) addAgent(r *http.Request, view *inspectorView) error {
	agent, err := web.service.DB().GetAgent(r.Context(), view.Question.AgentID)
	if errors.Is(err, access.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	view.Agent, view.AgentBadge = &agent, agentBadge(agent.Standing)
	view.AgentBanned = agent.Standing == askahumandb.AgentStandingBanned
	return nil
}

// changeQuestion hides a question, shows it again, or closes it.
func (web *Web) changeQuestion(w http.ResponseWriter, r *http.Request, operator string) error {
	id := r.PathValue("id")
	var err error
	text := ""
	switch r.PostFormValue("action") {
	case "hide":
		text, err = "Hidden. Nobody sees the question any more.", web.service.HideQuestion(r.Context(), operator, id)
	case "show":
		text, err = "People see the question again.", web.service.ShowQuestion(r.Context(), operator, id)
	case "close":
		text, err = "Closed. It takes no more answers.", web.service.CloseByOperator(r.Context(), operator, id)
	default:
		err = refusal.New(refusal.Invalid, "", "Choose what to do with the question.")
	}
	if err != nil {
		return err
	}
	web.hub.Tell("feed", live.Topic("question "+id))
	web.site.Flash(w, r, webkit.Good, text)
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}

// changeAgent bans an agent or lifts a ban.
func (web *Web) changeAgent(w http.ResponseWriter, r *http.Request, operator string) error {
	agent, standing := r.PostFormValue("agent"), askahumandb.AgentStanding(r.PostFormValue("standing"))
	if err := web.service.SetAgentModerationStatus(r.Context(), operator, agent, standing); err != nil {
		return err
	}
	text := "The agent may ask again."
	if standing == askahumandb.AgentStandingBanned {
		text = "The agent is banned. It cannot ask any more."
	}
	web.site.Flash(w, r, webkit.Good, text)
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}
