package insights_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/homeops/households"
	"sortkey.dev/apps/homeops/ledger"
	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/telegram"
)

// TestBalancesAreLikeAPlainSum closes random weeks and compares what is stored with a sum over the
// log: every pair once, the first member the smaller one, the difference of the two loads.
func TestBalancesAreLikeAPlainSum(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 9))
			w := homeopstest.Open(t)
			home, ctx := w.Home(t), t.Context()
			home, err := w.Households.Join(ctx, home.HouseholdID, households.Person{ID: homeopstest.Maja, Name: "Maja"})
			if err != nil {
				t.Fatal(err)
			}
			weight := float64(random.IntN(5)) / 2
			w.Set(t, func(s *households.Settings) { s.RecoveryWeight = weight })
			week := homeops.Week(w.Clock.Now(), home.Zone())
			from, to := homeops.WeekRange(week, home.Zone())
			w.Clock.Set(to.Add(48 * time.Hour))
			effort, recovery := map[int64]float64{}, map[int64]float64{}
			for range 40 {
				user := home.ActiveIDs()[random.IntN(3)]
				entry := ledger.Entry{Activity: []string{"dishes", "laundry", "walk"}[random.IntN(3)], Category: "chore",
					Effort: homeopsdb.EventEffortValues()[random.IntN(3)], At: from.Add(time.Duration(random.Int64N(int64(9*24*time.Hour))) - 24*time.Hour)}
				if entry.Activity == "walk" {
					entry.Category = "recovery"
				}
				e, err := w.Ledger.Add(ctx, home, user, entry)
				if err != nil {
					t.Fatal(err)
				}
				if e.OccurredAt.Before(from) || !e.OccurredAt.Before(to) {
					continue
				}
				if entry.Category == "chore" {
					effort[user] += e.Value
				} else {
					recovery[user] += e.Value
				}
			}
			for range 2 { // closing again changes nothing
				if err := w.Insights.CloseWeek(ctx, home.HouseholdID, week); err != nil {
					t.Fatal(err)
				}
			}
			net := func(user int64) float64 { return math.Round((effort[user]-weight*recovery[user])*100) / 100 }
			ids := []int64{homeopstest.Maja, homeopstest.Anna, homeopstest.Erik} // in order
			for i, a := range ids {
				for _, b := range ids[i+1:] {
					balance, err := w.DB.GetBalance(ctx, home.HouseholdID, a, b, week)
					if err != nil || math.Abs(balance.NetLoad1-net(a)) > 0.011 || math.Abs(balance.NetLoad2-net(b)) > 0.011 ||
						math.Abs(balance.Delta-(balance.NetLoad1-balance.NetLoad2)) > 1e-9 {
						t.Errorf("balance %+v (%v), want %v and %v", balance, err, net(a), net(b))
					}
				}
				mine, err := w.Insights.Mine(ctx, home, a, week)
				if err != nil || math.Abs(mine.NetLoad-net(a)) > 0.011 || !mine.Closed || mine.Band != load.NotEnough {
					t.Errorf("%d sees %+v (%v)", a, mine, err)
				}
			}
		})
	}
}

// A member of two households has two weeks.
func TestWeeksBelongToAHousehold(t *testing.T) {
	w := homeopstest.Open(t)
	home, ctx := w.Home(t), t.Context()
	cabin, _, err := w.Households.Ensure(ctx, households.Group{ChatID: "-2", Name: "Stugan"})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{homeopstest.Anna, homeopstest.Erik} {
		if cabin, err = w.Households.Join(ctx, cabin.HouseholdID, households.Person{ID: id, Name: "P"}); err != nil {
			t.Fatal(err)
		}
	}
	for n, h := range map[int]households.Home{1: home, 3: cabin} {
		for range n {
			if _, err := w.Ledger.Add(ctx, h, homeopstest.Anna, ledger.Entry{Activity: "dishes", Category: "chore", Effort: "medium", At: w.Clock.Now()}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Insights.CloseWeek(ctx, h.HouseholdID, "2037-W08"); err != nil {
			t.Fatal(err)
		}
	}
	for n, h := range map[int]households.Home{1: home, 3: cabin} {
		mine, err := w.Insights.Mine(ctx, h, homeopstest.Anna, "2037-W08")
		if err != nil || mine.Chores != n || mine.NetLoad != float64(2*n) {
			t.Errorf("%s: %+v (%v)", h.Name, mine, err)
		}
		if own, err := w.Ledger.Mine(ctx, h, homeopstest.Anna, ""); err != nil || len(own.Items) != n {
			t.Errorf("%s: %d own entries (%v)", h.Name, len(own.Items), err)
		}
		balance, err := w.DB.GetBalance(ctx, h.HouseholdID, homeopstest.Anna, homeopstest.Erik, "2037-W08")
		if err != nil || balance.NetLoad1 != float64(2*n) {
			t.Errorf("%s: %+v (%v)", h.Name, balance, err)
		}
	}
}

// The week is sent on Sunday at 18:00 to members with an open channel, once, and to those who want
// it.
func TestWeekIsSentOnSunday(t *testing.T) {
	w := homeopstest.Open(t)
	home := w.Home(t)
	for _, id := range []int64{homeopstest.Anna, homeopstest.Erik} {
		w.Deliver(t, telegram.Update{Message: w.Private(id, "/start")})
	}
	w.Step(t)
	if _, err := w.Households.Choose(t.Context(), homeopstest.Erik, households.Choices{WeeklyInsight: false}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Ledger.Add(t.Context(), home, homeopstest.Anna, ledger.Entry{Activity: "dishes", Category: "chore", Effort: "high", At: w.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	sunday := time.Date(2037, 2, 22, 18, 0, 0, 0, home.Zone())
	for at, want := range map[time.Time]int{sunday.Add(-time.Second): 1} {
		w.Clock.Set(at)
		w.Step(t)
		if got := len(w.Telegram.Texts(homeopstest.Anna)); got != want {
			t.Errorf("%s: %d texts", at, got)
		}
	}
	w.Clock.Set(sunday)
	w.Step(t)
	w.Clock.Advance(time.Hour)
	w.Step(t)
	said := w.Telegram.Texts(homeopstest.Anna)
	if len(said) != 2 || !strings.HasPrefix(said[1], "Din vecka: 1 syssla, 0 pauser.\n") {
		t.Errorf("Anna got %q", said)
	}
	if said := w.Telegram.Texts(homeopstest.Erik); len(said) != 1 {
		t.Errorf("Erik got %q", said)
	}
	if said := w.Telegram.Texts(homeopstest.Chat); len(said) != 0 {
		t.Errorf("the group got %q", said)
	}
	w.Clock.Set(sunday.AddDate(0, 0, 7))
	w.Step(t)
	if said := w.Telegram.Texts(homeopstest.Anna); len(said) != 3 {
		t.Errorf("after two weeks Anna got %q", said)
	}
	weeks, err := w.Insights.Weeks(t.Context(), home, homeopstest.Anna)
	if err != nil || len(weeks) < 2 || weeks[0].Week != "2037-W09" || weeks[0].Trend != load.Lighter {
		t.Fatalf("weeks %+v (%v)", weeks, err)
	}
	if first := weeks[len(weeks)-1]; first.Trend != load.First { // there is nothing to compare it with
		t.Errorf("the first week is %+v", first)
	}
	if !strings.Contains(said[1], "den första veckan") {
		t.Errorf("the first week says %q", said[1])
	}
}
