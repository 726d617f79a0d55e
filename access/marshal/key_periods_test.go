package marshal_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestPeriodsOfARangeIncludeBothEnds(t *testing.T) {
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	type list func(*marshal.KeyText, string, time.Time, time.Time, int) []time.Time
	type text func(*marshal.KeyText, string, time.Time) *marshal.KeyText
	for _, test := range []struct {
		name     string
		list     list
		text     text
		from, to string
		want     []string
	}{
		{"one year", (*marshal.KeyText).Years, (*marshal.KeyText).Year, "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999Z", []string{"2026"}},
		{"two years", (*marshal.KeyText).Years, (*marshal.KeyText).Year, "2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z", []string{"2025", "2026"}},
		{"from the year 0", (*marshal.KeyText).Years, (*marshal.KeyText).Year, "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", []string{"0000", "0001"}},
		{"one month", (*marshal.KeyText).Months, (*marshal.KeyText).Month, "2026-02-01T00:00:00Z", "2026-02-28T23:59:59.999Z", []string{"2026-02"}},
		{"months over a year", (*marshal.KeyText).Months, (*marshal.KeyText).Month, "2025-11-30T00:00:00Z", "2026-02-01T00:00:00Z", []string{"2025-11", "2025-12", "2026-01", "2026-02"}},
		{"another zone", (*marshal.KeyText).Months, (*marshal.KeyText).Month, "2026-02-01T01:00:00+02:00", "2026-02-28T23:00:00-02:00", []string{"2026-01", "2026-02", "2026-03"}},
		{"days", (*marshal.KeyText).Days, (*marshal.KeyText).Day, "2024-02-28T23:59:59Z", "2024-03-01T00:00:00Z", []string{"2024-02-28", "2024-02-29", "2024-03-01"}},
		{"days around 1970", (*marshal.KeyText).Days, (*marshal.KeyText).Day, "1969-12-31T00:00:00Z", "1970-01-01T12:00:00Z", []string{"1969-12-31", "1970-01-01"}},
		{"hours", (*marshal.KeyText).Hours, (*marshal.KeyText).Hour, "1969-12-31T22:59:59.999Z", "1970-01-01T00:00:00Z", []string{"1969-12-31T22", "1969-12-31T23", "1970-01-01T00"}},
		{"one instant", (*marshal.KeyText).Hours, (*marshal.KeyText).Hour, "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z", []string{"2026-02-01T00"}},
		{"inverted", (*marshal.KeyText).Hours, (*marshal.KeyText).Hour, "2026-02-01T01:00:00Z", "2026-02-01T00:59:59Z", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var k marshal.KeyText
			var got []string
			for _, begin := range test.list(k.Of("Order"), "at", at(test.from), at(test.to), len(test.want)) {
				got = append(got, test.text(k.Of("Order"), "at", begin).Done())
			}
			if err := k.Err(); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestPeriodsRefuseWideRanges(t *testing.T) {
	var k marshal.KeyText
	from := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	if got := k.Of("Order").Months("at", from, from.AddDate(0, 0, 365), 12); got != nil {
		t.Error(got)
	}
	var span *access.SpanError
	if !errors.As(k.Err(), &span) || *span != (access.SpanError{Entity: "Order", Attribute: "at", Units: "months", Spans: 13, Most: 12}) {
		t.Fatal(k.Err())
	}
	if got := k.Err().Error(); got != "access: the range of at of Order spans 13 months, and the pattern reads at most 12" {
		t.Error(got)
	}
	if got := k.Of("Order").Month("at", from).Done(); got != "" {
		t.Errorf("a key after the error is %q", got)
	}
	k = marshal.KeyText{}
	var refused *access.KeyError
	if got := k.Of("Order").Years("at", from, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), 1<<40); got != nil || !errors.As(k.Err(), &refused) {
		t.Error(got, k.Err())
	}
}
