package answers_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
)

func TestAQuestionFillsUpAndCloses(t *testing.T) {
	for _, test := range []struct {
		required int
		statuses []askahumandb.QuestionStatus
	}{
		{1, []askahumandb.QuestionStatus{"CLOSED"}},
		{2, []askahumandb.QuestionStatus{"PARTIAL", "CLOSED"}},
		{3, []askahumandb.QuestionStatus{"PARTIAL", "PARTIAL", "CLOSED"}},
	} {
		t.Run(fmt.Sprintf("%d wanted", test.required), func(t *testing.T) {
			w := askahumantest.Open(t)
			q := w.Ask(t, "agent", test.required)
			if q.Status != "OPEN" {
				t.Errorf("it begins as %s", q.Status)
			}
			for i, want := range test.statuses {
				w.Clock.Advance(time.Second)
				askahumantest.Say(t, w, w.Person(t, i), q.QuestionID)
				got := askahumantest.Question(t, w, q.QuestionID)
				closed := got.ClosedAt != nil && got.ClosedAt.Equal(w.Clock.Now())
				if got.Status != want || got.CurrentResponses != int64(i+1) || closed != (want == "CLOSED") {
					t.Errorf("after %d: %s with %d answers, closed at %v", i+1, got.Status, got.CurrentResponses, got.ClosedAt)
				}
			}
			askahumantest.Refused(t, w, w.Person(t, 99), askahumantest.Text(q.QuestionID, 20), askahuman.ErrClosed)
			if n := askahumantest.CountedRows(t, w, q.QuestionID); n != test.required {
				t.Errorf("%d answers are stored", n)
			}
			agent, err := w.DB.GetAgent(t.Context(), "agent")
			if err != nil || agent.OpenQuestions != 0 {
				t.Errorf("the agent has %d open questions, %v", agent.OpenQuestions, err)
			}
		})
	}
}

func TestFiftyPeopleForTheLastPlace(t *testing.T) {
	for _, required := range []int{1, 3} {
		w := askahumantest.Open(t)
		q := w.Ask(t, "agent", required)
		for i := range required - 1 {
			askahumantest.Say(t, w, w.Person(t, i), q.QuestionID)
		}
		errs := askahumantest.AtOnce(50, func(i int) error {
			_, err := w.Answers.Answer(t.Context(), w.Person(t, 100+i), askahumantest.Text(q.QuestionID, 20))
			return err
		})
		won := 0
		for _, err := range errs {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, askahuman.ErrClosed):
				t.Errorf("a person who lost got: %v", err)
			}
		}
		got := askahumantest.Question(t, w, q.QuestionID)
		if rows := askahumantest.CountedRows(t, w, q.QuestionID); won != 1 || got.Status != "CLOSED" || int(got.CurrentResponses) != required || rows != required {
			t.Errorf("%d won, %s, counted %d, stored %d, wanted %d", won, got.Status, got.CurrentResponses, rows, required)
		}
	}
}

func TestManyPeopleFillAQuestionTogether(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "agent", 12)
	errs := askahumantest.AtOnce(20, func(i int) error {
		_, err := w.Answers.Answer(t.Context(), w.Person(t, i), askahumantest.Text(q.QuestionID, 20))
		return err
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, askahuman.ErrClosed) {
			t.Error(err)
		}
	}
	got := askahumantest.Question(t, w, q.QuestionID)
	if won != 12 || got.CurrentResponses != 12 || askahumantest.CountedRows(t, w, q.QuestionID) != 12 || got.Status != "CLOSED" {
		t.Errorf("%d won, counted %d, stored %d, %s", won, got.CurrentResponses, askahumantest.CountedRows(t, w, q.QuestionID), got.Status)
	}
}

func TestOneAnswerForEachPerson(t *testing.T) {
	w := askahumantest.Open(t)
	q, p := w.Ask(t, "agent", 5), w.Person(t, 1)
	askahumantest.Say(t, w, p, q.QuestionID)
	askahumantest.Refused(t, w, p, askahumantest.Text(q.QuestionID, 20), askahuman.ErrAlreadyAnswered)
	card, err := w.Answers.Card(t.Context(), p, q.QuestionID)
	if err != nil || card.CanAnswer || card.Needed != 4 {
		t.Errorf("the card: %+v, %v", card, err)
	}
	if cards := feed(t, w, p, answers.FeedQuery{}).Cards; len(cards) != 0 {
		t.Errorf("the feed still shows %d", len(cards))
	}
	if cards := feed(t, w, w.Person(t, 2), answers.FeedQuery{}).Cards; len(cards) != 1 || !cards[0].CanAnswer {
		t.Errorf("the feed of another shows %v", cards)
	}
	if n := flushedCount(t, w, askahuman.MetricDuplicate); n != 1 {
		t.Errorf("%d attempts to answer again were counted", n)
	}
}

