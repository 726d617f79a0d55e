package operators_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/operators"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

func TestUpholdingOneReportDecidesAll(t *testing.T) {
	w := askahumantest.Open(t)
	q, other := w.Ask(t, "agent", 3), w.Ask(t, "agent", 3)
	var people []askahuman.Person
	for i := range 5 {
		people = append(people, w.Person(t, i))
		for _, id := range []string{q.QuestionID, other.QuestionID} {
			if err := w.Answers.Report(t.Context(), people[i], id, "It is rude."); err != nil {
				t.Fatal(err)
			}
		}
	}
	decide := func(id string, person int, uphold bool) {
		t.Helper()
		if err := w.Operators.DecideReport(t.Context(), "op", id, people[person].Hash, uphold); err != nil {
			t.Fatal(err)
		}
	}
	decide(q.QuestionID, 0, false)
	decide(other.QuestionID, 0, false)
	decide(q.QuestionID, 1, true)
	decide(q.QuestionID, 2, true) // it is already
	open, _, err := w.Operators.OpenReports(t.Context(), 0, "")
	if err != nil || len(open) != 4 {
		t.Errorf("%d reports are open, want 4 of the other question; %v", len(open), err)
	}
	for _, report := range askahumantest.Everything(t, w.DB.ScanQuestionReport().All(t.Context())) {
		want := "upheld"
		switch {
		case report.FingerprintHash == people[0].Hash:
			want = "dismissed"
		case report.QuestionID == other.QuestionID:
			want = "open"
		}
		if string(report.State) != want {
			t.Errorf("a report is %s, want %s", report.State, want)
		}
	}
	if err := w.Answers.Report(t.Context(), w.Person(t, 9), q.QuestionID, "Me too."); !errors.Is(err, askahuman.ErrNoQuestion) {
		t.Errorf("a report of a hidden question: %v", err)
	}
	for _, err := range askahumantest.AtOnce(3, func(i int) error {
		return w.Operators.DecideReport(t.Context(), "op", other.QuestionID, people[1+i].Hash, true)
	}) {
		if err != nil {
			t.Errorf("operators at once: %v", err)
		}
	}
	if !askahumantest.Question(t, w, other.QuestionID).Hidden {
		t.Error("the question is not hidden")
	}
}

// deleteQuestion removes a question as the passing of its time does.
func deleteQuestion(t testing.TB, w *askahumantest.World, id string) {
	t.Helper()
	_, err := w.Database.DynamoDB.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: aws.String(w.DB.Client().Table("aah-questions")), Key: access.Item{"question_id": &types.AttributeValueMemberS{Value: id}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func queue(t testing.TB, w *askahumantest.World) []operators.Flagged {
	t.Helper()
	flagged, _, err := w.Operators.Flagged(t.Context(), 0, "")
	if err != nil {
		t.Fatal(err)
	}
	return flagged
}

func TestApproveLeavesTheAnswer(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 2)
	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	flagged := queue(t, w)
	if len(flagged) != 1 || flagged[0].Response.FingerprintHash != p.Hash || flagged[0].Question.QuestionID != q.QuestionID || flagged[0].Stats.TotalAnswers != 1 {
		t.Fatalf("queue %+v", flagged)
	}
	for range 2 {
		if err := w.Operators.Approve(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
			t.Fatal(err)
		}
	}
	if left := queue(t, w); len(left) != 0 {
		t.Errorf("%d are left in the queue", len(left))
	}
	if got := askahumantest.Question(t, w, q.QuestionID); got.Status != questions.StatusPartial || got.CurrentResponses != 1 {
		t.Errorf("the question is %s with %d answers", got.Status, got.CurrentResponses)
	}
	var refused *refusal.Error
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); !errors.As(err, &refused) || refused.Kind != refusal.Conflict {
		t.Errorf("reject what was approved: %v", err)
	}
	if err := w.Operators.Approve(t.Context(), "op", q.QuestionID, "unknown"); !errors.As(err, &refused) || refused.Kind != refusal.NotFound {
		t.Errorf("approve nobody's answer: %v", err)
	}
	askahumantest.Audited(t, w, "approve answer "+q.QuestionID+" "+p.Hash)
}

