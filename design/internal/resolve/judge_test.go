package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// indexed is a table keyed by id with one index of composed keys.
func indexed(pk, sk, rest string) string {
	return fmt.Sprintf("pk: id\nindexes: { idx: { pk: P1, sk: S1%s } }\nitems: { Order: { P1: %s, S1: %s } }", rest, pk, sk)
}

func TestOrder(t *testing.T) {
	runReads(t, []readCase{
		{"by the next hole", single("C#{customer}", "O#{created_at}#{id}"), "list: Order, where: { customer: $ }, order: created_at asc",
			"Query Shop: PK = C#{customer}, SK begins_with O#"},
		{"by the range", single("C#{customer}", "{due}#{id}"), "list: Order, where: { customer: $, due: gte $ }, order: due desc",
			"Query Shop: PK = C#{customer}, SK between {due}# and :, backwards"},
		{"by an id made from the time", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $ }, order: created_at desc",
			"Query Shop: PK = C#{customer}, SK begins_with O#, backwards"},
		{"by what is given", single("C#{customer}", "{status}#{id}"), "list: Order, where: { customer: $, status: open }, order: status asc",
			"Query Shop: PK = C#{customer}, SK begins_with open#"},
		{"of one item", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $, id: $ }, order: due desc",
			"Query Shop: PK = C#{customer}, SK = O#{id}"},
		{"month, then instant", single("C#{customer}", "{created_at|month}#{created_at}"), "list: Order, where: { customer: $ }, order: created_at asc",
			"Query Shop: PK = C#{customer}"},
		{"by a random id", single("C#{customer}", "O#{code}"), "list: Order, where: { customer: $ }, order: created_at desc",
			"Query Shop: PK = C#{customer}, SK begins_with O#, backwards\nO201 Shop does not come in order of created_at: SK sorts by code, which is random, first"},
		{"by the second hole", single("C#{customer}", "{city}#{created_at}"), "list: Order, where: { customer: $ }, order: created_at asc",
			"Query Shop: PK = C#{customer}\nO201 Shop does not come in order of created_at: SK sorts by city first"},
		{"by the day only", single("C#{customer}", "{created_at|date}#{code}"), "list: Order, where: { customer: $ }, order: created_at asc",
			"Query Shop: PK = C#{customer}\nO201 Shop does not come in order of created_at: SK sorts by code, which is random, first"},
		{"by nothing", "pk: customer\nindexes: { idx: { pk: city } }\nitems: [Order]", "list: Order, where: { city: $ }, order: due asc",
			"Query Shop.idx: city = {city}\nO201 Shop.idx does not come in order of due: nothing is left in the key to sort by"},
		{"by a number as text", single("C#{customer}", "{total}#{id}"), "list: Order, where: { customer: $ }, order: total asc",
			"Query Shop: PK = C#{customer}\nO202 Shop does not come in order of total: SK sorts total as text, 10 before 9"},
		{"by a number of varying width", single("C#{customer}", "{weight}#{id}"), "list: Order, where: { customer: $ }, order: weight asc",
			"Query Shop: PK = C#{customer}\nO203 Shop does not come in order of weight: SK sorts weight as text, and its width varies"},
		{"by a native number", "pk: customer\nsk: weight\nitems: [Order]", "list: Order, where: { customer: $ }, order: weight asc",
			"Query Shop: customer = {customer}"},
		{"by text that runs on", single("C#{customer}", "{city}{due}"), "list: Order, where: { customer: $ }, order: city asc",
			"Query Shop: PK = C#{customer}\nO203 Shop does not come in order of city: in SK nothing shows where city ends"},
	})
}

func TestOnlyAnotherPathIsInOrder(t *testing.T) {
	table := "pk: PK\nsk: SK\nindexes: { idx: { pk: customer, sk: due } }\nitems: { Order: { PK: \"C#{customer}\", SK: \"O#{code}\" } }"
	runReads(t, []readCase{
		{"the index has the order", table, "list: Order, where: { customer: $ }, order: due asc", "Query Shop.idx: customer = {customer}"},
		{"the table is enough", table, "list: Order, where: { customer: $ }", "Query Shop: PK = C#{customer}, SK begins_with O#"},
	})
}

