package marshal_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

var keyInstant = time.Date(2026, 2, 17, 10, 30, 5, 123_999_999, time.FixedZone("", 3600))

func TestKeysAreBuiltFromTheirParts(t *testing.T) {
	tests := []struct {
		want  string
		build func(k *marshal.KeyText)
	}{
		{"CANDIDATE#c1", func(k *marshal.KeyText) { k.Lit("CANDIDATE#").Hole("candidate_id", "c1") }},
		{"N#00000042#x", func(k *marshal.KeyText) { k.Lit("N#").Pad("n", 42, 8).Lit("#x") }},
		{"99999999", func(k *marshal.KeyText) { k.Pad("n", 99999999, 8) }},
		{"0", func(k *marshal.KeyText) { k.Pad("n", 0, 1) }},
		{"-7", func(k *marshal.KeyText) { k.Int("n", -7) }},
		{"2026-02-17T09:30:05.123Z", func(k *marshal.KeyText) { k.Time("at", keyInstant) }},
		{"2026-02-17", func(k *marshal.KeyText) { k.Day("at", keyInstant) }},
		{"2026-02", func(k *marshal.KeyText) { k.Month("at", keyInstant) }},
		{"2026-02-17T09", func(k *marshal.KeyText) { k.Hour("at", keyInstant) }},
		{"2026-02-17", func(k *marshal.KeyText) { k.Date("day", "2026-02-17") }},
		{"2026-W07", func(k *marshal.KeyText) { k.Week("week", "2026-W07") }},
		{"1.5", func(k *marshal.KeyText) { k.Decimal("price", "1.50") }},
		{"a#b", func(k *marshal.KeyText) { k.Whole("path", "a#b") }},
		{`T#c"2#x`, func(k *marshal.KeyText) { k.Lit("T#").Escape("tag", "c#").Lit("#x") }},
		{`"1"2"1`, func(k *marshal.KeyText) { k.Escape("tag", `"#"`) }},
		{"T#c\"1\U0010FFFF", func(k *marshal.KeyText) { k.Lit("T#").Escape("tag", "c#").Back() }},
		{"E#bobby", func(k *marshal.KeyText) { k.Lit("E#").Hole("name", "bobby") }},
		{"E#boba\U0010FFFF", func(k *marshal.KeyText) { k.Lit("E#").Before("name", "bobb") }},
		{"E#00000041\U0010FFFF", func(k *marshal.KeyText) { k.Lit("E#").Pad("n", 42, 8).Back() }},
		{strings.Repeat("long", 60), func(k *marshal.KeyText) { k.Lit(strings.Repeat("long", 30)).Lit(strings.Repeat("long", 30)) }},
		{strings.Repeat("x", 126) + "0003", func(k *marshal.KeyText) { k.Lit(strings.Repeat("x", 126)).Pad("n", 3, 4) }},
		{strings.Repeat("x", 126) + "0002\U0010FFFF", func(k *marshal.KeyText) { k.Lit(strings.Repeat("x", 126)).Pad("n", 3, 4).Back() }},
		{strings.Repeat("y", 199) + "x\U0010FFFF", func(k *marshal.KeyText) { k.Hole("y", strings.Repeat("y", 200)).Back() }},
	}
	var k marshal.KeyText // one for all: each key begins anew
	for _, test := range tests {
		test.build(k.Of("Attempt"))
		if err := k.Err(); err != nil {
			t.Fatalf("%s: %v", test.want, err)
		}
		if k.Len() != len(test.want) {
			t.Errorf("%s: Len is %d", test.want, k.Len())
		}
		if got := k.Done(); got != test.want {
			t.Errorf("built %q, want %q", got, test.want)
		}
	}
}

