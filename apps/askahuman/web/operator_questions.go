package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// searchView holds the data of operator-questions.html.
type searchView struct {
	Operator  string
	Asked     string // the search text
	Agent     *questions.Agent
	Standing  webkit.Badge
	Questions []questions.Question
	Open      []answers.Card // open questions, shown without a search text
	Pager     webkit.Pager
	Later     bool
}

// findQuestions searches for a question by its id, or for an agent.
func (web *Web) findQuestions(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	view := searchView{Operator: operator, Asked: strings.TrimSpace(query.Get("q")), Later: query.Get("cursor") != ""}
	switch {
	case view.Asked == "":
		feed, err := web.domain.Answers.Feed(r.Context(), askahuman.Person{}, answers.FeedQuery{Limit: operatorRows, Cursor: query.Get("cursor")})
		if err != nil {
			return err
		}
		view.Open, view.Pager = feed.Cards, pagerTo("/operator/questions", feed.Next, "Older questions", view.Later)
	default:
		_, err := web.domain.Questions.Question(r.Context(), view.Asked)
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
	page, err := web.domain.Questions.Questions(r.Context(), view.Asked, "", operatorRows, r.URL.Query().Get("cursor"))
	if refused, bad := refusal.As(err, refusal.Invalid); bad && refused.Field() == "agent_id" {
		return nil // not a valid agent id
	}
	if err != nil {
		return err
	}
	agent, known, err := web.domain.Questions.FindAgent(r.Context(), view.Asked)
	if err != nil || !known && len(page.Questions) == 0 {
		return err
	}
	view.Agent, view.Standing, view.Questions = &agent, agentBadge(agent.Standing), page.Questions
	view.Pager = pagerTo("/operator/questions?"+url.Values{"q": {view.Asked}}.Encode(), page.Next, "Older questions", view.Later)
	return nil
}

// inspectorView holds the data of operator-question.html: everything of a question.
type inspectorView struct {
	Operator    string
	Question    questions.Question
	Open        bool
	Steps       []step
	Votes       *webkit.BarChart
	Answers     []answerView
	More        bool // there are more answers than shown
	Deliveries  []deliveryView
	Reports     []inspectedReport
	Agent       *questions.Agent
	AgentBadge  webkit.Badge
	AgentBanned bool
}

// An answerView is an answer as operators see it.
type answerView struct {
	Response   answers.Response
	Text       string
	Took, Sure string
	State      webkit.Badge
	Person     personRef
}

// A deliveryView is one webhook delivery.
type deliveryView struct {
	callbacks.Delivery
	Result webkit.Badge
}

// An inspectedReport is one report of the question.
type inspectedReport struct {
	Report operators.Report
	Person personRef
	State  webkit.Badge
}

func (web *Web) inspectQuestion(w http.ResponseWriter, r *http.Request, operator string) error {
	all, err := web.domain.Operators.Inspect(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	view := inspectorView{Operator: operator, Question: all.Question, Open: isOpen(all.Question.Status), Steps: steps(all.Question), More: all.More}
	if err := web.addVotes(r, &view); err != nil {
		return err
	}
	view.addAnswers(all)
	view.Deliveries = deliveryViews(all.Deliveries)
	view.addReports(all)
	if agent := all.Agent; agent != nil {
		view.Agent, view.AgentBadge, view.AgentBanned = agent, agentBadge(agent.Standing), agent.Standing == questions.AgentBanned
	}
	web.site.Render(w, r, http.StatusOK, "operator-question.html", view)
	return nil
}

// addVotes adds the votes of a multiple-choice question.
func (web *Web) addVotes(r *http.Request, view *inspectorView) error {
	if view.Question.Type != questions.TypeMultipleChoice {
		return nil
	}
	results, err := web.domain.Questions.Results(r.Context(), view.Question)
	if err == nil {
		view.Votes = votesChart(view.Question, results)
	}
	return err
}

// addAnswers adds all answers, including those that do not count.
func (view *inspectorView) addAnswers(all operators.Inspection) {
	question := all.Question
	for _, response := range all.Answers {
		view.Answers = append(view.Answers, answerView{
			Response: response, Text: said(response, question.Options), Took: answeredIn(response.ResponseTimeMs), Sure: confidenceText(response.Confidence),
			State: flagBadge(response), Person: personRef{response.FingerprintHash, question.QuestionID},
		})
	}
}

// deliveryViews returns the attempts to deliver the end of a question, for its agent and for
// operators.
func deliveryViews(deliveries []callbacks.Delivery) []deliveryView {
	var rows []deliveryView
	for _, delivery := range deliveries {
		row := deliveryView{Delivery: delivery, Result: webkit.Badge{Text: "No answer", Tone: webkit.Bad, Icon: "error"}}
		if delivery.Status != 0 {
			row.Result.Text = "Status " + strconv.Itoa(delivery.Status)
			if delivery.Status/100 == 2 {
				row.Result.Tone, row.Result.Icon = webkit.Good, "check"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (view *inspectorView) addReports(all operators.Inspection) {
	for _, report := range all.Reports {
		state := webkit.Badge{Text: "To decide", Tone: webkit.Warn}
		switch report.State {
		case operators.ReportUpheld:
			state = webkit.Badge{Text: "Upheld", Tone: webkit.Bad}
		case operators.ReportDismissed:
			state = webkit.Badge{Text: "Dismissed", Tone: webkit.Good}
		}
		view.Reports = append(view.Reports, inspectedReport{report, personRef{report.FingerprintHash, report.QuestionID}, state})
	}
}

// changeQuestion hides a question, shows it again, or closes it.
func (web *Web) changeQuestion(w http.ResponseWriter, r *http.Request, operator string) error {
	id := r.PathValue("id")
	var err error
	text := ""
	switch operators.Change(r.PostFormValue("action")) {
	case operators.Hide:
		text, err = "Hidden. Nobody sees the question any more.", web.domain.Operators.HideQuestion(r.Context(), operator, id)
	case operators.Show:
		text, err = "People see the question again.", web.domain.Operators.ShowQuestion(r.Context(), operator, id)
	case operators.Close:
		text, err = "Closed. It takes no more answers.", web.domain.Operators.CloseByOperator(r.Context(), operator, id)
	default:
		err = refusal.New(refusal.Invalid, "", "Choose what to do with the question.")
	}
	if err != nil {
		return err
	}
	web.hub.Tell(askahuman.FeedTopic, askahuman.QuestionTopic(id))
	web.site.Flash(w, r, webkit.Good, text)
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}

// changeQuestions hides, shows or closes the questions that were chosen from a list.
func (web *Web) changeQuestions(w http.ResponseWriter, r *http.Request, operator string) error {
	if err := r.ParseForm(); err != nil {
		return refusal.New(refusal.Invalid, "", "The form cannot be read.")
	}
	ids := r.PostForm["question"]
	if len(ids) == 0 || len(ids) > maxChosen {
		return refusal.New(refusal.Invalid, "", "Choose up to %d questions.", maxChosen)
	}
	change := operators.Change(r.PostFormValue("action"))
	changed, err := web.domain.Operators.ChangeQuestions(r.Context(), operator, change, ids)
	if err != nil {
		return err
	}
	web.hub.Tell(askahuman.FeedTopic)
	web.site.Flash(w, r, webkit.Good, changedText(change, changed))
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}

// maxChosen bounds a decision about several questions.
const maxChosen = 100

// changedText tells what happened to questions.
func changedText(change operators.Change, n int) string {
	count := webkit.Number(int64(n)) + " questions are "
	if n == 1 {
		count = "1 question is "
	}
	switch change {
	case operators.Hide:
		return count + "hidden."
	case operators.Close:
		return count + "closed."
	}
	return count + "shown again."
}

// changeAgent bans an agent or lifts a ban, and changes its questions if the operator wants.
func (web *Web) changeAgent(w http.ResponseWriter, r *http.Request, operator string) error {
	agent, standing := r.PostFormValue("agent"), questions.AgentStanding(r.PostFormValue("standing"))
	if err := web.domain.Operators.SetAgentModerationStatus(r.Context(), operator, agent, standing); err != nil {
		return err
	}
	text := "The agent may ask again."
	if standing == questions.AgentBanned {
		text = "The agent is banned. It cannot ask any more."
	}
	if change := operators.Change(r.PostFormValue("questions")); change != "" && change != "keep" {
		changed, err := web.domain.Operators.ChangeOfAgent(r.Context(), operator, change, agent)
		if err != nil {
			return err
		}
		web.hub.Tell(askahuman.FeedTopic)
		text += " " + changedText(change, changed)
	}
	web.site.Flash(w, r, webkit.Good, text)
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}
