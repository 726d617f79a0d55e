package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
)

func TestTypesPrintAsWritten(t *testing.T) {
	for _, text := range []string{"string", "int?", "enum(A, B)?", "list<string>", "map<list<int>>?", "set<uuid>", "Address?"} {
		parsed, err := ParseType(text, structs)
		if err != nil || parsed.String() != text {
			t.Errorf("%q prints as %q, %v", text, parsed, err)
		}
	}
}

func TestTypeProperties(t *testing.T) {
	for _, test := range []struct {
		kind       string
		key        string
		inTemplate bool
		asKey      Order
		asText     Order
		number     bool
	}{
		{"string", "S", true, ByValue, ByValue, false},
		{"int", "N", true, ByValue, ByText, true},
		{"decimal", "N", true, ByValue, ByText, true},
		{"unixtime", "N", true, ByValue, ByValue, true},
		{"timestamp", "S", true, ByValue, ByValue, false},
		{"uuid", "S", true, Meaningless, Meaningless, false},
		{"ulid", "S", true, ByValue, ByValue, false},
		{"bytes", "B", false, ByValue, Meaningless, false},
		{"bool", "", true, Meaningless, ByValue, false},
		{"enum(A, B)", "S", true, ByValue, ByValue, false},
		{"list<int>", "", false, Meaningless, Meaningless, false},
		{"Address", "", false, Meaningless, Meaningless, false},
	} {
		kind, err := ParseType(test.kind, structs)
		if err != nil {
			t.Fatal(err)
		}
		if kind.KeyKind() != test.key || kind.InTemplate() != test.inTemplate || kind.AsKey() != test.asKey ||
			kind.AsText() != test.asText || kind.IsNumber() != test.number {
			t.Errorf("%s: key %q, in templates %v, order %v and %v, number %v", kind,
				kind.KeyKind(), kind.InTemplate(), kind.AsKey(), kind.AsText(), kind.IsNumber())
		}
	}
}

func TestPartProperties(t *testing.T) {
	for _, test := range []struct {
		text  string
		whole bool
		order Order
	}{
		{"{email}", true, ByValue},
		{"{number}", true, ByText},
		{"{number|pad 5}", true, ByValue},
		{"{email|lower}", false, ByValue},
		{"{created_at|month}", false, ByValue},
		{"{number|pad 5|shard 10}", false, Meaningless},
		{"{token}", true, Meaningless},
	} {
		template, err := ParseTemplate(test.text, order, 0)
		if err != nil {
			t.Fatal(err)
		}
		if part := template.Parts[0]; part.Whole() != test.whole || part.Order() != test.order || part.String() != test.text {
			t.Errorf("%s: whole %v, order %v, prints as %s", test.text, part.Whole(), part.Order(), part)
		}
	}
}

func TestShardsMultiply(t *testing.T) {
	for text, want := range map[string]int64{"{email}": 1, "{email|shard 10}": 10, "{email|shard 10}#{city|shard 3}": 30} {
		template, err := ParseTemplate(text, order, 0)
		if err != nil || template.Shards() != want {
			t.Errorf("%s spreads over %d, %v; want %d", text, template.Shards(), err, want)
		}
	}
}

func TestKeysOfAnItem(t *testing.T) {
	template, err := ParseTemplate("{city}#{email|lower}#{city}", order, 0)
	if err != nil {
		t.Fatal(err)
	}
	when := []*Condition{clause("status", Eq, constant("open"))}
	item := &Item{Entity: order, Computed: []*Computed{{Name: "PK", Template: template, When: when}}}
	computed := item.Key("PK")
	if computed.Kind() != "S" || len(computed.Parts()) != 5 || len(computed.When) != 1 {
		t.Errorf("PK is %+v", computed)
	}
	if diff := cmp.Diff([]*Attribute{order.Attribute("city"), order.Attribute("email")}, computed.Attributes()); diff != "" {
		t.Errorf("attributes of PK (-want +got):\n%s", diff)
	}
	if natural := item.Key("number"); natural.Kind() != "N" || len(natural.Parts()) != 1 || !natural.Parts()[0].IsHole() {
		t.Errorf("number is %+v", natural)
	}
	if item.Key("SK") != nil {
		t.Error("there is a value for SK")
	}
}

