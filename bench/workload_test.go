package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine"
)

var testRun = dataRun{prefix: "t", items: 200, readItems: 300, projection: "ALL"}

// allDatasets returns the datasets of all workloads.
func allDatasets(t *testing.T) []*dataset {
	t.Helper()
	var rows []row
	for _, w := range slices.Concat(workloads, streamWorkloads, backfillWorkloads, flatWorkloads) {
		rows = append(rows, row{work: w})
	}
	return datasetsOf(rows)
}

// loadedEngine returns an engine in memory with all tables of a run.
func loadedEngine(t *testing.T) *engine.DB {
	t.Helper()
	db, err := engine.Open("", &engine.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := prepare([]poster{&handlerPoster{handler: db}, &handlerPoster{handler: db}}, allDatasets(t), testRun); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestVerifyAcceptsTheEngine(t *testing.T) {
	db := loadedEngine(t)
	for _, w := range slices.Concat(workloads, streamWorkloads, flatWorkloads) {
		if err := w.verify(&handlerPoster{handler: db}, testRun); err != nil {
			t.Errorf("%s: %v", w.id, err)
		}
	}
}

func TestVerifyRefusesWrongAnswers(t *testing.T) {
	db := loadedEngine(t)
	for _, c := range []struct {
		name     string
		workload string
		broken   http.HandlerFunc
	}{
		{"nothing read", "get", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }},
		{"nothing stored", "put-fsync", func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".PutItem") {
				fmt.Fprint(w, "{}")
				return
			}
			db.ServeHTTP(w, r)
		}},
		{"nothing updated", "update-fsync", func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".UpdateItem") {
				fmt.Fprint(w, "{}")
				return
			}
			db.ServeHTTP(w, r)
		}},
		{"left over", "batch-fsync", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"UnprocessedItems":{"t-batch":[{"PutRequest":{}}]}}`)
		}},
		{"refused", "query", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := workloadByID(c.workload).verify(&handlerPoster{handler: c.broken}, testRun); err == nil {
				t.Error("a wrong answer was accepted")
			}
		})
	}
}

func TestVerifyPageWantsAllItemsInOrder(t *testing.T) {
	db := loadedEngine(t)
	w := workloadByID("query")
	body := w.requestBody(testRun.prefix)
	body.fill(newRandom(1), 1, w.keys(testRun))
	answer, err := call(&handlerPoster{handler: db}, "Query", body.text)
	if err != nil {
		t.Fatal(err)
	}
	if err := partitions.verifyPage(answer, 1); err != nil {
		t.Errorf("the right page: %v", err)
	}
	if err := partitions.verifyPage(answer, 0); err == nil {
		t.Error("the page of another partition was accepted")
	}
	swapped := strings.NewReplacer(`"00000003"`, `"00000004"`, `"00000004"`, `"00000003"`).Replace(string(answer))
	if err := partitions.verifyPage([]byte(swapped), 1); err == nil {
		t.Error("a page out of order was accepted")
	}
}

// TestItemIsOneKilobyte asks the engine what an item costs: one unit, and two
// if it were one byte longer.
func TestItemIsOneKilobyte(t *testing.T) {
	db := loadedEngine(t)
	body := workloadByID("put-nosync").requestBody(testRun.prefix)
	body.fill(newRandom(1), 0, testRun.items)
	units := func(extra string) float64 {
		request := strings.Replace(string(body.text), `"body":{"S":"`, `"body":{"S":"`+extra, 1)
		request = strings.TrimSuffix(request, "}") + `,"ReturnConsumedCapacity":"TOTAL"}`
		answer, err := call(&handlerPoster{handler: db}, "PutItem", []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			ConsumedCapacity struct{ CapacityUnits float64 }
		}
		if err := json.Unmarshal(answer, &out); err != nil {
			t.Fatal(err)
		}
		return out.ConsumedCapacity.CapacityUnits
	}
	if got, more := units(""), units("x"); got != 1 || more != 2 {
		t.Errorf("an item costs %v units and with one byte more %v, want 1 and 2", got, more)
	}
}

// TestTypedItemIsTheSame stores the item of the typed doors and compares it with
// that of the JSON door.
func TestTypedItemIsTheSame(t *testing.T) {
	db := loadedEngine(t)
	w := workloadByID("put-nosync")
	if err := newTypedCaller(db.API(), w, testRun, 5).do(true); err != nil {
		t.Fatal(err)
	}
	key := newRandom(5).IntN(testRun.items)
	shape := func(key int) map[string]any {
		answer, err := call(&handlerPoster{handler: db}, "GetItem",
			[]byte(`{"TableName":"t-put0","Key":{"pk":{"S":"`+itemPrefix+number(key)+`"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		var out struct{ Item map[string]any }
		if err := json.Unmarshal(answer, &out); err != nil {
			t.Fatal(err)
		}
		for _, random := range []string{"pk", "g1", "g2", "g3", "body"} {
			text, _ := out.Item[random].(map[string]any)["S"].(string)
			out.Item[random] = len(text)
		}
		return out.Item
	}
	if diff := cmp.Diff(shape((key+1)%testRun.items), shape(key)); diff != "" {
		t.Errorf("typed item differs (-JSON +typed):\n%s", diff)
	}
}

// TestEveryDoorDoesEveryWorkload has each door make a few checked requests.
func TestEveryDoorDoesEveryWorkload(t *testing.T) {
	db := loadedEngine(t)
	all := &engines{synced: db, unsynced: db, run: testRun}
	for _, door := range []system{jsonDoor{all}, apiDoor{all}, clientDoor{all}} {
		for _, w := range workloads {
			c, err := door.caller(w, 3)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if err := c.do(true); err != nil {
					t.Errorf("%s, %s: %v", door.name(), w.id, err)
				}
			}
		}
	}
}

