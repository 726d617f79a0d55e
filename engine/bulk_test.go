package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/klauspost/compress/zstd"

	"sortkey.dev/engine"
)

// A bulkDB is a database with a table and a folder of buckets.
type bulkDB struct {
	*engine.DB
	t    *testing.T
	dir  string // of the buckets
	data string
	now  atomic.Int64 // in milliseconds
}

func openBulk(t *testing.T) *bulkDB {
	db := &bulkDB{t: t, dir: t.TempDir(), data: t.TempDir()}
	db.advance(time.Duration(time.Now().UnixMilli()) * time.Millisecond)
	db.open()
	t.Cleanup(func() { db.Close() })
	if _, err := db.API().CreateTable(t.Context(), keyed("things", "id/S")); err != nil {
		t.Fatal(err)
	}
	return db
}

func (db *bulkDB) open() {
	db.t.Helper()
	var err error
	db.DB, err = engine.Open(db.data, &engine.Options{BulkDir: db.dir, Now: func() time.Time { return time.UnixMilli(db.now.Load()) }})
	if err != nil {
		db.t.Fatal(err)
	}
}

func (db *bulkDB) advance(d time.Duration) { db.now.Add(d.Milliseconds()) }

// object writes an object to the bucket "in".
func (db *bulkDB) object(name string, content []byte) {
	db.t.Helper()
	file := filepath.Join(db.dir, "in", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		db.t.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		db.t.Fatal(err)
	}
}

// call sends a request over HTTP: the SDK does not have the operations yet.
func (db *bulkDB) call(operation, body string) map[string]any {
	db.t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	w := httptest.NewRecorder()
	db.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		db.t.Fatalf("%s: %s: %v", operation, w.Body, err)
	}
	return answer
}

const bulkRequest = `{"TableName": "things", "InputS3Configuration": {"S3Bucket": "in", "S3KeyPrefix": "data/", "InputFormat": "DYNAMODB_JSON", "InputCompressionType": %q},
	"OutputS3Configuration": {"S3Bucket": "out", "S3KeyPrefix": "reports", "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}%s}`

// start starts an operation and returns its ARN.
func (db *bulkDB) start(compression, more string) string {
	db.t.Helper()
	answer := db.call("StartBulkPutItems", fmt.Sprintf(bulkRequest, compression, more))
	d, ok := answer["BulkOperationDescription"].(map[string]any)
	if !ok || d["BulkOperationStatus"] != "IN_PROGRESS" {
		db.t.Fatalf("started: %v", answer)
	}
	return d["BulkOperationArn"].(string)
}

func (db *bulkDB) describe(arn string) map[string]any {
	db.t.Helper()
	return db.call("DescribeBulkOperation", fmt.Sprintf(`{"BulkOperationArn": %q}`, arn))["BulkOperationDescription"].(map[string]any)
}

// end waits for the end of an operation.
func (db *bulkDB) end(arn string) map[string]any {
	db.t.Helper()
	var d map[string]any
	err := eventually(db.t.Context(), func() (bool, error) {
		d = db.describe(arn)
		return d["EndTime"] != nil, nil
	})
	if err != nil {
		db.t.Fatal(err)
	}
	return d
}

func (db *bulkDB) count() int32 {
	db.t.Helper()
	out, err := db.API().Scan(db.t.Context(), &dynamodb.ScanInput{TableName: aws.String("things"), Select: "COUNT"})
	if err != nil {
		db.t.Fatal(err)
	}
	return out.Count
}

func check(t *testing.T, d map[string]any, want map[string]any) {
	t.Helper()
	for name, value := range want {
		if fmt.Sprint(d[name]) != fmt.Sprint(value) {
			t.Errorf("%s is %v, want %v in %v", name, d[name], value, d)
		}
	}
}

func bulkLines(from, to int) (lines []byte) {
	for i := from; i < to; i++ {
		lines = fmt.Appendf(lines, `{"Item": {"id": {"S": "%d"}, "n": {"N": "%d"}}}`+"\n", i, i)
	}
	return lines
}

func TestBulkPutsTheItemsOfAllObjects(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(bulkLines(0, 300))
	z.Close()
	zs, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for compression, content := range map[string][]byte{
		"NONE": bulkLines(0, 300), "GZIP": zipped.Bytes(), "ZSTD": zs.EncodeAll(bulkLines(0, 300), nil),
	} {
		t.Run(compression, func(t *testing.T) {
			db := openBulk(t)
			db.object("data/a/1.json", content)
			db.object("data/b.json", content) // the same items again: they overwrite
			db.object("other/c.json", []byte("not to be read"))
			d := db.end(db.start(compression, ""))
			check(t, d, map[string]any{
				"BulkOperationStatus": "COMPLETED", "ProcessedItemCount": 600, "FailedItemCount": 0, "FailureCode": nil,
				"TotalInputBytes": 2 * len(content), "ProcessedInputBytes": 2 * len(content), "PerformanceTier": "STANDARD",
			})
			if got := db.count(); got != 300 {
				t.Errorf("%d items", got)
			}
		})
	}
}