func TestConsistencyAndProjection(t *testing.T) {
	global := func(project string) string {
		return "pk: id\nindexes: { idx: { pk: customer, sk: due" + project + " } }\nitems: [Order]"
	}
	local := "pk: customer\nsk: id\nindexes: { idx: { local: true, sk: due, project: keys } }\nitems: [Order]"
	runReads(t, []readCase{
		{"consistent through a global index", global(""), "list: Order, where: { customer: $ }, consistent: true",
			"Query Shop.idx: customer = {customer}\nC303 only Shop.idx, a global index, serves the pattern, and it cannot be read consistently"},
		{"consistent by the table", "pk: customer\nsk: id\nitems: [Order]", "list: Order, where: { customer: $ }, consistent: true", "Query Shop: customer = {customer}"},
		{"consistent by a local index", local, "list: Order, where: { customer: $, due: lt $ }, select: [id, due], consistent: true",
			"Query Shop.idx: customer = {customer}, due < {due}"},
		{"selected and projected", global(", project: [city]"), "list: Order, where: { customer: $ }, select: [city, due, id]", "Query Shop.idx: customer = {customer}"},
		{"selected, not projected", global(", project: [city]"), "list: Order, where: { customer: $ }, select: [city, total]",
			"Query Shop.idx: customer = {customer}\nC304 Shop.idx does not hold total"},
		{"filtered, not projected", global(", project: [city]"), "list: Order, where: { customer: $ }, filter: { status: open }, select: [city]",
			"Query Shop.idx: customer = {customer}, filter status = open\nC304 Shop.idx does not hold status"},
		{"all is needed without select", global(", project: keys"), "list: Order, where: { customer: $ }",
			"Query Shop.idx: customer = {customer}\nC304 Shop.idx does not hold number, status, created_at, total, weight, city, code, place, note"},
		{"a local index fetches the rest", local, "list: Order, where: { customer: $, due: lt $ }", "Query Shop.idx: customer = {customer}, due < {due}"},
		{"values can be read back out of a key", indexed(`"C#{customer}"`, `"{due}#{city}"`, ", project: [number]"), "list: Order, where: { customer: $ }, select: [id, number, due, city]",
			"Query Shop.idx: P1 = C#{customer}"},
		{"but not when the key changed them", indexed(`"C#{customer}"`, `"{city|lower}"`, ", project: [number]"), "list: Order, where: { customer: $ }, select: [id, city]",
			"Query Shop.idx: P1 = C#{customer}\nC304 Shop.idx does not hold city"},
		{"nor when nothing ends them", indexed(`"C#{customer}"`, `"{city}{due}"`, ", project: [number]"), "list: Order, where: { customer: $ }, select: [id, city]",
			"Query Shop.idx: P1 = C#{customer}\nC304 Shop.idx does not hold city"},
		{"DynamoDB cannot filter by a piece of a key", indexed(`"C#{customer}"`, `"{due}#{city}"`, ", project: [number]"), "list: Order, where: { customer: $ }, filter: { city: $ }, select: [id]",
			"Query Shop.idx: P1 = C#{customer}, filter city = $city\nC304 Shop.idx does not hold city"},
	})
}

