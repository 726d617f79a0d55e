package people_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/contract"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
)

func forget(t *testing.T, w *askahumantest.World, p askahuman.Person) {
	t.Helper()
	if err := w.People.Forget(t.Context(), p); err != nil {
		t.Fatalf("forget: %v", err)
	}
}

func TestForgettingTakesNotificationsAndReports(t *testing.T) {
	w := askahumantest.Open(t)
	p, other := w.Person(t, 1), w.Person(t, 2)
	for i := range 30 {
		w.Clock.Advance(time.Second)
		q := w.Ask(t, "agent", 3)
		for _, who := range []askahuman.Person{p, other} {
			askahumantest.RecordPush(t, w, who, q.QuestionID)
			if i > 2 {
				continue
			}
			if err := w.Answers.Report(t.Context(), who, q.QuestionID, "It is rude."); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 { // one that is decided
			if err := w.Operators.DecideReport(t.Context(), "op", q.QuestionID, p.Hash, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	forget(t, w, p)
	pushes := askahumantest.Everything(t, w.DB.ScanPushSent().All(t.Context()))
	for _, push := range pushes {
		if push.FingerprintHash == p.Hash {
			t.Errorf("it is known that the person was notified for %s", push.QuestionID)
		}
	}
	reports := askahumantest.Everything(t, w.DB.ScanQuestionReport().All(t.Context()))
	for _, report := range reports {
		if report.FingerprintHash == p.Hash {
			t.Errorf("a report that is %s is left", report.State)
		}
	}
	if len(pushes) != 30 || len(reports) != 3 {
		t.Errorf("of the other %d notifications and %d reports are left, want 30 and 3", len(pushes), len(reports))
	}
}

func TestABanOutlivesForgetting(t *testing.T) {
	for _, kind := range []askahumandb.UserStatsStanding{askahumandb.UserStatsStandingBanned, askahumandb.UserStatsStandingShadowBanned} {
		t.Run(string(kind), func(t *testing.T) {
			w := askahumantest.Open(t)
			p := askahumantest.Standing(t, w, kind)
			p.TZOffsetMin = 120
			w.Clock.Advance(time.Hour)
			for range 2 {
				forget(t, w, p)
			}
			got, err := w.DB.GetUserStats(t.Context(), p.Hash)
			if err != nil || got.Standing != kind {
				t.Fatalf("the standing is %q, %v", got.Standing, err)
			}
			if got.TotalPoints != 0 || got.TotalAnswers != 0 || len(got.Badges) != 0 || len(got.RecentAnswers) != 0 || len(got.AnswersByCategory) != 0 ||
				got.StreakLastDate != nil || got.TzOffsetMin != 0 || !got.CreatedAt.Equal(w.Clock.Now()) {
				t.Errorf("left: %+v", got)
			}
			q := w.Ask(t, "agent", 2)
			if kind == askahumandb.UserStatsStandingBanned {
				askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrBanned)
				return
			}
			askahumantest.Say(t, w, p, q.QuestionID)
			if n := askahumantest.Question(t, w, q.QuestionID).CurrentResponses; n != 0 {
				t.Errorf("%d answers count", n)
			}
		})
	}
}

// TestForgettingIsWholeOrNotYet lets a person answer and be forgotten at once. Every answer is
// before or after: an answer whose words are left is in the statistics and on the board, and
// one whose words are gone is in neither.
func TestForgettingIsWholeOrNotYet(t *testing.T) {
	w := askahumantest.Open(t)
	for round := range 12 {
		p := w.Person(t, round)
		askahumantest.Say(t, w, p, w.Ask(t, "agent", 1).QuestionID)
		var questions []askahumandb.Question
		for range 3 {
			questions = append(questions, w.Ask(t, "agent", 1))
		}
		for _, err := range askahumantest.AtOnce(4, func(i int) error {
			if i == 3 {
				return w.People.Forget(t.Context(), p)
			}
			_, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(questions[i].QuestionID, 20+i))
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		words := 0
		for _, q := range questions {
			if askahumantest.StoredResponse(t, w, p, q.QuestionID).Answer != nil {
				words++
			}
		}
		got, all := askahumantest.Stats(t, w, p), board(t, w, p, people.AllTime, 0)
		if got.TotalAnswers != words || all.YourAnswers != words || got.TotalPoints != all.YourPoints {
			t.Errorf("%d answers have words; the statistics have %d and %d points, the board %d and %d points",
				words, got.TotalAnswers, got.TotalPoints, all.YourAnswers, all.YourPoints)
		}
		forget(t, w, p)
		if _, err := w.DB.GetUserStats(t.Context(), p.Hash); !errors.Is(err, access.ErrNotFound) {
			t.Errorf("in the end there are statistics: %v", err)
		}
	}
}

func TestForgettingABanAtOnceWithTheBan(t *testing.T) {
	w := askahumantest.Open(t)
	for round := range 10 {
		p := w.Person(t, round)
		askahumantest.Say(t, w, p, w.Ask(t, fmt.Sprint("agent-", round), 1).QuestionID)
		for _, err := range askahumantest.AtOnce(2, func(i int) error {
			if i == 0 {
				return w.Operators.SetModerationStatus(t.Context(), "op", p.Hash, askahumandb.UserStatsStandingBanned)
			}
			return w.People.Forget(t.Context(), p)
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		got, err := w.DB.GetUserStats(t.Context(), p.Hash)
		if err != nil || got.Standing != askahumandb.UserStatsStandingBanned || got.TotalAnswers != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

func TestErasedWordsAreMarkedForTheAgent(t *testing.T) {
	w := askahumantest.Open(t)
	p, other := w.Person(t, 1), w.Person(t, 2)
	text, choice := w.Ask(t, "agent", 3), w.AskChoice(t, "agent", 3, "this", "that")
	for _, who := range []askahuman.Person{p, other} {
		askahumantest.Say(t, w, who, text.QuestionID)
		askahumantest.Reward(t, w, who, askahumantest.Choice(choice.QuestionID, 1))
		w.Clock.Advance(time.Second)
	}
	forget(t, w, p)
	view := func(id string) contract.Question {
		q := askahumantest.Question(t, w, id)
		results, err := w.Questions.Results(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return questions.AgentView(q, results)
	}
	got := view(text.QuestionID).Responses
	if len(got) != 2 || !got[0].Erased || got[0].Answer != "" || got[1].Erased || got[1].Answer == "" {
		t.Errorf("the texts: %+v", got)
	}
	if votes := view(choice.QuestionID); votes.Responses[0].Erased || votes.Summary["that"] != 2 {
		t.Errorf("a vote has no words to erase: %+v", votes)
	}
}
