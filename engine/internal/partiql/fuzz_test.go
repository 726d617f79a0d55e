package partiql

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/engine/internal/dynamo"
)

// seeds lists statements of all kinds, valid and invalid.
var seeds = []string{
	`SELECT * FROM "t" WHERE pk = 'a' AND sk BETWEEN '1' AND ?`,
	`select a, m."x".l[0] from "t"."i" where NOT (pk in ['a', ?] or size(a) >= .5e1) order by pk, sk desc;`,
	`INSERT INTO "t" VALUE {'pk': 'it''s', 'n': -1.5E+3, 's': <<1, 2>>, 'l': [true, NULL, {'a': ?}]}`,
	`UPDATE t SET a = a + 1, l[2] = list_append(l, [?]) REMOVE m.x SET s = set_add(s, <<'a'>>) WHERE pk = 'a' AND sk = 'b' RETURNING MODIFIED NEW *`,
	`FROM t WHERE pk = ? REMOVE a RETURNING ALL OLD *`,
	`DELETE FROM t -- all of it
	WHERE pk = 'a' /* and */ AND sk = 'b' AND (a IS NOT MISSING OR attribute_exists(b) = true)`,
	`EXISTS(SELECT * FROM t WHERE pk = 'a' AND begins_with(sk, 'x') AND a IS STRING)`,
	`SELECT * FROM t WHERE pk='a' AND sk<>'1' OR pk='a' AND NOT sk='2' OR pk IN ('b','c')`,
	`SELECT * FROM t x WHERE ((((a))))`, `SLECT 1`, `a IS STRING`, `SELECT * FROM t LIMIT 5`, `SELECT * FROM "" WHERE a = 1e2147483648`,
	`SELECT * FROM t WHERE a = 'ä😀' AND foo(b)`, `UPDATE t SET a = b - - 1`, `SELECT a.inner FROM t`, "/*", "'", `"`, "--", "<<", `SELECT * FROM t WHERE a NOT IN (1)`,
	strings.Repeat("(", 200), `SELECT * FROM t WHERE a = ` + strings.Repeat("[", 150), strings.Repeat("NOT ", 150),
}

// FuzzParse parses any text. A parsed statement is printed and parsed again, to the same tree.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parse(text)
		if err != nil {
			checkError(t, err)
			return
		}
		again, err := parse(print(parsed))
		if err != nil && strings.HasSuffix(err.Error(), "The statement is nested too deeply") {
			return // the parentheses of the printer
		}
		if err != nil {
			t.Fatalf("%s: %v", print(parsed), err)
		}
		parsed.alias = false
		if diff := cmp.Diff(parsed, again, cmp.AllowUnexported(tree{}, orderTerm{}, change{}, returning{}, node{}, step{}),
			cmpopts.IgnoreFields(node{}, "start", "end")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", print(parsed), diff)
		}
	})
}

// FuzzStatement checks and plans any text on a table with both kinds of index.
func FuzzStatement(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "a", "7")
	}
	f.Fuzz(func(t *testing.T, text, one, two string) {
		var e dynamo.Encoder
		e.String(strings.ToValidUTF8(one, "?"))
		parameters := dynamo.RawParameters{Values: []dynamo.Value{e.Value(0)}}
		start := e.Mark()
		parameters.Fault = e.Number([]byte(two))
		for range strings.Count(text, "?") - 1 {
			parameters.Values = append(parameters.Values, e.Value(start))
		}
		st, err := Parse(text, parameters)
		if err != nil {
			checkError(t, err)
			return
		}
		if !st.IsRead() {
			action, err := st.Write(table())
			checkError(t, err)
			if set := action.Put != nil || action.Update != nil || action.Delete != nil || action.Check != nil; set != (err == nil) {
				t.Errorf("the action is %v, the error %v", action, err)
			}
			return
		}
		if key, _, ok := st.Get(table()); ok && key.Len() != 2 {
			t.Errorf("the key has %d attributes", key.Len())
		}
		read, err := st.Select(table(), false)
		checkError(t, err)
		if err == nil && (read.Scan != nil) == (len(read.Queries) > 0) {
			t.Errorf("there are %d queries and the scan %v", len(read.Queries), read.Scan)
		}
	})
}

// checkError checks that an error, if any, is DynamoDB's, and is valid UTF-8.
func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	e, ok := errors.AsType[*dynamo.Error](err)
	if !ok || e.Code != dynamo.Validation || e.Message == "" {
		t.Errorf("not an error of DynamoDB: %v", err)
	}
}

// table returns the table for the plans of the tests.
func table() Table {
	s := func(name string) dynamo.KeyAttribute { return dynamo.KeyAttribute{Name: name, Kind: dynamo.KindString} }
	indexes := map[string]*Index{
		"i": {Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{s("g")}}, Projected: []string{"a", "g", "pk", "sk"}},
		"l": {Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{s("pk")}, Sort: []dynamo.KeyAttribute{s("x")}}, Local: true},
		"m": {Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{s("a"), s("b")}}},
	}
	return Table{
		Key:   dynamo.KeySchema{Partition: []dynamo.KeyAttribute{s("pk")}, Sort: []dynamo.KeyAttribute{s("sk")}},
		Index: func(name string) *Index { return indexes[name] },
	}
}

// Positions count characters.
func TestPosition(t *testing.T) {
	text := "ab\nä😀 foo"
	start := strings.Index(text, "foo")
	if got := place(text, start, start+3); got != "2:4:3" {
		t.Error(got)
	}
}
