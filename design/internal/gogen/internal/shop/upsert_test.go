package shop_test

import (
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

func TestUpsertCreatesAndChanges(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	key := shopdb.VisitKey{Page: "/tea", Day: access.DateOf(start)}
	see := func(at time.Time, note *string, referrers ...string) shopdb.Visit {
		t.Helper()
		return must[shopdb.Visit](t)(db.CountView(ctx, key, shopdb.CountViewParams{LastAt: at, Note: note, Referrers: referrers, Limit: 3}))
	}
	first := see(start, new("new"), "a", "b")
	if first.Page != key.Page || first.Day != key.Day || first.Views != 1 || first.Version != 1 || first.State != shopdb.VisitStateOpen || len(first.Referrers) != 2 {
		t.Errorf("created %+v", first)
	}
	later := start.Add(time.Hour)
	second := see(later, nil, "c")
	if !second.FirstAt.Equal(start) || !second.LastAt.Equal(later) || second.Views != 2 || second.Version != 2 || second.Note != nil || len(second.Referrers) != 2 {
		t.Errorf("changed to %+v", second)
	}
	listed, err := db.ListVisits(key.Day).Slice(ctx)
	if err != nil || len(listed) != 1 || listed[0].Views != 2 {
		t.Errorf("the index holds %+v, %v", listed, err)
	}
	see(later, nil)
	_, err = db.CountView(ctx, key, shopdb.CountViewParams{LastAt: later, Limit: 3})
	if e := as[*access.ConditionError[shopdb.Visit]](t, err); e.Current == nil || e.Current.Views != 3 {
		t.Errorf("refused with %+v", e)
	}
}

func TestUpsertsInATransaction(t *testing.T) {
	db, ctx := shopdbtest.New(t), t.Context()
	day := access.DateOf(start)
	count := func(pages ...string) {
		t.Helper()
		var visits []shopdb.CountViewsVisit
		for _, page := range pages {
			visits = append(visits, shopdb.CountViewsVisit{Page: page, Day: day, At: start, Views: 2})
		}
		if err := db.CountViews(ctx, shopdb.CountViewsParams{Visits: visits}); err != nil {
			t.Fatal(err)
		}
	}
	count("/tea")
	count("/tea", "/milk")
	for page, want := range map[string]int64{"/tea": 4, "/milk": 2} {
		got := must[shopdb.Visit](t)(db.GetVisit(ctx, page, day))
		if got.Views != want || got.Version != 1 { // additions leave the version alone
			t.Errorf("%s: %+v, want %d views of version 1", page, got, want)
		}
	}
}
