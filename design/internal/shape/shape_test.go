package shape_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/model"
	described "sortkey.dev/design/internal/shape"
)

const shop = `design: Shop
types:
  Address: { street: string, zip: string? }
entities:
  User:
    id: user_id
    unique: [username]
    attributes:
      user_id: ulid
      username: string
      age: int
      status: enum(active, blocked)
      home: Address
      orders: int
    counters: { orders: { count: Order, where: { status: open }, shards: 2 } }
    encrypt: [age]
  Order:
    id: order_id
    doc: What was bought.
    attributes: { order_id: ulid, user_id: ulid, status: "enum(open, paid)", note: "string?", gone: "unixtime?", expires: "unixtime?" }
    size: 400B
    growth: 100/day
tables:
  shop:
    pk: PK
    sk: SK
    type: type
    ttl: gone
    indexes:
      by_status: { pk: GSI1PK, sk: GSI1SK }
    guards:
      User.username: { PK: "NAME#{username|lower}", SK: NAME }
    items:
      User: { PK: "USER#{user_id}", SK: USER }
      Order:
        PK: "ORDER#{order_id}"
        SK: ORDER
        GSI1PK: { value: "STATUS#{status}", when: note exists }
        GSI1SK: "{order_id}"
patterns:
  AddUser: { create: User, rate: 10/day }
  GetOrder: { get: Order, where: { order_id: $ }, rate: 10/day }
`

func load(t *testing.T, sources ...loader.Source) *model.Design {
	t.Helper()
	var report diag.Report
	d := loader.Load(sources, &report)
	if d == nil || report.Failed() {
		t.Fatalf("%v", report.Findings())
	}
	return d.Whole()
}

// shopWith returns the description of the table of the shop with texts of the design replaced.
func shopWith(t *testing.T, replace ...string) *shape.Table {
	t.Helper()
	text := strings.NewReplacer(replace...).Replace(shop)
	if len(replace) > 0 && text == shop {
		t.Fatalf("the design has no %q", replace[0])
	}
	d := load(t, loader.Source{Name: "shop.design.yaml", Text: []byte(text)})
	return described.Of(d, d.Tables[0])
}

// TestShapeSaysWhatItemsLookLike changes a design in every way.
func TestShapeSaysWhatItemsLookLike(t *testing.T) {
	tags := shopWith(t).Tags()
	for name, c := range map[string]struct {
		replace []string
		want    string
	}{
		"doc":                    {[]string{"What was bought.", "Another text."}, ""},
		"size":                   {[]string{"400B", "2KB"}, ""},
		"rate":                   {[]string{"10/day", "1000/s"}, ""},
		"growth":                 {[]string{"100/day", "7/day"}, ""},
		"pattern":                {[]string{"AddUser", "Register"}, ""},
		"order":                  {[]string{"      username: string\n      age: int\n", "      age: int\n      username: string\n"}, ""},
		"order of an enum":       {[]string{"active, blocked", "blocked, active"}, ""},
		"name in the design":     {[]string{`note: "string?"`, `comment: { type: "string?", name: note }`, "note exists", "comment exists"}, ""},
		"int that is a string":   {[]string{"age: int", "age: string"}, "User.age differs"},
		"optional":               {[]string{"age: int", "age: int?"}, "User.age differs"},
		"encryption":             {[]string{"encrypt: [age]", "encrypt: [username]"}, "User.age and User.username differ"},
		"stored name":            {[]string{"age: int", "age: { type: int, name: years }"}, "User.age is new; 1 thing that this design does not have"},
		"value of an enum":       {[]string{"active, blocked", "active, blocked, gone"}, "User.status differs"},
		"struct":                 {[]string{"zip: string?", "zip: int?"}, "Address.zip differs"},
		"key":                    {[]string{"ORDER#{order_id}", "O#{order_id}"}, "Order key differs"},
		"key of an index":        {[]string{`GSI1SK: "{order_id}"`, `GSI1SK: "{user_id}"`}, "Order in index by_status differs"},
		"condition of a key":     {[]string{"note exists", "note missing"}, "Order in index by_status differs"},
		"rows of a unique value": {[]string{"{username|lower}", "{username}"}, "unique User.username differs"},
		"what is counted":        {[]string{"status: open }", "status: paid }"}, "counter User.orders differs"},
		"shards":                 {[]string{"shards: 2", "shards: 4"}, "counter User.orders differs"},
		"TTL":                    {[]string{"ttl: gone", "ttl: expires"}, "TTL differs"},
		"type attribute":         {[]string{"type: type", "type: kind"}, "table key differs"},
		"delimiter":              {[]string{"    sk: SK\n", "    sk: SK\n    delimiter: \"|\"\n", "#{", "|{"}, "Order in index by_status, Order key, User key and unique User.username differ"},
		"attribute added":        {[]string{"age: int", "age: int\n      nick: string?"}, "User.nick is new"},
		"attribute removed":      {[]string{"      home: Address\n", ""}, "3 things that this design does not have"},
		"unique rule added":      {[]string{"unique: [username]", "unique: [username, status]", "    guards:\n", "    guards:\n      User.status: { PK: \"ST#{status}\", SK: ST }\n"}, "unique User.status is new"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if d := shopWith(t, c.replace...).Compare(tags); d != nil {
				got = d.String()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFactsHaveNamesForPeople lists those of a table.
func TestFactsHaveNamesForPeople(t *testing.T) {
	var got []string
	for _, f := range shopWith(t).Facts() {
		got = append(got, f.Name)
	}
	const want = "Address.street, Address.zip, Order in index by_status, Order key, Order.expires, Order.gone, Order.note, Order.order_id, Order.status, Order.user_id, " +
		"TTL, User key, User.age, User.home, User.orders, User.status, User.user_id, User.username, counter User.orders, table key, unique User.username"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s", text)
	}
}

// TestUsedDesignsHaveOneShape compares the tables of the platform alone with those of each system
// that uses it.
func TestUsedDesignsHaveOneShape(t *testing.T) {
	const apps = "../../../apps"
	read := func(path string) *model.Design {
		sources, err := loader.Read(filepath.Join(apps, path))
		if err != nil {
			t.Fatal(err)
		}
		return load(t, sources...)
	}
	own := map[string]map[string]string{}
	platform := read("internal/platform/platform.design.yaml")
	for _, table := range platform.Tables {
		own[table.Name] = described.Of(platform, table).Tags()
	}
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		system, found := read(name+"/"+name+".design.yaml"), 0
		for _, table := range system.Tables {
			for alone, tags := range own {
				if !strings.HasSuffix(table.Name, alone) || !slices.ContainsFunc(table.Items, func(i *model.Item) bool { return i.Entity.Use != "" }) {
					continue
				}
				found++
				if !maps.Equal(described.Of(system, table).Tags(), tags) {
					t.Errorf("%s has another shape in %s: %v", alone, name, described.Of(system, table).Compare(tags))
				}
			}
		}
		if found != len(own) {
			t.Errorf("%s has %d of %d tables", name, found, len(own))
		}
	}
}
