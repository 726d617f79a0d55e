package resolve

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mixedWith is a table with two entities and an index of orders.
func mixedWith(table, index string) string {
	return fmt.Sprintf("pk: PK\nsk: SK\n%sindexes: { idx: { pk: P1, sk: S1%s } }\nitems:\n"+
		"  Order: { PK: \"O#{id}\", SK: ORDER, P1: \"C#{customer}\", S1: \"{id}\" }\n  Note: { PK: \"N#{customer}\", SK: \"NOTE#{text}\" }", table, index)
}

func TestScans(t *testing.T) {
	few := ", accept: { C301: there are few }"
	sparse := "pk: PK\nsk: SK\nindexes: { idx: { pk: P1, sk: S1 } }\nitems:\n" +
		"  Order: { PK: \"O#{id}\", SK: ORDER, P1: { value: OPEN, when: status = open }, S1: \"{id}\" }\n  Note: { PK: \"N#{customer}\", SK: \"NOTE#{text}\" }"
	inKeys := "pk: PK\nsk: SK\nindexes: { idx: { pk: P1, sk: S1, project: keys } }\nitems:\n" +
		"  Note: { PK: \"N#{customer}\", SK: \"NOTE#{text}\", P1: NOTES, S1: \"{customer}#{text}\" }"
	runReads(t, []readCase{
		{"of the only entity", "pk: id\nitems: [Order]", "scan: Order", "Scan Shop"},
		{"in segments", "pk: id\nitems: [Order]", "scan: Order, segments: 4, filter: { total: gt 9 }", "Scan Shop, in 4 segments, filter total > 9"},
		{"of an index without the other entity", mixedWith("", ""), "scan: Order", "Scan Shop.idx"},
		{"of the table if it must be consistent", mixedWith("", ""), "scan: Order, consistent: true", "Scan Shop"},
		{"of the table if the index lacks attributes", mixedWith("", ", project: [status]"), "scan: Order", "Scan Shop"},
		{"of the index if it holds what is selected", mixedWith("", ", project: [status]"), "scan: Order, select: [status]", "Scan Shop.idx"},
		{"of the table if the index lacks what is filtered by", mixedWith("", ", project: keys"), "scan: Order, filter: { status: open }, select: [id]", "Scan Shop, filter status = open"},
		{"of the table if the index lacks items", sparse, "scan: Order", "Scan Shop"},
		{"of the entity that is in no index", mixedWith("", ""), "scan: Note", "Scan Shop"},
		{"of a smaller index of the only entity", "pk: id\nindexes: { idx: { pk: city, project: keys } }\nitems: [Order]", "scan: Order, select: [city]", "Scan Shop.idx"},
		{"of the table if the index holds attributes only in its keys", inKeys, "scan: Note", "Scan Shop"},
		{"of the index if its keys hold what is selected", inKeys, "scan: Note, select: [customer, text]", "Scan Shop.idx"},
		{"of a list that accepts it", "pk: id\nitems: [Order]", "list: Order, where: { city: $ }" + few,
			"Scan Shop, filter city = $city\nC301 no key serves it; nearest is Shop, but the pattern does not give id\n  fix: add an index { pk: city }"},
		{"has no order", "pk: id\nitems: [Order]", "list: Order, where: { city: $ }, order: due asc" + few,
			"Scan Shop, filter city = $city\nC301 no key serves it; nearest is Shop, but the pattern does not give id\n  fix: add an index { pk: city, sk: due }\nO201 a scan comes in no order"},
		{"is not for a get", "pk: id\nitems: [Order]", "get: Order, where: { number: $ }" + few,
			"C301 no key serves it; nearest is Shop, but the pattern does not give id\n  fix: add an index { pk: number }"},
		{"is not needed if a key serves the list", "pk: customer\nsk: id\nitems: [Order]", "list: Order, where: { customer: $ }" + few, "Query Shop: customer = {customer}"},
	})
}