func TestFindingByName(t *testing.T) {
	pattern, profile := &Pattern{Name: "GetOrder"}, &Profile{Name: "launch"}
	index := &Index{Name: "GSI1"}
	table := &Table{Name: "main", Indexes: []*Index{index}, Items: []*Item{{Entity: order}}}
	other := &Alternative{Name: "many", Tables: []*Table{{Name: "orders"}}}
	d := &Design{
		Entities: []*Entity{order}, Patterns: []*Pattern{pattern}, Profiles: []*Profile{profile},
		Tables: []*Table{table}, Alternatives: []*Alternative{other},
	}
	if d.Entity("Order") != order || d.Entity("order") != nil {
		t.Error("entities are found by their exact name")
	}
	if d.Pattern("GetOrder") != pattern || d.Pattern("") != nil || d.Profile("launch") != profile || d.Profile("x") != nil {
		t.Error("patterns and profiles are found by their exact name")
	}
	if table.Index("GSI1") != index || table.Index("GSI2") != nil || table.Item(order) == nil || table.Item(&Entity{}) != nil {
		t.Error("indexes and items are found in their table")
	}
	laidOut := d.WithTables(other)
	if laidOut.Tables[0].Name != "orders" || laidOut.Alternatives != nil || d.Tables[0] != table || len(d.Alternatives) != 1 {
		t.Error("an alternative replaces the tables of a copy")
	}
}

func TestAttributesByNameAndStoredName(t *testing.T) {
	a := &Attribute{Name: "created_at", Stored: "c"}
	per := &Per{Attribute: a, Avg: exact.Int(3)}
	e := &Entity{Attributes: []*Attribute{a}, Per: []*Per{per}}
	if e.Attribute("created_at") != a || e.Attribute("c") != nil || e.Stored("c") != a || e.Stored("created_at") != nil {
		t.Error("names in the design and in DynamoDB are mixed up")
	}
	if e.PerOf(a) != per || e.PerOf(&Attribute{}) != nil {
		t.Error("the fan-out of another attribute was found")
	}
}

func TestTags(t *testing.T) {
	for _, test := range []struct {
		have, asked string
		want        bool
	}{
		{"", "", true}, {"", "phase1", true}, {"phase1", "", true}, {"phase1", "phase1", true},
		{"phase1 phase2", "phase2 phase3", true}, {"phase1", "phase2", false},
	} {
		p, e := &Pattern{Tags: strings.Fields(test.have)}, &Entity{Tags: strings.Fields(test.have)}
		if p.HasTag(strings.Fields(test.asked)) != test.want || e.HasTag(strings.Fields(test.asked)) != test.want {
			t.Errorf("tagged %q, asked for %q: want %v", test.have, test.asked, test.want)
		}
	}
}

func TestPatternEntitiesAndActions(t *testing.T) {
	a, b, c := &Entity{Name: "A"}, &Entity{Name: "B"}, &Entity{Name: "C"}
	steps := []*Step{{Verb: Put, Action: Action{Entity: a}}, {Verb: Check, Action: Action{Entity: b}}}
	for _, test := range []struct {
		pattern  *Pattern
		entities []*Entity
		actions  int
	}{
		{&Pattern{Verb: Get, Action: Action{Entity: a}}, []*Entity{a}, 0},
		{&Pattern{Verb: Collect, Collect: []*Entity{a, b, a}}, []*Entity{a, b}, 0},
		{&Pattern{Verb: Update, Action: Action{Entity: b}, Requires: []*Requirement{{Entity: c}, {Entity: b}}}, []*Entity{b, c}, 1},
		{&Pattern{Verb: Transact, Steps: steps}, []*Entity{a, b}, 2},
	} {
		if diff := cmp.Diff(test.entities, test.pattern.Entities()); diff != "" {
			t.Errorf("%s touches (-want +got):\n%s", test.pattern.Verb, diff)
		}
		if got := len(test.pattern.Actions()); got != test.actions {
			t.Errorf("%s is %d writes, want %d", test.pattern.Verb, got, test.actions)
		}
	}
}

func TestScopesCoverTheirLines(t *testing.T) {
	s := Scope{File: "a.yaml", First: 3, Last: 5}
	for line, want := range map[int]bool{2: false, 3: true, 5: true, 6: false} {
		if s.Covers(diag.Place{File: "a.yaml", Line: line}) != want {
			t.Errorf("line %d: want %v", line, want)
		}
	}
	if s.Covers(diag.Place{File: "b.yaml", Line: 4}) {
		t.Error("a scope covers another file")
	}
}

func TestLifecycles(t *testing.T) {
	l := &Lifecycle{Start: "open", Next: map[string][]string{"open": {"paid", "closed"}, "paid": {"closed"}}}
	if !l.Allows("open", "closed") || l.Allows("closed", "open") || l.Allows("open", "open") {
		t.Error("only the transitions listed are allowed")
	}
}

func TestOperands(t *testing.T) {
	if !constant("").IsConstant() || param("x").IsConstant() || attribute("email").IsConstant() {
		t.Error("what is neither a parameter nor an attribute is a constant")
	}
	for _, op := range []Op{Lt, Lte, Gt, Gte, Between, BeginsWith} {
		if !op.IsRange() {
			t.Errorf("%s is a range", op)
		}
	}
	for _, op := range []Op{Eq, Ne, In, Exists, Missing} {
		if op.IsRange() {
			t.Errorf("%s is not a range", op)
		}
	}
}