func TestPartialIndexes(t *testing.T) {
	open := indexed(`{ value: "OPEN", when: status = open }`, `{ value: "{due}#{id}", when: status = open }`, "")
	fixed := indexed(`{ value: "S#{status}", when: status = open }`, `"{due}#{id}"`, "")
	noted := indexed(`{ value: "N#{customer}", when: note exists }`, `"{due}#{id}"`, "")
	bare := indexed(`{ value: "N#{customer}", when: note missing }`, `"{due}#{id}"`, "")
	rather := `{ pk: PK, sk: SK, indexes: { idx: { pk: P1, sk: SK } }, items: { Order: { PK: "C#{customer}", SK: "{id}", P1: { value: "OPEN#{customer}", when: status = open } } } }`
	spread := strings.Replace(rather, `"OPEN#{customer}"`, `"OPEN#{customer}#{id|shard 50}"`, 1)
	some := indexed(`{ value: "S", when: "status in (open, paid)" }`, `"{due}#{id}"`, "")
	fix := "\n  fix: ask for what idx holds, or add an index { pk: status, sk: due }"
	runReads(t, []readCase{
		{"the same state", open, "list: Order, where: { status: open, due: lt $ }, order: due asc", "Query Shop.idx: P1 = OPEN, S1 between 0 and {due}#"},
		{"filtered to the same state", open, "list: Order, where: { due: lt $ }, filter: { status: open }", "Query Shop.idx: P1 = OPEN, S1 between 0 and {due}#"},
		{"rather than by a filter", rather, "list: Order, where: { customer: $ }, filter: { status: open }, limit: 5", "Query Shop.idx: P1 = OPEN#{customer}"},
		{"rather one filtered request than many", spread, "list: Order, where: { customer: $ }, filter: { status: open }, limit: 5", "Query Shop: PK = C#{customer}, filter status = open"},
		{"consistently by a filter", rather, "list: Order, where: { customer: $ }, filter: { status: open }, consistent: true", "Query Shop: PK = C#{customer}, filter status = open"},
		{"filtered to what may be another state", open, "list: Order, where: { status: open, due: lt $ }, filter: { status: $, city: Oslo }", "Query Shop.idx: P1 = OPEN, S1 between 0 and {due}#, filter status = $status, filter city = Oslo"},
		{"all entries lack a note", bare, "list: Order, where: { customer: $ }, filter: note missing", "Query Shop.idx: P1 = N#{customer}"},
		{"those with a note are not asked for", bare, "list: Order, where: { customer: $ }",
			"C310 no key serves it; nearest is Shop.idx, but it holds only items with note missing\n  fix: ask for what it holds with filter: note missing, or add an index { pk: customer }"},
		{"the state fixes the hole", fixed, "list: Order, where: { due: lt $, status: open }", "Query Shop.idx: P1 = S#open, S1 between 0 and {due}#"},
		{"another state", open, "list: Order, where: { status: paid, due: lt $ }",
			"C310 no key serves it; nearest is Shop.idx, but it holds only items with status = open, and the pattern asks for others" + fix},
		{"any state", open, "list: Order, where: { status: $, due: lt $ }", "C310 no key serves it; nearest is Shop.idx, but it holds only items with status = open" + fix},
		{"no state", open, "list: Order, where: { due: lt $ }",
			"C310 no key serves it; nearest is Shop.idx, but it holds only items with status = open\n  fix: ask for what idx holds, or give something with many values by equality, such as a day or an owner, add an index with that as pk and due as sk, and ask for each value in a query of its own (in $days, with fanout)"},
		{"two states of two", some, "list: Order, where: { status: [open, paid], due: lt $ }", "Query Shop.idx: P1 = S, S1 between 0 and {due}#"},
		{"one state of two", some, "list: Order, where: { status: open, due: lt $ }",
			"C301 no key serves it; nearest is Shop.idx, but its key does not hold status\n  fix: add an index { pk: status, sk: due }"},
		{"not all have a note", noted, "list: Order, where: { customer: $ }",
			"C310 no key serves it; nearest is Shop.idx, but it holds only items with note exists\n  fix: ask for what it holds with filter: note exists, or add an index { pk: customer }"},
		{"a table can be partial too", `{ pk: PK, items: { Order: { PK: { value: "O#{id}", when: status = open } } } }`, "get: Order, where: { id: $ }",
			"C310 no key serves it; nearest is Shop, but it holds only items with status = open\n  fix: ask for what Shop holds, or add an index { pk: id }"},
		{"those asked for have one", noted, "list: Order, where: { customer: $ }, filter: { note: $ }", "Query Shop.idx: P1 = N#{customer}, filter note = $note"},
	})
}

