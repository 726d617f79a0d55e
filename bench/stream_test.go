package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// fakeStream serves a table's stream with several shards. The first has ended,
// the others are open and end with an empty page.
type fakeStream struct {
	shards  [][]string // the records of each, as JSON
	page    int        // records of an answer at most
	answers int        // to GetRecords
}

func (f *fakeStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		ShardId, ShardIterator, ExclusiveStartShardId string
	}
	if err := json.Unmarshal([]byte(readAll(r)), &in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch target := r.Header.Get("X-Amz-Target"); target {
	case "DynamoDB_20120810.DescribeTable":
		fmt.Fprint(w, `{"Table":{"LatestStreamArn":"arn:stream"}}`)
	case "DynamoDBStreams_20120810.DescribeStream":
		// One shard a page.
		var next int
		if in.ExclusiveStartShardId != "" {
			fmt.Sscan(in.ExclusiveStartShardId, &next)
			next++
		}
		last := ""
		if next < len(f.shards)-1 {
			last = fmt.Sprintf(`,"LastEvaluatedShardId":"%d"`, next)
		}
		fmt.Fprintf(w, `{"StreamDescription":{"Shards":[{"ShardId":"%d"}]%s}}`, next, last)
	case "DynamoDBStreams_20120810.GetShardIterator":
		fmt.Fprintf(w, `{"ShardIterator":"%s 0"}`, in.ShardId)
	case "DynamoDBStreams_20120810.GetRecords":
		f.answers++
		var shard, at int
		fmt.Sscan(in.ShardIterator, &shard, &at)
		end := min(at+f.page, len(f.shards[shard]))
		next := fmt.Sprintf(`,"NextShardIterator":"%d %d"`, shard, end)
		if shard == 0 && end == len(f.shards[0]) {
			next = ""
		}
		fmt.Fprintf(w, `{"Records":[%s]%s}`, strings.Join(f.shards[shard][at:end], ","), next)
	default:
		http.Error(w, "unexpected "+target, http.StatusBadRequest)
	}
}

// insertions are records of new items.
func insertions(first, last int) (records []string) {
	for n := first; n < last; n++ {
		item := new(template).addItem(streamItems, 0)
		item.fill(newRandom(1), n, last)
		records = append(records, `{"eventID":"e","dynamodb":{"NewImage":`+string(item.text)+`}}`)
	}
	return records
}

func newFakeStream() *fakeStream {
	return &fakeStream{shards: [][]string{insertions(0, 50), insertions(50, 50), insertions(50, 200)}, page: 40}
}

// TestConsumerReadsTheStreamAgainAndAgain counts what three passes need: 2 pages
// of the first shard, an empty one of the second, 4 and an empty one of the third.
func TestConsumerReadsTheStreamAgainAndAgain(t *testing.T) {
	f := newFakeStream()
	c, err := newStreamCaller(&handlerPoster{handler: f}, streamWorkloads[0], testRun, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var pages []int
	for records := 0; records < 3*testRun.items; records += c.units() {
		if err := c.do(true); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, c.units())
	}
	pass := []int{40, 10, 40, 40, 40, 30}
	if want := slices.Concat(pass, pass, pass); !slices.Equal(pages, want) {
		t.Errorf("pages of %v records, want %v", pages, want)
	}
	if f.answers != 2*8+7 { // the last pass has not asked for its empty page
		t.Errorf("%d requests", f.answers)
	}
}

func TestConsumerMissesRecords(t *testing.T) {
	f := newFakeStream()
	f.shards[2] = f.shards[2][1:]
	c, err := newStreamCaller(&handlerPoster{handler: f}, streamWorkloads[0], testRun, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for range 7 {
		if err = c.do(false); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "read 199 records, the stream has 200") {
		t.Errorf("got %v", err)
	}
}

func TestVerifyConsumeWantsEveryItemOnce(t *testing.T) {
	w := streamWorkloads[0]
	if err := w.verify(&handlerPoster{handler: newFakeStream()}, testRun); err != nil {
		t.Errorf("the right stream: %v", err)
	}
	for name, spoil := range map[string]func(*fakeStream){
		"missing": func(f *fakeStream) { f.shards[0] = f.shards[0][1:] },
		"twice":   func(f *fakeStream) { f.shards[1] = f.shards[0][:1] },
		"short":   func(f *fakeStream) { f.shards[2][7] = strings.Replace(f.shards[2][7], `"body"`, `"text"`, 1) },
	} {
		f := newFakeStream()
		spoil(f)
		if err := w.verify(&handlerPoster{handler: f}, testRun); err == nil {
			t.Errorf("%s: a wrong stream was accepted", name)
		}
	}
}

func TestNextIterator(t *testing.T) {
	for answer, want := range map[string]string{
		`{"Records":[]}`: "",
		`{"NextShardIterator":null,"Records":[]}`:          "",
		`{"Records":[], "NextShardIterator": "a\u003d/+"}`: "a=/+",
	} {
		if got, err := nextIterator([]byte(answer)); err != nil || got != want {
			t.Errorf("%s: got %q %v", answer, got, err)
		}
	}
	if _, err := nextIterator([]byte(`{"NextShardIterator":}`)); err == nil {
		t.Error("no value was accepted")
	}
}

// TestVerifyWantsTheStreamRecord hides what is in the stream.
func TestVerifyWantsTheStreamRecord(t *testing.T) {
	w := workloadByID("put-fsync-2gsi-stream")
	db := loadedEngine(t)
	p := &handlerPoster{handler: db}
	stream, err := openStreamCheck(p, w.dataset, testRun)
	if err != nil {
		t.Fatal(err)
	}
	body := w.requestBody(testRun.prefix)
	body.fill(newRandom(1), 7, testRun.items)
	before, err := w.dataset.read(p, testRun, w.dataset.keyOf(7))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call(p, "PutItem", body.text); err != nil {
		t.Fatal(err)
	}
	found := func(before storedItem, request string) bool {
		here := streamCheck{p: p, iterators: slices.Clone(stream.iterators)}
		ok, err := here.look(before, request)
		if err != nil {
			t.Error(err)
		}
		return ok
	}
	if !found(before, string(body.text)) {
		t.Error("the record was not found")
	}
	other := before
	other.Body.S = strings.ToUpper(other.Body.S)
	if found(other, string(body.text)) || found(before, "another request") {
		t.Error("a record of other items was accepted")
	}
}

// TestStreamsClientReads reads a stream with the typed client.
func TestStreamsClientReads(t *testing.T) {
	w := streamWorkloads[0]
	own := &engines{synced: loadedEngine(t), run: testRun}
	c, err := streamsDoor{own}.caller(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	for records := 0; records < 3*testRun.items; records += c.(bulkCaller).units() {
		if err := c.do(true); err != nil {
			t.Fatal(err)
		}
	}
}
