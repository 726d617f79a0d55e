package domain_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// A machine is a simple model of questions: no conditions, no transactions, one thing
// after the other.
type machine struct {
	*askahumantest.World
	random    *rand.Rand
	questions []*modelled
}

// A modelled question is one as it was written last.
type modelled struct {
	id, agent string
	required  int
	expires   time.Time
	status    askahumandb.QuestionStatus
	answers   []*modelledAnswer
}

type modelledAnswer struct {
	person           askahuman.Person
	flagged, counted bool
}

func (q *modelled) count() (n int) {
	for _, a := range q.answers {
		if a.counted {
			n++
		}
	}
	return n
}

// now returns the status that everybody should see.
func (q *modelled) now(at time.Time) askahumandb.QuestionStatus {
	if (q.status == questions.StatusOpen || q.status == questions.StatusPartial) && !at.Before(q.expires) {
		return questions.StatusExpired
	}
	return q.status
}

func TestQuestionsAreLikeAPlainModel(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			m := &machine{World: askahumantest.Open(t), random: rand.New(rand.NewPCG(seed, 1))}
			for range 120 {
				m.step(t)
				m.compare(t)
				if t.Failed() {
					return
				}
			}
		})
	}
}

func (m *machine) step(t *testing.T) {
	m.Clock.Advance(time.Duration(m.random.IntN(20_000)) * time.Millisecond)
	if len(m.questions) == 0 || m.random.IntN(6) == 0 {
		m.submit(t)
		return
	}
	q := m.questions[len(m.questions)-1-m.random.IntN(min(len(m.questions), 4))]
	switch n := m.random.IntN(12); {
	case n < 6:
		m.answer(t, q)
	case n < 8:
		m.reject(t, q)
	case n < 9:
		m.close(t, q)
	default:
		m.expire(t, q)
	}
}

func (m *machine) submit(t *testing.T) {
	q := &modelled{agent: fmt.Sprint("agent-", m.random.IntN(2)), required: 1 + m.random.IntN(4), status: questions.StatusOpen}
	timeout := time.Minute + time.Duration(m.random.IntN(300))*time.Second
	stored := askahumantest.AskFor(t, m.World, q.agent, q.required, timeout)
	q.id, q.expires = stored.QuestionID, m.Clock.Now().Add(timeout)
	m.questions = append(m.questions, q)
}

func (m *machine) answer(t *testing.T, q *modelled) {
	a := &modelledAnswer{person: m.Person(t, 1), flagged: m.random.IntN(2) == 0, counted: true}
	want := error(nil)
	if q.now(m.Clock.Now()) != questions.StatusOpen && q.now(m.Clock.Now()) != questions.StatusPartial {
		want = askahuman.ErrClosed
	}
	if len(q.answers) > 0 && m.random.IntN(5) == 0 {
		a.person = q.answers[m.random.IntN(len(q.answers))].person
		want = askahuman.ErrAlreadyAnswered
	}
	said := askahumantest.Text(q.id, 20)
	if a.flagged {
		said = askahumantest.Fast(q.id)
	}
	if _, err := m.Answers.Answer(t.Context(), a.person, said); !errors.Is(err, want) {
		t.Errorf("answer %s: %v, want %v", q.id, err, want)
	}
	if want != nil {
		return
	}
	q.answers = append(q.answers, a)
	q.status = questions.StatusPartial
	if q.count() == q.required {
		q.status = questions.StatusClosed
	}
}

func (m *machine) close(t *testing.T, q *modelled) {
	if _, err := m.Questions.Close(t.Context(), q.agent, q.id); err != nil {
		t.Errorf("close %s: %v", q.id, err)
	}
	if now := q.now(m.Clock.Now()); now == questions.StatusOpen || now == questions.StatusPartial {
		q.status = questions.StatusClosed
	}
}

func (m *machine) expire(t *testing.T, q *modelled) {
	want := q.status != questions.StatusExpired && q.now(m.Clock.Now()) == questions.StatusExpired
	if did, err := m.Questions.Expire(t.Context(), q.id, q.agent); err != nil || did != want {
		t.Errorf("expire %s: %v (%v), want %v", q.id, did, err, want)
	}
	q.status = q.now(m.Clock.Now())
}

