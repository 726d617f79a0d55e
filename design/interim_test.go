package design_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design"
)

// A workshop is a folder with a design and its history.
type workshop struct {
	*testing.T
	path string
}

func newWorkshop(t *testing.T) workshop {
	return workshop{t, filepath.Join(t.TempDir(), "shop.design.yaml")}
}

// save writes the design and opens it.
func (w workshop) save(text string) *design.Design {
	w.Helper()
	w.write(w.path, []byte(text))
	return w.open()
}

func (w workshop) open() *design.Design {
	w.Helper()
	d, err := design.Open(w.path)
	if err != nil {
		w.Fatal(err)
	}
	return d
}

func (w workshop) write(path string, text []byte) {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		w.Fatal(err)
	}
}

// add writes files of the history. The error is that of the call which made them.
func (w workshop) add(files []design.HistoryFile, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	for _, f := range files {
		w.write(f.Path, f.Text)
	}
}

// plan plans the design as it is.
func (w workshop) plan(name string) {
	w.Helper()
	p, err := w.open().Plan(design.PlanOptions{Name: name})
	if err != nil {
		w.Fatal(err)
	}
	w.add(p.Files(), nil)
}

// codes returns the codes of the errors and warnings of a check.
func (w workshop) codes(o design.CheckOptions) []string {
	w.Helper()
	findings, err := design.Check([]*design.Design{w.open()}, o)
	if err != nil {
		w.Fatal(err)
	}
	var all []string
	for _, f := range findings.Findings.Findings {
		if f.Severity.String() != "note" && f.Accepted == "" {
			all = append(all, string(f.Code))
		}
	}
	return all
}

// indexed returns a design with indexes by attributes, each read by a pattern.
func indexed(accept string, names ...string) string {
	attributes, indexes, patterns := "", "", ""
	for i := range 30 {
		attributes += fmt.Sprintf(", a%02d: ulid", i)
	}
	for _, name := range names {
		indexes += fmt.Sprintf("      by_%s: { pk: %s, sk: user_id }\n", name, name)
		patterns += fmt.Sprintf("  List_%s: { list: User, where: { %s: $ }, limit: 10, rate: 1/day }\n", name, name)
	}
	if indexes != "" {
		indexes = "    indexes:\n" + indexes
	}
	return "design: Shop\n" + accept + "entities:\n  User: { id: user_id, count: 7, attributes: { user_id: ulid" + attributes + " } }\n" +
		"tables:\n  users:\n    pk: PK\n" + indexes + "    items: { User: { PK: \"USER#{user_id}\" } }\n" +
		"patterns:\n  GetUser: { get: User, where: { user_id: $ }, rate: 1/day }\n  AddUser: { create: User, rate: 1/day }\n" + strings.ReplaceAll(patterns, "List_", "ListBy")
}

func from(first, last int) []string {
	var names []string
	for i := first; i < last; i++ {
		names = append(names, fmt.Sprintf("a%02d", i))
	}
	return names
}

// TestLimitsOfTheTimeBetween plans versions that are within the limits of DynamoDB one by one, but not while both are there.
func TestLimitsOfTheTimeBetween(t *testing.T) {
	w := newWorkshop(t)
	w.add(w.save(indexed("", from(0, 15)...)).Baseline("baseline", nil))

	// In one step there would be 30 indexes.
	_, err := w.save(indexed("", from(15, 30)...)).Plan(design.PlanOptions{Name: "others"})
	if err == nil || !strings.Contains(err.Error(), "E073") || !strings.Contains(err.Error(), "30 global indexes") {
		t.Fatalf("planned in one step: %v", err)
	}

	// In two steps there are 30 if the second begins before the first is over.
	w.save(indexed("", from(0, 2)...))
	w.plan("fewer")
	if got := w.codes(design.CheckOptions{Frozen: true}); slices.Contains(got, "E073") {
		t.Errorf("fewer indexes: %v", got)
	}
	w.save(indexed("", append(from(0, 2), from(15, 30)...)...))
	w.plan("others")
	if got := w.codes(design.CheckOptions{Frozen: true}); !slices.Contains(got, "E073") {
		t.Errorf("both migrations are planned and not settled, and the findings are %v", got)
	}
	if got := w.codes(design.CheckOptions{Frozen: true, Settled: true}); slices.Contains(got, "E073") {
		t.Errorf("settled: %v", got)
	}
	w.save(indexed("accept: { E073: the first is over everywhere }\n", append(from(0, 2), from(15, 30)...)...))
	if got := w.codes(design.CheckOptions{Frozen: true}); slices.Contains(got, "E073") || slices.Contains(got, "F012") {
		t.Errorf("accepted: %v", got)
	}

	// Once the history says that all tables are past both, nothing is left of the versions before.
	w.add(w.open().Settle())
	if ids, err := w.open().Unsettled(); len(ids) > 0 || err != nil {
		t.Errorf("unsettled: %v, %v", ids, err)
	}
	if got := w.codes(design.CheckOptions{Frozen: true}); len(got) > 0 {
		t.Errorf("after it: %v", got)
	}
}

// TestUnsettledVersionsAreNamed plans two migrations, neither of which is over.
func TestUnsettledVersionsAreNamed(t *testing.T) {
	w := newWorkshop(t)
	w.add(w.save(indexed("", "a00")).Baseline("baseline", nil))
	if ids, err := w.open().Unsettled(); len(ids) > 0 || err != nil {
		t.Errorf("a baseline: %v, %v", ids, err)
	}
	w.save(indexed("", "a00", "a01"))
	w.plan("one")
	w.save(indexed("", "a00", "a01", "a02"))
	w.plan("two")
	ids, err := w.open().Unsettled()
	if want := []string{"0002-one", "0003-two"}; !slices.Equal(ids, want) || err != nil {
		t.Errorf("got %v, %v, want %v", ids, err, want)
	}
	if _, err := w.open().Settle(); err != nil {
		t.Error(err)
	}
	c, err := w.open().Cost(design.Workload{})
	if err != nil || !strings.Contains(c.Workload, "with the versions before 0002-one and 0003-two") {
		t.Errorf("%v, %v", c, err)
	}
}

// TestStateElsewhere writes policies for a design whose state row is in a table of its own.
func TestStateElsewhere(t *testing.T) {
	w := newWorkshop(t)
	text := indexed("control: shop-state\n", "a00") + "roles:\n  web: { patterns: all }\n"
	w.add(w.save(text).Baseline("baseline", nil))
	for format, want := range map[string]string{
		"sam":            "table/${TablePrefix}shop-state",
		"cloudformation": "UsersTable:",
		"terraform":      "aws_dynamodb_table",
	} {
		code, err := w.open().Infrastructure(design.InfrastructureOptions{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(code.Files[0].Text); !strings.Contains(got, want) {
			t.Errorf("%s does not have %s:\n%s", format, want, got)
		}
	}
	policies, err := w.open().Policies(design.PolicyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := policies.Documents(&out); err != nil || !strings.Contains(out.String(), "table/shop-state") || !strings.Contains(out.String(), "Shop#state") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestRolesReadTheStateOfUsedDesigns takes a system on the platform: both have histories and state rows of their own.
func TestRolesReadTheStateOfUsedDesigns(t *testing.T) {
	d, err := design.Open("../apps/ecobid/ecobid.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	policies, err := d.Policies(design.PolicyOptions{Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := policies.Documents(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"EcoBid#state"`, `"Platform#state"`, `"Sid": "MemberState"`, `"Sid": "MemberState2"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}
