package web

import (
	"net/http"
	"net/url"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
)

// operatorRows is the number of rows of a list for operators.
const operatorRows = 20

// Operator returns the tabs and the numbers of Ask-a-Human for the operators' pages.
func (web *Web) Operator() operator.Options {
	return operator.Options{
		Tabs:     web.tabs,
		Overview: overview(),
		Topics:   []live.Topic{askahuman.FeedTopic},
		Kinds:    jobKinds,
		Subjects: jobTargets,
		Targets:  func(event audit.Event) []operator.Target { return auditTargets(event.Action, event.Target) },
	}
}

// tabs returns what operators decide in Ask-a-Human.
func tabs(options Options) []operator.Tab {
	d, site, hub := options.Domain, options.Site, options.Hub
	people := &personTab{notices: d.Notices, operators: d.Operators, site: site}
	agents := &agentTab{hub: hub, operators: d.Operators, questions: d.Questions, site: site}
	questions := &questionTab{agents: agents, hub: hub, operators: d.Operators, questions: d.Questions, site: site}
	flags := &flagTab{hub: hub, operators: d.Operators, people: people, site: site}
	reports := &reportTab{hub: hub, operators: d.Operators, questions: d.Questions, site: site}
	return []operator.Tab{
		{
			Name: "flags", Title: "Flags", Note: "answers to review", Waiting: d.Operators.CountFlagged,
			Pages: map[string]operator.Handler{"GET ": flags.operatorFlags, "POST /{question}/{person}": flags.decideFlag},
		},
		{
			Name: "reports", Title: "Reports", Note: "questions to decide", Waiting: d.Operators.CountReports,
			Pages: map[string]operator.Handler{"GET ": reports.operatorReports, "POST /{question}/{person}": reports.decideReport},
		},
		{
			Name: "questions", Title: "Questions",
			Pages: map[string]operator.Handler{
				"GET ": questions.findQuestions, "POST ": questions.changeQuestions, "GET /{id}": questions.inspectQuestion, "POST /{id}": questions.changeQuestion,
			},
		},
		{
			Name: "people", Title: "People",
			Pages: map[string]operator.Handler{"GET ": people.findPerson, "GET /{person}": people.inspectPerson, "POST /{person}": people.changePerson},
		},
		{
			Name: "agents", Title: "Agents",
			Pages: map[string]operator.Handler{"GET ": agents.operatorAgent, "POST ": agents.changeAgent},
		},
	}
}

// overview says which numbers stand on the operators' overview.
func overview() operator.Overview {
	counter := func(metric askahuman.Metric, label string) operator.Counter {
		return operator.Counter{Name: string(metric), Label: label}
	}
	return operator.Overview{
		Figures: figures,
		Counters: []operator.Counter{
			counter(askahuman.MetricSubmitted, "Questions asked"), counter(askahuman.MetricAnswered, "Answers"),
			counter(askahuman.MetricCompleted, "Completed"), counter(askahuman.MetricExpired, "Expired"),
			counter(askahuman.MetricNotified, "People notified"), counter(askahuman.MetricFlagged, "Flagged answers"),
			counter(askahuman.MetricDuplicate, "Duplicate attempts"), counter(askahuman.MetricRateLimited, "Rate-limited"),
		},
		Charts: []operator.Chart{
			{
				Title: "Questions and answers by hour", Desc: "How much was asked, answered and completed in each of the last 24 hours.",
				Counters: []operator.Counter{
					counter(askahuman.MetricSubmitted, "Asked"), counter(askahuman.MetricAnswered, "Answered"), counter(askahuman.MetricCompleted, "Completed"),
				},
			},
			{
				Title: "What went wrong by hour", Desc: "Questions whose time was up, answers that were flagged, and what was refused.", Stacked: true,
				Counters: []operator.Counter{
					counter(askahuman.MetricExpired, "Expired"), counter(askahuman.MetricFlagged, "Flagged"),
					counter(askahuman.MetricDuplicate, "Duplicate"), counter(askahuman.MetricRateLimited, "Rate-limited"),
				},
			},
		},
		Alerts: func(report metrics.Report) []operator.Alert {
			var alerts []operator.Alert
			for _, alert := range askahuman.Judge(report).Alerts {
				alerts = append(alerts, operator.Alert{Name: capital(alert.Name), Is: alert.Is, Should: alert.Should, Severe: alert.Severe})
			}
			return alerts
		},
	}
}

// figures returns the key figures that are made of several counts.
func figures(report metrics.Report) []webkit.Stat {
	n := askahuman.Judge(report)
	completed, expired := n.Total(askahuman.MetricCompleted), n.Total(askahuman.MetricExpired)
	rate := "–"
	if ended := completed + expired; ended > 0 {
		rate = webkit.Percent(float64(completed) / float64(ended))
	}
	return []webkit.Stat{
		{Label: "Completion rate", Value: rate, Note: "of the questions that ended"},
		{Label: "Median first answer", Value: durationOrNone(n.Medians[askahuman.TimeFirstAnswer]), Note: "after the question"},
		{Label: "Median completion", Value: durationOrNone(n.Medians[askahuman.TimeCompletion]), Note: "after the question"},
	}
}

func durationOrNone(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return webkit.Duration(d)
}

// jobKinds maps kinds of jobs to their labels.
var jobKinds = map[string]string{
	askahuman.JobDispatch: "Notify people", askahuman.JobCatchUp: "Notify more people",
	askahuman.JobPush: "Notify a person", askahuman.JobWebhook: "Call a webhook",
}

// jobTargets returns the subjects of a job, with links.
func jobTargets(job jobs.Job) []operator.Target {
	about, err := jobs.Payload[askahuman.JobPayload](job)
	if err != nil {
		return []operator.Target{{Text: "unreadable arguments"}}
	}
	var targets []operator.Target
	if about.QuestionID != "" {
		targets = append(targets, operator.Target{Text: "question " + about.QuestionID, Href: questionAddress(about.QuestionID)})
	}
	if about.SubscriptionID != "" {
		targets = append(targets, operator.Target{Text: "subscription " + withoutHashes(about.SubscriptionID)})
	}
	return targets
}

// The addresses of the tabs.
const (
	flagsPath     = operator.Home + "/flags"
	reportsPath   = operator.Home + "/reports"
	questionsPath = operator.Home + "/questions"
	peoplePath    = operator.Home + "/people"
	agentsPath    = operator.Home + "/agents"
)

func questionAddress(id string) string { return questionsPath + "/" + url.PathEscape(id) }

func agentAddress(id string) string { return agentsPath + "?" + url.Values{"agent": {id}}.Encode() }

// confirm confirms a change and redirects to the page that the form was sent from.
func confirm(site *webkit.Site, w http.ResponseWriter, r *http.Request, text string) error {
	site.Flash(w, r, webkit.Good, text)
	site.Redirect(w, r, operator.Back(r))
	return nil
}
