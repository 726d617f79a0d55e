package interim_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/interim"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func load(t *testing.T, sources []loader.Source) *model.Design {
	t.Helper()
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%v", report.Findings())
	}
	return d.Whole()
}

const shop = `design: Shop
entities:
  User: { id: user_id, attributes: { user_id: ulid, name: string, nick: string } }
  Order: { id: order_id, attributes: { order_id: ulid, user_id: ulid } }
tables:
  shop:
    pk: PK
    sk: SK
    indexes: { GSI1: { pk: GSI1PK, sk: SK } }
    items:
      User: { PK: "USER#{user_id}", SK: USER, GSI1PK: "NICK#{nick}" }
      Order: { PK: "ORDER#{order_id}", SK: ORDER }
patterns:
  AddUser: { create: User, rate: 10/day }
  GetUser: { get: User, where: { user_id: $ }, rate: 10/day }
  ListNicks: { list: User, where: { nick: $ }, rate: 10/day }
  GetOrder: { get: Order, where: { order_id: $ }, rate: 10/day }
roles:
  web: { patterns: all }
`

// pairsByName pairs what has the same name.
func pairsByName(before, after *model.Design, apart ...string) interim.Pairs {
	p := interim.Pairs{Apart: map[*model.Entity]bool{}}
	for _, e := range before.Entities {
		is := after.Entity(e.Name)
		p.Entities = append(p.Entities, [2]*model.Entity{e, is})
		p.Apart[e] = slices.Contains(apart, e.Name)
		for _, a := range e.Attributes {
			if is != nil {
				p.Attributes = append(p.Attributes, [2]*model.Attribute{a, is.Attribute(a.Name)})
			}
		}
	}
	for _, t := range before.Tables {
		pair := [2]*model.Table{t, nil}
		for _, other := range after.Tables {
			if other.Name == t.Name {
				pair[1] = other
			}
		}
		p.Tables = append(p.Tables, pair)
	}
	for _, x := range before.Patterns {
		p.Patterns = append(p.Patterns, [2]*model.Pattern{x, after.Pattern(x.Name)})
	}
	return p
}

// TestBothShapesAreThere compares a version with one that has another index, another name of an attribute,
// other keys and a pattern less.
func TestBothShapesAreThere(t *testing.T) {
	before := load(t, []loader.Source{{Name: "old.design.yaml", Text: []byte(shop)}})
	text := strings.NewReplacer(
		"name: string,", "name: { type: string, name: n },", "{ GSI1: { pk: GSI1PK, sk: SK } }", "{ GSI2: { pk: GSI2PK, sk: SK } }", "GSI1PK:", "GSI2PK:",
		"ORDER#{", "O#{", "  ListNicks: { list: User, where: { nick: $ }, rate: 10/day }\n", "").Replace(shop)
	after := load(t, []loader.Source{{Name: "new.design.yaml", Text: []byte(text)}})
	both := interim.Of(before, after, pairsByName(before, after, "Order"))

	table, user := both.Tables[0], both.Entity("User")
	if table.Index("GSI1") == nil || table.Index("GSI2") == nil {
		t.Error("an index is missing")
	}
	if user.Stored("name") == nil || user.Stored("n") == nil {
		t.Error("a stored name is missing")
	}
	if item := table.Item(user); item.Key("GSI1PK") == nil || item.Key("GSI2PK") == nil {
		t.Error("a key is missing")
	}
	if both.Entity("OrderBefore") == nil || len(table.Items) != 3 {
		t.Error("orders are not there under both keys")
	}
	layout := resolve.New(both)
	for _, name := range []string{"ListNicks", "GetOrder", "GetOrderBefore", "AddUser"} {
		p := both.Pattern(name)
		if p == nil || !layout.Plan(p).Served() {
			t.Fatalf("%s is not served", name)
		}
		if !slices.Contains(both.Roles[0].Patterns, p) {
			t.Errorf("the role has no %s", name)
		}
	}
	if got := layout.Plan(both.Pattern("ListNicks")).Read.Entry.Path.String(); got != "shop.GSI1" {
		t.Errorf("old code reads through %s", got)
	}
	if before.Tables[0].Index("GSI2") != nil || after.Tables[0].Index("GSI1") != nil || after.Entity("User").Stored("name") != nil {
		t.Error("a version was changed")
	}
}

// TestRoomsRunOnBothVersions takes two layouts of each system as versions.
func TestRoomsRunOnBothVersions(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		sources, err := loader.Read(filepath.Join("../../../apps", name, name+".design.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		after := load(t, sources)
		before := after.WithTables(after.Alternatives[0])
		var all []string
		for _, e := range after.Entities {
			all = append(all, e.Name)
		}
		both := interim.Of(before, after, pairsByName(before, after, all...))
		layout := resolve.New(both)
		cost.Price(layout, cost.Options{})
		iamgen.Of(layout, iamgen.ARN{Partition: "aws"}.Longest())
		check.Limits(both)
		for _, p := range both.Patterns {
			for _, e := range p.Entities() {
				if !slices.Contains(both.Entities, e) {
					t.Fatalf("%s: %s refers to an entity of a version", name, p.Name)
				}
			}
		}
	}
}
