package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shop is a design of one entity, or two, whose table and patterns the cases give.
const shop = `
design: Shop
entities:
  Order:
    id: id
    unique: [number]
    attributes:
      id: { type: ulid, time: created_at }
      number: string
      customer: string
      status: enum(open, paid, done)
      created_at: timestamp
      total: int
      weight: number
      city: string
      code: uuid
      place: geohash
      due: date
      note: string?
  Note:
    id: [customer, text]
    attributes: { customer: string, text: string, status: "enum(open, paid, done)", at: timestamp }
tables:
%s
patterns:
  P: { %s, rate: 1/day }
`

// tableOf indents a table of the cases.
func tableOf(keys string) string {
	return "  Shop:\n    " + strings.ReplaceAll(strings.TrimSpace(keys), "\n", "\n    ")
}

func describe(p *Plan) string {
	var b strings.Builder
	if p.Read != nil {
		fmt.Fprintln(&b, p.Read)
	}
	for _, problem := range p.Problems {
		fmt.Fprintf(&b, "%s %s\n", problem.Code, problem.Message)
		if problem.Code == "C301" || problem.Code == "C309" || problem.Code == "C310" || problem.Code == "L706" {
			fmt.Fprintf(&b, "  fix: %s\n", problem.Fix)
		}
	}
	return b.String()
}

type readCase struct {
	name, table, pattern, want string
}

