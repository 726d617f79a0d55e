package answers_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/refusal"
)

func TestAnswersThatAreNone(t *testing.T) {
	w := askahumantest.Open(t)
	text, choice, p := w.Ask(t, "agent", 5), w.AskChoice(t, "agent", 5, "this", "that"), w.Person(t, 1)
	tests := []struct {
		name       string
		answer     answers.Answer
		field      string
		constraint string
	}{
		{"no words", answers.Answer{QuestionID: text.QuestionID}, "answer", "required"},
		{"only space", answers.Answer{QuestionID: text.QuestionID, Text: " \n\t "}, "answer", "required"},
		{"too many words", askahumantest.Text(text.QuestionID, 5001), "answer", "length"},
		{"no text", answers.Answer{QuestionID: text.QuestionID, Text: "a\x00b"}, "answer", "format"},
		{"a choice for a text", askahumantest.Choice(text.QuestionID, 0), "selected_option", "type"},
		{"a text for a choice", askahumantest.Text(choice.QuestionID, 20), "answer", "type"},
		{"no choice", answers.Answer{QuestionID: choice.QuestionID}, "selected_option", "required"},
		{"below the options", askahumantest.Choice(choice.QuestionID, -1), "selected_option", "range"},
		{"beyond the options", askahumantest.Choice(choice.QuestionID, 2), "selected_option", "range"},
		{"both", answers.Answer{QuestionID: choice.QuestionID, Text: "this", Option: new(0)}, "answer", "type"},
		{"confidence 0", answers.Answer{QuestionID: text.QuestionID, Text: "this", Confidence: new(0)}, "confidence", "range"},
		{"confidence 6", answers.Answer{QuestionID: text.QuestionID, Text: "this", Confidence: new(6)}, "confidence", "range"},
		{"before it was seen", answers.Answer{QuestionID: text.QuestionID, Text: "this", Took: new(-time.Second)}, "response_time_ms", "range"},
		{"from nowhere", answers.Answer{QuestionID: text.QuestionID, Text: "this", Source: "mail"}, "source", "allowed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := w.Answers.Answer(t.Context(), p, test.answer)
			var refused *refusal.Error
			if !errors.As(err, &refused) || refused.Kind != refusal.Invalid || len(refused.Fields) != 1 {
				t.Fatalf("the error is %v", err)
			}
			if field := refused.Fields[0]; field.Name != test.field || field.Constraint != test.constraint {
				t.Errorf("it is about %s: %s, want %s: %s", field.Name, field.Constraint, test.field, test.constraint)
			}
		})
	}
	for _, length := range []int{1, 5000} {
		askahumantest.Reward(t, w, w.Person(t, length), askahumantest.Text(text.QuestionID, length))
	}
}

func TestQuestionsThatAreNotThere(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	for _, id := range []string{"", "nothing", "a#b", access.NewULID(askahumantest.Start)} {
		askahumantest.Refused(t, w, p, askahumantest.Text(id, 20), askahuman.ErrNoQuestion)
		if _, err := w.Answers.Card(t.Context(), p, id); !errors.Is(err, askahuman.ErrNoQuestion) {
			t.Errorf("the card of %q: %v", id, err)
		}
	}
	askahumantest.Refused(t, w, askahuman.Person{}, askahumantest.Text(w.Ask(t, "agent", 1).QuestionID, 20), askahuman.ErrUnauthorized)
}

func TestSuspiciousAnswersAreTakenAndFlagged(t *testing.T) {
	second := func(n float64) *time.Duration { return new(time.Duration(n * float64(time.Second))) }
	tests := []struct {
		name string
		text string // "" for a choice
		took *time.Duration
		want askahumandb.ResponseFlagReason // "" for none
	}{
		{"a text in 3 s", "This came quickly to my mind", second(3), "suspicious_timing"},
		{"a text in 4.999 s", "This came quickly to my mind", second(4.999), "suspicious_timing"},
		{"a text in 5 s", "This came quickly to my mind", second(5), ""},
		{"a text of unknown time", "This came quickly to my mind", nil, ""},
		{"a choice in 1.999 s", "", second(1.999), "suspicious_timing"},
		{"a choice in 2 s", "", second(2), ""},
		{"a choice of unknown time", "", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := askahumantest.Open(t)
			p := w.Person(t, 1)
			a := answers.Answer{Text: test.text, Took: test.took}
			if test.text == "" {
				a.QuestionID, a.Option = w.AskChoice(t, "agent", 5, "this", "that").QuestionID, new(1)
			} else {
				a.QuestionID = w.Ask(t, "agent", 5).QuestionID
			}
			askahumantest.Reward(t, w, p, a)
			wantFlag(t, askahumantest.StoredResponse(t, w, p, a.QuestionID), test.want)
			if got := askahumantest.Question(t, w, a.QuestionID); got.CurrentResponses != 1 {
				t.Errorf("it counts %d times", got.CurrentResponses)
			}
			flagged, err := w.DB.ListFlagged().Slice(t.Context())
			if err != nil || (len(flagged) == 1) != (test.want != "") {
				t.Errorf("%d are in the queue, %v", len(flagged), err)
			}
		})
	}
}

func wantFlag(t *testing.T, r askahumandb.Response, want askahumandb.ResponseFlagReason) {
	t.Helper()
	if want == "" {
		if r.FlagState != "clean" || r.FlagReason != nil || r.FlaggedAt != nil {
			t.Errorf("it is %s", r.FlagState)
		}
		return
	}
	if r.FlagState != "flagged" || r.FlagReason == nil || *r.FlagReason != want || r.FlaggedAt == nil {
		t.Errorf("it is %s because of %v, want %s", r.FlagState, r.FlagReason, want)
	}
}

