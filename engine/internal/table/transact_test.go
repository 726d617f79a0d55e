package table

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// slowDisk is a store whose updates, once held, are visible but do not return
// until they are released.
type slowDisk struct {
	kv.Store
	held    atomic.Pointer[chan struct{}] // nil: updates return at once
	waiting chan struct{}                 // gets one for each update that waits
}

func (s *slowDisk) Update(ctx context.Context, latches [][]byte, fn func(kv.Txn) error) error {
	err := s.Store.Update(ctx, latches, fn)
	if held := s.held.Load(); held != nil {
		s.waiting <- struct{}{}
		<-*held
	}
	return err
}

// fixture is a table "tab" with the partition key "pk" on a slow disk, and a clock.
type fixture struct {
	*testing.T
	disk   *slowDisk
	tables *Tables
	now    time.Time
}

func newFixture(t *testing.T) *fixture {
	w := &fixture{T: t, disk: &slowDisk{Store: memkv.Open(), waiting: make(chan struct{})}, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	c, err := catalog.Open(t.Context(), w.disk, catalog.Options{Now: func() time.Time { return w.now }, Rand: rand.Reader, Region: "us-east-1", Account: "123456789012"})
	if err != nil {
		t.Fatal(err)
	}
	pk := dynamo.KeyAttribute{Name: "pk", Kind: dynamo.KindString}
	_, err = c.CreateTable(t.Context(), dynamo.TableDefinition{
		Name: "tab", BillingMode: dynamo.BillingOnDemand,
		Attributes: []dynamo.KeyAttribute{pk}, Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{pk}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.tables = New(w.disk, c)
	return w
}

// item returns an item with the attributes given as name, value, name, value.
func item(attributes ...string) dynamo.RawItem {
	var e dynamo.Encoder
	e.OpenItem()
	for i := 0; i < len(attributes); i += 2 {
		e.Name(attributes[i])
		e.String(attributes[i+1])
	}
	it, err := e.CloseItem()
	return dynamo.RawItem{Item: it, Fault: err}
}

func put(pk, value string) dynamo.TransactWriteItem {
	return dynamo.TransactWriteItem{Put: &dynamo.TransactAction{TableName: new("tab"), Subject: item("pk", pk, "v", value)}}
}

// transact runs a transaction and returns the codes of its reasons, or of its error.
func (w *fixture) transact(token string, actions ...dynamo.TransactWriteItem) (string, *dynamo.TransactWriteItemsOutput) {
	in := &dynamo.TransactWriteItemsInput{TransactItems: actions, ReturnConsumedCapacity: "TOTAL"}
	if token != "" {
		in.ClientRequestToken = &token
	}
	req, err := request.CheckTransactWriteItems(in)
	if err != nil {
		w.Fatal(err)
	}
	out, err := w.tables.TransactWriteItems(context.Background(), req)
	return codes(err), out
}

// hold starts a transaction that does not end before release is called.
func (w *fixture) hold(token string, actions ...dynamo.TransactWriteItem) (release func()) {
	held := make(chan struct{})
	w.disk.held.Store(&held)
	ended := make(chan string)
	go func() {
		got, _ := w.transact(token, actions...)
		ended <- got
	}()
	<-w.disk.waiting
	w.disk.held.Store(nil)
	return func() {
		close(held)
		if got := <-ended; got != "" {
			w.Errorf("the transaction that was held ended with %s", got)
		}
	}
}

func codes(err error) string {
	e, ok := errors.AsType[*dynamo.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	case e.Reasons == nil:
		return string(e.Code)
	}
	var all []string
	for _, r := range e.Reasons {
		all = append(all, r.Code)
	}
	return fmt.Sprint(all)
}

func (w *fixture) put(pk, value string) string {
	req, err := request.Current.CheckPutItem(&dynamo.PutItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("tab")}, Item: item("pk", pk, "v", value)})
	if err != nil {
		w.Fatal(err)
	}
	_, err = w.tables.PutItem(context.Background(), req)
	return codes(err)
}

// value returns the attribute v of an item, empty when there is none.
func (w *fixture) value(pk string) string {
	req, err := request.Current.CheckGetItem(&dynamo.GetItemInput{TableName: new("tab"), Key: item("pk", pk)})
	if err != nil {
		w.Fatal(err)
	}
	out, err := w.tables.GetItem(context.Background(), req)
	if err != nil {
		w.Fatal(err)
	}
	if out.Item == nil {
		return ""
	}
	return string(out.Item.Get("v").Bytes())
}

func (w *fixture) transactGet(pks ...string) string {
	in := &dynamo.TransactGetItemsInput{}
	for _, pk := range pks {
		in.TransactItems = append(in.TransactItems, dynamo.TransactGetItem{Get: &dynamo.TransactGet{TableName: new("tab"), Key: item("pk", pk)}})
	}
	req, err := request.CheckTransactGetItems(in)
	if err != nil {
		w.Fatal(err)
	}
	_, err = w.tables.TransactGetItems(context.Background(), req)
	return codes(err)
}

func TestConflictsWhileATransactionIsUnderWay(t *testing.T) {
	w := newFixture(t)
	release := w.hold("", put("a", "1"), put("b", "1"))
	got := map[string]string{"put of its item": w.put("a", "2"), "put of another item": w.put("c", "2"), "read of its items": w.transactGet("c", "b")}
	got["transaction with its item"], _ = w.transact("", put("d", "3"), put("b", "3"))
	got["transaction with other items"], _ = w.transact("", put("e", "3"))
	want := map[string]string{
		"put of its item":              "TransactionConflictException",
		"put of another item":          "",
		"read of its items":            "[None TransactionConflict]",
		"transaction with its item":    "[None TransactionConflict]",
		"transaction with other items": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("while a transaction is under way (-want +got):\n%s", diff)
	}
	release()
	if got := w.put("a", "4"); got != "" {
		t.Errorf("put after the transaction: %s", got)
	}
	if a, b, d := w.value("a"), w.value("b"), w.value("d"); a != "4" || b != "1" || d != "" {
		t.Errorf("a, b, d are %q, %q, %q afterwards", a, b, d)
	}
}

// TestBatchesWaitForTransactions writes an item in a batch while a transaction is using it.
func TestBatchesWaitForTransactions(t *testing.T) {
	w := newFixture(t)
	release := w.hold("", put("a", "1"))
	defer release()
	a := item("pk", "a", "v", "batch")
	req, err := request.CheckBatchWriteItem(&dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{{TableName: "tab", Requests: []dynamo.WriteRequest{{Put: &a}}}}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.tables.BatchWriteItem(t.Context(), req)
	if err != nil || len(out.UnprocessedItems) > 0 || w.value("a") != "batch" {
		t.Errorf("%v, %v; the value is %s", out, err, w.value("a"))
	}
}

func TestATokenIsInProgressUntilItsTransactionEnds(t *testing.T) {
	w := newFixture(t)
	release := w.hold("token", put("a", "1"))
	if got, _ := w.transact("token", put("a", "1")); got != "TransactionInProgressException" {
		t.Errorf("the same token meanwhile: %s", got)
	}
	release()
	if got, _ := w.transact("token", put("a", "1")); got != "" {
		t.Errorf("the same token afterwards: %s", got)
	}
}

func TestTokensLastTenMinutes(t *testing.T) {
	w := newFixture(t)
	run := func(value string) (string, bool) {
		t.Helper()
		got, out := w.transact("token", put("a", value))
		return got, out != nil && !out.ConsumedCapacity[0].Write
	}
	if got, replay := run("1"); got != "" || replay {
		t.Fatalf("first: %s, replay %v", got, replay)
	}
	w.put("a", "other")
	w.now = w.now.Add(10*time.Minute - time.Millisecond)
	if got, replay := run("1"); got != "" || !replay || w.value("a") != "other" {
		t.Errorf("just before ten minutes: %s, replay %v, value %s", got, replay, w.value("a"))
	}
	if got, _ := run("2"); got != "IdempotentParameterMismatchException" {
		t.Errorf("with another payload: %s", got)
	}
	w.now = w.now.Add(time.Millisecond)
	if got, replay := run("2"); got != "" || replay || w.value("a") != "2" {
		t.Errorf("after ten minutes: %s, replay %v, value %s", got, replay, w.value("a"))
	}
}

func TestTokensAreRemoved(t *testing.T) {
	w := newFixture(t)
	count := func() int {
		if err := w.tables.ForgetTokens(t.Context()); err != nil {
			t.Fatal(err)
		}
		lo, hi := rowformat.TokenSpan(1<<32 - 1)
		keys, err := w.tables.keys(t.Context(), lo, hi, 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(keys)
	}
	for i := range 3 {
		w.transact(fmt.Sprint("token", i), put("a", "1"))
	}
	w.now = w.now.Add(tokenLife)
	if n := count(); n != 3 {
		t.Errorf("%d tokens after %s, want all 3: one could still be valid", n, tokenLife)
	}
	w.now = w.now.Add(tokenLife)
	if n := count(); n != 0 {
		t.Errorf("%d tokens after %s, want none", n, 2*tokenLife)
	}
}

// TestACancelledTransactionLeavesNoToken repeats a cancelled transaction.
func TestACancelledTransactionLeavesNoToken(t *testing.T) {
	w := newFixture(t)
	guarded := put("a", "1")
	guarded.Put.ConditionExpression = new("attribute_exists(pk)")
	if got, _ := w.transact("token", guarded); got != "[ConditionalCheckFailed]" {
		t.Fatalf("without the item: %s", got)
	}
	w.put("a", "0")
	if got, _ := w.transact("token", guarded); got != "" || w.value("a") != "1" {
		t.Errorf("with the item: %s, value %s", got, w.value("a"))
	}
}
