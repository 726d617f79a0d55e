package resolve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixes returns the fixes of the problems of a plan.
func fixes(p *Plan) string {
	var all []string
	for _, problem := range p.Problems {
		all = append(all, fmt.Sprintf("%s %s", problem.Code, problem.Fix))
	}
	return strings.Join(all, "\n")
}

func runAdvice(t *testing.T, cases []readCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := fixes(planOf(t, load(t, fmt.Sprintf(shop, tableOf(c.table), c.pattern)), "P"))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("advice for %s (-want +got):\n%s", c.pattern, diff)
			}
		})
	}
}

func TestAdviceForOrder(t *testing.T) {
	native := "pk: id\nindexes: { idx: { pk: customer, sk: due } }\nitems: [Order]"
	runAdvice(t, []readCase{
		{"a random id in the primary key", single("C#{customer}", "O#{code}"), "list: Order, where: { customer: $ }, order: created_at desc",
			"O201 make code a ulid or uuidv7 with time: created_at, or add an index { pk: customer, sk: created_at }"},
		{"a random id says nothing of a number", single("C#{customer}", "O#{code}"), "list: Order, where: { customer: $ }, order: total desc",
			"O201 add an index { pk: customer, sk: total }"},
		{"an id of another time", single("C#{customer}", "O#{id}"), "list: Order, where: { customer: $ }, order: due desc",
			"O201 add an index { pk: customer, sk: due }"},
		{"another attribute in the primary key", single("C#{customer}", "{city}#{created_at}"), "list: Order, where: { customer: $ }, order: created_at asc",
			"O201 add an index { pk: customer, sk: created_at }"},
		{"another attribute in an index", indexed(`"C#{customer}"`, `"{city}#{created_at}"`, ""), "list: Order, where: { customer: $ }, order: created_at asc",
			"O201 put {created_at} before the other holes of S1"},
		{"a random id in an index", indexed(`"C#{customer}"`, `"{code}"`, ""), "list: Order, where: { customer: $ }, order: created_at asc",
			"O201 make code a ulid or uuidv7 with time: created_at, or put {created_at} before the other holes of S1"},
		{"a native key", native, "list: Order, where: { customer: $ }, order: total desc", "O201 add an index { pk: customer, sk: total }"},
		{"a range", native, "list: Order, where: { customer: $, due: lt $ }, order: total desc",
			"O201 order by due, in whose order a range of it comes, or sort by total after the read"},
		{"what is random itself", single("C#{customer}", "O#{code}"), "list: Order, where: { customer: $ }, order: code asc",
			"O201 order by something that has an order; code is uuid"},
		{"a number of varying width", single("C#{customer}", "{weight}#{id}"), "list: Order, where: { customer: $ }, order: weight asc",
			"O203 keep weight as an int of its smallest unit and write {weight|pad N} in SK, or add an index { pk: customer, sk: weight }"},
	})
}

func TestAdviceForAnIDWithoutItsTime(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(shop, tableOf(single("C#{customer}", "O#{id}")), "list: Order, where: { customer: $ }, order: created_at desc"), ", time: created_at", "", 1)
	want := "O201 say time: created_at for id if it is made at that time, or add an index { pk: customer, sk: created_at }"
	if diff := cmp.Diff(want, fixes(planOf(t, load(t, text), "P"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAdviceKeepsPartitionsApart(t *testing.T) {
	spread := single("C#{customer}#{id|shard 8}", "{id}")
	runAdvice(t, []readCase{
		{"days of one customer", single("C#{customer}#{created_at|date}#{id|shard 8}", "{created_at}"), "list: Order, where: { customer: $, created_at: gte $since }",
			"C301 ask for created_at: between $from and $to and say fanout: { created_at: 31 }, the most days of a range, with one query for each"},
		{"months", single("{created_at|month}", "{created_at}"), "list: Order, where: { created_at: gte $since }",
			"C301 ask for created_at: between $from and $to and say fanout: { created_at: 12 }, the most months of a range, with one query for each"},
		{"months that nothing is said of", single("C#{customer}#{created_at|month}", "{created_at}"), "list: Order, where: { customer: $ }",
			"C301 ask for created_at: between $from and $to and say fanout: { created_at: 12 }, the most months of a range, with one query for each"},
		{"a sort key without the instant", single("{created_at|month}", "{id}"), "list: Order, where: { created_at: gte $since }",
			"C301 ask month by month: keep the month of created_at in an attribute month, write {month} for {created_at|month} in PK, and give month: in $months with fanout, one query for each"},
		{"days, and the customer is not given", single("C#{customer}#{created_at|date}", "{created_at}"), "list: Order, where: { created_at: gte $since }",
			"C301 give something with many values by equality, such as a day or an owner, add an index with that as pk and created_at as sk, and ask for each value in a query of its own (in $days, with fanout)"},
		{"the index is spread as the table", spread, "list: Order, where: { customer: $, due: lt $ }", `C301 add an index { pk: "{customer}#{id|shard 8}", sk: due }`},
		{"so is one for an order", spread, "list: Order, where: { customer: $ }, order: due asc", `O201 add an index { pk: "{customer}#{id|shard 8}", sk: due }`},
		{"other partitions need no shards", spread, "list: Order, where: { city: $ }", "C301 add an index { pk: city }"},
	})
}

// TestAdviceOfDaysHolds takes the advice above.
func TestAdviceOfDaysHolds(t *testing.T) {
	text := fmt.Sprintf(shop, tableOf(single("C#{customer}#{day}#{id|shard 8}", "{created_at}")),
		"list: Order, where: { customer: $, day: in $days, created_at: gte $since }, fanout: { day: 7 }, order: created_at asc")
	p := planOf(t, load(t, strings.Replace(text, "due: date", "due: date\n      day: date", 1)), "P")
	want := "Query Shop: PK = C#{customer}#{days}#{id|shard 8}, SK between {since} and :, 56 times"
	if diff := cmp.Diff(want, strings.TrimSpace(describe(p))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAdviceForMixedEntities(t *testing.T) {
	design := `
design: Social
entities:
  User: { id: user, attributes: { user: ulid } }
  Post: { id: [user, post], attributes: { user: ulid, post: ulid } }
  Like: { id: [user, post, liker], attributes: { user: ulid, post: ulid, liker: ulid } }
  Ban: { id: [user, by], attributes: { user: ulid, by: ulid } }
tables:
  soc:
    pk: PK
    sk: SK
    items:
      User: { PK: "U#{user}", SK: "A" }
      Post: { PK: "U#{user}", SK: "B#{post}" }
      Like: { PK: "U#{user}", SK: "C#{post}#{liker}" }
      Ban: { PK: "U#{user}", SK: "D#{by}" }
patterns:
  P: { collect: [%s], where: { user: $ }, rate: 1/day }
`
	for collect, want := range map[string]string{
		"User, Post":       "C305 Like and Ban lie in the same stretch: begin SK of User and Post with one literal that Like and Ban do not begin with, and begins_with leaves the rest out",
		"User, Post, Like": "C305 Ban lies in the same stretch: begin SK of User, Post and Like with one literal that Ban does not begin with, and begins_with leaves the rest out",
	} {
		if diff := cmp.Diff(want, fixes(planOf(t, load(t, fmt.Sprintf(design, collect)), "P"))); diff != "" {
			t.Errorf("collect %s (-want +got):\n%s", collect, diff)
		}
	}
}
