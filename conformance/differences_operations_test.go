package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/engine"
)

func TestDifference45BackupsExportsAndImportsComeLater(t *testing.T) {
	d := direct(t)
	for _, c := range []struct{ operation, input, feature string }{
		{"CreateBackup", `{"TableName": "things", "BackupName": "b"}`, "backups"},
		{"RestoreTableFromBackup", `{"TargetTableName": "t", "BackupArn": "arn"}`, "backups"},
		{"UpdateContinuousBackups", `{"TableName": "things", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}}`, "point-in-time recovery"},
		{"RestoreTableToPointInTime", `{"TargetTableName": "t"}`, "point-in-time recovery"},
		{"ExportTableToPointInTime", `{"TableArn": "arn", "S3Bucket": "b"}`, "exports"},
		{"ImportTable", `{}`, "imports"},
	} {
		got := mustFail(t, d, c.operation, c.input)
		checkFailure(t, got, "UnknownOperationException", "sortkey does not have "+c.feature+" yet: "+c.operation+" comes in a later release")
	}
}

func TestDifference46OneRegion(t *testing.T) {
	d := direct(t)
	const refused = "it has one region, and tables have no replicas"
	for _, c := range []struct{ operation, input string }{
		{"UpdateGlobalTableSettings", `{"GlobalTableName": "things"}`},
		{"UpdateTableReplicaAutoScaling", `{"TableName": "things"}`},
		{"CreateTable", strings.Replace(createThings, "{", `{"GlobalTableSourceArn": "arn", `, 1)},
		{"UpdateTable", `{"TableName": "things", "ReplicaUpdates": [{"Create": {"RegionName": "eu-west-2"}}]}`},
		{"UpdateTable", `{"TableName": "things", "MultiRegionConsistency": "STRONG"}`},
		{"UpdateTable", `{"TableName": "things", "GlobalTableWitnessUpdates": [{"Create": {"RegionName": "eu-west-2"}}]}`},
	} {
		checkFailure(t, mustFail(t, d, c.operation, c.input), "ValidationException", refused)
	}
}

func TestDifference47PoliciesAreNotEnforced(t *testing.T) {
	d := direct(t)
	policy := func(action string) string {
		return fmt.Sprintf(`{"ResourceArn": %q, "Policy": "{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Deny\", \"Principal\": \"*\", \"Action\": \"%s\", \"Resource\": \"*\"}]}"}`, localARN("things"), action)
	}
	mustCall(t, d, "PutResourcePolicy", policy("dynamodb:PutItem"))
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	mustCall(t, d, "PutResourcePolicy", policy("dynamodb:PutResourcePolicy")) // at once, and without ConfirmRemoveSelfResourceAccess
	mustCall(t, d, "DeleteResourcePolicy", fmt.Sprintf(`{"ResourceArn": %q}`, localARN("things")))
}

func TestDifference48ContributorInsightsCountNoKeys(t *testing.T) {
	d := direct(t)
	mustCall(t, d, "UpdateContributorInsights", `{"TableName": "things", "ContributorInsightsAction": "ENABLE"}`)
	mustCall(t, d, "PutItem", `{"TableName": "things", "Item": {"pk": {"S": "a"}}}`)
	got := mustCall(t, d, "DescribeContributorInsights", `{"TableName": "things"}`) // at once, and nothing else tells the keys
	checkOutput(t, "DescribeContributorInsights", got, `{"ContributorInsightsStatus": "ENABLED", "ContributorInsightsMode": "ACCESSED_AND_THROTTLED_KEYS"}`)
}

func TestDifference49KinesisRecordsGoToAFile(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ dir, status string }{{dir, "ACTIVE"}, {"", "ENABLE_FAILED"}} {
		db, err := engine.Open("", &engine.Options{KinesisDir: c.dir})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		d := directDoor(db)
		mustCall(t, d, "CreateTable", createThings)
		mustCall(t, d, "EnableKinesisStreamingDestination", `{"TableName": "things", "StreamArn": "arn:aws:kinesis:us-east-1:123456789012:stream/changes"}`)
		got := mustCall(t, d, "DescribeKinesisStreamingDestination", `{"TableName": "things"}`)
		checkOutput(t, "DescribeKinesisStreamingDestination", got, `{"KinesisDataStreamDestinations": [{"DestinationStatus": "`+c.status+`"}]}`)
	}
	if _, err := os.Stat(filepath.Join(dir, "changes.jsonl")); err != nil {
		t.Error(err)
	}
}

func TestDifference50BulkOperationsReadFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "in", "a.json"), []byte(`{"Item": {"pk": {"S": "a"}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	const start = `{"TableName": "things", "InputS3Configuration": {"S3Bucket": "in", "InputFormat": %q}, "OutputS3Configuration": {"S3Bucket": "out", "OutputType": ["ERROR"]}}`
	open := func(o *engine.Options) door {
		db, err := engine.Open("", o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		server := serve(t, db)
		d := httpDoor{url: server.URL, client: server.Client()}
		mustCall(t, d, "CreateTable", createThings)
		return d
	}
	d := open(&engine.Options{BulkDir: dir})
	mustCall(t, d, "StartBulkPutItems", fmt.Sprintf(start, "DYNAMODB_JSON"))
	checkFailure(t, mustFail(t, d, "StartBulkPutItems", fmt.Sprintf(start, "ION")), "ValidationException", "does not read the format ION")
	checkFailure(t, mustFail(t, open(nil), "StartBulkPutItems", fmt.Sprintf(start, "DYNAMODB_JSON")), "ValidationException", "set Options.BulkDir")
}

func TestDifference51LinesOfBulkOperations(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	lines := `{"Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_exists(#p)", "ExpressionAttributeNames": {"#p": "pk"}}
{"Item": {"pk": {"S": "b"}}, "Condition": "attribute_exists(pk)"}`
	if err := os.WriteFile(filepath.Join(dir, "in", "a.json"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := engine.Open("", &engine.Options{BulkDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	server := serve(t, db)
	d := httpDoor{url: server.URL, client: server.Client()}
	mustCall(t, d, "CreateTable", createThings)
	started := mustCall(t, d, "StartBulkPutItems", `{"TableName": "things", "InputS3Configuration": {"S3Bucket": "in", "InputFormat": "DYNAMODB_JSON"},
		"OutputS3Configuration": {"S3Bucket": "out", "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}}`)
	arn := started["BulkOperationDescription"].(map[string]any)["BulkOperationArn"].(string)
	if !strings.HasPrefix(arn, localARN("things")+"/bulk/") {
		t.Errorf("the ARN is %s", arn)
	}
	describe := fmt.Sprintf(`{"BulkOperationArn": %q}`, arn)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if d := mustCall(t, d, "DescribeBulkOperation", describe)["BulkOperationDescription"].(map[string]any); d["EndTime"] != nil {
			break
		}
	}
	got := mustCall(t, d, "DescribeBulkOperation", describe)
	checkOutput(t, "DescribeBulkOperation", got, `{"BulkOperationDescription": {"BulkOperationStatus": "COMPLETED_WITH_ERRORS", "ProcessedItemCount": 2, "FailedItemCount": 1}}`)
	for _, name := range []string{"errors.jsonl", "condition_check_failures.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, "out", arn[strings.LastIndexByte(arn, '/')+1:], name)); err != nil {
			t.Error(err)
		}
	}
}
