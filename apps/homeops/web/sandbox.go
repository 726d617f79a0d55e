package web

import (
	"net/http"
	"strings"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/conversation"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// sandboxTab shows operators what a sentence means.
type sandboxTab struct {
	hasModel bool
	now      func() time.Time
	site     *webkit.Site
	talk     *conversation.Service
}

// Prices of a million tokens in US dollars, of the model that the estimate is for.
const (
	priceIn  = 0.15
	priceOut = 0.60
)

// sandboxView holds the data of operator-sandbox.html.
type sandboxView struct {
	operator.Bar
	Form     *webkit.Form
	HasModel bool
	Tried    bool
	Text     string
	Meaning  understanding.Meaning
	Rows     []meaningRow
	Mentions []meaningRow
	Verdict  policy.Verdict
	Cost     float64 // US dollars
}

// A meaningRow is one thing that a text says.
type meaningRow struct {
	What, Name, Detail string
	Confidence         float64
	Words, Rules       string
}

// Tabs returns the tabs of operators.
func (web *Web) Tabs() []operator.Tab {
	return []operator.Tab{{Name: "sandbox", Title: "Sandbox", Pages: map[string]operator.Handler{"GET ": web.sandbox.sandbox}}}
}

// sandbox shows what a sentence means, and what the bot would answer in a situation. It uses an
// invented household, so that operators see no real one, and stores nothing.
func (t *sandboxTab) sandbox(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.NewForm(r.URL.Query())
	view := sandboxView{Bar: operator.NewBar(by, "Sandbox"), Form: form, HasModel: t.hasModel, Text: strings.TrimSpace(form.Value("text"))}
	if view.Text != "" && t.talk != nil {
		home := inventedHome(understanding.Locale(form.Value("language")), t.hasModel && form.Flag("model"))
		addressed := form.Flag("addressed")
		meaning, err := t.talk.Try(r.Context(), home, invented, view.Text, addressed)
		if err != nil {
			return err
		}
		view.Tried, view.Meaning = true, meaning
		view.Rows, view.Mentions = rowsOf(view.Text, meaning), mentionsOf(view.Text, meaning)
		view.Verdict = policy.Decide(t.situation(form, home, meaning, addressed))
		view.Cost = (float64(meaning.Usage.PromptTokens)*priceIn + float64(meaning.Usage.CompletionTokens)*priceOut) / 1e6
	}
	t.site.Render(w, r, http.StatusOK, "operator-sandbox.html", view)
	return nil
}

// invented is the id of the invented speaker; Telegram gives out no negative ids to people.
const invented = -1

func inventedHome(locale understanding.Locale, model bool) households.Home {
	if !locale.Valid() {
		locale = understanding.Swedish
	}
	return households.Invented(locale, model, households.Person{ID: invented, Name: "Anna"}, households.Person{ID: invented - 1, Name: "Erik"})
}

// situation returns the situation of the form with the first thing that the text says.
func (t *sandboxTab) situation(form *webkit.Form, home households.Home, m understanding.Meaning, addressed bool) policy.Situation {
	hour, ok := form.OptionalInt("hour", 0, 23)
	if !ok {
		hour = 10
	}
	spoken, _ := form.OptionalInt("responses", 0, 99)
	others, _ := form.OptionalInt("others", 0, 99)
	day := t.now().In(home.Zone())
	now := time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, home.Zone())
	s := policy.Situation{
		SaidAt: now, Now: now, Zone: home.Zone(), Quiet: home.Quiet(), Responses: spoken, DailyCap: homeops.DefaultDailyCap, Others: others,
		Cooldown: home.Cooldown(), Addressed: addressed, Book: speech.In(home.Language()), Names: home.Names(),
	}
	if minutes, ok := form.OptionalInt("since", 0, 24*60); ok {
		s.LastSpoke = now.Add(-time.Duration(minutes) * time.Minute)
	}
	suppose(&s, home, m)
	return s
}

// suppose adds what a text says to a situation, as a conversation would that finds nothing in the
// log: a question to the bot is answered, and of several activities the least certain one decides.
func suppose(s *policy.Situation, home households.Home, m understanding.Meaning) {
	name := func(id understanding.ActivityID, name string) string {
		return speech.Activity(homeops.ActivityKey(id, name), home.Language())
	}
	answer := func(text string) {
		s.Meant, s.Direct, s.Kind, s.Text = text != "", true, policy.KindAnswer, text
	}
	switch {
	case len(m.Corrections) > 0 && s.Addressed: // of an entry that there is not
	case len(m.Requests) > 0 && s.Addressed:
		if m.Requests[0].Kind == understanding.Help {
			answer(s.Book.Help)
		}
	case len(m.Questions) > 0 && s.Addressed:
		switch q := m.Questions[0]; {
		case q.Kind != understanding.HowOften:
			answer(s.Book.LastNone(name(q.Activity, q.Name)))
		case q.Who.Role == "":
			answer(s.Book.Total(name(q.Activity, q.Name), 0))
		default:
			answer(s.Book.Count(home.NameOf(invented), name(q.Activity, q.Name), 0))
		}
	default:
		for _, a := range m.Activities {
			if !s.Meant || a.Confidence < s.Confidence && a.Confidence >= understanding.Clarify {
				s.Meant, s.Confidence, s.Activity = true, a.Confidence, name(a.Activity, a.Name)
			}
		}
	}
}

func rowsOf(text string, m understanding.Meaning) []meaningRow {
	var rows []meaningRow
	for _, a := range m.Activities {
		rows = append(rows, meaningRow{"activity", a.Name, string(a.Kind) + ", " + string(a.Effort) + ", by " + string(a.Who.Role), a.Confidence, a.Span.In(text), rulesOf(a.Reasons)})
	}
	for _, p := range m.Promises {
		rows = append(rows, meaningRow{"promise", p.Name, "until " + p.Deadline.Format("2006-01-02 15:04"), p.Confidence, p.Span.In(text), rulesOf(p.Reasons)})
	}
	for _, q := range m.Questions {
		rows = append(rows, meaningRow{"question", q.Name, string(q.Kind), q.Confidence, q.Span.In(text), rulesOf(q.Reasons)})
	}
	for _, c := range m.Corrections {
		rows = append(rows, meaningRow{"correction", c.Name, string(c.Kind), c.Confidence, c.Span.In(text), rulesOf(c.Reasons)})
	}
	for _, q := range m.Requests {
		rows = append(rows, meaningRow{"request", "", string(q.Kind), q.Confidence, q.Span.In(text), rulesOf(q.Reasons)})
	}
	for _, d := range m.Disputes {
		rows = append(rows, meaningRow{"dispute", d.Name, "", d.Confidence, d.Span.In(text), rulesOf(d.Reasons)})
	}
	return rows
}

func mentionsOf(text string, m understanding.Meaning) []meaningRow {
	var rows []meaningRow
	for _, n := range m.Mentions {
		rows = append(rows, meaningRow{What: string(n.Why), Name: string(n.Activity), Words: n.Span.In(text), Rules: rulesOf(n.Reasons)})
	}
	return rows
}

func rulesOf(reasons []understanding.Reason) string {
	names := make([]string, len(reasons))
	for i, reason := range reasons {
		names[i] = reason.Rule
	}
	return strings.Join(names, ", ")
}
