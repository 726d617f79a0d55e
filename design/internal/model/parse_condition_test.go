package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func param(name string) Operand     { return Operand{Param: name} }
func constant(text string) Operand  { return Operand{Constant: text} }
func attribute(name string) Operand { return Operand{Attribute: order.Attribute(name)} }

func TestConditions(t *testing.T) {
	for _, test := range []struct {
		attribute, text string
		op              Op
		values          []Operand
	}{
		{"email", "$", Eq, []Operand{param("email")}},
		{"email", " $address ", Eq, []Operand{param("address")}},
		{"created_at", "between $from and $to", Between, []Operand{param("from"), param("to")}},
		{"number", "between 1 and $to", Between, []Operand{constant("1"), param("to")}},
		{"created_at", "lt $now", Lt, []Operand{param("now")}},
		{"created_at", "lt $", Lt, []Operand{param("created_at")}},
		{"number", "lte 5", Lte, []Operand{constant("5")}},
		{"weight", "gt -0.5", Gt, []Operand{constant("-0.5")}},
		{"created_at", "gte 2026-02-17T10:00:00.000Z", Gte, []Operand{constant("2026-02-17T10:00:00.000Z")}},
		{"email", "begins_with $start", BeginsWith, []Operand{param("start")}},
		{"cell", "begins_with u3q", BeginsWith, []Operand{constant("u3q")}},
		{"city", "begins_with 'New York'", BeginsWith, []Operand{constant("New York")}},
		{"image", "begins_with $x", BeginsWith, []Operand{param("x")}},
		{"created_at", "begins_with 2026-02", BeginsWith, []Operand{constant("2026-02")}},
		{"status", "in (open, closed)", In, []Operand{constant("open"), constant("closed")}},
		{"status", "in [open,closed]", In, []Operand{constant("open"), constant("closed")}},
		{"number", "in(1, $x)", In, []Operand{constant("1"), param("x")}},
		{"status", "in $states", In, []Operand{param("states")}},
		{"status", "in_transit", Eq, []Operand{constant("in_transit")}},
		{"phase", "in", Eq, []Operand{constant("in")}},
		{"phase", "in (in, open)", In, []Operand{constant("in"), constant("open")}},
		{"city", "New York", Eq, []Operand{constant("New York")}},
		{"city", "'in the woods'", Eq, []Operand{constant("in the woods")}},
		{"city", `"$5"`, Eq, []Operand{constant("$5")}},
		{"city", "", Eq, []Operand{constant("")}},
		{"city", "interlaken", Eq, []Operand{constant("interlaken")}},
		{"city", "O'Hara", Eq, []Operand{constant("O'Hara")}},
		{"city", "status", Eq, []Operand{constant("status")}},
		{"gift", "true", Eq, []Operand{constant("true")}},
		{"day", "2026-02-17", Eq, []Operand{constant("2026-02-17")}},
		{"week", "2026-W07", Eq, []Operand{constant("2026-W07")}},
		{"lines", "$", Eq, []Operand{param("lines")}},
	} {
		a := order.Attribute(test.attribute)
		got, err := ParseCondition(a, test.text)
		if err != nil {
			t.Errorf("%s: %q: %v", test.attribute, test.text, err)
			continue
		}
		if diff := cmp.Diff(&Condition{Attribute: a, Op: test.op, Values: test.values}, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", test.attribute, test.text, diff)
		}
	}
}