func TestRejectTakesAnAnswerOut(t *testing.T) {
	for name, test := range map[string]struct {
		required, good int // answers that are wanted, and that are fine
		before         func(t *testing.T, w *askahumantest.World, id string)
		status         askahumandb.QuestionStatus
		open           int64 // questions of the agent
	}{
		"from a question that collects":           {required: 5, good: 1, status: questions.StatusPartial, open: 1},
		"the only one":                            {required: 5, status: questions.StatusOpen, open: 1},
		"from a complete one, which opens again":  {required: 3, good: 2, status: questions.StatusPartial, open: 1},
		"the only one a complete question wanted": {required: 1, status: questions.StatusOpen, open: 1},
		"from one that was closed early": {required: 5, good: 1, status: questions.StatusClosed, before: func(t *testing.T, w *askahumantest.World, id string) {
			if _, err := w.Questions.Close(t.Context(), "a", id); err != nil {
				t.Fatal(err)
			}
		}},
		"from a complete one whose time is up": {required: 2, good: 1, status: questions.StatusClosed, before: func(t *testing.T, w *askahumantest.World, _ string) {
			w.Clock.Advance(time.Hour)
		}},
		"from one that expired": {required: 5, good: 1, status: questions.StatusExpired, before: func(t *testing.T, w *askahumantest.World, id string) {
			w.Clock.Advance(time.Hour)
			if did, err := w.Questions.Expire(t.Context(), id, "a"); err != nil || !did {
				t.Fatalf("expire: %v %v", did, err)
			}
		}},
		"from one that expired before a sweep": {required: 5, good: 1, status: questions.StatusExpired, open: 1, before: func(t *testing.T, w *askahumantest.World, _ string) {
			w.Clock.Advance(time.Hour)
		}},
		"from a complete one of an agent without room": {required: 1, status: questions.StatusClosed, open: 100, before: func(t *testing.T, w *askahumantest.World, _ string) {
			for range 100 {
				w.Ask(t, "a", 1)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := askahumantest.Open(t)
			q := w.Ask(t, "a", test.required)
			for i := range test.good {
				askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 30+i))
			}
			p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
			if test.before != nil {
				test.before(t, w, q.QuestionID)
			}
			for range 2 { // the second time changes nothing
				if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
					t.Fatal(err)
				}
			}
			got := askahumantest.Question(t, w, q.QuestionID)
			if got.Status != test.status || got.CurrentResponses != int64(test.good) {
				t.Errorf("%s with %d answers, want %s with %d", got.Status, got.CurrentResponses, test.status, test.good)
			}
			if (got.ClosedAt != nil) != (test.status == questions.StatusClosed) {
				t.Errorf("closed at %v", got.ClosedAt)
			}
			if results, err := w.Questions.Results(t.Context(), got); err != nil || len(results.Answers) != test.good {
				t.Errorf("%d results (%v), want %d", len(results.Answers), err, test.good)
			}
			if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != test.open {
				t.Errorf("%d open questions, want %d", n, test.open)
			}
			askahumantest.Audited(t, w, "reject answer "+q.QuestionID+" "+p.Hash)
		})
	}
}

func TestAQuestionThatOpenedAgainIsAnsweredAgain(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 1)
	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	feed, err := w.Answers.Feed(t.Context(), w.Person(t, 5), answers.FeedQuery{})
	if err != nil || len(feed.Cards) != 1 || feed.Cards[0].Needed != 1 {
		t.Errorf("feed %+v (%v)", feed, err)
	}
	if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(q.QuestionID, 40)); !errors.Is(err, askahuman.ErrAlreadyAnswered) {
		t.Errorf("the same person again: %v, want %v", err, askahuman.ErrAlreadyAnswered)
	}
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 40))
	if got := askahumantest.Question(t, w, q.QuestionID); got.Status != questions.StatusClosed || got.CurrentResponses != 1 {
		t.Errorf("%s with %d answers", got.Status, got.CurrentResponses)
	}
	if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != 0 {
		t.Errorf("%d open questions", n)
	}
}

