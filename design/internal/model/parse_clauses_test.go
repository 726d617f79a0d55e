package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func clause(name string, op Op, values ...Operand) *Condition {
	return &Condition{Attribute: order.Attribute(name), Op: op, Values: values}
}

func or(alternatives ...[]*Condition) *Condition { return NewOr(alternatives) }

func all(conditions ...*Condition) []*Condition { return conditions }

// A condition is written as it is parsed.
func TestClausesAreWrittenAsTheyAreParsed(t *testing.T) {
	for text, want := range map[string]string{
		"status = open or gift = true and tries < 3":        "(status = open or gift = true and tries < 3)",
		"gift = true and (tries < number or _lock missing)": "gift = true and (tries < number or _lock missing)",
		"prices[$day] missing or prices[ today ] >= 3":      "(prices[$day] missing or prices[today] >= 3)",
		"(city = a or city = b) and (tries = 1 or tries=2)": "(city = a or city = b) and (tries = 1 or tries = 2)",
	} {
		parsed, err := ParseClauses(text, order)
		if err != nil {
			t.Fatal(err)
		}
		got := alternativesText([][]*Condition{parsed})
		if got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
		again, err := ParseClauses(got, order)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parsed, again); diff != "" {
			t.Errorf("%q is parsed as something else (-want +got):\n%s", got, diff)
		}
	}
}

