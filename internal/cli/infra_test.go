package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/design"
	"sortkey.dev/engine"
)

// everySetting is a design with every setting a table can have.
const everySetting = "../../design/internal/iacgen/testdata/store.design.yaml"

// createRequests returns the requests that infra writes for a design, by table.
func createRequests(t *testing.T, path string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	if code := Run([]string{"infra", path, "--format", "createtable", "--kms-key", "alias/store", "--out", dir}, strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no requests: %v", err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = text
	}
	return all
}

// An engine accepts the requests unchanged.
func TestCreateTableRequestsAreAccepted(t *testing.T) {
	for _, path := range infraDesigns(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			db, err := engine.Open("", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			server := httptest.NewServer(db)
			defer server.Close()
			for table, request := range createRequests(t, path) {
				if status, body := sendCreateTable(t, server.URL, request); status != http.StatusOK {
					t.Errorf("%s: %d %s", table, status, body)
				}
			}
		})
	}
}

func sendCreateTable(t *testing.T, url string, request []byte) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.CreateTable")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// The text that infra writes and the request that apply sends create the same table.
func TestInfraAndApplyMakeTheSameTables(t *testing.T) {
	for _, path := range infraDesigns(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			requests := createRequests(t, path)
			d, err := design.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			tables, err := d.Tables("")
			if err != nil || len(tables) != len(requests) {
				t.Fatalf("%d tables, %d requests, %v", len(tables), len(requests), err)
			}
			for _, table := range tables {
				var input dynamodb.CreateTableInput
				if err := json.Unmarshal(requests[table.Name], &input); err != nil {
					t.Fatal(err)
				}
				if table.Encryption == "customer" {
					table.KMSKey = "alias/store"
				}
				if diff := gocmp.Diff(sorted(table.CreateInput()), sorted(&input), cmpopts.IgnoreUnexported(
					dynamodb.CreateTableInput{}, types.AttributeDefinition{}, types.KeySchemaElement{}, types.GlobalSecondaryIndex{},
					types.LocalSecondaryIndex{}, types.Projection{}, types.ProvisionedThroughput{}, types.StreamSpecification{},
					types.SSESpecification{}, types.Tag{}), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (-apply +infra):\n%s", table.Name, diff)
				}
			}
		})
	}
}

// sorted sorts the lists without a defined order.
func sorted(input *dynamodb.CreateTableInput) *dynamodb.CreateTableInput {
	slices.SortFunc(input.AttributeDefinitions, func(a, b types.AttributeDefinition) int { return cmp.Compare(*a.AttributeName, *b.AttributeName) })
	slices.SortFunc(input.Tags, func(a, b types.Tag) int { return cmp.Compare(*a.Key, *b.Key) })
	for _, x := range input.GlobalSecondaryIndexes {
		slices.Sort(x.Projection.NonKeyAttributes)
	}
	return input
}

func infraDesigns(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../apps/*/*.design.yaml")
	if err != nil || len(found) < 4 {
		t.Fatalf("found %d designs: %v", len(found), err)
	}
	return append(found, everySetting)
}