func runReads(t *testing.T, cases []readCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := describe(planOf(t, load(t, fmt.Sprintf(shop, tableOf(c.table), c.pattern)), "P"))
			if diff := cmp.Diff(strings.TrimSpace(c.want), strings.TrimSpace(got)); diff != "" {
				t.Errorf("plan of %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

// single is a table with one composed key.
func single(pk, sk string) string {
	return fmt.Sprintf("pk: PK\nsk: SK\nitems: { Order: { PK: %q, SK: %q } }", pk, sk)
}

func TestPartition(t *testing.T) {
	runReads(t, []readCase{
		{"parameter", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $ }",
			"Query Shop: PK = C#{customer}, SK begins_with O#"},
		{"named parameter", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $who }",
			"Query Shop: PK = C#{who}, SK begins_with O#"},
		{"constant", single("S#{status}", "O#{id}"), "list: Order, where: { status: open }",
			"Query Shop: PK = S#open, SK begins_with O#"},
		{"filters apply to constants", single("C#{city|upper}", "O#{id}"), "list: Order, where: { city: Oslo }",
			"Query Shop: PK = C#OSLO, SK begins_with O#"},
		{"values one by one", single("S#{status}", "O#{id}"), "list: Order, where: { status: [open, paid] }",
			"Query Shop: PK = S#{status}, SK begins_with O#, 2 times"},
		{"one value of in", single("S#{status}", "O#{id}"), "list: Order, where: { status: [open] }",
			"Query Shop: PK = S#open, SK begins_with O#"},
		{"values of a parameter", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: in $names }",
			"Query Shop: PK = C#{names}, SK begins_with O#\nC306 customer is asked for any number of values, one query for each"},
		{"counted values", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: in $names }, fanout: { customer: 7 }",
			"Query Shop: PK = C#{names}, SK begins_with O#, 7 times"},
		{"fanout of a parameter", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $ }, fanout: { customer: 50 }",
			"Query Shop: PK = C#{customer}, SK begins_with O#, 50 times"},
		{"shards are asked one by one", single("S#{status}#{id|shard 4}", "O#{id}"), "list: Order, where: { status: $ }",
			"Query Shop: PK = S#{status}#{id|shard 4}, SK begins_with O#, 4 times"},
		{"shards and values multiply", single("S#{status}#{id|shard 4}", "O#{id}"), "list: Order, where: { status: [open, paid] }, fanout: { status: 2 }",
			"Query Shop: PK = S#{status}#{id|shard 4}, SK begins_with O#, 8 times"},
		{"a known shard is asked alone", single("{id|shard 4}", "O#{id}"), "get: Order, where: { id: $ }",
			"GetItem Shop: PK = {id|shard 4}, SK = O#{id}"},
		{"lower", single("C#{city|lower}", "O#{id}"), "list: Order, where: { city: $ }",
			"Query Shop: PK = C#{city|lower}, SK begins_with O#"},
		{"day and instant", single("D#{created_at|date}", "{created_at}#{id}"), "list: Order, where: { created_at: $ }",
			"Query Shop: PK = D#{created_at|date}, SK begins_with {created_at}#"},
		{"constant partition", single("ORDERS", "{created_at}#{id}"), "list: Order, order: created_at desc",
			"Query Shop: PK = ORDERS, backwards"},
		{"missing", single("C#{customer}", "O#{id}"), "list: Order, where: { city: $ }",
			"C301 no key serves it; nearest is Shop, but PK needs customer, which the pattern does not give\n  fix: add an index { pk: city }"},
		{"nothing given", single("C#{customer}", "O#{id}"), "list: Order",
			"C301 no key serves it; nearest is Shop, but PK needs customer, which the pattern does not give\n  fix: give something with many values by equality, such as a day or an owner, and ask for each value in a query of its own (in $days, with fanout)"},
		{"range of days", single("D#{created_at|date}", "{created_at}#{id}"), "list: Order, where: { created_at: between $a and $b }",
			"C301 no key serves it; nearest is Shop, but a range of created_at lies in several partitions {created_at|date}, one query each\n  fix: say fanout: { created_at: 31 }, the most days of a range, with one query for each"},
		{"range of days with their number", single("D#{created_at|date}", "{created_at}#{id}"), "list: Order, where: { created_at: between $a and $b }, fanout: { created_at: 7 }, order: created_at desc",
			"Query Shop: PK = D#{created_at|date}, SK between {a}# and {b}$, backwards, up to 7 times"},
		{"the shortest of two periods", single("D#{created_at|year}#{created_at|hour}", "{created_at}#{id}"), "list: Order, where: { created_at: between 2026-01-01T00:00:00.000Z and $b }, fanout: { created_at: 7 }",
			"Query Shop: PK = D#{created_at|year}#{created_at|hour}, SK between 2026-01-01T00:00:00.000Z# and {b}$, up to 7 times"},
		{"periods and shards", single("D#{created_at|month}#{id|shard 4}", "{created_at}#{id}"), "list: Order, where: { created_at: between $a and $b }, fanout: { created_at: 3 }",
			"Query Shop: PK = D#{created_at|month}#{id|shard 4}, SK between {a}# and {b}$, up to 12 times"},
		{"periods and values", single("C#{customer}#{created_at|month}", "{created_at}#{id}"), "list: Order, where: { customer: in $list, created_at: between $a and $b }, fanout: { created_at: 3, customer: 5 }",
			"Query Shop: PK = C#{list}#{created_at|month}, SK between {a}# and {b}$, up to 15 times"},
		{"periods of what is given", single("D#{created_at|month}", "{created_at}#{id}"), "list: Order, where: { created_at: $ }, order: created_at desc",
			"Query Shop: PK = D#{created_at|month}, SK begins_with {created_at}#, backwards"},
		{"a range has no periods in the sort key", single("C#{customer}", "{created_at}#{id}"), "list: Order, where: { customer: $, created_at: between $a and $b }, fanout: { created_at: 3 }",
			"Query Shop: PK = C#{customer}, SK between {a}# and {b}$\nF006 fanout of created_at has no effect: the partition key of Shop contains no period of created_at, so the range is not divided"},
		{"a shard of a period is none", single("D#{created_at|month|shard 4}", "{created_at}#{id}"), "list: Order, where: { created_at: between $a and $b }, fanout: { created_at: 3 }",
			"Query Shop: PK = D#{created_at|month|shard 4}, SK between {a}# and {b}$, 4 times\nF006 fanout of created_at has no effect: the partition key of Shop contains no period of created_at, so the range is not divided"},
		{"the period of an id", single("D#{id|month}", "{id}"), "list: Order, where: { id: between $a and $b }, fanout: { id: 3 }",
			"C301 no key serves it; nearest is Shop, but a range of id lies in several partitions {id|month}, one query each\n  fix: ask month by month: keep the month of id in an attribute month, write {month} for {id|month} in PK, and give month: in $months with fanout, one query for each"},
		{"range on the partition", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: gte $ }",
			"C301 no key serves it; nearest is Shop, but PK needs one value of customer, and the pattern asks for a range\n  fix: give something with many values by equality, such as a day or an owner, add an index with that as pk and customer as sk, and ask for each value in a query of its own (in $days, with fanout)"},
		{"a day is not an instant", single("D#{created_at|date}", "O#{id}"), "list: Order, where: { created_at: $ }",
			"C301 no key serves it; nearest is Shop, but its key does not hold created_at\n  fix: add an index { pk: created_at }"},
		{"values that run together", single("{customer}-{city}", "O#{id}"), "list: Order, where: { customer: $, city: $ }",
			"C301 no key serves it; nearest is Shop, but in PK nothing shows where customer ends: put # after it\n  fix: add an index { pk: [customer, city] }"},
		{"fixed width needs no delimiter", single("{due}-{city}", "O#{id}"), "list: Order, where: { due: $, city: $ }",
			"Query Shop: PK = {due}-{city}, SK begins_with O#"},
	})
}

