package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/webkit"
)

// A personView is a person with their moderation status.
type personView struct {
	Ref      personRef
	Stats    askahumandb.UserStats
	Standing webkit.Badge
}

// Good reports whether the person is in good standing.
func (p personView) Good() bool { return p.Stats.Standing == askahumandb.UserStatsStandingGood }

// Banned reports whether the person is banned.
func (p personView) Banned() bool { return p.Stats.Standing == askahumandb.UserStatsStandingBanned }

// Shadowed reports whether the person is shadow banned: their answers do not count,
// without their knowing.
func (p personView) Shadowed() bool {
	return p.Stats.Standing == askahumandb.UserStatsStandingShadowBanned
}

var errUnknownPerson = refusal.New(refusal.NotFound, "", "There is no such person here. Come from one of their answers, or give the whole hash.")

// personOf returns the person of a hash, or of a shortened hash and a question they
// answered or reported.
func (web *Web) personOf(r *http.Request, hash, question string) (personView, error) {
	if len(hash) < shortLength {
		return personView{}, errUnknownPerson
	}
	if question != "" {
		whole, err := web.wholeHash(r.Context(), hash, question)
		if err != nil {
			return personView{}, err
		}
		hash = whole
	}
	stats, err := web.service.DB().GetUserStats(r.Context(), hash)
	switch {
	case errors.Is(err, access.ErrNotFound) && question == "":
		return personView{}, errUnknownPerson
	case errors.Is(err, access.ErrNotFound): // has reported, but never answered
		stats = askahumandb.UserStats{FingerprintHash: hash, Standing: askahumandb.UserStatsStandingGood}
	case err != nil:
		return personView{}, err
	}
	return personView{Ref: personRef{hash, question}, Stats: stats, Standing: moderationBadge(stats.Standing)}, nil
}

// wholeHash completes a shortened hash among the people related to a question.
func (web *Web) wholeHash(ctx context.Context, short, question string) (string, error) {
	db := web.service.DB()
	for response, err := range db.ListResponses(question).Limit(0).All(ctx) {
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(response.FingerprintHash, short) {
			return response.FingerprintHash, nil
		}
	}
	for report, err := range db.ListReports(question).Limit(0).All(ctx) {
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(report.FingerprintHash, short) && !askahuman.FromOperator(report) {
			return report.FingerprintHash, nil
		}
	}
	return "", errUnknownPerson
}

// personPage holds the data of operator-person.html.
type personPage struct {
	Operator string
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
	askahuman.OwnAnswer
	Text, Took, Sure string
	State            webkit.Badge
}

func (web *Web) inspectPerson(w http.ResponseWriter, r *http.Request, operator string) error {
	query := r.URL.Query()
	person, err := web.personOf(r, r.PathValue("person"), query.Get("question"))
	if err != nil {
		return err
	}
	view := personPage{Operator: operator, Person: person, Later: query.Get("cursor") != ""}
	who := askahuman.Person{Hash: person.Ref.Hash}
	answers, next, err := web.service.History(r.Context(), who, operatorRows, query.Get("cursor"))
	if err != nil {
		return err
	}
	for _, answer := range answers {
		view.Answers = append(view.Answers, historyView{
			OwnAnswer: answer, Text: said(answer.Response, answer.Options), Took: answeredIn(answer.Response.ResponseTimeMs),
			Sure: confidenceText(answer.Response.Confidence), State: flagBadge(answer.Response),
		})
		switch answer.Response.FlagState {
		case askahumandb.ResponseFlagStateFlagged:
			view.Flagged++
		case askahumandb.ResponseFlagStateRejected:
			view.Rejected++
		}
	}
	subscriptions, err := web.service.Subscriptions(r.Context(), who)
	if err != nil {
		return err
	}
	view.Wakes = len(subscriptions)
	here := r.URL.Path
	if question := query.Get("question"); question != "" {
		here += "?" + url.Values{"question": {question}}.Encode()
	}
	view.Pager = pagerTo(here, next, "Older answers", view.Later)
	web.site.Render(w, r, http.StatusOK, "operator-person.html", view)
	return nil
}

// changePerson bans a person or lifts a ban.
func (web *Web) changePerson(w http.ResponseWriter, r *http.Request, operator string) error {
	hash, standing := r.PathValue("person"), askahumandb.UserStatsStanding(r.PostFormValue("standing"))
	if len(hash) != hashLength {
		return errUnknownPerson
	}
	if err := web.service.SetModerationStatus(r.Context(), operator, hash, standing); err != nil {
		return err
	}
	text := "Person " + shortHash(hash) + " is in good standing again."
	switch standing {
	case askahumandb.UserStatsStandingBanned:
		text = "Person " + shortHash(hash) + " is banned."
	case askahumandb.UserStatsStandingShadowBanned:
		text = "Person " + shortHash(hash) + " is shadow-banned: their answers do not count."
	}
	web.site.Flash(w, r, webkit.Good, text)
	web.site.Redirect(w, r, operatorBack(r))
	return nil
}
