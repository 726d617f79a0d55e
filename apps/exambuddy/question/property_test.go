package question_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/internal/effort"
)

// rounds is the number of random questions of each property test.
func rounds() int { return effort.Rounds(1000) }

// random returns a random question of a type with a complete key.
func random(r *rand.Rand, typ question.Type) (question.Question, question.Key) {
	pair := valid()[typ]
	q, k := pair.Q, pair.K
	n := 2 + r.IntN(5)
	all := ids(options(n))
	switch typ {
	case question.SingleChoice:
		q.Options, k.Correct = options(n), []string{all[r.IntN(n)]}
	case question.MultipleResponse:
		q.Options, k.Correct = options(n), mixed(r, all)[:1+r.IntN(n)]
	case question.Ordering:
		q.Options, k.Correct = options(n), mixed(r, all)
	case question.Matching:
		q.Options, q.Targets, k.Pairs = options(n), options(n), map[string]string{}
		for i, target := range mixed(r, all) {
			k.Pairs[all[i]] = target
		}
	case question.Scenario:
		q.Statements, k.Pairs = options(n), map[string]string{}
		for _, id := range all {
			k.Pairs[id] = []string{question.Yes, question.No}[r.IntN(2)]
		}
	}
	k.Scheme = typ.Schemes()[r.IntN(len(typ.Schemes()))]
	return q, k
}

func ids(options []question.Option) []string {
	var all []string
	for _, o := range options {
		all = append(all, o.ID)
	}
	return all
}

func mixed(r *rand.Rand, all []string) []string {
	all = slices.Clone(all)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// right returns the right answer of a question.
func right(q question.Question, k question.Key) question.Answer {
	a := question.Answer{Chosen: slices.Clone(k.Correct), Parts: maps.Clone(k.Pairs)}
	for id, accepted := range k.Blanks {
		if a.Parts == nil {
			a.Parts = map[string]string{}
		}
		a.Parts[id] = accepted.Texts[0]
	}
	return a
}

// answer returns a random answer, valid or not.
func answer(r *rand.Rand, q question.Question, k question.Key) question.Answer {
	a := right(q, k)
	pool := append(ids(q.Options), "z", "yes", "no", "")
	for range r.IntN(4) {
		switch r.IntN(4) {
		case 0:
			a.Chosen = append(a.Chosen, pool[r.IntN(len(pool))])
		case 1:
			if len(a.Chosen) > 0 {
				a.Chosen = a.Chosen[:len(a.Chosen)-1]
			}
		case 2:
			a.Chosen = mixed(r, a.Chosen)
		case 3:
			for id := range a.Parts {
				a.Parts[id] = pool[r.IntN(len(pool))]
				break
			}
		}
	}
	return a
}

func TestRightAnswersEarnTheFullMark(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range rounds() {
		for _, typ := range question.Types() {
			q, k := random(r, typ)
			if err := question.Check(q); err != nil {
				t.Fatal(err)
			}
			a := right(q, k)
			if err := question.CheckAnswer(q, a); err != nil {
				t.Fatalf("%s: the right answer is refused: %v", typ, err)
			}
			if got := question.Grade(q, k, a); got != (question.Result{Mark: question.Full, Correct: true, Answered: true}) {
				t.Fatalf("%s %s: %+v", typ, k.Scheme, got)
			}
		}
	}
}

func TestMarksAreBoundedAndOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range rounds() {
		for _, typ := range question.Types() {
			q, k := random(r, typ)
			a := answer(r, q, k)
			exact := k
			exact.Scheme = question.Exact
			strict, got := question.Grade(q, exact, a), question.Grade(q, k, a)
			switch {
			case got.Mark < 0 || got.Mark > question.Full:
				t.Fatalf("%s %s: the mark of %+v is %d", typ, k.Scheme, a, got.Mark)
			case got.Correct != (got.Mark == question.Full) || got.Answered == a.Empty():
				t.Fatalf("%s %s: %+v of %+v", typ, k.Scheme, got, a)
			case strict.Correct && !got.Correct:
				t.Fatalf("%s: exact gives %+v and %s gives %+v", typ, strict, k.Scheme, got)
			case got.Correct && !strict.Correct && question.CheckAnswer(q, a) == nil:
				t.Fatalf("%s %s: %+v is not right and earns the full mark", typ, k.Scheme, a)
			}
		}
	}
}

// Choosing everything must not pay in the default scheme for partial credit.
func TestChoosingEverythingEarnsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range rounds() {
		q, k := random(r, question.MultipleResponse)
		k.Scheme = question.MultipleResponse.Partial()
		if 2*len(k.Correct) > len(q.Options) {
			continue
		}
		if got := question.Grade(q, k, question.Answer{Chosen: ids(q.Options)}); got.Mark != 0 {
			t.Fatalf("%d correct of %d: %d", len(k.Correct), len(q.Options), got.Mark)
		}
	}
}

func TestShufflingKeepsOptionsAndMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range rounds() {
		for _, typ := range question.Types() {
			q, k := random(r, typ)
			a, seed := answer(r, q, k), fmt.Sprint(r.Uint64())
			before := fmt.Sprintf("%+v", q)
			shuffled := question.Shuffle(q, seed)
			if fmt.Sprintf("%+v", q) != before {
				t.Fatal("Shuffle changed its argument")
			}
			if !reflect.DeepEqual(shuffled, question.Shuffle(q, seed)) {
				t.Fatal("the same seed gives another order")
			}
			if question.Grade(q, k, a) != question.Grade(shuffled, k, a) {
				t.Fatalf("%s: shuffling changes the mark of %+v", typ, a)
			}
			if !reflect.DeepEqual(sorted(q.Options), sorted(shuffled.Options)) || !reflect.DeepEqual(sorted(q.Targets), sorted(shuffled.Targets)) {
				t.Fatalf("%s: options are lost: %+v", typ, shuffled)
			}
		}
	}
}