// Hidden, it would wait for answers it cannot get.
// People are looked for again when a question opens again, once: the look that was queued
// before is the same one.
func TestReopenedQuestionQueuesASearch(t *testing.T) {
	for name, test := range map[string]struct {
		after time.Duration // from asking to the rejection
		want  time.Duration // from asking to the next look; 0 if there is none
	}{
		"before the first look": {after: 5 * time.Minute, want: 15 * time.Minute},
		"between two looks":     {after: 20 * time.Minute, want: 30 * time.Minute},
		"at a look":             {after: 30 * time.Minute, want: 45 * time.Minute},
		"after the last look":   {after: 46 * time.Minute, want: 46 * time.Minute}, // or never
	} {
		t.Run(name, func(t *testing.T) {
			w := askahumantest.Open(t)
			p, q := w.Person(t, 1), w.Ask(t, "a", 1)
			if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Fast(q.QuestionID)); err != nil {
				t.Fatal(err)
			}
			w.Clock.Advance(test.after)
			askahumantest.DropJobs(t, w) // as those who do them have by now
			if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
				t.Fatal(err)
			}
			jobs := w.DueJobs(t, w.Clock.Now().Add(24*time.Hour))
			var got []time.Duration
			for _, job := range jobs {
				if job.Kind == askahuman.JobCatchUp {
					got = append(got, job.Due.Sub(q.CreatedAt))
				}
			}
			var want []time.Duration
			if test.want > 0 {
				want = []time.Duration{test.want}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("looks after asking (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAHiddenQuestionDoesNotOpenAgain(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 1)
	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	if err := w.Answers.Report(t.Context(), p, q.QuestionID, "It is rude."); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.DecideReport(t.Context(), "op", q.QuestionID, p.Hash, true); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	if got := askahumantest.Question(t, w, q.QuestionID); got.Status != questions.StatusClosed || got.CurrentResponses != 0 {
		t.Errorf("%s with %d answers, want %s with none", got.Status, got.CurrentResponses, questions.StatusClosed)
	}
	if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != 0 {
		t.Errorf("%d open questions", n)
	}
}

func TestRejectWhereThereIsNothingToCount(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 5)

	hidden := w.Person(t, 1)
	if err := w.Operators.SetModerationStatus(t.Context(), "op", hidden.Hash, askahumandb.UserStatsStandingShadowBanned); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Answers.Answer(t.Context(), hidden, askahumantest.Fast(q.QuestionID)); err != nil {
		t.Fatal(err)
	}
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, hidden.Hash); err != nil {
		t.Errorf("an answer that never counted: %v", err)
	}
	if got := askahumantest.Question(t, w, q.QuestionID); got.CurrentResponses != 0 {
		t.Errorf("%d answers count, want none", got.CurrentResponses)
	}

	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	deleteQuestion(t, w, q.QuestionID)
	if flagged := queue(t, w); len(flagged) != 1 || flagged[0].Question.QuestionID != "" {
		t.Errorf("queue %+v, want one answer without its question", flagged)
	}
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
		t.Errorf("an answer whose question is gone: %v", err)
	}
	if flagged := queue(t, w); len(flagged) != 0 {
		t.Errorf("%d are left in the queue", len(flagged))
	}
}

func TestOperatorsAtTheSameTimeRejectOnce(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 2)
	askahumantest.Answer(t, w, askahumantest.Text(q.QuestionID, 40))
	p := askahumantest.Answer(t, w, askahumantest.Fast(q.QuestionID))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
				t.Errorf("reject: %v", err)
			}
		})
	}
	all.Wait()
	if got := askahumantest.Question(t, w, q.QuestionID); got.Status != questions.StatusPartial || got.CurrentResponses != 1 {
		t.Errorf("%s with %d answers, want %s with 1", got.Status, got.CurrentResponses, questions.StatusPartial)
	}
	if n := askahumantest.Agent(t, w, "a").OpenQuestions; n != 1 {
		t.Errorf("%d open questions, want 1", n)
	}
	askahumantest.Audited(t, w, "reject answer "+q.QuestionID+" "+p.Hash)
}

func TestModerationStatusOfAPerson(t *testing.T) {
	const good, shadow, banned = askahumandb.UserStatsStandingGood, askahumandb.UserStatsStandingShadowBanned, askahumandb.UserStatsStandingBanned
	w := askahumantest.Open(t)
	p := w.Person(t, 1) // has never answered
	var want []string
	for _, step := range []struct {
		to      askahumandb.UserStatsStanding
		actions []string
	}{
		{good, nil},
		{banned, []string{"ban person"}},
		{banned, nil},
		{shadow, []string{"pardon person", "shadow-ban person"}},
		{good, []string{"pardon person"}},
		{shadow, []string{"shadow-ban person"}},
		{banned, []string{"ban person"}},
		{good, []string{"pardon person"}},
	} {
		if err := w.Operators.SetModerationStatus(t.Context(), "op", p.Hash, step.to); err != nil {
			t.Fatal(err)
		}
		stats, err := w.DB.GetUserStats(t.Context(), p.Hash)
		if err != nil || stats.Standing != step.to {
			t.Errorf("standing %s (%v), want %s", stats.Standing, err, step.to)
		}
		for _, action := range step.actions {
			want = append(want, action+" "+p.Hash)
		}
		askahumantest.Audited(t, w, want...)
	}
	var refused *refusal.Error
	for _, call := range [][2]string{{"", "banned"}, {p.Hash, "odd"}} {
		if err := w.Operators.SetModerationStatus(t.Context(), "op", call[0], askahumandb.UserStatsStanding(call[1])); !errors.As(err, &refused) || refused.Kind != refusal.Invalid {
			t.Errorf("%q: %v", call, err)
		}
	}
}