func TestClauses(t *testing.T) {
	for _, test := range []struct {
		text string
		want []*Condition
	}{
		{"status = open", []*Condition{clause("status", Eq, constant("open"))}},
		{"status=open", []*Condition{clause("status", Eq, constant("open"))}},
		{" status != closed and tries < 3 and _lock missing ", []*Condition{
			clause("status", Ne, constant("closed")), clause("tries", Lt, constant("3")), clause("_lock", Missing),
		}},
		{"paid_at exists", []*Condition{clause("paid_at", Exists)}},
		{"weight >= -0.5 and weight<=7", []*Condition{clause("weight", Gte, constant("-0.5")), clause("weight", Lte, constant("7"))}},
		{"number > $least", []*Condition{clause("number", Gt, param("least"))}},
		{"number = $", []*Condition{clause("number", Eq, param("number"))}},
		{"tries < number", []*Condition{clause("tries", Lt, attribute("number"))}},
		{"gift = wrapped", []*Condition{clause("gift", Eq, attribute("wrapped"))}},
		{"paid_at > created_at", []*Condition{clause("paid_at", Gt, attribute("created_at"))}},
		{"city = email", []*Condition{clause("city", Eq, attribute("email"))}},
		{"city = 'email'", []*Condition{clause("city", Eq, constant("email"))}},
		{`city = "New York" and gift = true`, []*Condition{clause("city", Eq, constant("New York")), clause("gift", Eq, constant("true"))}},
		{"city = ''", []*Condition{clause("city", Eq, constant(""))}},
		{"phase = status", []*Condition{clause("phase", Eq, constant("status"))}}, // an enum value wins over an attribute
		{"phase = email", []*Condition{clause("phase", Eq, attribute("email"))}},
		{"status in (open, closed) and gift = false", []*Condition{
			clause("status", In, constant("open"), constant("closed")), clause("gift", Eq, constant("false")),
		}},
		{"status in $states", []*Condition{clause("status", In, param("states"))}},
		{"status = open or gift = true", []*Condition{or(
			all(clause("status", Eq, constant("open"))), all(clause("gift", Eq, constant("true"))),
		)}},
		{"status = open and tries < 3 or _lock missing", []*Condition{or(
			all(clause("status", Eq, constant("open")), clause("tries", Lt, constant("3"))), all(clause("_lock", Missing)),
		)}},
		{"status = open and (tries < 3 or _lock missing)", []*Condition{
			clause("status", Eq, constant("open")), or(all(clause("tries", Lt, constant("3"))), all(clause("_lock", Missing))),
		}},
		{"((status = open) and (tries<3))", []*Condition{clause("status", Eq, constant("open")), clause("tries", Lt, constant("3"))}},
		{"(status in (open, closed) or tries > number) and gift = true", []*Condition{
			or(all(clause("status", In, constant("open"), constant("closed"))), all(clause("tries", Gt, attribute("number")))), clause("gift", Eq, constant("true")),
		}},
		{"gift = true or (status = open and (tries < 3 or _lock missing))", []*Condition{or(
			all(clause("gift", Eq, constant("true"))),
			all(clause("status", Eq, constant("open")), or(all(clause("tries", Lt, constant("3"))), all(clause("_lock", Missing)))),
		)}},
		{"number = $ or tries in ($a, $b)", []*Condition{or(all(clause("number", Eq, param("number"))), all(clause("tries", In, param("a"), param("b"))))}},
		{"expires > 1700000000", []*Condition{clause("expires", Gt, constant("1700000000"))}},
		{"created_at < 2026-02-17T10:00:00.000Z", []*Condition{clause("created_at", Lt, constant("2026-02-17T10:00:00.000Z"))}},
	} {
		got, err := ParseClauses(test.text, order)
		if err != nil {
			t.Errorf("ParseClauses(%q): %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("ParseClauses(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestInvalidClauses(t *testing.T) {
	for _, test := range []struct {
		text           string
		offset, length int
		unknown        bool
		message        string
	}{
		{"", 0, 1, false, "an attribute is missing: write status = active"},
		{"= open", 0, 1, false, "an attribute is missing"},
		{"satus = open", 0, 5, true, `Order has no attribute "satus"; did you mean status?`},
		{"status", 6, 1, false, "a comparison is missing after status"},
		{"status =", 8, 1, false, "a value is missing after ="},
		{"status = opne", 9, 4, true, "did you mean open?"},
		{"status == open", 7, 2, false, `there is no comparison "==" here: write =`},
		{"status <> open", 7, 2, false, "write !="},
		{"status =! open", 7, 2, false, "= != < <= > >= exist"},
		{"status is open", 7, 2, false, "write ="},
		{"tries lt 3", 6, 2, false, "write <"},
		{"tries between 1 and 3", 6, 7, false, "write >= and another clause with <="},
		{"paid_at exsts", 8, 5, true, "did you mean exists?"},
		{"attribute_exists(paid_at)", 0, 16, true, "has no attribute"},
		{"status = open and", 17, 1, false, "an attribute is missing"},
		{"status = open OR gift = true", 14, 2, false, "or is written in lower case"},
		{"status = open or", 16, 1, false, "an attribute is missing"},
		{"(status = open or gift = true", 0, 1, false, "the parenthesis is not closed"},
		{"status = open) or gift = true", 13, 1, false, "nothing opens this parenthesis"},
		{"()", 1, 1, false, "an attribute is missing"},
		{"not status = open", 0, 3, false, "there is no not: write the opposite"},
		{"status in $states or gift = true", 0, 32, false, "in $states cannot be an alternative of or"},
		{"expires > created_at", 10, 10, false, "expires is unixtime and created_at is timestamp: they cannot be compared"},
		{"status = open AND gift = true", 14, 3, false, "and is written in lower case"},
		{"city = New York", 11, 4, false, "text with spaces belongs in quotes"},
		{"status = open, gift = true", 13, 13, false, "and is missing before"},
		{"city = 'Bern", 7, 1, false, "the quote is not closed"},
		{"city = city", 7, 4, false, "city is compared with itself"},
		{"tries < created_at", 8, 10, false, "tries is int and created_at is timestamp: they cannot be compared"},
		{"gift = lines", 7, 5, false, "they cannot be compared"},
		{"gift < true", 5, 1, false, "gift is bool, which has no order"},
		{"gift = maybe", 7, 5, false, "is not true or false"},
		{"tries < three", 8, 5, false, "is not a whole number"},
		{"tries < $3", 8, 2, false, "is not a parameter"},
		{"status in open", 10, 1, false, "in needs its values"},
		{"lines = a", 8, 1, false, "compare it with a parameter"},
	} {
		_, err := ParseClauses(test.text, order)
		checkError(t, test.text, err, test.offset, test.length, test.unknown, test.message)
	}
}

func TestOrderings(t *testing.T) {
	for text, want := range map[string]*Ordering{
		"created_at asc":    {Attribute: order.Attribute("created_at")},
		"created_at desc":   {Attribute: order.Attribute("created_at"), Descending: true},
		"  number   desc  ": {Attribute: order.Attribute("number"), Descending: true},
	} {
		got, err := ParseOrdering(text, order)
		if err != nil {
			t.Errorf("ParseOrdering(%q): %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseOrdering(%q) (-want +got):\n%s", text, diff)
		}
	}
	for _, test := range []struct {
		text           string
		offset, length int
		unknown        bool
		message        string
	}{
		{"", 0, 1, false, "an attribute is missing: write created_at desc"},
		{"creatd_at asc", 0, 9, true, "did you mean created_at?"},
		{"number", 6, 1, false, "write number asc or number desc"},
		{"number down", 7, 4, false, `"down" is not a direction`},
		{"number DESC", 7, 4, false, "write number asc or number desc"},
		{"number asc, city asc", 10, 10, false, "a list is ordered by one attribute"},
	} {
		_, err := ParseOrdering(test.text, order)
		checkError(t, test.text, err, test.offset, test.length, test.unknown, test.message)
	}
}

func FuzzParseClauses(f *testing.F) {
	for _, seed := range []string{"status = open and tries < 3", "_lock missing", "status in (open, closed)", "city = 'a b'", "a = =", "é = 1", "city = \xff", "a or (b and c", "status = open or (gift = true and tries < 3) or city = a", "((((city = a))))"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clauses, err := ParseClauses(text, order)
		if err != nil {
			checkBounds(t, text, err)
			return
		}
		if len(clauses) == 0 {
			t.Errorf("%q has no clauses", text)
		}
		for _, c := range Comparisons(clauses) {
			checkCondition(t, text, c)
		}
	})
}

func FuzzParseOrdering(f *testing.F) {
	f.Add("number asc")
	f.Add("created_at desc")
	f.Add("é")
	f.Fuzz(func(t *testing.T, text string) {
		ordering, err := ParseOrdering(text, order)
		if err != nil {
			checkBounds(t, text, err)
			return
		}
		if ordering.Attribute == nil {
			t.Errorf("%q orders by nothing", text)
		}
	})
}