func (m *machine) reject(t *testing.T, q *modelled) {
	for _, a := range q.answers {
		if !a.flagged || !a.counted {
			continue
		}
		if err := m.Operators.Reject(t.Context(), "op", q.id, a.person.Hash); err != nil {
			t.Errorf("reject an answer of %s: %v", q.id, err)
		}
		if q.status == questions.StatusClosed && q.count() == q.required && m.Clock.Now().Before(q.expires) {
			q.status = questions.StatusPartial
		}
		a.counted = false
		if q.status == questions.StatusPartial && q.count() == 0 {
			q.status = questions.StatusOpen
		}
		return
	}
}

// compare holds what is stored against the model.
func (m *machine) compare(t *testing.T) {
	t.Helper()
	openQuestions := map[string]int64{}
	for _, q := range m.questions {
		if q.status == questions.StatusOpen || q.status == questions.StatusPartial {
			openQuestions[q.agent]++
		} else {
			openQuestions[q.agent] += 0
		}
		got := askahumantest.Question(t, m.World, q.id)
		if want := q.now(m.Clock.Now()); got.Status != want || got.CurrentResponses != int64(q.count()) {
			t.Errorf("%s is %s with %d answers, want %s with %d", q.id, got.Status, got.CurrentResponses, want, q.count())
		}
		if (got.ClosedAt != nil) != (got.Status == questions.StatusClosed) || (got.ExpiredAt != nil) != (got.Status == questions.StatusExpired) {
			t.Errorf("%s is %s, closed at %v, expired at %v", q.id, got.Status, got.ClosedAt, got.ExpiredAt)
		}
		if results, err := m.Questions.Results(t.Context(), got); err != nil || len(results.Answers) != q.count() {
			t.Errorf("%s has %d results (%v), want %d", q.id, len(results.Answers), err, q.count())
		}
	}
	for id, want := range openQuestions {
		if got := askahumantest.Agent(t, m.World, id).OpenQuestions; got != want {
			t.Errorf("%s has %d open questions, want %d", id, got, want)
		}
	}
}

// What happens at the same time in any order keeps the counts exact.
func TestCountsStayExactWhenEverythingHappensAtOnce(t *testing.T) {
	w := askahumantest.Open(t)
	const asked, rounds = 3, 12
	var ids []string
	for range asked {
		ids = append(ids, w.Ask(t, "a", 3).QuestionID)
	}
	people := make([]askahuman.Person, asked*rounds)
	for i := range people {
		people[i] = w.Person(t, i)
	}
	fine := []error{askahuman.ErrClosed, askahuman.ErrAlreadyAnswered, &refusal.Error{Kind: refusal.NotFound}}
	var all sync.WaitGroup
	do := func(name string, call func() error) {
		all.Go(func() {
			err := call()
			for _, refusal := range fine {
				if errors.Is(err, refusal) {
					return
				}
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for i, p := range people {
		id := ids[i%asked]
		do("answer", func() error { _, err := w.Answers.Answer(t.Context(), p, askahumantest.Fast(id)); return err })
		do("reject", func() error { return w.Operators.Reject(t.Context(), "op", id, p.Hash) })
		if i == len(people)/2 {
			do("close", func() error { _, err := w.Questions.Close(t.Context(), "a", id); return err })
		}
	}
	all.Wait()
	stillOpen := int64(0)
	for _, id := range ids {
		q := askahumantest.Question(t, w, id)
		if q.Status == questions.StatusOpen || q.Status == questions.StatusPartial {
			stillOpen++
		}
		results, err := w.Questions.Results(t.Context(), q)
		if err != nil || int64(len(results.Answers)) != q.CurrentResponses || q.CurrentResponses > q.RequiredResponses {
			t.Errorf("%s: %d results (%v), %d counted of %d", q.Status, len(results.Answers), err, q.CurrentResponses, q.RequiredResponses)
		}
		if q.CurrentResponses == q.RequiredResponses && q.Status != questions.StatusClosed {
			t.Errorf("%s though it is complete", q.Status)
		}
	}
	if got := askahumantest.Agent(t, w, "a").OpenQuestions; got != stillOpen {
		t.Errorf("%d open questions are counted, there are %d", got, stillOpen)
	}
}
