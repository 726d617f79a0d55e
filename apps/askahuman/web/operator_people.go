package web

import (
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/notices"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// personTab finds and bans people.
type personTab struct {
	notices   *notices.Service
	operators *operators.Service
	site      *webkit.Site
}

// A personView is a person with their moderation status.
type personView struct {
	Ref      personRef
	Stats    people.UserStats
	Standing webkit.Badge
}

// Good reports whether the person is in good standing.
func (p personView) Good() bool { return p.Stats.Standing == people.StandingGood }

// Banned reports whether the person is banned.
func (p personView) Banned() bool { return p.Stats.Standing == people.StandingBanned }

// Shadowed reports whether the person is shadow banned: their answers do not count,
// without their knowing.
func (p personView) Shadowed() bool {
	return p.Stats.Standing == people.StandingShadowBanned
}

// personOf returns the person of a hash, or of a shortened hash and a question they
// answered or reported.
func (t *personTab) personOf(r *http.Request, hash, question string) (personView, error) {
	stats, err := t.operators.Person(r.Context(), hash, question)
	if err != nil {
		return personView{}, err
	}
	return personView{Ref: personRef{stats.FingerprintHash, question}, Stats: stats, Standing: moderationBadge(stats.Standing)}, nil
}

// personPage holds the data of operator-person.html.
type personPage struct {
	operator.Bar
	Person   personView
	Answers  []historyView
	Flagged  int // of the answers shown
	Rejected int
	Wakes    int // active subscriptions
	Pager    webkit.Pager
	Later    bool
}

// A historyView is one answer of a person.
type historyView struct {
	answers.OwnAnswer
	Text, Took, Sure string
	State            webkit.Badge
}

// peopleView holds the data of operator-people.html.
type peopleView struct {
	operator.Bar
	Asked, Question string
	Missing         bool // there is no such person
}

// findPerson leads to a person, by the whole hash or by its beginning and a question.
func (t *personTab) findPerson(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	view := peopleView{Bar: operator.NewBar(by, "People"), Asked: strings.TrimSpace(query.Get("person")), Question: strings.TrimSpace(query.Get("question"))}
	if view.Asked != "" {
		person, err := t.personOf(r, view.Asked, view.Question)
		if err == nil {
			t.site.Redirect(w, r, person.Ref.Href())
			return nil
		}
		if _, unknown := refusal.As(err, refusal.NotFound); !unknown {
			return err
		}
		view.Missing = true
	}
	t.site.Render(w, r, http.StatusOK, "operator-people.html", view)
	return nil
}

func (t *personTab) inspectPerson(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	person, err := t.personOf(r, r.PathValue("person"), query.Get("question"))
	if err != nil {
		return err
	}
	view := personPage{Bar: operator.NewBar(by, "Person "+person.Ref.Short()), Person: person, Later: query.Get("cursor") != ""}
	who := askahuman.Person{Hash: person.Ref.Hash}
	history, next, err := t.operators.History(r.Context(), who, operatorRows, query.Get("cursor"))
	if err != nil {
		return err
	}
	for _, answer := range history {
		view.Answers = append(view.Answers, historyView{
			OwnAnswer: answer, Text: said(answer.Response, answer.Options), Took: answeredIn(answer.Response.ResponseTimeMs),
			Sure: confidenceText(answer.Response.Confidence), State: flagBadge(answer.Response),
		})
		switch answer.Response.FlagState {
		case answers.FlagStateFlagged:
			view.Flagged++
		case answers.FlagStateRejected:
			view.Rejected++
		}
	}
	subscriptions, err := t.notices.Subscriptions(r.Context(), who)
	if err != nil {
		return err
	}
	view.Wakes = len(subscriptions)
	here := r.URL.Path
	if question := query.Get("question"); question != "" {
		here += "?" + url.Values{"question": {question}}.Encode()
	}
	view.Pager = pagerTo(here, next, "Older answers", view.Later)
	t.site.Render(w, r, http.StatusOK, "operator-person.html", view)
	return nil
}

// changePerson bans a person or lifts a ban.
func (t *personTab) changePerson(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	hash, standing := r.PathValue("person"), people.Standing(r.PostFormValue("standing"))
	if len(hash) != hashLength {
		return operators.ErrUnknownPerson
	}
	if err := t.operators.SetModerationStatus(r.Context(), by.Name, hash, standing); err != nil {
		return err
	}
	text := "Person " + shortHash(hash) + " is in good standing again."
	switch standing {
	case people.StandingBanned:
		text = "Person " + shortHash(hash) + " is banned."
	case people.StandingShadowBanned:
		text = "Person " + shortHash(hash) + " is shadow-banned: their answers do not count."
	}
	return confirm(t.site, w, r, text)
}
