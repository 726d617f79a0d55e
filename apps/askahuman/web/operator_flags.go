package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// flagTab decides flagged answers.
type flagTab struct {
	hub       *live.Hub
	operators *operators.Service
	people    *personTab
	site      *webkit.Site
}

// flagsView holds the data of operator-flags.html.
type flagsView struct {
	operator.Bar
	Flags  []flagView
	Pager  webkit.Pager
	Later  bool // not the first page
	Cursor string
	Undo   *personView // the person just banned
}

// A flagView is a flagged answer.
type flagView struct {
	Anchor, Next    string // anchors of this answer and the next
	NextPerson      string // anchor of the nearest answer of another person
	Question        questions.Question
	Gone            bool // the question is deleted
	Answer          string
	Took, Sure      string
	Source          string
	Response        answers.Response
	Reason          webkit.Badge
	Person          personRef
	Standing        webkit.Badge
	Stats           people.UserStats
	SamePerson      int    // other answers of this person on the page
	All             string // the questions of all these answers
	Banned, Shadowy bool
	Post            string
}

func (t *flagTab) operatorFlags(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	query := r.URL.Query()
	view := flagsView{Bar: operator.NewBar(by, "Flagged answers"), Cursor: query.Get("cursor"), Later: query.Get("cursor") != ""}
	flagged, next, err := t.operators.Flagged(r.Context(), operatorRows, view.Cursor)
	if err != nil {
		return err
	}
	view.Flags = flagViews(flagged)
	view.Pager = pagerTo(flagsPath, next, "Later flags", view.Later)
	if short := query.Get("undo"); short != "" {
		person, err := t.people.personOf(r, short, query.Get("of"))
		if _, unknown := refusal.As(err, refusal.NotFound); err != nil && !unknown {
			return err
		}
		if err == nil && person.Stats.Standing != people.StandingGood {
			view.Undo = &person
		}
	}
	t.site.Render(w, r, http.StatusOK, "operator-flags.html", view)
	return nil
}

// pagerTo links to the next page of a list and back to the first.
func pagerTo(path, next, label string, later bool) webkit.Pager {
	pager := webkit.Pager{Label: label}
	if next != "" {
		query := url.Values{"cursor": {next}}.Encode()
		if strings.Contains(path, "?") {
			pager.Next = path + "&" + query
		} else {
			pager.Next = path + "?" + query
		}
	}
	if later {
		pager.Previous = path
	}
	return pager
}

func flagViews(flagged []operators.Flagged) []flagView {
	byPerson := make(map[string][]string)
	for _, f := range flagged {
		hash := f.Response.FingerprintHash
		byPerson[hash] = append(byPerson[hash], f.Response.QuestionID)
	}
	views := make([]flagView, len(flagged))
	for i, f := range flagged {
		response, hash := f.Response, f.Response.FingerprintHash
		views[i] = flagView{
			Anchor: "flag-" + response.QuestionID + "-" + shortHash(hash), Question: f.Question, Gone: f.Question.QuestionID == "",
			Answer: said(response, f.Question.Options), Took: answeredIn(response.ResponseTimeMs), Sure: confidenceText(response.Confidence),
			Source: string(response.Source), Response: response, Reason: reasonBadge(response.FlagReason),
			Person: personRef{hash, response.QuestionID}, Standing: moderationBadge(f.Stats.Standing), Stats: f.Stats, SamePerson: len(byPerson[hash]) - 1, All: strings.Join(byPerson[hash], " "),
			Banned:  f.Stats.Standing == people.StandingBanned,
			Shadowy: f.Stats.Standing == people.StandingShadowBanned,
			Post:    flagsPath + "/" + url.PathEscape(response.QuestionID) + "/" + url.PathEscape(hash),
		}
	}
	for i := range len(views) - 1 {
		views[i].Next = views[i+1].Anchor
	}
	// The last answer links to the one before it, so that the operator keeps the position.
	if n := len(views); n > 1 {
		views[n-1].Next = views[n-2].Anchor
	}
	for i := range views {
		views[i].NextPerson = nextPerson(views, i)
	}
	return views
}