func TestOnePersonAnswersInParallel(t *testing.T) {
	w := askahumantest.Open(t)
	q, p := w.Ask(t, "agent", 10), w.Person(t, 1)
	errs := askahumantest.AtOnce(16, func(int) error {
		_, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(q.QuestionID, 20))
		return err
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, askahuman.ErrAlreadyAnswered) {
			t.Error(err)
		}
	}
	stats, err := w.People.Stats(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	got := askahumantest.Question(t, w, q.QuestionID)
	if won != 1 || got.CurrentResponses != 1 || stats.TotalAnswers != 1 || stats.TotalPoints != 15 {
		t.Errorf("%d won, counted %d, %d answers and %d points", won, got.CurrentResponses, stats.TotalAnswers, stats.TotalPoints)
	}
}

func TestOnePersonAnswersManyQuestionsInParallel(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	questions := make([]askahumandb.Question, askahuman.RapidAnswers)
	for i := range questions {
		questions[i] = w.Ask(t, "agent", 1)
	}
	for _, err := range askahumantest.AtOnce(len(questions), func(i int) error {
		_, err := w.Answers.Answer(t.Context(), p, askahumantest.Text(questions[i].QuestionID, 20+i))
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	stats, err := w.People.Stats(t.Context(), p)
	if err != nil || stats.TotalAnswers != len(questions) || stats.TotalPoints != 15*len(questions) {
		t.Errorf("%d answers and %d points, %v", stats.TotalAnswers, stats.TotalPoints, err)
	}
}

func TestAnswerAfterTheDeadlineIsRefused(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Is this quick enough?", Type: "text", Timeout: new(time.Minute)})
	early, late := w.Person(t, 1), w.Person(t, 2)
	w.Clock.Advance(59 * time.Second)
	askahumantest.Say(t, w, early, q.QuestionID)
	w.Clock.Advance(time.Second)
	askahumantest.Refused(t, w, late, askahumantest.Text(q.QuestionID, 20), askahuman.ErrClosed)
	askahumantest.Refused(t, w, early, askahumantest.Text(q.QuestionID, 20), askahuman.ErrAlreadyAnswered)
	if cards := feed(t, w, late, answers.FeedQuery{}).Cards; len(cards) != 0 {
		t.Errorf("the feed shows %d", len(cards))
	}
	if _, err := w.Answers.Card(t.Context(), late, q.QuestionID); !errors.Is(err, askahuman.ErrClosed) {
		t.Errorf("the card: %v", err)
	}
	if card, err := w.Answers.Card(t.Context(), early, q.QuestionID); err != nil || card.CanAnswer {
		t.Errorf("the card of who has answered: %+v, %v", card, err)
	}
	if n := askahumantest.CountedRows(t, w, q.QuestionID); n != 1 {
		t.Errorf("%d answers are stored", n)
	}
}

func TestAnAnswerIsStoredWithWhatIsKnown(t *testing.T) {
	w := askahumantest.Open(t)
	p := w.Person(t, 1)
	q := w.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Which one is it then?", Type: "multiple_choice", Options: []string{"this", "that"}, Audience: []string{"ethics", "product"}})
	a := askahumantest.Choice(q.QuestionID, 1)
	a.Confidence, a.Source = new(3), askahumandb.ResponseSourceLink
	got := askahumantest.Reward(t, w, p, a)
	want := askahumandb.Response{
		QuestionID: q.QuestionID, FingerprintHash: p.Hash, ResponseID: got.ResponseID, SelectedOption: new(int64(1)), Confidence: new(int64(3)),
		Audience: "ethics", ResponseTimeMs: new(int64(60000)), Source: "link", IPHash: &p.IPHash, Counted: true, Points: 12,
		FlagState: "clean", CreatedAt: askahumantest.Start, TTL: askahumantest.Start.AddDate(0, 0, 30),
	}
	if diff := cmp.Diff(want, askahumantest.StoredResponse(t, w, p, q.QuestionID)); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(got.ResponseID, p.Hash) {
		t.Errorf("the id %s tells who it was", got.ResponseID)
	}
}

// flushedCount returns a metric of the last hours, with what was not written yet.
func flushedCount(t *testing.T, w *askahumantest.World, name askahuman.Metric) int64 {
	t.Helper()
	return askahumantest.Totals(t, w, 24)[string(name)]
}

func TestAnswersAreCountedInTheMetrics(t *testing.T) {
	w := askahumantest.Open(t)
	q := w.Ask(t, "agent", 2)
	w.Clock.Advance(90 * time.Second)
	askahumantest.Say(t, w, w.Person(t, 1), q.QuestionID)
	w.Clock.Advance(10 * time.Minute)
	askahumantest.Reward(t, w, w.Person(t, 2), answers.Answer{QuestionID: q.QuestionID, Text: "Both of them", Took: new(time.Second)})
	for name, want := range map[askahuman.Metric]int64{
		"answered": 2, "completed": 1, "flagged": 1, "duplicate": 0, "first_answer_120": 1, "completion_900": 1,
	} {
		if got := flushedCount(t, w, name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}
