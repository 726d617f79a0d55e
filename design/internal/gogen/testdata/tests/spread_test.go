package tests

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"generated.test/spreaddb"
	"generated.test/spreaddb/spreaddbtest"

	"sortkey.dev/access"
)

const tallyDay = access.Date("2026-02-17")

// sums returns the sums of the three spread counters of a tally.
type sums struct {
	Hot    int64
	Price  access.Decimal
	Weight float64
}

func sumsOf(t *testing.T, db *spreaddb.DB, key spreaddb.TallyKey) sums {
	t.Helper()
	var all sums
	var errs [3]error
	all.Hot, errs[0] = db.SumTallyHot(t.Context(), key)
	all.Price, errs[1] = db.SumTallyPriceCounter(t.Context(), key) // a pattern has the name it would have
	all.Weight, errs[2] = db.SumTallyWeight(t.Context(), key)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return all
}

// A counter that is spread is read by the method that adds its rows up, whoever writes at
// the same time. The field of the item is not touched.
func TestSpreadCountersAreAddedUp(t *testing.T) {
	ctx, db := t.Context(), spreaddbtest.New(t)
	key, other := spreaddb.TallyKey{Owner: "ann", Day: tallyDay}, spreaddb.TallyKey{Owner: "bob", Day: tallyDay}
	for _, one := range []spreaddb.TallyKey{key, other} {
		if _, err := db.AddTally(ctx, spreaddb.Tally{Owner: one.Owner, Day: one.Day}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(sums{Price: "0"}, sumsOf(t, db, key)); diff != "" {
		t.Errorf("before anything is counted: %s", diff)
	}
	part := func(n int64) spreaddb.Part {
		return spreaddb.Part{Owner: "ann", Day: tallyDay, Number: n, Hot: n%3 == 0, Price: "0.10", Grams: 0.1}
	}
	var group sync.WaitGroup
	errs := make([]error, 30)
	for n := range errs {
		group.Go(func() {
			for {
				if _, errs[n] = db.AddPart(ctx, part(int64(n))); !access.Contended(errs[n]) {
					return
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sums{10, "3", 3}, sumsOf(t, db, key)); diff != "" {
		t.Errorf("after 30: %s", diff)
	}
	for n := range int64(4) {
		one := part(3 * n)
		if err := db.DropHot(ctx, one.Key(), spreaddb.DropHotParams{Price: one.Price, Grams: one.Grams}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(sums{6, "2.6", 2.6}, sumsOf(t, db, key)); diff != "" {
		t.Errorf("after four went: %s", diff)
	}
	if diff := cmp.Diff(sums{Price: "0"}, sumsOf(t, db, other)); diff != "" {
		t.Errorf("somebody else: %s", diff)
	}
	tally, err := db.GetTally(ctx, "ann", tallyDay)
	if err != nil || tally.Parts != 26 || tally.Hot != 0 {
		t.Errorf("got %+v, %v", tally, err)
	}
	if all, err := db.ListTallies("ann").Slice(ctx); err != nil || len(all) != 1 {
		t.Errorf("listed %+v, %v", all, err)
	}
}

// An observer sees one call under the name of the method, with the units it was said to
// take; more than a hundred rows are several requests.
func TestSumsAreObserved(t *testing.T) {
	var calls []access.Call
	observer := access.WithObserver(access.ObserverFunc(func(_ context.Context, call access.Call) { calls = append(calls, call) }))
	ctx, db := t.Context(), spreaddbtest.New(t, observer)
	for n := range 50 {
		if _, err := db.CastVote(ctx, spreaddb.Vote{Poll: "Best", Voter: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	calls = nil
	votes, err := db.SumPollVotes(ctx, spreaddb.PollKey{Poll: "best"})
	if err != nil || votes != 50 {
		t.Errorf("got %d, %v", votes, err)
	}
	if _, err := db.SumTallyHot(ctx, spreaddb.TallyKey{Owner: "nobody", Day: tallyDay}); err != nil {
		t.Error(err)
	}
	type seen struct {
		Pattern, Operation string
		Requests           int
		Units, Estimated   float64
	}
	var got []seen
	for _, c := range calls {
		got = append(got, seen{c.Pattern, c.Operation, c.Requests, c.Units, c.Estimated})
	}
	if diff := cmp.Diff([]seen{{"SumPollVotes", "BatchGetItem", 2, 60, 60}, {"SumTallyHot", "BatchGetItem", 1, 3, 3}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSumsRefuseKeysThatCannotBe(t *testing.T) {
	db := spreaddbtest.New(t)
	for _, poll := range []string{"", strings.Repeat("x", 2040)} {
		_, err := db.SumPollVotes(t.Context(), spreaddb.PollKey{Poll: poll})
		if refused, ok := errors.AsType[*access.KeyError](err); !ok || refused.Entity != "Poll" || !strings.HasPrefix(err.Error(), "SumPollVotes: ") {
			t.Errorf("got %v", err)
		}
	}
}
