package expression

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A refusal is an expression and its error message after the name of its language.
type refusal struct{ text, want string }

func testRefusals(t *testing.T, l language, names string, tests []refusal) {
	t.Helper()
	for _, tt := range tests {
		want := "Invalid " + languageNames[l] + ": " + tt.want
		if got := message(t, parse(scope(t, names, sample), l, tt.text)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.text, got, want)
		}
	}
}

const (
	unknown    = "Invalid function name; function: "
	misused    = "The function is not allowed to be used this way in an expression; function: "
	notHere    = "The function is not allowed in a condition expression; function: "
	notUpdate  = "The function is not allowed in an update expression; function: "
	reserved   = "Attribute name is a reserved keyword; reserved keyword: "
	noName     = "An expression attribute name used in the document path is not defined; attribute name: "
	noValue    = "An expression attribute value used in expression is not defined; attribute value: "
	wrongCount = "Incorrect number of operands for operator or function; operator or function: "
	wrongType  = "Incorrect operand type for operator or function; operator or function: "
	needsPath  = "Operator or function requires a document path; operator or function: "
	distinct   = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	overlap    = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	conflict   = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
)

func TestFunctionsAndReservedWordsOfConditions(t *testing.T) {
	testRefusals(t, filterLanguage, "", []refusal{
		{"a=:s and whatever((:things)) > a", unknown + "whatever"},
		{"attRIbute_exIsts((views), #a)", unknown + "attRIbute_exIsts"},
		{"attribute_not_exists(mfoo(a))", unknown + "mfoo"},
		{"#x = :v AND foo(n)", unknown + "foo"},
		{"n = if_not_exists(n, :v)", notHere + "if_not_exists"},
		{"list_append(l, :v) = :v", notHere + "list_append"},
		{"a=b and attribute_exists((views), (#a)) > b", misused + "attribute_exists"},
		{"attribute_not_exists(things) > b", misused + "attribute_not_exists"},
		{"attribute_type(things, :a) > b", misused + "attribute_type"},
		{"begins_with(things, a) > b", misused + "begins_with"},
		{"contains(:things, c) > b", misused + "contains"},
		{"size(contains(a, b)) > a", misused + "contains"},
		{"size(things)", misused + "size"},
		{"(size(things))", misused + "size"},
		{"NOT size(things)", misused + "size"},
		{"n = :undefined AND size(n)", misused + "size"},
		{"a between b and attribute_exists(things)", misused + "attribute_exists"},
		{"a in (b, attribute_exists(things))", misused + "attribute_exists"},
		{"attribute_exists(views, #a)", reserved + "views"},
		{":a < abOrT", reserved + "abOrT"},
		{"m.COMMENT = :s", reserved + "COMMENT"},
		{"l[0].m.Status = :s", reserved + "Status"},
		{"status = :s AND foo(n) = :s", reserved + "status"},
		{"foo(n) = :s AND status = :s", unknown + "foo"},
		{"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = :s AND status = :s", reserved + "status"},
	})
}