func TestSortKey(t *testing.T) {
	runReads(t, []readCase{
		{"prefix ends at a delimiter", single("C#{customer}", "{city}#{id}"), "list: Order, where: { customer: $, city: $ }",
			"Query Shop: PK = C#{customer}, SK begins_with {city}#"},
		{"last hole is an equality", single("C#{customer}", "O#{city}"), "get: Order, where: { customer: $, city: $ }",
			"GetItem Shop: PK = C#{customer}, SK = O#{city}"},
		{"between keeps the last instant", single("C#{customer}", "O#{created_at}#{id}"), "list: Order, where: { customer: $, created_at: between $a and $b }",
			"Query Shop: PK = C#{customer}, SK between O#{a}# and O#{b}$"},
		{"lt", single("C#{customer}", "O#{created_at}#{id}"), "list: Order, where: { customer: $, created_at: lt $a }",
			"Query Shop: PK = C#{customer}, SK between O#0 and O#{a}#"},
		{"gt", single("C#{customer}", "O#{created_at}#{id}"), "list: Order, where: { customer: $, created_at: gt $a }",
			"Query Shop: PK = C#{customer}, SK between O#{a}$ and O#:"},
		{"lt of the last hole", single("C#{customer}", "O#{created_at}"), "list: Order, where: { customer: $, created_at: lt $a }",
			"Query Shop: PK = C#{customer}, SK between O#0 and O#{a|before}"},
		{"text without a floor", single("C#{customer}", "{city}#{id}"), "list: Order, where: { customer: $, city: lte $a }",
			"Query Shop: PK = C#{customer}, SK <= {a}$"},
		{"range of a constant", single("C#{customer}", "O#{due}"), "list: Order, where: { customer: $, due: lt 2026-02-01 }",
			`Query Shop: PK = C#{customer}, SK between O#0 and O#2026-02-00\u{10FFFF}`},
		{"begins_with", single("C#{customer}", "O#{city}#{id}"), "list: Order, where: { customer: $, city: begins_with $start }",
			"Query Shop: PK = C#{customer}, SK begins_with O#{start}"},
		{"padded number", single("C#{customer}", "{total|pad 9}#{id}"), "list: Order, where: { customer: $, total: gte $ }",
			"Query Shop: PK = C#{customer}, SK between {total|pad 9}# and :"},
		{"number as text", single("C#{customer}", "{total}#{id}"), "list: Order, where: { customer: $, total: gte $ }",
			"O202 no key serves it; nearest is Shop, but SK sorts total as text, 10 before 9"},
		{"number of varying width", single("C#{customer}", "{weight}#{id}"), "list: Order, where: { customer: $, weight: gte $ }",
			"O203 no key serves it; nearest is Shop, but SK sorts weight as text, and its width varies"},
		{"range of a random id", single("C#{customer}", "{code}#{id}"), "list: Order, where: { customer: $, code: gte $ }",
			"O201 no key serves it; nearest is Shop, but SK sorts by code, which is random"},
		{"something follows the range", single("C#{customer}", "{due}#{city}#{id}"), "list: Order, where: { customer: $, due: gte $, city: $ }",
			"C301 no key serves it; nearest is Shop, but in the sort key city comes after due, which is a range already\n  fix: add an index { pk: [customer, city], sk: due }"},
		{"a hole is skipped", single("C#{customer}", "{due}#{city}#{id}"), "list: Order, where: { customer: $, city: $ }",
			"C301 no key serves it; nearest is Shop, but in the sort key city comes after due, which is not given\n  fix: add an index { pk: [customer, city] }"},
		{"range of days", single("C#{customer}", "{created_at|date}#{id}"), "list: Order, where: { customer: $, created_at: gte $ }",
			"C301 no key serves it; nearest is Shop, but SK holds only {created_at|date}, which does not answer a range of created_at\n  fix: add an index { pk: customer, sk: created_at }"},
		{"text that runs on", single("C#{customer}", "{city}-{id}"), "list: Order, where: { customer: $, city: lt $ }",
			"C301 no key serves it; nearest is Shop, but in SK nothing shows where city ends: put # after it\n  fix: add an index { pk: customer, sk: city }"},
		{"prefix of a number", single("C#{customer}", "{total|pad 9}#{id}"), "list: Order, where: { customer: $, total: lt 7 }",
			"Query Shop: PK = C#{customer}, SK between 0 and 000000007#"},
		{"values in the sort key", single("C#{customer}", "{status}#{id}"), "list: Order, where: { customer: $, status: [open, paid] }, fanout: { status: 2 }",
			"Query Shop: PK = C#{customer}, SK begins_with {status}#, 2 times"},
		{"two ranges", single("C#{customer}", "{due}#{created_at}"), "list: Order, where: { customer: $, due: gte $, created_at: lt $ }",
			"C301 no key serves it; nearest is Shop, but in the sort key created_at comes after due, which is a range already\n  fix: ask for one range at most; the others can only be filters"},
	})
}

