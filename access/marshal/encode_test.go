package marshal_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func TestEncoderGivesStoredTexts(t *testing.T) {
	e := marshal.Encode("Attempt")
	for _, pair := range [][2]string{
		{e.Time("at", time.Date(2026, 2, 17, 10, 30, 5, 0, time.UTC)), "2026-02-17T10:30:05.000Z"},
		{e.Float("f", 0.5), "0.5"},
		{e.Decimal("d", "1.50"), "1.5"},
		{e.Decimal("d", ""), "0"},
		{e.Date("day", "2026-02-17"), "2026-02-17"},
		{e.Week("week", "2026-W07"), "2026-W07"},
		{e.JSON("j", json.RawMessage(`{"a":1}`)), `{"a":1}`},
		{e.JSON("j", nil), "null"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("got %s, want %s", pair[0], pair[1])
		}
	}
	if err := e.Err(); err != nil {
		t.Error(err)
	}
}

func TestEncoderRefusesWhatCannotBeStored(t *testing.T) {
	for reason, encode := range map[string]func(*marshal.Encoder){
		"is outside the years 0000 to 9999":            func(e *marshal.Encoder) { e.Time("a", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) },
		"is no number":                                 func(e *marshal.Encoder) { e.Float("a", math.NaN()) },
		"is not a decimal number of at most 38 digits": func(e *marshal.Encoder) { e.Decimal("a", "1,5") },
		"is a number beyond 1E-130 to 9.99E+125":       func(e *marshal.Encoder) { e.Decimal("a", "1e126") },
		"is not a date as 2026-02-17":                  func(e *marshal.Encoder) { e.Date("a", "") },
		"is not a week as 2026-W07":                    func(e *marshal.Encoder) { e.Week("a", "2025-W53") },
		"is the zero time":                             func(e *marshal.Encoder) { e.RequiredTime("a", time.Time{}) },
		"is not valid JSON":                            func(e *marshal.Encoder) { e.JSON("a", json.RawMessage(`{`)) },
	} {
		e := marshal.Encode("Attempt")
		encode(&e)
		e.Refuse("b", "is late") // the first error sticks
		var refused *access.ValueError
		if !errors.As(e.Err(), &refused) || refused.Error() != "access: a of Attempt cannot be stored: it "+reason {
			t.Errorf("got %v, want that it %s", e.Err(), reason)
		}
	}
}

// Texts that share memory do not write over each other.
func TestEncoderKeepsEveryText(t *testing.T) {
	e := marshal.Encode("Attempt")
	var got, want []string
	for n := int64(-1_000_000_007); n < 1e12; n = n*3 + 2_000_000_100 {
		at := time.Unix(n/100, 0)
		got = append(got, e.Int(n), e.Int(n%100), e.Unix(at), e.Time("at", at))
		want = append(want, marshal.FormatInt(n), marshal.FormatInt(n%100), marshal.FormatUnix(at), marshal.FormatTime(at))
		if n < 0 {
			n = 1
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || e.Err() != nil {
		t.Error(diff, e.Err())
	}
	values := []int64{1, 100, -1, 1 << 62, -1 << 62, 99, 12345678901, 12345678902, 12345678903}
	d := marshal.Decode("E", access.Item{"list": marshal.IntList(values)})
	if diff := cmp.Diff(values, d.IntList("list")); diff != "" || d.Err() != nil {
		t.Error(diff, d.Err())
	}
}

// Values share memory too, and what is used up is replaced.
func TestEncoderKeepsEveryValue(t *testing.T) {
	e := marshal.EncodeItem("Attempt", 3, marshal.Members{S: make([]types.AttributeValueMemberS, 0, 2)})
	item := access.Item{}
	want := access.Item{}
	for n := range int64(20) {
		name := marshal.FormatInt(n)
		item["s"+name], want["s"+name] = e.S(e.Key().Of("Attempt").Lit("N#").Int("n", n).Sort()), marshal.S("N#"+name)
		item["n"+name], want["n"+name] = e.N(e.Int(n*1000)), marshal.N(n*1000)
		outer := e.Inside(1, 1, 0, 0, 1)
		item["m"+name], want["m"+name] = e.M(access.Item{"x": e.S(name)}), marshal.M(access.Item{"x": marshal.S(name)})
		e.Outside(outer)
		item["l"+name], want["l"+name] = e.L(marshal.TextElements([]string{name})), marshal.TextList([]string{name})
		item["t"+name], want["t"+name] = e.SS([]string{name}), marshal.Strings([]string{name})
	}
	if diff := cmp.Diff(want, item, cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberL{}, types.AttributeValueMemberM{}, types.AttributeValueMemberSS{})); diff != "" || e.Err() != nil {
		t.Error(diff, e.Err())
	}
}

func TestMadeAtComparesTimes(t *testing.T) {
	at := time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC)
	for _, test := range []struct {
		id   string
		at   time.Time
		fine bool
	}{
		{access.NewULID(at), at.Add(999 * time.Microsecond), true},
		{access.NewUUIDv7(at), at, true},
		{access.NewULID(at), at.Add(time.Millisecond), false},
		{"x", at, false},
	} {
		e := marshal.Encode("Attempt")
		e.MadeAt("id", test.id, "started_at", test.at)
		if err := e.Err(); (err == nil) != test.fine || err != nil && err.Error() != "access: id of Attempt cannot be stored: it was not made at started_at" {
			t.Errorf("%s at %v: %v", test.id, test.at, err)
		}
	}
	e := marshal.Encode("Attempt")
	e.MadeInSecond("id", access.NewULID(at), "started_at", at.Truncate(time.Second))
	if e.Err() != nil {
		t.Error(e.Err())
	}
}

// TestFloatsDynamoDBCannotStoreAreRefused: a float64 reaches further than DynamoDB's numbers.
func TestFloatsDynamoDBCannotStoreAreRefused(t *testing.T) {
	largest, smallest := math.Nextafter(1e126, 0), 1e-130
	for f, stored := range map[float64]bool{
		0: true, largest: true, -largest: true, smallest: true, -smallest: true,
		1e126: false, -1e126: false, math.MaxFloat64: false, math.Nextafter(1e-130, 0): false, math.SmallestNonzeroFloat64: false,
	} {
		e := marshal.Encode("Attempt")
		text := e.Float("a", f)
		if _, err := access.ParseDecimal(text); (e.Err() == nil) != stored || (err == nil) != stored {
			t.Errorf("%g as %s: %v, as a decimal %v", f, text, e.Err(), err)
		}
		var refused *access.ValueError
		if !stored && (!errors.As(e.Err(), &refused) || refused.Reason != "is a number beyond 1E-130 to 9.99E+125") {
			t.Errorf("%g: %v", f, e.Err())
		}
	}
}
