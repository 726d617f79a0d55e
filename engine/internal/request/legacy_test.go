package request

import (
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// value returns a value by its type and text: S:text, N:1, SS:a, NS:1, L: for a list of
// one empty string, M:, BOOL:, NULL:.
func value(t testing.TB, text string) dynamo.Value {
	t.Helper()
	kind, content, _ := strings.Cut(text, ":")
	var e dynamo.Encoder
	err := error(nil)
	switch kind {
	case "S":
		e.String(content)
	case "N":
		err = e.Number([]byte(content))
	case "B":
		e.Binary([]byte(content))
	case "SS", "NS", "BS":
		e.OpenSet(map[string]dynamo.Kind{"SS": dynamo.KindStringSet, "NS": dynamo.KindNumberSet, "BS": dynamo.KindBinarySet}[kind])
		err = e.Member([]byte(content))
		if err == nil {
			err = e.CloseSet()
		}
	case "L":
		e.OpenList()
		e.String(content)
		e.CloseList()
	case "M":
		e.OpenMap()
		err = e.CloseMap()
	case "BOOL":
		e.Bool(content == "true")
	case "NULL":
		e.Null()
	default:
		t.Fatalf("no type %q", kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e.Value(0)
}

func valueList(t testing.TB, texts []string) (list []dynamo.Value) {
	for _, text := range texts {
		list = append(list, value(t, text))
	}
	return list
}

// on returns one condition.
func on(t testing.TB, name, operator string, values ...string) []dynamo.RawCondition {
	return []dynamo.RawCondition{{Name: name, Operator: operator, Values: valueList(t, values)}}
}

// absent expects attributes not to exist.
func absent(names ...string) (expected []dynamo.RawExpectation) {
	for _, name := range names {
		expected = append(expected, dynamo.RawExpectation{RawCondition: dynamo.RawCondition{Name: name}, Exists: new(false)})
	}
	return expected
}

func manyNames(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("a%03d", i))
	}
	return names
}

// mixture returns an item with an attribute of each type, named after its type.
func mixture(t testing.TB) dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	for name, text := range map[string]string{
		"S": "S:abc", "N": "N:5", "B": "B:abc", "SS": "SS:abc", "NS": "NS:5", "BS": "BS:abc", "L": "L:abc", "M": "M:", "BOOL": "BOOL:true", "NULL": "NULL:",
	} {
		e.Name(name)
		e.Copy(value(t, text))
	}
	item, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return item
}

