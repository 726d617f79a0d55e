package receipt_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/receipt"
)

// act answers a request with an answer, and counts how often it was committed.
func act(t *testing.T, w *platformtest.World, receipts *receipt.Receipts, q receipt.Request, answer string, committed *atomic.Int32) string {
	t.Helper()
	got, _, err := receipt.Once(t.Context(), receipts, q, func() (string, error) {
		tx := w.DB.Tx()
		tx.IssueToken(platformdb.OneTimeToken{TokenHash: answer, Purpose: "thing", ValidUntil: w.Now(), TTL: w.Now().Add(time.Hour)})
		if err := receipts.Add(tx, q, answer); err != nil {
			return "", err
		}
		if err := tx.Commit(t.Context()); err != nil {
			return "", err
		}
		committed.Add(1)
		return answer, nil
	})
	if err != nil {
		t.Error(err)
	}
	return got
}

func TestARequestSentOftenActsOnce(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{Action: "create", By: "ada", Key: "k"}
	var committed atomic.Int32
	var answers [12]string
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i] = act(t, w, receipts, q, fmt.Sprint("thing ", i), &committed) })
	}
	group.Wait()
	for _, answer := range append(answers[:], act(t, w, receipts, q, "late", &committed)) {
		if answer != answers[0] || answer == "" {
			t.Errorf("the answers are %q", answers)
		}
	}
	if committed.Load() != 1 {
		t.Errorf("it acted %d times", committed.Load())
	}
}

func TestOtherRequestsActForThemselves(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	var committed atomic.Int32
	for i, q := range []receipt.Request{
		{Action: "create", By: "ada", Key: "k"}, {Action: "create", By: "ada", Key: "l"}, {Action: "create", By: "bob", Key: "k"},
		{Action: "create", By: "ada"}, {Action: "create", By: "ada"}, // these have no key
	} {
		if want := fmt.Sprint("thing ", i); act(t, w, receipts, q, want, &committed) != want {
			t.Errorf("%+v got the answer of another request", q)
		}
	}
}

func TestAnotherRequestWithTheKeyIsRefused(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	var committed atomic.Int32
	act(t, w, receipts, receipt.Request{By: "ada", Key: "k", Action: "bid", Content: "5"}, "thing", &committed)
	for _, other := range []receipt.Request{
		{By: "ada", Key: "k", Action: "bid", Content: "6"}, {By: "ada", Key: "k", Action: "bid"}, {By: "ada", Key: "k", Action: "reserve", Content: "5"},
	} {
		_, _, err := receipt.Once(t.Context(), receipts, other, func() (string, error) { t.Error("it acts"); return "", nil })
		if !errors.Is(err, receipt.ErrKeyReused) {
			t.Errorf("%+v: %v, want %v", other, err, receipt.ErrKeyReused)
		}
	}
}

// A price is an answer with a type of its own.
type price struct {
	Amount int
	At     *time.Time
}

func TestARepeatedRequestIsReportedWithItsTypedAnswer(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{By: "ada", Key: "k", Action: "bid"}
	bid := func() (price, bool, error) {
		return receipt.Once(t.Context(), receipts, q, func() (price, error) {
			answer := price{500, new(w.Now())}
			tx := w.DB.Tx()
			return answer, errors.Join(receipts.Add(tx, q, answer), tx.Commit(t.Context()))
		})
	}
	first, repeated, err := bid()
	if err != nil || repeated {
		t.Fatalf("the first request: repeated %v, %v", repeated, err)
	}
	w.Clock.Advance(time.Minute)
	again, repeated, err := bid()
	if err != nil || !repeated || again.Amount != 500 || !again.At.Equal(*first.At) {
		t.Errorf("the second request: %+v, repeated %v, %v, want %+v", again, repeated, err, first)
	}
}

func TestAReceiptExpiresByTheClockBeforeItIsDeleted(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{Action: "create", By: "ada", Key: "k"}
	var committed atomic.Int32
	act(t, w, receipts, q, "thing", &committed)
	w.Clock.Advance(receipt.Keep - time.Second)
	if got := act(t, w, receipts, q, "thing of the last second", &committed); got != "thing" {
		t.Errorf("a second before the receipt expires the answer is %q", got)
	}
	w.Clock.Advance(time.Second)
	q.Content = "another" // an expired receipt does not refuse it
	if got := act(t, w, receipts, q, "another thing", &committed); got != "another thing" || committed.Load() != 2 {
		t.Errorf("after a day the answer is %q, and %d requests acted", got, committed.Load())
	}
	if got := act(t, w, receipts, q, "third", &committed); got != "another thing" {
		t.Errorf("a request that is repeated after that is answered %q", got)
	}
}

func TestTakenTellsThatTheRequestWasAnsweredBefore(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{By: "jobs", Key: "remind"}
	commit := func() error {
		tx := w.DB.Tx()
		return errors.Join(receipts.Add(tx, q, true), tx.Commit(t.Context()))
	}
	if err := commit(); err != nil || receipt.Taken(err) {
		t.Fatal(err)
	}
	if err := commit(); !receipt.Taken(err) {
		t.Errorf("the second transaction: %v", err)
	}
}

func TestAFailedRequestCanBeSentAgain(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{Action: "create", By: "ada", Key: "k"}
	full := errors.New("full")
	if _, _, err := receipt.Once(t.Context(), receipts, q, func() (string, error) { return "", full }); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	var committed atomic.Int32
	if act(t, w, receipts, q, "thing", &committed) != "thing" || committed.Load() != 1 {
		t.Error("it was not done")
	}
}

func TestAReceiptSaysNothingToAReaderOfTheDatabase(t *testing.T) {
	w := platformtest.Open(t)
	var committed atomic.Int32
	act(t, w, receipt.New(w.Platform), receipt.Request{Action: "create", By: "ada-lovelace", Key: "key-of-form"}, "answer-of-form", &committed)
	for row, err := range w.DB.ScanOneTimeToken().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if row.Purpose == "thing" {
			continue
		}
		item, err := row.Item(w.DB)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range item {
			for _, secret := range []string{"ada-lovelace", "key-of-form", "answer-of-form"} {
				if strings.Contains(fmt.Sprintf("%s", value), secret) {
					t.Errorf("%s holds %s", name, secret)
				}
			}
		}
	}
}