func TestBulkReportsFailedLines(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", []byte(`{"Item": {"id": {"S": "a"}, "v": {"N": "1"}}}

{"Item": {"id": {"S": "a"}, "v": {"N": "2"}}, "ConditionExpression": "attribute_not_exists(#i)", "ExpressionAttributeNames": {"#i": "id"}}
{"Item": {"id": {"N": "7"}}}
{"Item": {"id": {"S": "b"}}, "ConditionExpression": "v <"}
no json
{"Item": {"id": {"S": "c"}}}`))
	arn := db.start("NONE", "")
	check(t, db.end(arn), map[string]any{"BulkOperationStatus": "COMPLETED_WITH_ERRORS", "ProcessedItemCount": 6, "FailedItemCount": 3})
	dir := filepath.Join(db.dir, "out", "reports", arn[strings.LastIndexByte(arn, '/')+1:])
	failures, err := os.ReadFile(filepath.Join(dir, "condition_check_failures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"Object":"data/a.json","Line":3,"Item":{"id":{"S":"a"},"v":{"N":"2"}},"ExistingItem":{"id":{"S":"a"},"v":{"N":"1"}}}` + "\n"; string(failures) != want {
		t.Errorf("got  %swant %s", failures, want)
	}
	report, err := os.ReadFile(filepath.Join(dir, "errors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"Line":4,"ErrorCode":"ValidationException","ErrorMessage":"One or more parameter values were invalid: Type mismatch for key id expected: S actual: N"`,
		`"Line":5,"ErrorCode":"ValidationException"`,
		`"Line":6,"ErrorCode":"SerializationException","ErrorMessage":"The line is no JSON object","Record":"no json"`,
	} {
		if !strings.Contains(string(report), part) {
			t.Errorf("%s is not in %s", part, report)
		}
	}
	if got := db.count(); got != 2 {
		t.Errorf("%d items", got)
	}
}

// Reports are valid JSON for any input line, and stay in the bucket for any prefix.
func TestBulkReportsOfAnyLineAndPrefix(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", []byte("{\"Item\": {\"id\": {\"S\": \"\xff\"}}}"))
	request := strings.Replace(fmt.Sprintf(bulkRequest, "NONE", ""), `"reports"`, `"/reports"`, 1)
	arn := db.call("StartBulkPutItems", request)["BulkOperationDescription"].(map[string]any)["BulkOperationArn"].(string)
	check(t, db.end(arn), map[string]any{"BulkOperationStatus": "COMPLETED_WITH_ERRORS", "FailedItemCount": 1})
	report, err := os.ReadFile(filepath.Join(db.dir, "out", "reports", arn[strings.LastIndexByte(arn, '/')+1:], "errors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(report) || !strings.Contains(string(report), "\uFFFD") {
		t.Errorf("the report is %q", report)
	}
}

func TestBulkTokens(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", bulkLines(0, 3))
	const token = `, "ClientToken": "once"`
	first := db.start("NONE", token)
	db.end(first)
	again := db.call("StartBulkPutItems", fmt.Sprintf(bulkRequest, "NONE", token))["BulkOperationDescription"].(map[string]any)
	check(t, again, map[string]any{"BulkOperationArn": first, "BulkOperationStatus": "COMPLETED", "ClientToken": "once"})
	other := db.call("StartBulkPutItems", fmt.Sprintf(bulkRequest, "GZIP", token))
	if kind, _ := other["__type"].(string); !strings.HasSuffix(kind, "#IdempotentParameterMismatchException") {
		t.Errorf("another request with the token: %v", other)
	}
	db.advance(8 * time.Hour)
	if second := db.start("NONE", token); second == first {
		t.Error("the token is still valid after eight hours")
	} else {
		db.end(second)
	}
}

// An operation that waits for its rate limit can be cancelled.
func TestBulkKeepsItsRateAndCanBeCancelled(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", bulkLines(0, 100_000))
	arn := db.start("NONE", `, "MaxWriteRequestUnits": 1024`)
	err := eventually(t.Context(), func() (bool, error) { return db.count() >= 1024, nil })
	if err != nil {
		t.Fatal(err)
	}
	check(t, db.call("CancelBulkOperation", fmt.Sprintf(`{"BulkOperationArn": %q}`, arn)), map[string]any{"BulkOperationArn": arn, "BulkOperationStatus": "CANCELLING"})
	d := db.end(arn)
	check(t, d, map[string]any{"BulkOperationStatus": "CANCELLED", "FailureCode": "Cancelled", "MaxWriteRequestUnits": 1024})
	if n := d["ProcessedItemCount"].(float64); n >= 100_000 {
		t.Errorf("%v items were put", n)
	}
	answer := db.call("CancelBulkOperation", fmt.Sprintf(`{"BulkOperationArn": %q}`, arn))
	if message, _ := answer["message"].(string); !strings.Contains(message, "its status is CANCELLED") {
		t.Errorf("cancelled twice: %v", answer)
	}
}

func TestBulkFailures(t *testing.T) {
	db := openBulk(t)
	check(t, db.end(db.start("NONE", "")), map[string]any{"BulkOperationStatus": "FAILED", "FailureCode": "S3NoSuchBucket"})
	db.object("elsewhere.json", nil)
	check(t, db.end(db.start("NONE", "")), map[string]any{"BulkOperationStatus": "FAILED", "FailureCode": "S3NoSuchKey"})
	db.object("data/a.json", []byte("plain"))
	for _, compression := range []string{"GZIP", "ZSTD"} {
		check(t, db.end(db.start(compression, "")), map[string]any{"BulkOperationStatus": "FAILED", "FailureCode": "S3ReadError"})
	}
}

// An operation that a restart interrupted is reported as failed.
func TestBulkAfterARestart(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", bulkLines(0, 100_000))
	arn := db.start("NONE", `, "MaxWriteRequestUnits": 1024`)
	if err := eventually(t.Context(), func() (bool, error) { return db.count() > 0, nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db.open()
	check(t, db.describe(arn), map[string]any{"BulkOperationStatus": "FAILED", "FailureCode": "Interrupted"})
}

func TestBulkOperationsAreListedLatestFirst(t *testing.T) {
	db := openBulk(t)
	db.object("data/a.json", bulkLines(0, 1))
	var arns []string
	for range 3 {
		db.advance(time.Hour)
		arns = append(arns, db.start("NONE", ""))
	}
	for _, arn := range arns {
		db.end(arn)
	}
	page := db.call("ListBulkOperations", `{"MaxResults": 2}`)
	list := page["BulkOperationsSummaryList"].([]any)
	if len(list) != 2 || list[0].(map[string]any)["BulkOperationArn"] != arns[2] || list[1].(map[string]any)["BulkOperationArn"] != arns[1] {
		t.Fatalf("first page: %v", page)
	}
	page = db.call("ListBulkOperations", fmt.Sprintf(`{"NextToken": %q}`, page["NextToken"]))
	list = page["BulkOperationsSummaryList"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["BulkOperationArn"] != arns[0] || page["NextToken"] != nil {
		t.Errorf("second page: %v", page)
	}
	db.advance(90 * 24 * time.Hour)
	if page := db.call("ListBulkOperations", "{}"); len(page["BulkOperationsSummaryList"].([]any)) != 0 {
		t.Errorf("after 90 days: %v", page)
	}
}

// Lines of one key are put in their order, whatever the number of writers.
func TestBulkKeepsTheOrderOfAKey(t *testing.T) {
	db := openBulk(t)
	var lines []byte
	for i := range 2000 {
		lines = fmt.Appendf(lines, `{"Item": {"id": {"S": "%d"}, "n": {"N": "%d"}}, "ConditionExpression": "attribute_not_exists(id) OR n < :n", "ExpressionAttributeValues": {":n": {"N": "%d"}}}`+"\n", i%7, i, i)
	}
	db.object("data/a.json", lines)
	arn := db.start("NONE", "")
	check(t, db.end(arn), map[string]any{"BulkOperationStatus": "COMPLETED", "ProcessedItemCount": 2000})
	if _, err := os.Stat(filepath.Join(db.dir, "out", "reports")); err == nil {
		t.Error("conditions have failed")
	}
}

func TestBulkNeedsAFolder(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	b := &bulkDB{DB: db, t: t}
	answer := b.call("StartBulkPutItems", fmt.Sprintf(bulkRequest, "NONE", ""))
	if message, _ := answer["message"].(string); !strings.Contains(message, "--bulk-dir") {
		t.Errorf("without a folder: %v", answer)
	}
}