func TestGetFindsOne(t *testing.T) {
	runReads(t, []readCase{
		{"by id", "pk: id\nitems: [Order]", "get: Order, where: { id: $ }", "GetItem Shop: id = {id}"},
		{"surplus is checked", "pk: id\nitems: [Order]", "get: Order, where: { id: $, customer: $ }", "GetItem Shop: id = {id}, then check customer = $customer"},
		{"surplus through an index", indexed(`"N#{number}"`, `"N"`, ""), "get: Order, where: { number: $, city: Oslo }",
			"Query Shop.idx: P1 = N#{number}, S1 = N, then check city = Oslo"},
		{"by a unique value", indexed(`"N#{number}"`, `"N"`, ""), "get: Order, where: { number: $ }", "Query Shop.idx: P1 = N#{number}, S1 = N"},
		{"by the primary key", "pk: customer\nsk: due\nitems: [Order]", "get: Order, where: { customer: $, due: $ }", "GetItem Shop: customer = {customer}, due = {due}"},
		{"several", "pk: id\nindexes: { idx: { pk: customer } }\nitems: [Order]", "get: Order, where: { customer: $ }",
			"Query Shop.idx: customer = {customer}\nC307 several Order can have the same customer"},
		{"surplus does not make it one", "pk: id\nindexes: { idx: { pk: customer } }\nitems: [Order]", "get: Order, where: { customer: $, number: $ }",
			"C301 no key serves it; nearest is Shop.idx, but its key does not hold number\n  fix: add an index { pk: [customer, number] }"},
		{"a list with the whole id", "pk: id\nitems: [Order]", "list: Order, where: { id: $ }", "Query Shop: id = {id}"},
		{"a list filters", "pk: id\nitems: [Order]", "list: Order, where: { id: $, city: $ }", "Query Shop: id = {id}, filter city = $city"},
		{"a range is not checked", "pk: id\nitems: [Order]", "get: Order, where: { id: $, due: lt $ }",
			"C301 no key serves it; nearest is Shop, but its key does not hold due\n  fix: add an index { pk: id, sk: due }"},
		{"filter of one item", "pk: id\nitems: [Order]", "list: Order, where: { id: $ }, filter: { status: open }", "Query Shop: id = {id}, filter status = open"},
	})
}

func TestRank(t *testing.T) {
	table := `pk: PK
sk: SK
indexes: { global: { pk: customer, sk: due }, alpha: { pk: customer, sk: due }, local: { local: true, sk: due }, spread: { pk: P2, sk: due } }
items: { Order: { PK: "C#{customer}", SK: "O#{id}", P2: "{customer}#{id|shard 3}" } }`
	l := load(t, fmt.Sprintf(shop, tableOf(table), "list: Order, where: { customer: $, due: lt $ }"))
	p := planOf(t, l, "P")
	if got, want := p.Read.Entry.Path.String(), "Shop.local"; got != want {
		t.Errorf("read by %s, want %s", got, want)
	}
	var rest []string
	for _, r := range p.Refused {
		rest = append(rest, fmt.Sprintf("%s %s %s", r.Path, r.Code, r.Reason))
	}
	want := []string{
		"Shop.alpha  would serve it too; Shop.local comes first",
		"Shop.global  would serve it too; Shop.local comes first",
		"Shop.spread  would serve it too; Shop.local comes first",
		"Shop C301 its key does not hold due",
	}
	if diff := cmp.Diff(want, rest); diff != "" {
		t.Errorf("other paths (-want +got):\n%s", diff)
	}
}

func both(order, note string) string {
	return fmt.Sprintf("pk: PK\nsk: SK\nitems: { Order: { PK: %s }, Note: { PK: %s } }", strings.Replace(order, "|", "\", SK: \"", 1), strings.Replace(note, "|", "\", SK: \"", 1))
}