func TestReportsHideAQuestion(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 5)
	reporter, other := w.Person(t, 1), w.Person(t, 2)
	for _, p := range []askahuman.Person{reporter, reporter, other} {
		if err := w.Answers.Report(t.Context(), p, q.QuestionID, "It is rude."); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(time.Second)
	}
	reports, _, err := w.Operators.OpenReports(t.Context(), 0, "")
	if err != nil || len(reports) != 2 || reports[0].Report.FingerprintHash != reporter.Hash || reports[0].Question.Prompt != q.Prompt {
		t.Fatalf("reports %+v (%v), want one of each person", reports, err)
	}
	decide := func(p askahuman.Person, uphold bool) error {
		return w.Operators.DecideReport(t.Context(), "op", q.QuestionID, p.Hash, uphold)
	}
	if err := decide(other, false); err != nil {
		t.Fatal(err)
	}
	if got := askahumantest.Question(t, w, q.QuestionID); got.Hidden {
		t.Error("it is hidden though the report was dismissed")
	}
	for range 2 {
		if err := decide(reporter, true); err != nil {
			t.Fatal(err)
		}
	}
	var refused *refusal.Error
	if err := decide(reporter, false); !errors.As(err, &refused) || refused.Kind != refusal.Conflict {
		t.Errorf("the other way: %v", err)
	}
	if err := decide(w.Person(t, 3), true); !errors.As(err, &refused) || refused.Kind != refusal.NotFound {
		t.Errorf("a report that does not exist: %v", err)
	}
	if feed, err := w.Answers.Feed(t.Context(), other, answers.FeedQuery{}); err != nil || len(feed.Cards) != 0 {
		t.Errorf("feed %+v (%v), want none", feed, err)
	}
	if _, err := w.Answers.Answer(t.Context(), other, askahumantest.Text(q.QuestionID, 20)); !errors.As(err, &refused) {
		t.Errorf("an answer to a hidden question: %v", err)
	}
	if got := askahumantest.Question(t, w, q.QuestionID); !got.Hidden || got.CurrentResponses != 0 {
		t.Errorf("hidden %v with %d answers", got.Hidden, got.CurrentResponses)
	}
	for range 2 {
		if err := w.Operators.ShowQuestion(t.Context(), "op", q.QuestionID); err != nil {
			t.Fatal(err)
		}
	}
	if feed, err := w.Answers.Feed(t.Context(), other, answers.FeedQuery{}); err != nil || len(feed.Cards) != 1 {
		t.Errorf("feed %+v (%v), want it back", feed, err)
	}
	askahumantest.Audited(t, w, "dismiss report "+q.QuestionID+" "+other.Hash, "uphold report "+q.QuestionID+" "+reporter.Hash, "show question "+q.QuestionID)
}

func TestWhatCannotBeReported(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "a", 5)
	p := w.Person(t, 1)
	if err := w.Answers.Report(t.Context(), p, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "It is rude."); !errors.Is(err, askahuman.ErrNoQuestion) {
		t.Errorf("no question: %v", err)
	}
	var refused *refusal.Error
	for _, reason := range []string{"", "  ", "a\x00b"} {
		if err := w.Answers.Report(t.Context(), p, q.QuestionID, reason); !errors.As(err, &refused) || refused.Field() != "reason" {
			t.Errorf("reason %q: %v", reason, err)
		}
	}
	// A question that is gone cannot be hidden, and does not have to be.
	if err := w.Answers.Report(t.Context(), p, q.QuestionID, "It is rude."); err != nil {
		t.Fatal(err)
	}
	deleteQuestion(t, w, q.QuestionID)
	if err := w.Operators.DecideReport(t.Context(), "op", q.QuestionID, p.Hash, true); err != nil {
		t.Errorf("uphold a report of a question that is gone: %v", err)
	}
	if reports, _, err := w.Operators.OpenReports(t.Context(), 0, ""); err != nil || len(reports) != 0 {
		t.Errorf("%d reports are left (%v)", len(reports), err)
	}
	if err := w.Operators.ShowQuestion(t.Context(), "op", q.QuestionID); !errors.Is(err, askahuman.ErrNoQuestion) {
		t.Errorf("show a question that is gone: %v", err)
	}
}

func TestRejectTakesADayOutOfTheStreak(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 3)
	if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(w.Ask(t, "a", 2).QuestionID, 40)); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(24 * time.Hour)
	q := w.Ask(t, "a", 2)
	if _, err := w.Answers.Answer(t.Context(), p, askahumantest.Fast(q.QuestionID)); err != nil {
		t.Fatal(err)
	}
	before, _, err := w.People.Stored(t.Context(), p)
	if err != nil || before.StreakDays != 2 {
		t.Fatalf("a streak of %d days: %v", before.StreakDays, err)
	}
	if err := w.Operators.Reject(t.Context(), "op", q.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	after, _, err := w.People.Stored(t.Context(), p)
	if err != nil || after.StreakDays != 1 || after.StreakLastDate == nil || *after.StreakLastDate >= *before.StreakLastDate {
		t.Errorf("a streak of %d days until %v: %v", after.StreakDays, after.StreakLastDate, err)
	}
}
