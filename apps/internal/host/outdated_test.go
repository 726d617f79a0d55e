package host_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/webtest"
)

// TestAProcessThatIsTooOldSaysSo raises the least version that may run while a process serves: people read that an update is under way,
// programs are asked to try again, and health takes the process out of service.
func TestAProcessThatIsTooOldSaysSo(t *testing.T) {
	w := open(t)
	w.process(t, "first")
	least := func(n int) {
		for _, table := range []string{platform.TableNames(w.database.Prefix, "small")("platform"), w.database.Prefix + "own-platform"} {
			state := access.State{Version: n, Least: n, Epoch: int64(n), Settled: int64(n), Lease: 10 * time.Millisecond, Longest: 10 * time.Millisecond}
			row := access.StateRow{Table: table, Partition: access.KeyValue{Name: "PK", Text: "Platform#state"}, Sort: access.KeyValue{Name: "SK", Text: "state"}}
			if _, err := w.database.DynamoDB.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: state.Item(row.Key())}); err != nil {
				t.Fatal(err)
			}
		}
	}
	least(1)
	p := w.process(t, "second")
	if status, page := p.get(t, "/"); status != http.StatusOK {
		t.Fatalf("before: %d %s", status, page)
	}
	least(2)
	time.Sleep(20 * time.Millisecond) // the lease
	v := webtest.NewVisitor(t, p.url)
	if status, page := look(v, "/"); status != http.StatusServiceUnavailable || !strings.Contains(page, "We are being updated") || v.Head.Get("Retry-After") != "30" {
		t.Errorf("a page: %d %s", status, page)
	}
	status, body := p.get(t, "/health")
	if status != http.StatusServiceUnavailable || !strings.Contains(body, `"outdated"`) || !strings.Contains(body, "deploy newer code") {
		t.Errorf("health: %d %s", status, body)
	}
}
