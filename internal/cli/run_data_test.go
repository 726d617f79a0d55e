package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/apps"
	"sortkey.dev/internal/evolve"
)

var filling = evolve.Progress{
	Design: "EcoBid", Migration: "0002-by-name", From: 1, To: 2,
	Status: migrate.Status{Phase: access.PhaseWrite, Epoch: 4, Settled: true, Step: "fill", Part: "Item.GSI5", Segments: 4, Done: 1, Seen: 1200, Changed: 800},
}

// TestASystemThatIsStartingSaysHowFarItsDataIs asks for its page and its health before it is open.
func TestASystemThatIsStartingSaysHowFarItsDataIs(t *testing.T) {
	front := &starting{title: "EcoBid"}
	server := httptest.NewServer(front)
	defer server.Close()
	ask := func(accept string) (int, string, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body), response.Header.Get("Retry-After")
	}
	if status, body, retry := ask("*/*"); status != http.StatusServiceUnavailable || body != `{"status":"starting"}`+"\n" || retry != "2" {
		t.Errorf("at first: %d %s, %s", status, body, retry)
	}
	dataProgress{tell: newProgressLine(io.Discard), page: front}.tellProgress(filling)
	if status, body, _ := ask("*/*"); status != http.StatusServiceUnavailable || !strings.Contains(body, `"status":"evolving"`) || !strings.Contains(body, `"seen":1200`) {
		t.Errorf("then: %d %s", status, body)
	}
	if status, body, _ := ask("text/html"); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "EcoBid is starting") || !strings.Contains(body, "version 1 to 2: ") {
		t.Errorf("the page: %d %s", status, body)
	}
	front.opened(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "open") }))
	if status, body, _ := ask("text/html"); status != http.StatusOK || body != "open" {
		t.Errorf("at the end: %d %s", status, body)
	}
}

// TestStatusOfDataIsAJSONLine with the end of a migration.
func TestStatusOfDataIsAJSONLine(t *testing.T) {
	var out bytes.Buffer
	e := dataProgress{tell: newProgressLine(io.Discard), out: &out, asJSON: true}
	e.tellProgress(filling)
	done := filling
	done.Done = true
	e.tellProgress(done)
	var lines []evolvingLine
	for line := range strings.Lines(out.String()) {
		var l evolvingLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	if len(lines) != 2 || lines[0].Event != "evolving" || lines[0].Step != "fill" || lines[0].Done != 1 || lines[1].Event != "evolved" || lines[1].To != 2 {
		t.Errorf("%+v", lines)
	}
}

// TestDataOfAnotherVersionSaysWhatToDo shows the next step of each failure.
func TestDataOfAnotherVersionSaysWhatToDo(t *testing.T) {
	kind := apps.Kind{Name: "ecobid"}
	own, shared := runConfig{data: "./ecobid"}, runConfig{endpoint: "http://127.0.0.1:8000", prefix: "test-"}
	waits := &evolve.WaitsError{Design: "EcoBid", Migration: "0002-by-name", Version: 1, Program: 2, Why: "run code of version 2 everywhere first"}
	for want, failed := range map[string]error{
		"version 3 of EcoBid, and this program knows versions up to 2\n  Nothing was changed. Use the newer sortkey":                        own.dataFailure(kind, &evolve.NewerError{Design: "EcoBid", Version: 3, Program: 2}),
		"Stop the processes of version 1 first.\n  Then: sortkey run ecobid --endpoint http://127.0.0.1:8000 --table-prefix test- --resume": shared.dataFailure(kind, waits),
		"keep a copy of ./ecobid.\n  Then: sortkey run ecobid --data ./ecobid --resume":                                                     own.dataFailure(kind, waits),
		"ecobid PK = \"ITEM#7\": its city is missing\n  Mend these items": own.dataFailure(kind, &evolve.ConflictsError{
			Design: "EcoBid", Migration: "0002-by-name", Version: 1, Conflicts: []apps.DataConflict{{Part: "Item.GSI5", Table: "ecobid", Key: `PK = "ITEM#7"`, Reason: "its city is missing"}}}),
	} {
		var out bytes.Buffer
		printError(&out, fmt.Errorf("open ecobid: %w", failed))
		if p, ok := errors.AsType[*problem](failed); ok {
			out.Reset()
			printError(&out, p)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("it says\n%s\nwithout\n%s", &out, want)
		}
	}
}
