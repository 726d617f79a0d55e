package askahumantest

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/people"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// Standing returns a person who has answered once and then lost their good standing.
func Standing(t *testing.T, w *World, standing askahumandb.UserStatsStanding) askahuman.Person {
	t.Helper()
	p := w.Person(t, 66)
	Say(t, w, p, w.Ask(t, "another", 1).QuestionID)
	stats, err := w.DB.GetUserStats(t.Context(), p.Hash)
	if err != nil {
		t.Fatal(err)
	}
	if standing == askahumandb.UserStatsStandingBanned {
		_, err = w.DB.Ban(t.Context(), stats.Key(), askahumandb.BanParams{UpdatedAt: w.Clock.Now(), Version: stats.Version})
	} else {
		_, err = w.DB.ShadowBan(t.Context(), stats.Key(), askahumandb.ShadowBanParams{UpdatedAt: w.Clock.Now(), Version: stats.Version})
	}
	if err != nil {
		t.Fatalf("change the standing: %v", err)
	}
	return p
}

// Answer lets a new person answer, and gives that person.
func Answer(t testing.TB, w *World, a answers.Answer) askahuman.Person {
	t.Helper()
	p := w.Person(t, 1)
	if _, err := w.Answers.Answer(t.Context(), p, a); err != nil {
		t.Fatalf("answer %s: %v", a.QuestionID, err)
	}
	return p
}

// AskFor submits a text question that is open for a time.
func AskFor(t testing.TB, w *World, agent string, required int, timeout time.Duration) askahumandb.Question {
	t.Helper()
	ask := Plain(agent)
	ask.Required, ask.Timeout = &required, &timeout
	return w.Submit(t, ask)
}

// Plain returns an ask with nothing in it that could be left out.
func Plain(agent string) questions.Ask {
	return questions.Ask{AgentID: agent, Prompt: "Is it good?", Type: "text"}
}

// Question returns a question that has to be there.
func Question(t testing.TB, w *World, id string) askahumandb.Question {
	t.Helper()
	q, err := w.Questions.Question(t.Context(), id)
	if err != nil {
		t.Fatalf("question %s: %v", id, err)
	}
	return q
}

// Agent returns an agent as it is stored.
func Agent(t testing.TB, w *World, id string) askahumandb.Agent {
	t.Helper()
	a, err := w.DB.GetAgent(t.Context(), id)
	if err != nil {
		t.Fatalf("agent %s: %v", id, err)
	}
	return a
}

// Identify returns the person of a token that has to be valid.
func Identify(t *testing.T, w *World, token, ip string) askahuman.Person {
	t.Helper()
	p, err := w.People.Identify(token, ip, 0)
	if err != nil {
		t.Fatalf("identify: %v", err)
	}
	return p
}

// Everything returns all of a sequence that has to be read without an error.
func Everything[T any](t *testing.T, sequence iter.Seq2[T, error]) []T {
	t.Helper()
	var all []T
	for item, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

// Audited makes sure what operators did, in the order they did it.
func Audited(t testing.TB, w *World, want ...string) {
	t.Helper()
	page, err := w.Env.Audit.Day(t.Context(), access.DateOf(w.Clock.Now()), 0, "")
	if err != nil || page.Next != "" {
		t.Fatalf("audit: next %q (%v)", page.Next, err)
	}
	var got []string
	for _, e := range slices.Backward(page.Items) { // newest first
		got = append(got, e.Action+" "+e.Target)
		if e.Actor != "op" {
			t.Errorf("%s by %q", e.Action, e.Actor)
		}
	}
	if !slices.Equal(want, got) {
		t.Errorf("audit: %q, want %q", got, want)
	}
}

// Fast returns an answer that came too fast.
func Fast(questionID string) answers.Answer {
	a := Text(questionID, 20)
	took := time.Second
	a.Took = &took
	return a
}

// IsKind reports whether an error is a refusal of a kind.
func IsKind(err error, kind refusal.Kind) bool {
	var refused *refusal.Error
	return errors.As(err, &refused) && refused.Kind == kind
}

// Stats returns a person's statistics.
func Stats(t *testing.T, w *World, p askahuman.Person) people.Stats {
	t.Helper()
	got, err := w.People.Stats(t.Context(), p)
	if err != nil {
		t.Fatalf("read the statistics: %v", err)
	}
	return got
}

// RecordPush records that a person was notified for a question.
func RecordPush(t *testing.T, w *World, p askahuman.Person, questionID string) {
	t.Helper()
	_, err := w.DB.RecordPush(t.Context(), askahumandb.PushSent{
		QuestionID: questionID, FingerprintHash: p.Hash, SubscriptionID: "sub_test", SentAt: w.Clock.Now(), TTL: w.Clock.Now().Add(askahuman.KeepPush),
	})
	if err != nil {
		t.Fatalf("record a notification: %v", err)
	}
}

// Totals flushes and reads the totals of the last hours that are not zero.
func Totals(t testing.TB, w *World, hours int) map[string]int64 {
	t.Helper()
	if err := w.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	numbers, err := w.Metrics(t.Context(), hours)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(numbers.Totals, func(_ string, n int64) bool { return n == 0 })
	return numbers.Totals
}

// Say answers a question in words of their own, and has to be taken.
func Say(t *testing.T, w *World, p askahuman.Person, questionID string) answers.Reward {
	t.Helper()
	a := Text(questionID, 1)
	a.Text = "The first one, because of question " + questionID
	return Reward(t, w, p, a)
}

// Reward returns the reward of an answer that has to be taken.
func Reward(t *testing.T, w *World, p askahuman.Person, a answers.Answer) answers.Reward {
	t.Helper()
	got, err := w.Answers.Answer(t.Context(), p, a)
	if err != nil {
		t.Fatalf("answer %s: %v", a.QuestionID, err)
	}
	return got
}

// Refused makes sure that an answer is refused.
func Refused(t *testing.T, w *World, p askahuman.Person, a answers.Answer, want *refusal.Error) {
	t.Helper()
	if _, err := w.Answers.Answer(t.Context(), p, a); !errors.Is(err, want) {
		t.Errorf("answering: %v, want %v", err, want)
	}
}

// StoredResponse returns a person's answer as it is stored.
func StoredResponse(t *testing.T, w *World, p askahuman.Person, questionID string) askahumandb.Response {
	t.Helper()
	r, err := w.DB.GetOwnResponse(t.Context(), questionID, p.Hash)
	if err != nil {
		t.Fatalf("read the response: %v", err)
	}
	return r
}

// CountedRows returns the stored answers of a question that count.
func CountedRows(t *testing.T, w *World, questionID string) int {
	t.Helper()
	rows, err := w.DB.ListResponses(questionID).Slice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range rows {
		if row.Counted {
			n++
		}
	}
	return n
}

// AtOnce calls do n times at the same time.
func AtOnce(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}