func TestServiceOfScans(t *testing.T) {
	for pattern, want := range map[string]Service{
		"scan: Order": ByScan,
		"list: Order, where: { city: $ }, accept: { C301: few }":                   ByScan,
		"list: Order, where: { city: $ }, accept: { no-path: few }":                ByScan,
		"list: Order, where: { city: $ }, order: due asc, accept: { C301: few }":   NotServed,
		"list: Order, where: { city: $ }":                                          NotServed,
		"get: Order, where: { id: $ }":                                             ByKey,
		"get: Order, where: { number: $ }, accept: { C301: few }":                  NotServed,
		"update: Order, where: { id: $ }, set: [city]":                             ByKey,
		"update: Order, where: { number: $ }, set: [city], accept: { C301: none }": NotServed,
	} {
		p := planOf(t, load(t, fmt.Sprintf(shop, tableOf("pk: id\nitems: [Order]"), pattern)), "P")
		if got := p.Service(); got != want {
			t.Errorf("%s is %s, want %s", pattern, got, want)
		}
	}
}

// A scan of a table with several entities filters by their type or their keys.
func TestRequestsOfScans(t *testing.T) {
	for _, c := range []struct{ name, table, pattern, want string }{
		{"by type", mixedWith("type: kind\n", ""), "scan: Note, filter: { status: open }",
			`{"TableName":"Shop","FilterExpression":"#kind = :kind AND #status = :status","ExpressionAttributeNames":{"#kind":"kind","#status":"status"},"ExpressionAttributeValues":{":kind":{"S":"Note"},":status":{"S":"open"}}}`},
		{"by key", mixedWith("", ""), "scan: Note, limit: 5",
			`{"TableName":"Shop","FilterExpression":"begins_with(#PK, :PK) AND begins_with(#SK, :SK)","ExpressionAttributeNames":{"#PK":"PK","#SK":"SK"},"ExpressionAttributeValues":{":PK":{"S":"N#"},":SK":{"S":"NOTE#"}}}`},
		{"alone", "pk: id\nitems: [Order]", "scan: Order, limit: 5, consistent: true", `{"TableName":"Shop","Limit":5,"ConsistentRead":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, err := json.Marshal(planOf(t, load(t, fmt.Sprintf(shop, tableOf(c.table), c.pattern)), "P").Read.Request())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(request)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestGetsOfMany(t *testing.T) {
	runReads(t, []readCase{
		{"of a list", "pk: id\nitems: [Order]", "get: Order, where: { id: in $ids }, fanout: { id: 20 }", "BatchGetItem Shop: id = {ids}, 20 times"},
		{"of constants", single("C#{customer}", "{status}#{id}"), "get: Order, where: { customer: $, id: $, status: [open, paid] }, fanout: { status: 2 }",
			"BatchGetItem Shop: PK = C#{customer}, SK = {status}#{id}, 2 times"},
		{"with a comparison afterwards", "pk: id\nitems: [Order]", "get: Order, where: { id: in $ids, city: $ }, fanout: { id: 20 }",
			"BatchGetItem Shop: id = {ids}, then check city = $city, 20 times"},
		{"of an unknown number", "pk: id\nitems: [Order]", "get: Order, where: { id: in $ids }", "BatchGetItem Shop: id = {ids}\nC306 id is asked for any number of values, one item for each"},
		{"of two lists, one after the other", single("C#{customer}", "{id}"), "get: Order, where: { customer: in $customers, id: in $ids }, fanout: { id: 2, customer: 2 }",
			"Query Shop: PK = C#{customers}, SK = {ids}, 4 times"},
		{"through an index", "pk: id\nindexes: { idx: { pk: number } }\nitems: [Order]", "get: Order, where: { number: in $ }, fanout: { number: 2 }", "Query Shop.idx: number = {number}, 2 times"},
		{"of a list of pages", "pk: id\nitems: [Order]", "list: Order, where: { id: in $ids }, fanout: { id: 20 }", "Query Shop: id = {ids}, 20 times"},
	})
}