func TestAnswerSizeIsThatOfRealAnswers(t *testing.T) {
	db := loadedEngine(t)
	for _, w := range slices.Concat(workloads, flatWorkloads) {
		body := w.requestBody(testRun.prefix)
		body.fill(newRandom(1), 0, w.keys(testRun))
		answer, err := call(&handlerPoster{handler: db}, string(w.op), body.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := w.answerSize(), len(answer); got < want*99/100 || got > want*101/100 {
			t.Errorf("%s: the no-op server answers %d bytes, the engine %d", w.id, got, want)
		}
	}
}

func TestTemplateFill(t *testing.T) {
	tmpl := new(template).put("a").add(slotKey, 8, 0).put("b").add(slotKey, 8, 5).put("c").
		add(slotPart, 4, 99).add(slotSort, 2, 99).put("d").add(slotText, 3, 0)
	tmpl.fill(newRandom(1), 198, 200)
	if got := string(tmpl.text[:len(tmpl.text)-3]); got != "a00000198b00000003c000097d" {
		t.Errorf("filled in: %s", got)
	}
	if text := string(tmpl.text[len(tmpl.text)-3:]); !strings.Contains(noise, text) || text == "000" {
		t.Errorf("random text is %q", text)
	}
	moved := tmpl.within("head ")
	moved.fill(newRandom(1), 7, 200)
	if got := string(moved.text[:14]); got != "head a00000007" {
		t.Errorf("moved and filled in: %s", got)
	}
	if string(tmpl.text[1:9]) != "00000198" {
		t.Error("filling the copy changed the original")
	}
}

func TestFreshNumbersAreNew(t *testing.T) {
	tmpl := new(template).add(slotFresh, 8, 0).put("-").add(slotFresh, 8, 0)
	seen := map[string]bool{}
	for range 1000 {
		tmpl.fill(nil, 0, 1)
		one, two, _ := strings.Cut(string(tmpl.text), "-")
		if one != two || seen[one] {
			t.Fatalf("%s and %s in one request, after %d others", one, two, len(seen))
		}
		seen[one] = true
	}
}