func TestKeysRefuseWhatWouldNotBeAKey(t *testing.T) {
	tests := []struct {
		reason string
		build  func(k *marshal.KeyText)
	}{
		{"is empty", func(k *marshal.KeyText) { k.Hole("a", "") }},
		{"is empty", func(k *marshal.KeyText) { k.Whole("a", "") }},
		{"is empty", func(k *marshal.KeyText) { k.Escape("a", "") }},
		{"is not valid UTF-8", func(k *marshal.KeyText) { k.Escape("a", "#\xff") }},
		{"makes the key longer than 1024 bytes", func(k *marshal.KeyText) {
			k.Hole("b", strings.Repeat("x", 300)).Escape("a", strings.Repeat("#", 400)).Sort()
		}},
		{"is empty", func(k *marshal.KeyText) { k.Before("a", "") }},
		{"is empty", func(k *marshal.KeyText) {
			k.Hole("a", marshal.FormatTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)))
		}},
		{"holds the delimiter #", func(k *marshal.KeyText) { k.Hole("a", "x#y") }},
		{"holds the delimiter #", func(k *marshal.KeyText) { k.Before("a", "#") }},
		{"is not valid UTF-8", func(k *marshal.KeyText) { k.Hole("a", "x\xff") }},
		{"is not valid UTF-8", func(k *marshal.KeyText) { k.Whole("a", "\xed\xa0\x80") }},
		{"is negative", func(k *marshal.KeyText) { k.Pad("a", -1, 8) }},
		{"has more than 8 digits", func(k *marshal.KeyText) { k.Pad("a", 100_000_000, 8) }},
		{"is outside the years 0000 to 9999", func(k *marshal.KeyText) { k.Time("a", time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)) }},
		{"is outside the years 0000 to 9999", func(k *marshal.KeyText) { k.Day("a", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) }},
		{"is not a date as 2026-02-17", func(k *marshal.KeyText) { k.Date("a", "2026-02-30") }},
		{"is not a week as 2026-W07", func(k *marshal.KeyText) { k.Week("a", "2026-W54") }},
		{"is not a decimal number of at most 38 digits", func(k *marshal.KeyText) { k.Decimal("a", "abc") }},
		{"makes the key longer than 2048 bytes", func(k *marshal.KeyText) {
			k.Hole("short", "s").Hole("a", strings.Repeat("x", 2048)).Partition()
		}},
		{"makes the key longer than 1024 bytes", func(k *marshal.KeyText) { k.Hole("a", strings.Repeat("x", 1025)).Sort() }},
	}
	for _, test := range tests {
		var k marshal.KeyText
		test.build(k.Of("Attempt").Lit("A#"))
		k.Of("Attempt").Hole("fine", "fine") // the first error sticks
		var refused *access.KeyError
		if !errors.As(k.Err(), &refused) || *refused != (access.KeyError{Entity: "Attempt", Attribute: "a", Reason: test.reason}) {
			t.Errorf("got %v, want that a %s", k.Err(), test.reason)
		}
		if got := k.Done(); got != "" {
			t.Errorf("%s: a refused key is %q", test.reason, got)
		}
	}
}

func TestKeysOfTheGreatestLengthAreBuilt(t *testing.T) {
	var k marshal.KeyText
	if got := k.Of("E").Hole("a", strings.Repeat("x", 2048)).Partition(); len(got) != 2048 {
		t.Errorf("a partition key of 2048 bytes has %d: %v", len(got), k.Err())
	}
	if got := k.Of("E").Hole("a", strings.Repeat("x", 1024)).Sort(); len(got) != 1024 {
		t.Errorf("a sort key of 1024 bytes has %d: %v", len(got), k.Err())
	}
}

func TestShortKeysTakeOneAllocation(t *testing.T) {
	var sink string
	allocations := testing.AllocsPerRun(100, func() {
		var k marshal.KeyText
		sink = k.Of("Attempt").Lit("ATTEMPT#").Time("started_at", keyInstant).Lit("#").Pad("n", 7, 8).Lit("#").
			Hole("attempt_id", "01ARZ3NDEKTSV4RRFFQ69G5FAV").Sort()
	})
	if allocations != 1 || sink == "" {
		t.Errorf("%q took %v allocations, want 1", sink, allocations)
	}
}