func TestOperandsOfConditions(t *testing.T) {
	testRefusals(t, filterLanguage, "#a=a", []refusal{
		// Placeholders, comparison by comparison.
		{"attribute_exists(#P.R, :a) and a=a", noName + "#P"},
		{"begins_with(P.#R)", noName + "#R"},
		{"(#P between :lo and :hi) and (#PC in (:c1, :c2))", noName + "#P"},
		{"#4g > a", noName + "#4g"},
		{"#_ > a", noName + "#_"},
		{"begins_with(:hello, #x, #y)", noValue + ":hello"},
		{":x < :y", noValue + ":x"},
		{":_ > a", noValue + ":_"},
		{"n = :undefined AND contains(s, s)", noValue + ":undefined"},
		{"contains(s, s) AND n = :undefined", distinct + "contains, first operand: [s]"},

		// Numbers of operands.
		{"attribute_exists(things, a) and a=a", wrongCount + "attribute_exists, number of operands: 2"},
		{"attribute_not_exists(things, b)", wrongCount + "attribute_not_exists, number of operands: 2"},
		{"attribute_type(things)", wrongCount + "attribute_type, number of operands: 1"},
		{"begins_with(things)", wrongCount + "begins_with, number of operands: 1"},
		{"begins_with(things, size(a), b)", wrongCount + "begins_with, number of operands: 3"},
		{"contains(things)", wrongCount + "contains, number of operands: 1"},
		{"size(things, a) > b", wrongCount + "size, number of operands: 2"},

		// The same path twice.
		{"a = a AND #a = b", distinct + "=, first operand: [a]"},
		{"#a <> a", distinct + "<>, first operand: [a]"},
		{"a > #a", distinct + ">, first operand: [a]"},
		{"((a=a) OR (a=a))", distinct + "=, first operand: [a]"},
		{"n IN (:s, n)", distinct + "IN, first operand: [n]"},
		{"n BETWEEN :n AND n", distinct + "BETWEEN, first operand: [n]"},
		{"contains(ab.bc[1].a, ab.bc[1].#a)", distinct + "contains, first operand: [ab, bc, [1], a]"},
		{"attribute_type(ab.bc[1].#a, ab.bc[1].a)", distinct + "attribute_type, first operand: [ab, bc, [1], a]"},
		{"begins_with(ab.bc[1].a, ab.bc[1].#a)", distinct + "begins_with, first operand: [ab, bc, [1], a]"},

		// Types of constants.
		{"a < :bool", wrongType + "<, operand type: BOOL"},
		{":null >= a", wrongType + ">=, operand type: NULL"},
		{"a > :ss", wrongType + ">, operand type: SS"},
		{"a <= :l", wrongType + "<=, operand type: L"},
		{":s > :map", wrongType + ">, operand type: M"},
		{"a BETWEEN :n AND :bool", wrongType + "BETWEEN, operand type: BOOL"},
		{":ns BETWEEN a AND b", wrongType + "BETWEEN, operand type: NS"},
		{"begins_with(a, size(a))", wrongType + "begins_with, operand type: N"},
		{"begins_with(a, :n)", wrongType + "begins_with, operand type: N"},
		{"begins_with(:bs, a)", wrongType + "begins_with, operand type: BS"},
		{"size(size(a)) > :n", wrongType + "size, operand type: N"},
		{"attribute_not_exists(size(:n))", wrongType + "size, operand type: N"},
		{"size(:bool) > a", wrongType + "size, operand type: BOOL"},
		{"size(:null) > a", wrongType + "size, operand type: NULL"},
		{"attribute_type(a, size(b))", wrongType + "attribute_type, operand type: N"},
		{"attribute_type(a, :ss)", wrongType + "attribute_type, operand type: SS"},
		{"attribute_type(a, S)", wrongType + "attribute_type, operand type: {S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,DECIMAL,INT,DECIMALSET,INTSET}"},
		{"attribute_type(a, :s)", "Invalid attribute type name found; type: a, valid types: {S,SS,N,NS,B,BS,BOOL,NULL,L,M}"},
		{"attribute_exists(:s)", needsPath + "attribute_exists"},
		{"attribute_not_exists(size(:s))", needsPath + "attribute_not_exists"},

		// Bounds.
		{"a between :n and :s", "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
		{"a between :m and :n", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"a between :t and :s", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
		{"a between :c and :b", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {B:eg==}, upper bound operand: AttributeValue: {B:YQ==}"},
	})
	for _, text := range []string{"a between :n and :n", "a between b and :n", ":bool = :s", "a <> :ss", "a in (:map, :null)"} {
		if err := parse(scope(t, "", sample), filterLanguage, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestChecksOfProjections(t *testing.T) {
	testRefusals(t, projectionLanguage, "#a=a, #b=[3]", []refusal{
		{"a.abORt", reserved + "abORt"},
		{"#x,ABSoLUTE", reserved + "ABSoLUTE"},
		{"ADD", reserved + "ADD"},
		{"a,b,a,#x", noName + "#x"},
		{"a, b, a", overlap + "[a], path two: [a]"},
		{"b[1], b.a, #a.b, a", overlap + "[a, b], path two: [a]"},
		{"a, #a[1]", overlap + "[a], path two: [a, [1]]"},
		{"c, a[1].b, d, a[1]", overlap + "[a, [1], b], path two: [a, [1]]"},
		{"a.b, a.c, a", overlap + "[a, b], path two: [a]"},
		{"a.b, #a[1], #b", conflict + "[a, b], path two: [a, [1]]"},
		{"a.b[1], #a[1], #b", conflict + "[a, b, [1]], path two: [a, [1]]"},
		{"a[3].b, #a.#b.b", conflict + "[a, [3], b], path two: [a, [3], b]"},
		{"a[1], a.b, c, c", overlap + "[c], path two: [c]"},
	})
}

func TestChecksOfUpdates(t *testing.T) {
	testRefusals(t, updateLanguage, "#a=a, #c=c, #d=[3]", []refusal{
		// Reserved words, functions and sections come before placeholders.
		{" set #x = :c set abOrt = true ", reserved + "abOrt"},
		{" remove Absolute ", reserved + "Absolute"},
		{"SET a = list_append(#x, if_not_exists(status, :x))", reserved + "status"},
		{"set #x = if_not_exist(:x) set c = d", unknown + "if_not_exist"},
		{"SET a = contains(s, :s)", notUpdate + "contains"},
		{"SET a = size(s)", notUpdate + "size"},
		{"SET a = if_not_exists(b, size(c))", notUpdate + "size"},
		{"SET a = list_append(list_append(l, :l), :l)", misused + "list_append"},
		{"SET a = list_append(l, :l) + :n", misused + "list_append"},
		{"set a = #x set c = :x", `The "SET" section can only be used once in an update expression;`},
		{"remove #x set a = b remove e", `The "REMOVE" section can only be used once in an update expression;`},
		{"add #x :e set a = b add e :f", `The "ADD" section can only be used once in an update expression;`},
		{"delete #x :e set a = b delete #y :f", `The "DELETE" section can only be used once in an update expression;`},
		{"SET #x = if_not_exists(:x)", noName + "#x"},
		{"SET a = :x, b = #x", noName + "#x"},
		{"SET a = :x", noValue + ":x"},
		{"DELETE a :x", noValue + ":x"},

		// Overlapping paths come before operands.
		{"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", overlap + "[c, [1], a], path two: [c]"},
		{"set #c[3].#d = a, #c[3] = a", overlap + "[c, [3], [3]], path two: [c, [3]]"},
		{"SET a = :s REMOVE #a", overlap + "[a], path two: [a]"},
		{"SET a = :s - m DELETE a[0] :bs", overlap + "[a], path two: [a, [0]]"},
		{"set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", conflict + "[c, [3], [3]], path two: [c, [3], [3]]"},
		{"remove a.#c set a[1] = #d", conflict + "[a, c], path two: [a, [1]]"},

		// Operands.
		{"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s", "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a :bool", "Incorrect operand type for operator or function; operator: ADD, operand type: BOOL, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a :null", "Incorrect operand type for operator or function; operator: ADD, operand type: NULL, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a :b", "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a :map", "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"add a :l", "Incorrect operand type for operator or function; operator: ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"delete a :n", "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"delete a :s", "Incorrect operand type for operator or function; operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
		{"set a = if_not_exists(c)", wrongCount + "if_not_exists, number of operands: 1"},
		{"set a = list_append(c, d, e)", wrongCount + "list_append, number of operands: 3"},
		{"set a = if_not_exists(:s, c)", needsPath + "if_not_exists"},
		{"set a = if_not_exists(if_not_exists(a, b), c)", needsPath + "if_not_exists"},
		{"set a = list_append(:s, a)", wrongType + "list_append, operand type: S"},
		{"set a = list_append(a, :ss)", wrongType + "list_append, operand type: SS"},
		{"set a = a + :s", wrongType + "+, operand type: S"},
		{"set a = :s + :b", wrongType + "+, operand type: S"},
		{"set a = :map - a", wrongType + "-, operand type: M"},
	})
}

func TestUnusedPlaceholders(t *testing.T) {
	s := scope(t, "#b=b, #a=a, #used=c", `{":z":{"N":"1"}, ":y":{"N":"1"}, ":used":{"N":"1"}}`)
	if err := parse(s, conditionLanguage, "#used = :used AND #used <> :used"); err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		if got := message(t, s.CheckUnused()); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	check("Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}")
	if err := parse(s, projectionLanguage, "#a, x.#b"); err != nil {
		t.Fatal(err)
	}
	check("Value provided in ExpressionAttributeValues unused in expressions: keys: {:y, :z}")
	if err := parse(s, updateLanguage, "SET d = :y + :z"); err != nil {
		t.Fatal(err)
	}
	check("")
	if err := NewScope(nil, nil).CheckUnused(); err != nil {
		t.Error(err)
	}
}

func TestTopLevelNames(t *testing.T) {
	s := scope(t, "#a=a.b", sample)
	c, err := s.ParseFilter("#a = :n AND (size(l[0]) > :n OR contains(m.x, b)) AND #a <> :s")
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.ParseUpdate("SET d.e = f[0], g = h REMOVE i[1] ADD j :n")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.ParseProjection("d.e, c, d.f")
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.ParseKeyCondition("#a = :s AND b > :n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what      string
		got, want []string
	}{
		{"condition", c.TopLevelNames(), []string{"a.b", "l", "m", "b", "a.b"}},
		{"condition, nested", c.NestedNames(), []string{"l", "m"}},
		{"update", u.TopLevelNames(), []string{"d", "g", "i", "j"}},
		{"update, nested", u.NestedNames(), []string{"d", "f", "i"}},
		{"projection", p.TopLevelNames(), []string{"d", "c", "d"}},
		{"projection, nested", p.NestedNames(), []string{"d", "d"}},
		{"key condition", k.TopLevelNames(), []string{"a.b", "b"}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: %s", tt.what, diff)
		}
	}
}

func TestReservedWords(t *testing.T) {
	for _, word := range []string{"ABORT", "abort", "Zone", "LOCALTIMESTAMP", "localTimestamp", "at", "STATUS", "ttl", "CURRENT", "size", "CONVERT"} {
		if !isReserved(word) {
			t.Errorf("%s is not reserved", word)
		}
	}
	for _, word := range []string{"a", "pk", "abortion", "remove", "LOCALTIMESTAMPS", "sta_tus"} {
		if isReserved(word) {
			t.Errorf("%s is reserved", word)
		}
	}
}