// TestComparisons lists, for each operator and its values, the attributes of the
// mixture for which it is true. The attribute "missing" does not exist.
func TestComparisons(t *testing.T) {
	every := []string{"B", "BOOL", "BS", "L", "M", "N", "NS", "NULL", "S", "SS", "missing"}
	item := mixture(t)
	for _, test := range []struct {
		operator, values string
		want             string
	}{
		{"EQ", "S:abc", "S"}, {"EQ", "B:abc", "B"}, {"EQ", "N:5.0", "N"}, {"EQ", "SS:abc", "SS"}, {"EQ", "NS:5", "NS"}, {"EQ", "BS:abc", "BS"},
		{"EQ", "L:abc", "L"}, {"EQ", "M:", "M"}, {"EQ", "BOOL:true", "BOOL"}, {"EQ", "BOOL:false", ""}, {"EQ", "NULL:", "NULL"}, {"EQ", "S:", ""},
		{"NE", "S:abc", "B BOOL BS L M N NS NULL SS missing"}, {"NE", "N:6", strings.Join(every, " ")}, {"NE", "NULL:", "B BOOL BS L M N NS S SS missing"},
		{"LT", "N:6", "N"}, {"LT", "N:5", ""}, {"LE", "N:5", "N"}, {"GT", "N:4", "N"}, {"GT", "N:5", ""}, {"GE", "N:5", "N"}, {"GE", "N:6", ""},
		{"LT", "S:abd", "S"}, {"GT", "S:ab", "S"}, {"LE", "B:abc", "B"}, {"GE", "B:\xff", ""},
		{"NULL", "", "missing"}, {"NOT_NULL", "", "B BOOL BS L M N NS NULL S SS"},
		{"CONTAINS", "S:abc", "L S SS"}, {"CONTAINS", "S:b", "S"}, {"CONTAINS", "B:abc", "B BS"}, {"CONTAINS", "B:b", "B"}, {"CONTAINS", "N:5", "NS"},
		{"NOT_CONTAINS", "S:abc", "B BS NS"}, {"NOT_CONTAINS", "S:b", "B BS L NS SS"}, {"NOT_CONTAINS", "N:5", "B BS L S SS"}, {"NOT_CONTAINS", "B:x", "B BS L NS S SS"},
		{"BEGINS_WITH", "S:ab", "S"}, {"BEGINS_WITH", "B:ab", "B"}, {"BEGINS_WITH", "S:b", ""},
		{"IN", "S:x S:abc", "S"}, {"IN", "N:5", "N"}, {"IN", "N:1 N:2 N:3", ""}, {"IN", "B:abc", "B"},
		{"BETWEEN", "N:5 N:5", "N"}, {"BETWEEN", "N:-1 N:6", "N"}, {"BETWEEN", "S:ab S:abc", "S"}, {"BETWEEN", "B:abd B:b", ""},
	} {
		t.Run(test.operator+" "+test.values, func(t *testing.T) {
			var got []string
			for _, name := range every {
				c := on(t, name, test.operator, strings.Fields(test.values)...)
				filter, err := newerValues.filter("ScanFilter", c, "")
				if err != nil {
					t.Fatal(err)
				}
				if ok, _ := filter.Matches(item); ok {
					got = append(got, name)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("holds for %v, want %s", got, test.want)
			}
		})
	}
}

func TestComparisonsAreChecked(t *testing.T) {
	const number, same = "Invalid number of argument(s) for the %s ComparisonOperator", "AttributeValues inside AttributeValueList must be of same type"
	const kind = "ComparisonOperator %s is not valid for %s AttributeValue type"
	invalid := func(format string, args ...any) string {
		return "One or more parameter values were invalid: " + fmt.Sprintf(format, args...)
	}
	for _, test := range []struct{ operator, values, want string }{
		{"EQ", "", invalid(number, "EQ")}, {"EQ", "S:a S:b", invalid(number, "EQ")}, {"NE", "", invalid(number, "NE")},
		{"LT", "", invalid(number, "LT")}, {"CONTAINS", "S:a S:b", invalid(number, "CONTAINS")}, {"BEGINS_WITH", "", invalid(number, "BEGINS_WITH")},
		{"NULL", "S:a", invalid(number, "NULL")}, {"NOT_NULL", "S:a", invalid(number, "NOT_NULL")}, {"IN", "", invalid(number, "IN")},
		{"BETWEEN", "S:a", invalid(number, "BETWEEN")}, {"BETWEEN", "S:a S:b S:c", invalid(number, "BETWEEN")},
		{"BETWEEN", "S:a N:1", invalid(same)}, {"IN", "S:a N:1", invalid(same)}, {"IN", "SS:a SS:b S:a", invalid(same)},
		{"LT", "SS:a", invalid(kind, "LT", "SS")}, {"LE", "BOOL:true", invalid(kind, "LE", "BOOL")}, {"GT", "NULL:", invalid(kind, "GT", "NULL")},
		{"GE", "M:", invalid(kind, "GE", "M")}, {"CONTAINS", "L:a", invalid(kind, "CONTAINS", "L")}, {"CONTAINS", "SS:a", invalid(kind, "CONTAINS", "SS")},
		{"NOT_CONTAINS", "M:", invalid(kind, "NOT_CONTAINS", "M")}, {"BEGINS_WITH", "N:1", invalid(kind, "BEGINS_WITH", "N")},
		{"IN", "SS:a SS:b", invalid(kind, "IN", "SS")}, {"IN", "BOOL:true BOOL:false", invalid(kind, "IN", "BOOL")}, {"BETWEEN", "L:a L:b", invalid(kind, "BETWEEN", "L")},
		{"BETWEEN", "N:9 N:10", ""}, {"BETWEEN", "S:9 S:10", "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
		{"BETWEEN", "N:9 N:1", "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
		{"EQ", "M:", ""}, {"NE", "L:a", ""}, {"NULL", "", ""}, {"NOT_NULL", "", ""}, {"IN", "N:1 N:1", ""},
	} {
		t.Run(test.operator+" "+test.values, func(t *testing.T) {
			_, err := CheckScan(&dynamo.ScanInput{
				PageParameters: dynamo.PageParameters{TableName: new("Music")}, ScanFilter: on(t, "a", test.operator, strings.Fields(test.values)...)})
			expect(t, err, test.want)
		})
	}
}

// An expectation has two forms, and a mixture of them.
func TestExpected(t *testing.T) {
	with := func(x dynamo.RawExpectation, values ...string) dynamo.RawExpectation {
		x.Name, x.Values = "a", valueList(t, values)
		return x
	}
	operator := func(word string) dynamo.RawExpectation {
		return dynamo.RawExpectation{RawCondition: dynamo.RawCondition{Operator: word}}
	}
	one := value(t, "N:1")
	const invalid = "One or more parameter values were invalid: "
	for name, test := range map[string]struct {
		expected dynamo.RawExpectation
		want     string // a complaint, or the items for which it holds: 1, 2, none
	}{
		"a value":                    {with(dynamo.RawExpectation{Value: one}), "1"},
		"a value that exists":        {with(dynamo.RawExpectation{Value: one, Exists: new(true)}), "1"},
		"no value":                   {with(dynamo.RawExpectation{Exists: new(false)}), "none"},
		"an operator and a list":     {with(operator("GE"), "N:1"), "1 2"},
		"an operator and a value":    {with(dynamo.RawExpectation{RawCondition: operator("EQ").RawCondition, Value: one}), "1"},
		"NULL":                       {with(operator("NULL")), "none"},
		"NOT_NULL":                   {with(operator("NOT_NULL")), "1 2"},
		"NE":                         {with(operator("NE"), "N:1"), "2 none"},
		"everything":                 {with(dynamo.RawExpectation{RawCondition: operator("EQ").RawCondition, Value: one, Exists: new(true)}, "N:1"), invalid + "Value and AttributeValueList cannot be used together for Attribute: a"},
		"an operator and Exists":     {with(dynamo.RawExpectation{RawCondition: operator("EQ").RawCondition, Exists: new(true)}), invalid + "Exists and ComparisonOperator cannot be used together for Attribute: a"},
		"an operator without values": {with(operator("EQ")), invalid + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
		"a list alone":               {with(dynamo.RawExpectation{}, "N:1"), invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
		"a list and Exists":          {with(dynamo.RawExpectation{Exists: new(false)}, "N:1"), invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
		"nothing":                    {with(dynamo.RawExpectation{}), invalid + "Value must be provided when Exists is null for Attribute: a"},
		"existence without a value":  {with(dynamo.RawExpectation{Exists: new(true)}), invalid + "Value must be provided when Exists is true for Attribute: a"},
		"absence with a value":       {with(dynamo.RawExpectation{Exists: new(false), Value: one}), invalid + "Value cannot be used when Exists is false for Attribute: a"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := newerValues.expected([]dynamo.RawExpectation{test.expected}, "")
			if err != nil {
				expect(t, err, test.want)
				return
			}
			if got := holdsFor(t, c); got != test.want {
				t.Errorf("holds for %q, want %q", got, test.want)
			}
		})
	}
}

// holdsFor lists the items for which a condition holds: those whose a is 1 and 2, and none at all.
func holdsFor(t *testing.T, c *expression.Condition) string {
	t.Helper()
	var names []string
	for _, name := range []string{"1", "2", "none"} {
		var item dynamo.Item
		if name != "none" {
			item = numberItem(t, name)
		}
		if ok, _ := c.Matches(item); ok {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func numberItem(t *testing.T, n string) dynamo.Item {
	t.Helper()
	var e dynamo.Encoder
	e.OpenItem()
	e.Name("a")
	e.Copy(value(t, "N:"+n))
	item, err := e.CloseItem()
	if err != nil {
		t.Fatal(err)
	}
	return item
}

func TestConditionalOperator(t *testing.T) {
	const without, two = "ConditionalOperator cannot be used without Filter or Expected", "ConditionalOperator can only be used when Filter or Expected has two or more elements"
	for _, test := range []struct {
		operator string
		expected []dynamo.RawExpectation
		want     string
	}{
		{"AND", nil, one(without)}, {"OR", []dynamo.RawExpectation{}, one(without)}, {"OR", absent("a"), one(two)}, {"OR", absent("a", "b"), ""}, {"AND", absent("a", "b"), ""},
		{"or", absent("a", "b"), one("Value 'or' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, AND]")},
	} {
		_, err := Current.CheckPutItem(&dynamo.PutItemInput{Item: item(t, "pk", "a"),
			WriteParameters: dynamo.WriteParameters{TableName: new("Music"), Expected: test.expected, ConditionalOperator: test.operator}})
		expect(t, err, test.want)
	}
	_, err := Current.CheckQuery(&dynamo.QueryInput{PageParameters: dynamo.PageParameters{TableName: new("Music"), ConditionalOperator: "OR"}})
	expect(t, err, without)
	_, err = CheckScan(&dynamo.ScanInput{PageParameters: dynamo.PageParameters{TableName: new("Music"), ConditionalOperator: "OR"}, ScanFilter: on(t, "a", "NULL")})
	expect(t, err, two)

	conditions := append(on(t, "a", "EQ", "N:1"), on(t, "b", "NULL")...)
	for operator, want := range map[string]string{"": "1", "AND": "1", "OR": "1 2 none"} {
		filter, err := olderValues.filter("ScanFilter", conditions, operator)
		if err != nil {
			t.Fatal(err)
		}
		if got := holdsFor(t, filter); got != want {
			t.Errorf("%s: holds for %s, want %s", operator, got, want)
		}
	}
}

func TestKeyConditions(t *testing.T) {
	pair := func(a, b []dynamo.RawCondition) []dynamo.RawCondition { return append(a, b...) }
	pk := func() []dynamo.RawCondition { return on(t, "pk", "EQ", "S:a") }
	for name, test := range map[string]struct {
		conditions []dynamo.RawCondition
		index      *string
		want       string
	}{
		"one":                      {pk(), nil, ""},
		"two":                      {pair(pk(), on(t, "sk", "BETWEEN", "N:1", "N:2")), nil, ""},
		"three on an index":        {pair(pair(pk(), on(t, "x", "EQ", "N:1")), on(t, "y", "EQ", "N:1")), new("byYear"), ""},
		"a value that has a fault": {[]dynamo.RawCondition{{Name: "pk", Operator: "EQ", Values: valueList(t, []string{"S:a"}), Fault: twoWordings}}, nil, "newer words"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Current.CheckQuery(&dynamo.QueryInput{PageParameters: dynamo.PageParameters{TableName: new("Music"), IndexName: test.index}, KeyConditions: test.conditions})
			expect(t, err, test.want)
		})
	}
}

func TestAttributeUpdates(t *testing.T) {
	const invalid = "One or more parameter values were invalid: "
	update := func(action, text string) []dynamo.RawAttributeUpdate {
		u := dynamo.RawAttributeUpdate{Name: "a", Action: action}
		if text != "" {
			u.Value = value(t, text)
		}
		return []dynamo.RawAttributeUpdate{u}
	}
	for _, test := range []struct {
		action, value string
		want          string
	}{
		{"", "", one(invalid + "Only DELETE action is allowed when no attribute value is specified")},
		{"PUT", "", one(invalid + "Only DELETE action is allowed when no attribute value is specified")},
		{"ADD", "", one(invalid + "Only DELETE action is allowed when no attribute value is specified")},
		{"DELETE", "", ""}, {"", "M:", ""}, {"PUT", "S:a", ""},
		{"ADD", "N:1", ""}, {"ADD", "SS:a", ""}, {"ADD", "NS:1", ""}, {"ADD", "BS:a", ""}, {"ADD", "L:a", ""},
		{"ADD", "S:a", one(invalid + "ADD action is not supported for the type S")}, {"ADD", "B:a", one(invalid + "ADD action is not supported for the type B")},
		{"ADD", "M:", one(invalid + "ADD action is not supported for the type M")}, {"ADD", "BOOL:true", one(invalid + "ADD action is not supported for the type BOOL")},
		{"ADD", "NULL:", one(invalid + "ADD action is not supported for the type NULL")},
		{"DELETE", "SS:a", ""}, {"DELETE", "N:1", one(invalid + "DELETE action with value is not supported for the type N")},
		{"DELETE", "L:a", one(invalid + "DELETE action with value is not supported for the type L")},
		{"put", "S:a", one("Value 'put' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]")},
	} {
		for wording, want := range map[Wording]string{Current: test.want, Older: test.want} {
			if wording == Older && test.action != "put" {
				want = strings.TrimPrefix(want, one(""))
			}
			_, err := wording.CheckUpdateItem(&dynamo.UpdateItemInput{
				WriteParameters: dynamo.WriteParameters{TableName: new("Music")}, Key: item(t, "pk", "a"), AttributeUpdates: update(test.action, test.value)})
			expect(t, err, want)
		}
	}
	for wording, want := range map[Wording]string{Current: one("newer words"), Older: "older words"} {
		_, err := wording.CheckUpdateItem(&dynamo.UpdateItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("Music")}, Key: item(t, "pk", "a"),
			AttributeUpdates: []dynamo.RawAttributeUpdate{{Name: "a", Value: value(t, "S:a"), Fault: twoWordings}}})
		expect(t, err, want)
	}
}

// Names are checked like those of items.
func TestNamesOfTheOlderAPI(t *testing.T) {
	for name, want := range map[string]string{"": "Empty attribute name", long(65535): "",
		long(65536): "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes"} {
		_, err := newerValues.filter("ScanFilter", on(t, name, "NULL"), "")
		expect(t, err, want)
		_, err = newerValues.expected(absent(name), "")
		expect(t, err, want)
		_, err = newerValues.attributeUpdates([]dynamo.RawAttributeUpdate{{Name: name, Action: "DELETE"}})
		expect(t, err, want)
		_, err = projectionOf([]string{name})
		expect(t, err, want)
	}
}

func TestSelectBesideAttributesToGet(t *testing.T) {
	for word, want := range map[string]string{
		"SPECIFIC_ATTRIBUTES": "", "": "",
		"COUNT":          "Cannot specify the AttributesToGet when choosing to get only the Count",
		"ALL_ATTRIBUTES": "Cannot specify the AttributesToGet when choosing to get ALL_ATTRIBUTES",
	} {
		_, err := CheckScan(&dynamo.ScanInput{PageParameters: dynamo.PageParameters{TableName: new("Music"), AttributesToGet: []string{"a"}, Select: word}})
		expect(t, err, want)
	}
}
