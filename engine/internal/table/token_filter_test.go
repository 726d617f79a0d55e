package table

import (
	"fmt"
	"hash/maphash"
	"testing"
	"time"
)

// TestTokensOutliveTheProcess repeats transactions after a restart, with tokens of both
// valid generations, and on a clock that was set back.
func TestTokensOutliveTheProcess(t *testing.T) {
	w := newFixture(t)
	replay := func(token, value string) bool {
		t.Helper()
		got, out := w.transact(token, put(token, value))
		if got != "" {
			t.Fatalf("%s: %s", token, got)
		}
		return !out.ConsumedCapacity[0].Write
	}
	restart := func() { w.tables = New(w.disk, w.tables.catalog) }
	replay("older", "1")
	w.now = w.now.Add(9 * time.Minute)
	replay("old", "1")
	restart()
	for _, token := range []string{"older", "old"} {
		if !replay(token, "1") {
			t.Errorf("%s is executed again after a restart", token)
		}
	}
	w.now = w.now.Add(2 * time.Minute) // another generation
	if replay("new", "1") || !replay("old", "1") || !replay("new", "1") {
		t.Error("in the next generation a new token is a replay, or one of the two is executed again")
	}
	restart()
	if !replay("old", "1") || !replay("new", "1") {
		t.Error("executed again after a restart in the next generation")
	}
	w.now = w.now.Add(-2 * time.Minute)
	if replay("back", "1") || !replay("back", "1") || !replay("old", "1") {
		t.Error("with the clock set back a new token is a replay, or an old one is executed again")
	}
	w.now = w.now.Add(2 * time.Minute)
	if !replay("back", "1") {
		t.Error("executed again when the clock is right again")
	}
}

// TestTokensOfALaterClock repeats transactions after the clock was set back: by a moment, and by
// hours while the database was closed.
func TestTokensOfALaterClock(t *testing.T) {
	for _, back := range []time.Duration{time.Millisecond, 11 * time.Minute, 5 * time.Hour} {
		for _, restart := range []bool{false, true} {
			w := newFixture(t)
			w.now = w.now.Truncate(tokenLife).Add(5 * tokenLife)
			w.transact("token", put("a", "1"))
			w.now = w.now.Add(-back)
			if restart {
				w.tables = New(w.disk, w.tables.catalog)
			}
			for range 2 {
				if got, out := w.transact("token", put("a", "1")); got != "" || out.ConsumedCapacity[0].Write {
					t.Errorf("clock set back by %v, restart %v: %q, or executed again", back, restart, got)
				}
			}
		}
	}
}

// TestTokensOfALaterClockAreDatedAnew writes tokens while the clock is a year ahead. They stay
// idempotent for a while, and then neither they nor their generations burden transactions.
func TestTokensOfALaterClockAreDatedAnew(t *testing.T) {
	const tokens = 250 // more than a batch
	for _, restart := range []bool{false, true} {
		w := newFixture(t)
		right := w.now
		w.now = right.AddDate(1, 0, 0)
		for i := range tokens {
			w.transact(fmt.Sprint("token ", i), put("a", "1"))
		}
		w.now = right
		if restart {
			w.tables = New(w.disk, w.tables.catalog)
		}
		replays := func() (n int) {
			for i := range tokens {
				if _, out := w.transact(fmt.Sprint("token ", i), put("a", "1")); !out.ConsumedCapacity[0].Write {
					n++
				}
			}
			return n
		}
		for round := range 9 {
			if got := replays(); got != tokens {
				t.Errorf("restart %v, round %d: %d of %d tokens are idempotent", restart, round, got, tokens)
			}
			w.now = w.now.Add(time.Minute)
			if err := w.tables.ForgetTokens(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := newestTokens(t.Context(), w.disk); got > generation(w.now) {
			t.Errorf("restart %v: a token is %d generations ahead", restart, got-generation(w.now))
		}
		w.now = w.now.Add(2 * tokenLife)
		if held := w.tables.used.use(t.Context(), w.disk, generation(w.now), "new"); len(held) != 0 {
			t.Errorf("restart %v: a new token is looked up in the generations %v", restart, held)
		}
		if got := replays(); got != 0 {
			t.Errorf("restart %v: %d expired tokens are idempotent", restart, got)
		}
	}
}

func TestTokenFilter(t *testing.T) {
	var f tokenFilter
	hash := func(i int) uint64 { return maphash.String(filterSeed, fmt.Sprint(i)) }
	if f.may(hash(0)) {
		t.Error("an empty filter holds something")
	}
	const added = 100_000
	for i := range added {
		f.add(hash(i))
	}
	mistaken := 0
	for i := range added {
		if !f.may(hash(i)) {
			t.Fatalf("%d is missed", i)
		}
		if f.may(hash(added + i)) {
			mistaken++
		}
	}
	if mistaken > added/100 {
		t.Errorf("%d of %d are false positives", mistaken, added)
	}
	var none *tokenFilter
	none.add(1)
	if !none.may(1) {
		t.Error("a nil filter does not report every hash")
	}
}