func TestTheSameWordsAgainAreFlagged(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	words := func(text string) askahumandb.Response {
		q := w.Ask(t, "agent", 5)
		w.Clock.Advance(time.Minute)
		askahumantest.Reward(t, w, p, answers.Answer{QuestionID: q.QuestionID, Text: text, Took: new(time.Minute)})
		return askahumantest.StoredResponse(t, w, p, q.QuestionID)
	}
	wantFlag(t, words("I like the first one more"), "")
	wantFlag(t, words("I like the second one more"), "")
	wantFlag(t, words("  i LIKE the\nfirst one  more"), "duplicate_content")
	other := w.Person(t, 2)
	q := w.Ask(t, "agent", 5)
	askahumantest.Reward(t, w, other, answers.Answer{QuestionID: q.QuestionID, Text: "I like the first one more"})
	wantFlag(t, askahumantest.StoredResponse(t, w, other, q.QuestionID), "")
}

func TestAlwaysTheLeastIsFlagged(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	for i := range askahuman.MinimalRun + 1 {
		q := w.Ask(t, "agent", 5)
		w.Clock.Advance(time.Minute)
		askahumantest.Reward(t, w, p, answers.Answer{QuestionID: q.QuestionID, Text: strings.Repeat(string(rune('a'+i)), askahuman.MinimalText)})
		want := askahumandb.ResponseFlagReason("")
		if i >= askahuman.MinimalRun-1 {
			want = "pattern_match"
		}
		wantFlag(t, askahumantest.StoredResponse(t, w, p, q.QuestionID), want)
	}
	q := w.Ask(t, "agent", 5)
	w.Clock.Advance(time.Minute)
	askahumantest.Say(t, w, p, q.QuestionID)
	wantFlag(t, askahumantest.StoredResponse(t, w, p, q.QuestionID), "")
}

func TestTheSixthAnswerWithinAMinuteWaits(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	for range 5 {
		askahumantest.Say(t, w, p, w.Ask(t, "agent", 5).QuestionID)
		w.Clock.Advance(5 * time.Second)
	}
	q := w.Ask(t, "agent", 5)
	_, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(q.QuestionID, 20))
	var refused *refusal.Error
	if !errors.As(err, &refused) || refused.Kind != refusal.TooMany || refused.Limit == nil {
		t.Fatalf("the sixth: %v", err)
	}
	if refused.Wait != 35*time.Second || refused.Limit.Most != 5 {
		t.Errorf("the refusal is %+v", refused)
	}
	askahumantest.Say(t, w, w.Person(t, 2), q.QuestionID) // others do not wait
	w.Clock.Advance(refused.Wait)
	askahumantest.Say(t, w, p, q.QuestionID)
}

func TestBannedPeople(t *testing.T) {
	w := askahumantest.Open(t)
	banned := askahumantest.Standing(t, w, "banned")
	q := w.Ask(t, "agent", 5)
	askahumantest.Refused(t, w, banned, askahumantest.Text(q.QuestionID, 20), askahuman.ErrBanned)
	if got := askahumantest.Question(t, w, q.QuestionID); got.CurrentResponses != 0 || got.Status != "OPEN" {
		t.Errorf("%s with %d answers", got.Status, got.CurrentResponses)
	}
}

func TestShadowBannedPeopleNoticeNothing(t *testing.T) {
	w := askahumantest.Open(t)
	p, q := askahumantest.Standing(t, w, "shadow_banned"), w.Ask(t, "agent", 1)
	w.Clock.Advance(time.Minute)
	got := askahumantest.Say(t, w, p, q.QuestionID)
	if got.Points != 15 || got.TotalAnswers != 2 {
		t.Errorf("they earned %d points with answer %d", got.Points, got.TotalAnswers)
	}
	askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrAlreadyAnswered)
	if cards := feed(t, w, p, answers.FeedQuery{}).Cards; len(cards) != 0 {
		t.Errorf("their feed shows %d", len(cards))
	}
	now := askahumantest.Question(t, w, q.QuestionID)
	if now.Status != "OPEN" || now.CurrentResponses != 0 || askahumantest.CountedRows(t, w, q.QuestionID) != 0 {
		t.Errorf("it counted: %s with %d", now.Status, now.CurrentResponses)
	}
	results, err := w.Questions.Results(t.Context(), now)
	if err != nil || len(results.Answers) != 0 {
		t.Errorf("the agent sees %d answers, %v", len(results.Answers), err)
	}
	askahumantest.Say(t, w, w.Person(t, 7), q.QuestionID)
	askahumantest.Refused(t, w, askahumantest.Standing(t, w, "shadow_banned"), askahumantest.Text(q.QuestionID, 20), askahuman.ErrClosed)
}

func TestHiddenQuestionsAreNotThere(t *testing.T) {
	w := askahumantest.Open(t)
	q, p := w.Ask(t, "agent", 5), w.Person(t, 1)
	report := askahumandb.QuestionReport{QuestionID: q.QuestionID, FingerprintHash: p.Hash, Reason: "rude", ReportedAt: w.Clock.Now(), TTL: w.Clock.Now().Add(time.Hour)}
	if _, err := w.DB.ReportQuestion(t.Context(), report); err != nil {
		t.Fatal(err)
	}
	if _, err := w.DB.HideQuestion(t.Context(), q.Key()); err != nil {
		t.Fatal(err)
	}
	askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrNoQuestion)
	if cards := feed(t, w, p, answers.FeedQuery{}).Cards; len(cards) != 0 {
		t.Errorf("the feed shows %d", len(cards))
	}
}