func TestMixing(t *testing.T) {
	list := "list: Order, where: { customer: $ }"
	runReads(t, []readCase{
		{"prefixes of their own", both(`"C#{customer}|O#{id}"`, `"C#{customer}|N#{text}"`), list, "Query Shop: PK = C#{customer}, SK begins_with O#"},
		{"the same partition and no prefix", both(`"C#{customer}|{id}"`, `"C#{customer}|N#{text}"`), list,
			"Query Shop: PK = C#{customer}\nC305 Shop returns Note too: PK = C#{customer}"},
		{"one prefix begins with the other", both(`"C#{customer}|O#{id}"`, `"C#{customer}|O#N#{text}"`), list,
			"Query Shop: PK = C#{customer}, SK begins_with O#\nC305 Shop returns Note too: PK = C#{customer}, SK begins_with O#"},
		{"other partitions", both(`"C#{customer}|{id}"`, `"D#{customer}|{text}"`), list, "Query Shop: PK = C#{customer}"},
		{"a range of dates leaves texts out", both(`"C#{customer}|{due}#{id}"`, `"C#{customer}|NOTE#{text}"`), "list: Order, where: { customer: $, due: lt $ }",
			"Query Shop: PK = C#{customer}, SK between 0 and {due}#"},
		{"a range of dates catches dates", both(`"C#{customer}|{due}#{id}"`, `"C#{customer}|{at|date}#{text}"`), "list: Order, where: { customer: $, due: lt $ }",
			"Query Shop: PK = C#{customer}, SK between 0 and {due}#\nC305 Shop returns Note too: PK = C#{customer}, SK between 0 and {due}#"},
		{"beyond the end of a range", both(`"C#{customer}|O#{due}#{id}"`, `"C#{customer}|O#:{text}"`), "list: Order, where: { customer: $, due: gt $ }",
			"Query Shop: PK = C#{customer}, SK between O#{due}$ and O#:"},
		{"exactly the end of a range", both(`"C#{customer}|O#{due}#{id}"`, `"C#{customer}|O#:"`), "list: Order, where: { customer: $, due: gt $ }",
			"Query Shop: PK = C#{customer}, SK between O#{due}$ and O#:\nC305 Shop returns Note too: PK = C#{customer}, SK between O#{due}$ and O#:"},
		{"constants of another state", both(`"S#{status}|{id}"`, `"S#done|{text}"`), "list: Order, where: { status: open }", "Query Shop: PK = S#open"},
		{"one of the values", both(`"S#{status}|{id}"`, `"S#done|{text}"`), "list: Order, where: { status: [open, done] }, fanout: { status: 2 }",
			"Query Shop: PK = S#{status}, 2 times\nC305 Shop returns Note too: PK = S#{status}"},
		{"none of the values", both(`"S#{status}|{id}"`, `"S#done|{text}"`), "list: Order, where: { status: [open, paid] }, fanout: { status: 2 }",
			"Query Shop: PK = S#{status}, 2 times"},
		{"get of what may be something else", both(`"C#{customer}|{number}"`, `"C#{customer}|{text}"`), "get: Order, where: { customer: $, number: $ }",
			"GetItem Shop: PK = C#{customer}, SK = {number}\nC305 Shop returns Note too: PK = C#{customer}, SK = {number}"},
		{"get of a ulid", both(`"C#{customer}|O#{id}"`, `"C#{customer}|N#{text}"`), "get: Order, where: { customer: $, id: $ }", "GetItem Shop: PK = C#{customer}, SK = O#{id}"},
	})
}

func TestCollect(t *testing.T) {
	ask := "collect: [Order, Note], where: { customer: $ }"
	runReads(t, []readCase{
		{"a whole partition", both(`"C#{customer}|O#{id}"`, `"C#{customer}|N#{text}"`), ask, "Query Shop: PK = C#{customer}"},
		{"what the sort keys share", both(`"C#{customer}|A#O#{id}"`, `"C#{customer}|A#N#{text}"`), ask, "Query Shop: PK = C#{customer}, SK begins_with A#"},
		{"one below the other", both(`"ALL|C#{customer}"`, `"ALL|C#{customer}#{text}"`), ask, "Query Shop: PK = ALL, SK between C#{customer} and C#{customer}$\n" +
			"C305 Shop returns those of other customer too, which go on with a space, ! or \": SK between C#{customer} and C#{customer}$"},
		{"one below the other, fixed width", both(`"C#{customer}|S#{status}"`, `"C#{customer}|S#{status}#{text}"`), "collect: [Order, Note], where: { customer: $, status: $ }",
			"Query Shop: PK = C#{customer}, SK begins_with S#{status}"},
		{"the partition serves it", both(`"C#{customer}|C#{customer}"`, `"C#{customer}|#N#{text}"`), ask, "Query Shop: PK = C#{customer}"},
		{"the partition serves it, and they share it", both(`"C#{customer}|C#{customer}"`, `"C#{customer}|C#{customer}#{text}"`), ask,
			"Query Shop: PK = C#{customer}, SK between C#{customer} and C#{customer}$"},
		{"the partition serves a part of it", both(`"C#{customer}|{status}"`, `"C#{customer}|{status}#{customer}#{text}"`), "collect: [Order, Note], where: { customer: $, status: $ }",
			"Query Shop: PK = C#{customer}, SK begins_with {status}"},
		{"a shard does not serve it", `pk: PK
sk: SK
items: { Order: { PK: "C#{customer|shard 4}", SK: "C#{customer}" }, Note: { PK: "C#{customer|shard 4}", SK: "N#{customer}#{text}" } }`, ask,
			"C301 no key serves it; nearest is Shop, but the sort keys do not share all that where asks for\n  fix: add an index { pk: customer }"},
		{"in one order", both(`"C#{customer}|{status}"`, `"C#{customer}|{status}#{text}"`), "collect: [Order, Note], where: { customer: $ }, order: status asc",
			"Query Shop: PK = C#{customer}"},
		{"no common order", both(`"C#{customer}|O#{status}"`, `"C#{customer}|N#{status}#{text}"`), "collect: [Order, Note], where: { customer: $ }, order: status asc",
			"Query Shop: PK = C#{customer}\nO201 Shop sorts by kind first: Order come together"},
		{"different partitions", both(`"C#{customer}|O#{id}"`, `"N#{customer}|N#{text}"`), ask,
			"C301 no key serves it; nearest is Shop, but Order lies in partition C#{customer}, Note in N#{customer}\n  fix: add an index { pk: customer }"},
		{"the sort keys do not share it", both(`"C#{customer}|O#{status}#{id}"`, `"C#{customer}|N#{status}#{text}"`), "collect: [Order, Note], where: { customer: $, status: $ }",
			"C301 no key serves it; nearest is Shop, but the sort keys do not share all that where asks for\n  fix: add an index { pk: [customer, status] }"},
	})
}

