package shop_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb"
	"sortkey.dev/design/internal/gogen/internal/shop/shopdb/shopdbtest"
)

// sales puts sales of a till at the borders of months, and one of another till.
func sales(t *testing.T, db *shopdb.DB) {
	t.Helper()
	for i, at := range []string{
		"2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z",
		"2026-02-01T00:00:00Z", "2026-02-14T12:00:00Z", "2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00Z",
	} {
		sale := shopdb.Sale{Till: "one", SaleID: fmt.Sprintf("01J000000000000000000000S%d", i), At: instant(t, at), Total: "1"}
		must[shopdb.Sale](t)(db.Sell(t.Context(), sale))
		if i == 4 {
			sale.Till = "two"
			must[shopdb.Sale](t)(db.Sell(t.Context(), sale))
		}
	}
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// days returns the months and days of sales.
func days(list []shopdb.Sale) []string {
	var all []string
	for _, s := range list {
		all = append(all, s.At.Format("01-02"))
	}
	return all
}

func TestRangeOverSeveralMonths(t *testing.T) {
	db := shopdbtest.New(t)
	sales(t, db)
	for _, test := range []struct {
		from, to string
		want     []string
	}{
		{"2026-01-01T00:00:00Z", "2026-03-31T23:59:59.999Z", []string{"03-31", "02-14", "02-01", "01-31", "01-01"}},
		{"2026-01-01T00:00:00.0000001Z", "2026-02-01T00:00:00Z", []string{"02-01", "01-31"}},
		{"2026-02-02T00:00:00Z", "2026-02-28T00:00:00Z", []string{"02-14"}},
		{"2026-02-14T12:00:00Z", "2026-02-14T12:00:00Z", []string{"02-14"}},
		{"2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", []string{"01-01", "12-31"}},
		{"2026-02-28T00:00:00Z", "2026-02-02T00:00:00Z", nil},
		{"2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z", nil},
	} {
		got, err := db.ListSales("one", instant(t, test.from), instant(t, test.to)).Slice(t.Context())
		if err != nil || !slices.Equal(days(got), test.want) {
			t.Errorf("from %s to %s: %v, %v", test.from, test.to, days(got), err)
		}
	}
}

func TestRangeOverSeveralMonthsComesInPages(t *testing.T) {
	db := shopdbtest.New(t)
	sales(t, db)
	list := db.ListSales("one", instant(t, "2026-01-01T00:00:00Z"), instant(t, "2026-03-31T23:59:59.999Z")).PageSize(2)
	var got []string
	for cursor := ""; ; {
		page, err := list.Page(t.Context(), cursor)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, days(page.Items)...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if want := []string{"03-31", "02-14", "02-01", "01-31", "01-01"}; !slices.Equal(got, want) {
		t.Errorf("the pages have %v", got)
	}
	page, err := list.Page(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	other := db.ListSales("one", instant(t, "2026-02-01T00:00:00Z"), instant(t, "2026-03-31T23:59:59.999Z"))
	if _, err := other.Page(t.Context(), page.Next); !errors.Is(err, access.ErrBadCursor) {
		t.Errorf("a cursor over other months gives %v", err)
	}
}

func TestRangeOverTooManyMonthsIsAnError(t *testing.T) {
	db := shopdbtest.New(t)
	list := db.ListSales("one", instant(t, "2026-01-31T23:59:59.999Z"), instant(t, "2026-04-01T00:00:00Z"))
	var span *access.SpanError
	if _, err := list.Slice(t.Context()); !errors.As(err, &span) || span.Spans != 4 || span.Most != 3 || span.Units != "months" {
		t.Error(err)
	}
	if _, err := list.Page(t.Context(), ""); !errors.As(err, &span) {
		t.Error(err)
	}
}
