package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/callbacks"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// questionTab finds, hides, closes and reopens questions.
type questionTab struct {
	agents    *agentTab
	hub       *live.Hub
	operators *operators.Service
	questions *questions.Service
	site      *webkit.Site
}

// searchView holds the data of operator-questions.html.
type searchView struct {
	operator.Bar
	Asked, Agent, Status string // what the operator looks for
	Statuses             []webkit.Option
	Narrow               bool // the operator looks for something
	Found                []questions.Question
	Pager                webkit.Pager
	Later                bool
}

// conditions lists the questions that operators can look for.
var conditions = []webkit.Option{
	{Value: string(questions.ConditionAny), Text: "All"},
	{Value: string(questions.ConditionOpen), Text: "Open"},
	{Value: string(questions.ConditionClosed), Text: "Closed"},
	{Value: string(questions.ConditionExpired), Text: "Expired"},
	{Value: string(questions.ConditionHidden), Text: "Hidden"},
}

// findQuestions lists questions by agent, status and words, and leads to a question or an agent by
// its id.
func (t *questionTab) findQuestions(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	view := searchView{
		Bar: operator.NewBar(by, "Questions"), Asked: strings.TrimSpace(query.Get("q")), Agent: strings.TrimSpace(query.Get("agent")), Status: query.Get("status"),
		Statuses: conditions, Later: query.Get("cursor") != "",
	}
	view.Narrow = view.Asked != "" || view.Agent != "" || view.Status != ""
	if view.Asked != "" && view.Agent == "" && view.Status == "" && !view.Later {
		address, err := t.addressOf(r, view.Asked)
		if err != nil {
			return err
		}
		if address != "" {
			t.site.Redirect(w, r, address)
			return nil
		}
	}
	page, err := t.questions.Find(r.Context(), questions.Search{
		AgentID: view.Agent, Condition: questions.Condition(view.Status), Text: view.Asked, Limit: operatorRows, Cursor: query.Get("cursor"),
	})
	if refused, bad := refusal.As(err, refusal.Invalid); bad && refused.Field() == "agent_id" {
		page, err = questions.QuestionPage{}, nil // no agent has such an id
	}
	if err != nil {
		return err
	}
	query.Del("cursor")
	path := questionsPath
	if view.Narrow {
		path += "?" + query.Encode()
	}
	view.Found, view.Pager = page.Questions, pagerTo(path, page.Next, "Older questions", view.Later)
	t.site.Render(w, r, http.StatusOK, "operator-questions.html", view)
	return nil
}

// addressOf returns the page of a question or an agent of an id; "" if there is none.
func (t *questionTab) addressOf(r *http.Request, id string) (string, error) {
	_, err := t.questions.Question(r.Context(), id)
	switch {
	case err == nil:
		return questionAddress(id), nil
	case !errors.Is(err, askahuman.ErrNoQuestion):
		return "", err
	}
	agent, err := t.agents.findAgent(r, id, "")
	if err != nil || agent == nil {
		return "", err
	}
	return agentAddress(id), nil
}

// inspectorView holds the data of operator-question.html: everything of a question.
type inspectorView struct {
	operator.Bar
	Question    questions.Question
	Open        bool
	CanReopen   bool // an operator closed it
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

func (t *questionTab) inspectQuestion(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	all, err := t.operators.Inspect(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	view := inspectorView{Bar: operator.NewBar(by, "Question"), Question: all.Question, Open: isOpen(all.Question.Status), CanReopen: t.operators.CanReopen(all.Question), Steps: steps(all.Question), More: all.More}
	if err := t.addVotes(r, &view); err != nil {
		return err
	}
	view.addAnswers(all)
	view.Deliveries = deliveryViews(all.Deliveries)
	view.addReports(all)
	if agent := all.Agent; agent != nil {
		view.Agent, view.AgentBadge, view.AgentBanned = agent, agentBadge(agent.Standing), agent.Standing == questions.AgentBanned
	}
	t.site.Render(w, r, http.StatusOK, "operator-question.html", view)
	return nil
}

// addVotes adds the votes of a multiple-choice question.
func (t *questionTab) addVotes(r *http.Request, view *inspectorView) error {
	if view.Question.Type != questions.TypeMultipleChoice {
		return nil
	}
	results, err := t.questions.Results(r.Context(), view.Question)
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

// changeQuestion hides a question or closes it, or takes that back.
func (t *questionTab) changeQuestion(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	id := r.PathValue("id")
	var err error
	text := ""
	switch operators.Change(r.PostFormValue("action")) {
	case operators.Hide:
		text, err = "Hidden. Nobody sees the question any more.", t.operators.HideQuestion(r.Context(), by.Name, id)
	case operators.Show:
		text, err = "People see the question again.", t.operators.ShowQuestion(r.Context(), by.Name, id)
	case operators.Close:
		text, err = "Closed. It takes no more answers.", t.operators.CloseByOperator(r.Context(), by.Name, id)
	case operators.Reopen:
		text, err = "The question takes answers again.", t.operators.Reopen(r.Context(), by.Name, id)
	default:
		err = refusal.New(refusal.Invalid, "", "Choose what to do with the question.")
	}
	if err != nil {
		return err
	}
	t.hub.Tell(askahuman.FeedTopic, askahuman.QuestionTopic(id))
	return confirm(t.site, w, r, text)
}

// changeQuestions changes the questions that were chosen from a list.
func (t *questionTab) changeQuestions(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	if err := r.ParseForm(); err != nil {
		return refusal.New(refusal.Invalid, "", "The form cannot be read.")
	}
	ids := r.PostForm["question"]
	if len(ids) == 0 || len(ids) > maxChosen {
		return refusal.New(refusal.Invalid, "", "Choose up to %d questions.", maxChosen)
	}
	change := operators.Change(r.PostFormValue("action"))
	changed, err := t.operators.ChangeQuestions(r.Context(), by.Name, change, ids)
	if err != nil {
		return err
	}
	t.hub.Tell(askahuman.FeedTopic)
	return confirm(t.site, w, r, changedText(change, changed))
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
	case operators.Reopen:
		return count + "open again, as far as there is time left."
	case operators.Restore:
		return count + "as before the ban."
	}
	return count + "shown again."
}