func TestInvalidConditions(t *testing.T) {
	for _, test := range []struct {
		attribute, text string
		offset, length  int
		unknown         bool
		message         string
	}{
		{"email", "$1", 0, 2, false, `"$1" is not a parameter`},
		{"email", "$a-b", 0, 4, false, `"$a-b" is not a parameter`},
		{"email", "$ü", 0, 2, false, "is not a parameter"},
		{"email", "$a $b", 3, 2, false, `the condition ends before "$b"`},
		{"email", "'a' b", 4, 1, false, "text with spaces belongs in quotes"},
		{"email", "'a", 0, 1, false, "the quote is not closed"},
		{"city", "= Bern", 0, 1, false, "comparisons are words here"},
		{"number", ">= 5", 0, 2, false, "comparisons are words here"},
		{"created_at", "betwen $a and $b", 0, 6, true, `there is no comparison "betwen"; did you mean between?`},
		{"city", "beginswith $x", 0, 10, true, "did you mean begins_with?"},
		{"created_at", "between $a", 10, 1, false, "between $a and $b"},
		{"created_at", "between $a or $b", 11, 2, false, "between $a and $b"},
		{"created_at", "between $a and", 14, 1, false, "a value is missing after between"},
		{"created_at", "between $a and $a", 15, 2, false, "both ends are the same"},
		{"created_at", "between $a and $b desc", 18, 4, false, "the condition ends before"},
		{"number", "lt", 0, 2, false, "lt needs a value: lt $x"},
		{"number", "lt five", 3, 4, false, `number is int: "five" is not a whole number such as 42`},
		{"gift", "lt $x", 0, 2, false, "gift is bool, which has no order"},
		{"lines", "between $a and $b", 0, 7, false, "which has no order"},
		{"extra", "gt $a", 0, 2, false, "which has no order"},
		{"number", "begins_with $x", 0, 11, false, "begins_with is for texts; number is int"},
		{"city", "begins_with ''", 12, 2, false, "everything begins with the empty text"},
		{"city", "begins_with New York", 16, 4, false, "belongs in quotes"},
		{"city", "in the woods", 3, 1, false, "in needs its values: in (A, B) or in $names"},
		{"status", "in ()", 4, 1, false, "a value is missing after in"},
		{"status", "in (open", 8, 1, false, "a comma or ) is missing"},
		{"status", "in (open closed)", 9, 1, false, "a comma or ) is missing"},
		{"status", "in (open, opne)", 10, 4, true, "did you mean open?"},
		{"status", "in (open, open)", 10, 4, false, "open is listed twice"},
		{"status", "in ($x)", 3, 4, false, "write in $x if it holds several values"},
		{"status", "opne", 0, 4, true, `status is never "opne": enum(open, in_transit, closed); did you mean open?`},
		{"status", "", 0, 1, true, `status is never ""`},
		{"gift", "yes", 0, 3, false, `gift is bool: "yes" is not true or false`},
		{"number", "1.5", 0, 3, false, "is not a whole number"},
		{"expires", "tomorrow", 0, 8, false, "is not a whole number"},
		{"weight", "1e5", 0, 3, false, "is not a number such as 42 or 0.5"},
		{"created_at", "2026-02-17", 0, 10, false, "2026-02-17T10:00:00.000Z"},
		{"created_at", "2026-02-17T10:00:00Z", 0, 20, false, "2026-02-17T10:00:00.000Z"},
		{"day", "2026-02-30", 0, 10, false, "is not a date"},
		{"week", "2026-W54", 0, 8, false, "2026-W07"},
		{"week", "2026-W00", 0, 8, false, "2026-W07"},
		{"token", "abc", 0, 3, false, "is not a lower-case UUID"},
		{"order_id", "01J", 0, 3, false, "is not a ULID"},
		{"cell", "u3a", 0, 3, false, "is not a geohash"},
		{"cell", "u33dc0cpmnb2b", 0, 13, false, "is not a geohash"},
		{"lines", "a", 0, 1, false, "compare it with a parameter"},
		{"image", "a", 0, 1, false, "compare it with a parameter"},
	} {
		_, err := ParseCondition(order.Attribute(test.attribute), test.text)
		checkError(t, test.attribute+": "+test.text, err, test.offset, test.length, test.unknown, test.message)
	}
}

func TestWholeNumbersHave38Digits(t *testing.T) {
	a := order.Attribute("number")
	if _, err := ParseCondition(a, "-"+strings.Repeat("9", 38)); err != nil {
		t.Error(err)
	}
	if _, err := ParseCondition(a, strings.Repeat("9", 39)); err == nil {
		t.Error("39 digits were read")
	}
}

func TestInTakes100Values(t *testing.T) {
	values := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprint(i))
		}
		return "in (" + strings.Join(all, ", ") + ")"
	}
	a := order.Attribute("number")
	if _, err := ParseCondition(a, values(100)); err != nil {
		t.Error(err)
	}
	if _, err := ParseCondition(a, values(101)); err == nil || !strings.Contains(err.Message, "at most 100 values, and there are 101") {
		t.Errorf("101 values: %v", err)
	}
}

func FuzzParseCondition(f *testing.F) {
	for i, seed := range []string{"$", "between $a and $b", "in (open, closed)", "in $x", "begins_with 'a b'", "lt 5", "é", "'", "in (", "\xff $"} {
		f.Add(i, seed)
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		a := order.Attributes[uint(i)%uint(len(order.Attributes))]
		c, err := ParseCondition(a, text)
		if err != nil {
			checkBounds(t, text, err)
			return
		}
		checkCondition(t, text, c)
	})
}

// checkCondition checks that a condition has the values its operator needs.
func checkCondition(t *testing.T, text string, c *Condition) {
	t.Helper()
	least, most := 1, 1
	switch c.Op {
	case Exists, Missing:
		least, most = 0, 0
	case Between:
		least, most = 2, 2
	case In:
		most = mostValues
	}
	if c.Attribute == nil || len(c.Values) < least || len(c.Values) > most {
		t.Errorf("%q: %s with %d values", text, c.Op, len(c.Values))
	}
}