func TestMatchesTellsTextsOfATemplate(t *testing.T) {
	tests := []struct {
		text     string
		template []string
		parts    []string // nil: no match
	}{
		{"USER#1", []string{"USER#", ""}, []string{"1"}},
		{"USER#", []string{"USER#", ""}, nil},
		{"USER#1#2", []string{"USER#", ""}, nil},
		{"USERS#1", []string{"USER#", ""}, nil},
		{"META", []string{"META"}, []string{}},
		{"METADATA", []string{"META"}, nil},
		{"", nil, []string{}},
		{"A#1#B#2", []string{"A#", "", "#B#", ""}, []string{"1", "2"}},
		{"A#1#C#2", []string{"A#", "", "#B#", ""}, nil},
		{"A##B#2", []string{"A#", "", "#B#", ""}, nil},
		{"1#END", []string{"", "#END"}, []string{"1"}},
		{"1#END#", []string{"", "#END"}, nil},
		{"a-b-c", []string{"", "-", ""}, []string{"a", "b-c"}},
		{"a-b-", []string{"", "-"}, []string{"a-b"}},
		{"日本#x", []string{"", "#", ""}, []string{"日本", "x"}},
		{"日本", []string{"", ""}, []string{"日", "本"}},
		{"x", []string{"", ""}, nil},
		{"2026-02-17-x", []string{marshal.Wide(10), "-", ""}, []string{"2026-02-17", "x"}},
		{"2026-02-1", []string{marshal.Wide(10)}, nil},
		{"u09", []string{marshal.Wide(2), ""}, []string{"u0", "9"}},
		{"a-bcd-ef-g", []string{"", "-", marshal.Wide(2), "-", ""}, []string{"a-bcd", "ef", "g"}},
		{"a#", []string{marshal.Wide(2)}, nil},
		{"TAG#c#", []string{"TAG#", marshal.Rest}, []string{"c#"}},
		{"TAG##", []string{"TAG#", marshal.Rest}, []string{"#"}},
		{"TAG#", []string{"TAG#", marshal.Rest}, nil},
		{"u1#a##b", []string{"", "#", marshal.Rest}, []string{"u1", "a##b"}},
		{"#a", []string{"", "#", marshal.Rest}, nil},
	}
	for _, test := range tests {
		if got := marshal.Matches(test.text, test.template...); got != (test.parts != nil) {
			t.Errorf("Matches(%q, %q) = %v", test.text, test.template, got)
		}
		for i, want := range test.parts {
			if got, ok := marshal.Part(test.text, test.template, i); !ok || got != want {
				t.Errorf("Part(%q, %q, %d) = %q, %v, want %q", test.text, test.template, i, got, ok, want)
			}
		}
		if got, ok := marshal.Part(test.text, test.template, len(test.parts)); ok {
			t.Errorf("Part(%q, %q, %d) = %q, there is no such value", test.text, test.template, len(test.parts), got)
		}
		if _, ok := marshal.Part(test.text, test.template, -1); ok {
			t.Errorf("%q has a value -1", test.text)
		}
	}
}

// Escaped texts hold no delimiter, sort and begin as the texts do, and are read back.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "c#", `"`, `"1`, "#", "##", `a"2`, "a b", "日本#", "a", "a!"} {
		f.Add(s, "a#")
		f.Add("#", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var k marshal.KeyText
		x, y := k.Of("E").Escape("a", a).Done(), k.Of("E").Escape("b", b).Done()
		if k.Err() != nil {
			return
		}
		if strings.Contains(x, "#") {
			t.Errorf("%q is escaped as %q", a, x)
		}
		if back, err := marshal.ParseEscaped(x); err != nil || back != a {
			t.Errorf("%q is read back as %q, %v", a, back, err)
		}
		if strings.Compare(a, b) != strings.Compare(x, y) || strings.HasPrefix(a, b) != strings.HasPrefix(x, y) {
			t.Errorf("%q and %q compare otherwise than %q and %q", a, b, x, y)
		}
	})
}

func TestParseEscapedRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{`"`, `a"3`, `"1"`} {
		if got, err := marshal.ParseEscaped(text); err == nil {
			t.Errorf("%s is read as %q", text, got)
		}
	}
}

// What a key accepts can be taken apart again.
func FuzzKeyText(f *testing.F) {
	f.Add("c1", "01ARZ3NDEKTSV4RRFFQ69G5FAV", int64(42))
	f.Add("", "#", int64(-1))
	f.Add("日本", "x\xff", int64(1e12))
	f.Add(strings.Repeat("x", 130), "\x00", int64(0))
	f.Fuzz(func(t *testing.T, a, b string, n int64) {
		var k marshal.KeyText
		text := k.Of("E").Lit("A#").Hole("a", a).Lit("#N#").Pad("n", n, 12).Lit("#").Hole("b", b).Sort()
		if k.Err() != nil {
			if text != "" {
				t.Fatalf("refused (%v) and yet %q", k.Err(), text)
			}
			return
		}
		template := []string{"A#", "", "#N#", marshal.Wide(12), "#", ""}
		if !marshal.Matches(text, template...) {
			t.Fatalf("%q does not match its own template", text)
		}
		for i, want := range map[int]string{0: a, 2: b} {
			if got, _ := marshal.Part(text, template, i); got != want {
				t.Errorf("part %d of %q is %q, want %q", i, text, got, want)
			}
		}
		if number, _ := marshal.Part(text, template, 1); strings.TrimLeft(number, "0") != strings.TrimLeft(marshal.FormatInt(n), "0") {
			t.Errorf("the number in %q is %q, want %d", text, number, n)
		}
		if before := k.Of("E").Before("b", b).Done(); before >= b {
			t.Errorf("%q does not sort before %q", before, b)
		}
	})
}