func TestNativeKeys(t *testing.T) {
	byCity := "pk: id\nindexes: { idx: { pk: [customer, city], sk: [status, due, total] } }\nitems: [Order]"
	runReads(t, []readCase{
		{"number", "pk: customer\nsk: total\nitems: [Order]", "list: Order, where: { customer: $, total: lt 7 }",
			"Query Shop: customer = {customer}, total < 7"},
		{"between", "pk: customer\nsk: created_at\nitems: [Order]", "list: Order, where: { customer: $, created_at: between $a and $b }",
			"Query Shop: customer = {customer}, created_at between {a} and {b}"},
		{"several attributes", byCity, "list: Order, where: { customer: $, city: $, status: open, due: gte $ }",
			"Query Shop.idx: customer = {customer}, city = {city}, status = open, due >= {due}"},
		{"leading attributes only", byCity, "list: Order, where: { customer: $, city: $, status: open }, order: due desc",
			"Query Shop.idx: customer = {customer}, city = {city}, status = open, backwards"},
		{"an attribute is skipped", byCity, "list: Order, where: { customer: $, city: $, due: gte $ }",
			"C301 no key serves it; nearest is Shop.idx, but in the sort key due comes after status, which is not given\n  fix: add an index { pk: [customer, city], sk: due }"},
		{"half a partition", byCity, "list: Order, where: { customer: $ }",
			"C301 no key serves it; nearest is Shop.idx, but the pattern does not give city\n  fix: add an index { pk: customer }"},
		{"composed and native", "pk: id\nindexes: { idx: { pk: customer, sk: [K, due] } }\nitems: { Order: { K: \"S#{status}\" } }",
			"list: Order, where: { customer: $, status: paid, due: lt $ }", "Query Shop.idx: customer = {customer}, K = S#paid, due < {due}"},
		{"begins_with", "pk: customer\nsk: place\nitems: [Order]", "list: Order, where: { customer: $, place: begins_with $cell }",
			"Query Shop: customer = {customer}, place begins_with {cell}"},
	})
}