func sorted(options []question.Option) []string {
	all := ids(options)
	slices.Sort(all)
	return all
}

func TestShuffleReachesEveryOrderEvenly(t *testing.T) {
	counts := map[string]int{}
	const n = 6000
	for i := range n {
		counts[fmt.Sprint(ids(question.Shuffle(choice(question.SingleChoice, 3), fmt.Sprint(i)).Options))]++
	}
	if len(counts) != 6 {
		t.Fatalf("%d orders of 3 options", len(counts))
	}
	for order, count := range counts {
		if count < n/6*8/10 || count > n/6*12/10 {
			t.Errorf("the order %s came %d times of %d", order, count, n)
		}
	}
}

func TestShuffleKeepsTheLastOption(t *testing.T) {
	q := choice(question.SingleChoice, 4)
	q.Options[1].Last = true
	moved := false
	for i := range 50 {
		got := ids(question.Shuffle(q, fmt.Sprint(i)).Options)
		if got[3] != "b" {
			t.Fatalf("the last option is %s", got[3])
		}
		moved = moved || got[0] != "a"
	}
	if !moved {
		t.Error("nothing is shuffled")
	}
}

// Stored sessions must see the same order after an update of the program.
func TestShuffleIsStable(t *testing.T) {
	if got := fmt.Sprint(question.ShuffleIDs(letters("abcdefgh"), "01JAAA")); got != "[e c h f b g a d]" {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(ids(question.Shuffle(choice(question.SingleChoice, 6), "01JAAA").Options)); got != "[f a e c d b]" {
		t.Errorf("got %s", got)
	}
}

func TestHashIgnoresCaseAndSpace(t *testing.T) {
	hash := func(text string) string { return question.Hash(question.Question{Text: text}) }
	same := hash("What is  DNS?")
	for text, equal := range map[string]bool{
		"what is dns?": true, " WHAT\tIS\nDNS? ": true, "What is ＤＮＳ?": true, "What\u00a0is DNS?": true, "\ufeffWhat is DNS?": true,
		"What is DNS": false, "What isDNS?": false, "": false,
	} {
		if (hash(text) == same) != equal {
			t.Errorf("%q: equal is %v", text, !equal)
		}
	}
	if question.Hash(question.Question{Text: "a", Passage: "b"}) == hash("a") || len(same) != 32 {
		t.Error("a passage does not count")
	}
}

func TestIdentifyDoesNotTellTheOrder(t *testing.T) {
	q := question.Question{Type: question.Ordering, Text: "Order", Options: []question.Option{{Text: "one"}, {Text: "two"}, {Text: "three"}, {ID: "mine", Text: "four"}, {Text: "one"}}}
	question.Identify(&q)
	turned := question.Question{Type: question.Ordering, Text: "Order", Options: []question.Option{{Text: "three"}, {Text: "two"}, {Text: "one"}}}
	question.Identify(&turned)
	if q.Options[0].ID != turned.Options[2].ID || q.Options[2].ID != turned.Options[0].ID {
		t.Error("the id of an option depends on its place")
	}
	if q.Options[3].ID != "mine" || q.Options[4].ID == q.Options[0].ID {
		t.Errorf("got %+v", q.Options)
	}
	boolean := question.Question{Type: question.TrueFalse, Options: []question.Option{{Text: "Richtig"}, {Text: "Falsch"}}}
	question.Identify(&boolean)
	if boolean.Options[0].ID != "true" || boolean.Options[1].ID != "false" {
		t.Errorf("got %+v", boolean.Options)
	}
}

func FuzzTypedAnswer(f *testing.F) {
	for _, seed := range [][2]string{{"HyperText", " hypertext"}, {"3.14", "3,14"}, {"İ", "i̇"}, {"ǰ", "ǰ"}, {"\xff", "-"}, {"１２", "12"}, {"ſ\u0323\u0307", "ṩ"}} {
		f.Add(seed[0], seed[1])
	}
	q := question.Question{Type: question.FillInBlank, Text: "Say __", Blanks: []question.Blank{{ID: "b"}}}
	f.Fuzz(func(t *testing.T, accepted, given string) {
		if c := question.Canonical(accepted); question.Canonical(c) != c {
			t.Errorf("the canonical form %q of %q is not stable: %q", c, accepted, question.Canonical(c))
		}
		for _, k := range []question.Accepted{{Texts: []string{accepted}}, {Texts: []string{accepted}, IgnoreAccents: true, IgnorePunctuation: true}, {Low: accepted, High: accepted}} {
			key := question.Key{Blanks: map[string]question.Accepted{"b": k}}
			question.Grade(q, key, question.Answer{Parts: map[string]string{"b": given}})
			if question.CheckKey(q, key) != nil {
				continue
			}
			if got := question.Grade(q, key, question.Answer{Parts: map[string]string{"b": accepted}}); !got.Correct {
				t.Errorf("%q is not accepted for itself: %+v", accepted, k)
			}
		}
	})
}
