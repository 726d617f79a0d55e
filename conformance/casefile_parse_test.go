package conformance

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseCase(t *testing.T) {
	const text = `# What the user sees.
# How we know.
doors: HTTP, SDK

PutItem*3 {"TableName": "things",
  "Item": {"pk": {"S": "${i:2}${ab*2}"}}}
---
{}

# A comment between steps.
Query {"TableName": "things"}
---
contains {"Count": 1}

GetItem {"TableName": "things", "Key": {}}
---
error ValidationException
A message

DeleteItem {"TableName": "things"}
---
error ConditionalCheckFailedException
~ part of ${x*3}
with
{"Item": {"pk": "*"}}

Scan {}
---
ok
keep arn = .TableDescription.LatestStreamArn
keep shard = .Shards[0].ShardId

ReadStream {"StreamArn": "${arn}"}
---
eventually contains {"Records": []}
`
	got, err := parseCase("testdata/put_item/a_case.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	want := caseFile{
		folder: "put_item", name: "a_case", doors: []string{"HTTP", "SDK"},
		steps: []step{
			{
				place: "testdata/put_item/a_case.txt:5", operation: "PutItem", times: 3,
				request: "{\"TableName\": \"things\",\n  \"Item\": {\"pk\": {\"S\": \"${i:2}abab\"}}}",
				want:    expectation{kind: wantAnswer, answer: "{}"},
			},
			{
				place: "testdata/put_item/a_case.txt:11", operation: "Query", times: 1, request: `{"TableName": "things"}`,
				want: expectation{kind: wantMembers, answer: `{"Count": 1}`},
			},
			{
				place: "testdata/put_item/a_case.txt:15", operation: "GetItem", times: 1, request: `{"TableName": "things", "Key": {}}`,
				want: expectation{kind: wantError, code: "ValidationException", message: "A message"},
			},
			{
				place: "testdata/put_item/a_case.txt:20", operation: "DeleteItem", times: 1, request: `{"TableName": "things"}`,
				want: expectation{
					kind: wantError, code: "ConditionalCheckFailedException", message: "part of xxx", partial: true,
					with: `{"Item": {"pk": "*"}}`,
				},
			},
			{
				place: "testdata/put_item/a_case.txt:27", operation: "Scan", times: 1, request: `{}`, want: expectation{kind: wantSuccess},
				keep: []kept{{"arn", ".TableDescription.LatestStreamArn"}, {"shard", ".Shards[0].ShardId"}},
			},
			{
				place: "testdata/put_item/a_case.txt:33", operation: "ReadStream", times: 1, request: `{"StreamArn": "${arn}"}`,
				want: expectation{kind: wantMembers, answer: `{"Records": []}`, eventually: true},
			},
		},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(caseFile{}, step{}, expectation{}, kept{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestParseCaseRefuses(t *testing.T) {
	const good = "PutItem {}\n---\n{}\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty file", "", "c.txt:1: the first line must be a comment"},
		{"no comment", good, "c.txt:1: the first line must be a comment"},
		{"empty comment", "#\n" + good, "c.txt:1: the first line must be a comment"},
		{"no steps", "# x\n\n", "c.txt:3: no steps"},
		{"unknown door", "# x\ndoors: Window\n" + good, `c.txt:2: there is no door "Window"`},
		{"unknown operation", "# x\n\nPutItm {}\n---\n{}\n", "c.txt:3: DynamoDB has no operation PutItm"},
		{"not an operation", "# x\n\nOptions {}\n---\n{}\n", "c.txt:3: DynamoDB has no operation Options"},
		{"no step", "# x\n\nhello\n", `c.txt:3: expected a step like: PutItem {...}, found "hello"`},
		{"zero times", "# x\n\nPutItem*0 {}\n---\n{}\n", "c.txt:3: PutItem*0: a step runs at least once"},
		{"no line ---", "# x\n\nPutItem {}\n{}\n", "c.txt:3: the step has no line ---"},
		{"no line --- before the next", "# x\n\nPutItem {}\n\n" + good, "c.txt:3: the step has no line --- before the next step at c.txt:5"},
		{"request is not JSON", "# x\n\nPutItem {\"a\": }\n---\n{}\n", "c.txt:3: the request is not JSON"},
		{"text after the request", "# x\n\nPutItem {} {}\n---\n{}\n", `text after the object: "{}"`},
		{"nothing expected", "# x\n\nPutItem {}\n---\n\n", "c.txt:5: nothing is expected"},
		{"unknown expectation", "# x\n\nPutItem {}\n---\nmaybe\n", `c.txt:5: expected ok, {...}, contains {...} or error ..., found "maybe"`},
		{"expectation is not JSON", "# x\n\nPutItem {}\n---\n{\"a\"}\n", "c.txt:5: the expectation is not JSON"},
		{"empty contains", "# x\n\nPutItem {}\n---\ncontains {}\n", "c.txt:5: contains {} is always true"},
		{"error without message", "# x\n\nPutItem {}\n---\nerror ValidationException\n", "c.txt:5: an error needs its message"},
		{"message beside the code", "# x\n\nPutItem {}\n---\nerror ValidationException: no\n", "the message stands on the next line"},
		{"with is not JSON", "# x\n\nPutItem {}\n---\nerror Error\nm\nwith {\n", "c.txt:5: the expectation is not JSON"},
		{"eventually nothing", "# x\n\nPutItem {}\n---\neventually\n", `found "eventually"`},
		{"nothing was kept", "# x\n\nPutItem {\"a\": \"${b}\"}\n---\n{}\n", "c.txt:3: no step before keeps b"},
		{"kept too late", "# x\n\nPutItem {\"a\": \"${b}\"}\n---\n{}\nkeep b = .B\n", "c.txt:3: no step before keeps b"},
		{"keep of an error", "# x\n\nPutItem {}\n---\nerror Error\nm\nkeep b = .B\n", "c.txt:5: nothing can be kept of an error"},
		{"only ok", "# x\n\nPutItem {}\n---\nok\n", "this case proves nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseCase("c.txt", c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := parseCase("case.json", "# x\n"+good); err == nil {
		t.Error("a file that does not end in .txt is accepted")
	}
}

func TestPlaceholders(t *testing.T) {
	previous := map[string]any{"LastEvaluatedKey": map[string]any{"pk": map[string]any{"S": "a"}}}
	for _, c := range []struct{ name, text, want string }{
		{"repeat inside a string", repeated("pre${ab*3}post"), "preabababpost"},
		{"repeat JSON", repeated(`${{"M":{"a":*2}{"S":"x"}${}}*2}`), `{"M":{"a":{"M":{"a":{"S":"x"}}}}}`},
		{"repeat beside a count", repeated("${i}-${x*2}"), "${i}-xx"},
		{"count", counted("${i} ${i:3}", 7), "7 007"},
		{"now", withNow("${now} ${now+60} ${now-60}", time.Unix(100, 0)), "100 160 40"},
		{"kept", withKept("${name}/${other}/${i}", map[string]string{"name": "a", "other": "b"}), "a/b/${i}"},
		{"arn", withArns("${arn:things}/index/g", localARN), "arn:aws:dynamodb:us-east-1:123456789012:table/things/index/g"},
	} {
		if c.text != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.text, c.want)
		}
	}
	got, err := withPrevious(`{"K": "${previous.LastEvaluatedKey}", "S": "${previous.LastEvaluatedKey.pk.S}"}`, previous)
	if want := `{"K": {"pk":{"S":"a"}}, "S": "a"}`; err != nil || got != want {
		t.Errorf("previous: got %q, %v, want %q", got, err, want)
	}
	if _, err := withPrevious(`"${previous.Nothing}"`, previous); err == nil {
		t.Error("a member that the previous answer does not have is accepted")
	}
}

func TestMember(t *testing.T) {
	tree := parsed(t, `{"A": {"B": [{"C": "x"}, {"C": "y"}]}}`)
	if got, err := member(tree, ".A.B[1].C"); got != "y" || err != nil {
		t.Errorf("got %v, %v, want y", got, err)
	}
	for _, path := range []string{".B", ".A.B[2]", ".A.B.C", ".A[0]", ".A.B[0].C.D"} {
		if got, err := member(tree, path); err == nil {
			t.Errorf("%s is %v", path, got)
		}
	}
}

func TestClock(t *testing.T) {
	c := &clock{}
	before := time.Now()
	if err := c.advance(`{"Advance": "2h"}`); err != nil || c.now().Sub(before) < 2*time.Hour {
		t.Errorf("the clock is at %v after %v and two hours, %v", c.now(), before, err)
	}
	for _, request := range []string{`{}`, `{"Advance": 1}`, `{"Advance": "soon"}`, `{"Advance": "-1h"}`, `{"Advance": "1h", "By": "x"}`} {
		if c.advance(request) == nil {
			t.Errorf("%s is accepted", request)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, operation, got, want string
		members                    bool
		differs                    string // a part of the difference, or empty
	}{
		{name: "equal", got: `{"a": [1, "x", true]}`, want: `{"a": [1.0, "x", true]}`},
		{name: "anything", got: `{"a": {"b": 1}}`, want: `{"a": "*"}`},
		{name: "anything must be there", got: `{}`, want: `{"a": "*"}`, differs: "a: missing"},
		{name: "value", got: `{"a": {"b": 1}}`, want: `{"a": {"b": 2}}`, differs: "a.b: got 1, want 2"},
		{name: "type", got: `{"a": "1"}`, want: `{"a": 1}`, differs: `a: got "1", want 1`},
		{name: "nothing", got: `{"a": {"c": 1}}`, want: `{"a": {"b": "(absent)"}}`, members: true},
		{name: "nothing is wanted", got: `{"a": {"b": 1}}`, want: `{"a": {"b": "(absent)"}}`, members: true, differs: "a.b: not wanted, got 1"},
		{name: "more members", got: `{"a": 1, "b": 2}`, want: `{"a": 1}`, differs: "b: not wanted, got 2"},
		{name: "more members allowed", got: `{"a": {"b": 1, "c": 2}, "d": 3}`, want: `{"a": {"b": 1}}`, members: true},
		{name: "list order", got: `{"a": [1, 2]}`, want: `{"a": [2, 1]}`, differs: "a.0: got 1, want 2"},
		{name: "list length", got: `{"a": [1]}`, want: `{"a": [1, 2]}`, differs: "a: got 1 elements, want 2"},
		{name: "set", got: `{"Item": {"s": {"SS": ["b", "a"]}}}`, want: `{"Item": {"s": {"SS": ["a", "b"]}}}`, differs: `SS.0: got "b", want "a"`},
		{name: "tags", got: `{"Tags": ["b", "a"]}`, want: `{"Tags": ["a", "b"]}`},
		{name: "tags that differ", got: `{"Tags": ["b", "b"]}`, want: `{"Tags": ["a", "b"]}`, differs: `no element is "a"`},
		{name: "scan", operation: "Scan", got: `{"Items": [{"a": 1}, {"a": 2}]}`, want: `{"Items": [{"a": 2}, {"a": 1}]}`},
		{name: "query", operation: "Query", got: `{"Items": [{"a": 1}, {"a": 2}]}`, want: `{"Items": [{"a": 2}, {"a": 1}]}`, differs: "Items.0.a: got 1, want 2"},
		{name: "lists in items keep their order", operation: "Scan", got: `{"Items": [{"a": {"L": [1, 2]}}]}`, want: `{"Items": [{"a": {"L": [2, 1]}}]}`, differs: "no element is"},
		{name: "metrics keep their range", got: `{"ItemCollectionMetrics": {"SizeEstimateRangeGB": [1, 0]}}`, want: `{"ItemCollectionMetrics": {"SizeEstimateRangeGB": [0, 1]}}`, differs: "SizeEstimateRangeGB.0: got 1"},
		{name: "responses", got: `{"Responses": {"t": [1, 2]}}`, want: `{"Responses": {"t": [2, 1]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseObject(c.got)
			if err != nil {
				t.Fatal(err)
			}
			want, err := parseObject(c.want)
			if err != nil {
				t.Fatal(err)
			}
			differences := strings.Join(compare(c.operation, got, want, c.members), "\n")
			if (differences == "") != (c.differs == "") || !strings.Contains(differences, c.differs) {
				t.Errorf("got differences %q, want %q", differences, c.differs)
			}
		})
	}
}

func TestExpectations(t *testing.T) {
	const notFound = "error ResourceNotFoundException\nNot found: ${arn:t}"
	yes := answer{output: map[string]any{"Count": json.Number("1"), "Items": []any{}}}
	no := func(f failure) answer { return answer{failure: &f} }
	for _, c := range []struct {
		name, want string
		got        answer
		problem    string // a part of it, or empty
	}{
		{"success", "ok", yes, ""},
		{"no success", "ok", no(failure{code: "Err", message: "m"}), "failed"},
		{"answer", `{"Count": 1, "Items": []}`, yes, ""},
		{"another answer", `{"Count": 1}`, yes, "Items: not wanted"},
		{"no answer", `{"Count": 1}`, no(failure{code: "Err", message: "m"}), "failed"},
		{"members", `contains {"Count": 1}`, yes, ""},
		{"other members", `contains {"Count": 2}`, yes, "Count: got 1, want 2"},
		{"error", notFound, no(failure{code: "ResourceNotFoundException", message: "Not found: " + localARN("t")}), ""},
		{"no error", notFound, yes, "succeeded"},
		{"another code", notFound, no(failure{code: "ValidationException", message: "Not found: " + localARN("t")}), "another error"},
		{"another message", notFound, no(failure{code: "ResourceNotFoundException", message: "Not found"}), "another error"},
		{"part of a message", "error Err\n~ part", no(failure{code: "Err", message: "a part of it"}), ""},
		{"another part", "error Err\n~ part", no(failure{code: "Err", message: "it"}), "another error"},
		{"refused by the client", notFound, no(failure{byClient: true}), ""},
		{"members of an error", "error Err\nm\nwith {\"Item\": {}}", no(failure{code: "Err", message: "m", members: map[string]any{"Item": map[string]any{}}}), ""},
		{"members nobody wants", "error Err\nm", no(failure{code: "Err", message: "m", members: map[string]any{"Item": map[string]any{}}}), "Item: not wanted"},
		{"members that are not there", "error Err\nm\nwith {\"Item\": {}}", no(failure{code: "Err", message: "m"}), "Item: missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, err := parseExpectation(c.want)
			if err != nil {
				t.Fatal(err)
			}
			problem := want.check("Query", c.got, func(text string) string { return withArns(text, localARN) })
			if (problem == "") != (c.problem == "") || !strings.Contains(problem, c.problem) {
				t.Errorf("got problem %q, want %q", problem, c.problem)
			}
		})
	}
}
