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
	got, err := receipts.Once(t.Context(), q, func() (string, error) {
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
		{Action: "copy", By: "ada", Key: "k"}, {Action: "create", By: "ada"}, {Action: "create", By: "ada"}, // the last two have no key
	} {
		if want := fmt.Sprint("thing ", i); act(t, w, receipts, q, want, &committed) != want {
			t.Errorf("%+v got the answer of another request", q)
		}
	}
}

func TestAFailedRequestCanBeSentAgain(t *testing.T) {
	w := platformtest.Open(t)
	receipts := receipt.New(w.Platform)
	q := receipt.Request{Action: "create", By: "ada", Key: "k"}
	full := errors.New("full")
	if _, err := receipts.Once(t.Context(), q, func() (string, error) { return "", full }); !errors.Is(err, full) {
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