func TestCollectLeavesOthersOut(t *testing.T) {
	design := `
design: Shop
entities:
  A: { id: a, attributes: { a: int, k: string } }
  B: { id: b, attributes: { b: int, k: string } }
  C: { id: c, attributes: { c: int, k: string } }
tables:
  Shop: { pk: PK, sk: SK, items: { A: { PK: "{k}", SK: "X#A#{a}" }, B: { PK: "{k}", SK: "X#B#{b}" }, C: { PK: "{k}", SK: "%s#{c}" } } }
patterns:
  P: { collect: [A, B], where: { k: $ }, rate: 1/day }
`
	for sk, want := range map[string]string{
		"Y":   "Query Shop: PK = {k}, SK begins_with X#\n",
		"X#C": "Query Shop: PK = {k}, SK begins_with X#\nC305 Shop returns C too: PK = {k}, SK begins_with X#\n",
	} {
		if diff := cmp.Diff(want, describe(planOf(t, load(t, fmt.Sprintf(design, sk)), "P"))); diff != "" {
			t.Errorf("C at %s (-want +got):\n%s", sk, diff)
		}
	}
}

func TestNoTable(t *testing.T) {
	runReads(t, []readCase{{"read", "pk: customer\nsk: text\nitems: [Note]", "list: Order, where: { customer: $ }",
		"C301 Order lives in no table\n  fix: list Order under items of a table"}})
}

// TestCollectAcrossTables is about what no index can help.
func TestCollectAcrossTables(t *testing.T) {
	design := `
design: Apart
entities:
  A: { id: k, attributes: { k: string } }
  B: { id: [k, n], attributes: { k: string, n: int } }
  C: { id: [k, n], attributes: { k: string, n: int } }
tables:
  one: { pk: PK, sk: SK, items: { A: { PK: "{k}", SK: A }%s } }
  two: { pk: PK, sk: SK, items: { C: { PK: "{k}", SK: "C#{n}" }%s } }
patterns:
  P: { collect: [%s], where: { k: $ }, rate: 1/day }
`
	b := `, B: { PK: "{k}", SK: "B#{n}" }`
	for _, c := range []struct{ name, one, two, collect, want string }{
		{"in one table", b, "", "A, B", "Query one: PK = {k}"},
		{"in two tables", "", b, "A, B", `
C301 no key serves it; nearest is one, but B is not in it
  fix: let them share a table and a partition of it, or read each by a pattern of its own: A lives in one and B in two`},
		{"one of three apart", b, "", "A, B, C", `
C301 no key serves it; nearest is one, but C is not in it
  fix: let them share a table and a partition of it, or read each by a pattern of its own: A lives in one, B in one and C in two`},
	} {
		got := describe(planOf(t, load(t, fmt.Sprintf(design, c.one, c.two, c.collect)), "P"))
		if diff := cmp.Diff(strings.TrimSpace(c.want), strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
