package conformance

import (
	"fmt"
	"strings"
	"testing"
)

// statementDoor opens an engine with the table tab, which has the key pk and sk, and
// the table things, which has the key pk. Both have some items.
func statementDoor(t *testing.T) door {
	t.Helper()
	d := direct(t)
	mustCall(t, d, "CreateTable", `{"TableName": "tab", "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
		"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}`)
	for _, pk := range []string{"b", "a"} {
		for i := range 6 {
			mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "tab", "Item": {"pk": {"S": %q}, "sk": {"S": "%d"}, "n": {"N": "%d"}, "l": {"L": [{"N": "7"}]}}}`, pk, i, i))
		}
		mustCall(t, d, "PutItem", fmt.Sprintf(`{"TableName": "things", "Item": {"pk": {"S": %q}, "n": {"N": "1"}, "year": {"N": "2"}}}`, pk))
	}
	return d
}

// statement returns a request of one statement.
func statement(text string) string { return fmt.Sprintf(`{"Statement": %q}`, text) }

func TestDifference35ReadsInBatchesTakeTheKeyOnly(t *testing.T) {
	d := statementDoor(t)
	got := mustCall(t, d, "BatchExecuteStatement", `{"Statements": [{"Statement": "SELECT * FROM things WHERE pk='a' AND n=1"}]}`)
	checkOutput(t, "BatchExecuteStatement", got, `{"Responses": [{"Error": {"Code": "ValidationError"}}]}`)
	failed := mustFail(t, d, "ExecuteTransaction", `{"TransactStatements": [{"Statement": "SELECT * FROM things WHERE pk='a' AND n=1"}]}`)
	checkFailure(t, failed, "ValidationException", "must specify the primary key")
}

func TestDifference36KeywordsOfPartiQL(t *testing.T) {
	d := statementDoor(t)
	for _, word := range []string{"date", "level", "position", "user", "inner"} {
		checkFailure(t, mustFail(t, d, "ExecuteStatement", statement("SELECT "+word+" FROM things")), "ValidationException", "Unexpected keyword")
		mustCall(t, d, "ExecuteStatement", statement(`SELECT "`+word+`" FROM things`))
	}
	for _, word := range []string{"year", "month", "status", "name", "size"} {
		mustCall(t, d, "ExecuteStatement", statement("SELECT "+word+" FROM things"))
	}
}

func TestDifference37TypesAfterIs(t *testing.T) {
	d := statementDoor(t)
	for _, name := range strings.Fields("BOOLEAN CHAR CHARACTER VARCHAR SYMBOL INT INTEGER SMALLINT DECIMAL NUMERIC FLOAT REAL NUMBER BLOB BINARY LIST STRUCT TUPLE MAP BAG") {
		mustCall(t, d, "ExecuteStatement", statement("SELECT * FROM things WHERE n IS "+name))
	}
}

func TestDifference38OrderBySortKeyFirst(t *testing.T) {
	d := statementDoor(t)
	got := mustFail(t, d, "ExecuteStatement", statement("SELECT * FROM tab WHERE pk IN ['a', 'b'] ORDER BY sk, pk"))
	checkFailure(t, got, "ValidationException", "ORDER BY must name the partition key before the sort key")
}

func TestDifference39WordsOfPartiQL(t *testing.T) {
	d := statementDoor(t)
	for text, words := range map[string]string{
		"SELECT * FROM tab LIMIT 5":                                    "Unsupported clause: LIMIT at 1:25:1",
		"EXISTS(SELECT * FROM things WHERE pk='a' AND n=1)":            "EXISTS() is supported in ExecuteTransaction only",
		"SELECT * FROM tab WHERE pk=?":                                 "Number of parameters in request and statement don't match.",
		"SELECT * FROM tab WHERE pk=1":                                 "Condition parameter type does not match schema type",
		"SELECT * FROM tab WHERE pk='a' AND n BETWEEN 2 AND 1":         "The BETWEEN operator requires upper bound to be greater than or equal to lower bound",
		"SELECT * FROM tab WHERE n":                                    "A WHERE clause must be made of conditions",
		"INSERT INTO tab VALUE 1":                                      "INSERT takes a map",
		"UPDATE tab SET a=1, a.b=2 WHERE pk='a' AND sk='1'":            "Two document paths overlap with each other",
		"SELECT * FROM tab WHERE " + strings.Repeat("(", 150):          "nested too deeply",
		"SELECT * FROM tab WHERE n=1" + strings.Repeat(" OR n=1", 150): "The expression contains too many operators; operator count: 301",
	} {
		checkFailure(t, mustFail(t, d, "ExecuteStatement", statement(text)), "ValidationException", words)
	}
	got := mustFail(t, d, "ExecuteStatement", `{"Statement": "SELECT * FROM tab", "NextToken": "made up"}`)
	checkFailure(t, got, "ValidationException", "Invalid NextToken")
}

func TestDifference40OnlyPartitionsArePagedByTen(t *testing.T) {
	d := statementDoor(t)
	got := mustCall(t, d, "ExecuteStatement", statement("SELECT sk FROM tab WHERE pk IN ['a', 'b']"))
	if n := len(got["Items"].([]any)); n != 10 {
		t.Errorf("got %d items, want 10", n)
	}
	got = mustCall(t, d, "ExecuteStatement", statement("SELECT sk FROM tab WHERE n IN [0, 1, 2, 3, 4, 5]"))
	if n := len(got["Items"].([]any)); n != 12 {
		t.Errorf("got %d items, want 12", n)
	}
}

func TestDifference41NamesOfColumns(t *testing.T) {
	d := statementDoor(t)
	got := mustCall(t, d, "ExecuteStatement", statement("SELECT l[0] FROM tab WHERE pk='a' AND sk='1'"))
	checkOutput(t, "ExecuteStatement", got, `{"Items": [{"l[0]": {"N": "7"}}]}`)
	got = mustCall(t, d, "ExecuteStatement", statement("SELECT m.n, n FROM tab WHERE pk='a' AND sk='1'"))
	checkOutput(t, "ExecuteStatement", got, `{"Items": [{"n": {"N": "1"}}]}`)
}

func TestDifference42FunctionsAndArithmeticOfPartiQL(t *testing.T) {
	d := statementDoor(t)
	got := mustCall(t, d, "ExecuteStatement", statement("UPDATE things SET c = if_not_exists(c, 0) + 1 WHERE pk='a' RETURNING MODIFIED NEW *"))
	checkOutput(t, "ExecuteStatement", got, `{"Items": [{"c": {"N": "1"}}]}`)
	checkFailure(t, mustFail(t, d, "ExecuteStatement", statement("SELECT * FROM things WHERE n + 1 = 2")), "ValidationException", "Operands of a WHERE clause")
}

func TestDifference43BranchesWithoutASortKey(t *testing.T) {
	d := statementDoor(t)
	got := mustCall(t, d, "ExecuteStatement", statement("SELECT pk FROM things WHERE pk='a' AND n=1 OR pk='a' AND year=2"))
	checkOutput(t, "ExecuteStatement", got, `{"Items": [{"pk": {"S": "a"}}]}`)
}

func TestDifference44OrderOfAUnion(t *testing.T) {
	d := statementDoor(t)
	for text, want := range map[string]string{
		"SELECT pk FROM things WHERE pk IN ['b', 'a']":   `{"Items": [{"pk": {"S": "b"}}, {"pk": {"S": "a"}}]}`,
		"SELECT pk FROM things WHERE pk='a' OR pk='b'":   `{"Items": [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]}`,
		"SELECT pk FROM things WHERE (pk='b') OR pk='a'": `{"Items": [{"pk": {"S": "b"}}, {"pk": {"S": "a"}}]}`,
	} {
		checkOutput(t, "ExecuteStatement", mustCall(t, d, "ExecuteStatement", statement(text)), want)
	}
}