// nextPerson returns the anchor of the next answer by another person, or else of the last one
// before.
func nextPerson(views []flagView, at int) string {
	other := func(v flagView) bool { return v.Person.Hash != views[at].Person.Hash }
	if i := slices.IndexFunc(views[at:], other); i >= 0 {
		return views[at+i].Anchor
	}
	for _, v := range slices.Backward(views[:at]) {
		if other(v) {
			return v.Anchor
		}
	}
	return ""
}

// decideFlag applies an operator's decision about an answer. A ban rejects the answer as well.
func (t *flagTab) decideFlag(w http.ResponseWriter, r *http.Request, by staff.Operator) error {
	form := webkit.ReadForm(r)
	question, hash := r.PathValue("question"), r.PathValue("person")
	action := form.Choice("action", "approve", "reject", actRejectAll, "shadow", "ban")
	if !form.Valid() {
		return refusal.New(refusal.Invalid, "", "Choose what to do with the answer.")
	}
	back := url.Values{}
	if cursor := form.Value("cursor"); cursor != "" {
		back.Set("cursor", cursor)
	}
	text, next, err := "", form.Value("next"), error(nil)
	if action == actRejectAll {
		next = form.Value("next_person")
		text, err = t.rejectAll(r, by.Name, hash, strings.Fields(form.Value("all")))
	} else {
		text, err = t.judge(r, by.Name, action, question, hash)
	}
	if err != nil {
		return err
	}
	if action == "shadow" || action == "ban" {
		back.Set("undo", shortHash(hash))
		back.Set("of", question)
	}
	t.hub.Tell(askahuman.FeedTopic, askahuman.QuestionTopic(question))
	t.site.Flash(w, r, webkit.Good, text)
	to := url.URL{Path: flagsPath, RawQuery: back.Encode(), Fragment: next}
	t.site.Redirect(w, r, to.String())
	return nil
}

// judge applies a decision and returns a confirmation. The ban comes last, because it can be
// undone.
func (t *flagTab) judge(r *http.Request, by, action, question, hash string) (string, error) {
	ctx := r.Context()
	if action == "approve" {
		return "Approved. The answer counts.", t.operators.Approve(ctx, by, question, hash)
	}
	if err := t.operators.Reject(ctx, by, question, hash); err != nil {
		return "", err
	}
	switch action {
	case "shadow":
		return "Rejected, and person " + shortHash(hash) + " is shadow-banned.", t.operators.SetModerationStatus(ctx, by, hash, people.StandingShadowBanned)
	case "ban":
		return "Rejected, and person " + shortHash(hash) + " is banned.", t.operators.SetModerationStatus(ctx, by, hash, people.StandingBanned)
	}
	return "Rejected. The answer is out of the results.", nil
}

// actRejectAll rejects all answers of a person on the page.
const actRejectAll = "reject-all"

// rejectAll rejects a person's answers to questions. Answers decided by another operator in the
// meantime are not changed.
func (t *flagTab) rejectAll(r *http.Request, by, hash string, questions []string) (string, error) {
	if len(questions) == 0 || len(questions) > operatorRows {
		return "", refusal.New(refusal.Invalid, "", "Choose what to do with the answers.")
	}
	rejected := 0
	for _, question := range questions {
		err := t.operators.Reject(r.Context(), by, question, hash)
		if _, decided := refusal.As(err, refusal.Conflict, refusal.NotFound); decided {
			continue
		}
		if err != nil {
			return "", err
		}
		rejected++
		t.hub.Tell(askahuman.QuestionTopic(question))
	}
	if all := len(questions); rejected < all {
		return fmt.Sprintf("Rejected %d of %d answers by %s. The others were decided before.", rejected, all, shortHash(hash)), nil
	}
	return fmt.Sprintf("Rejected all %d answers by %s.", rejected, shortHash(hash)), nil
}
