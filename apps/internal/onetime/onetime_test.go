package onetime_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps/internal/onetime"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
)

type detail struct {
	Address string `json:"address"`
}

func open(t *testing.T) (*platformtest.World, *onetime.Tokens) {
	t.Helper()
	w := platformtest.Open(t)
	return w, onetime.New(w.Platform)
}

func issue(t *testing.T, tokens *onetime.Tokens) string {
	t.Helper()
	token, err := tokens.Issue(t.Context(), "reset", "ada", detail{"ada@example.org"}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`).MatchString(token) {
		t.Fatalf("token %q", token)
	}
	return token
}

func TestATokenWorksOnce(t *testing.T) {
	_, tokens := open(t)
	token := issue(t, tokens)
	for range 2 { // looking does not use it
		if _, err := tokens.Look(t.Context(), "reset", token); err != nil {
			t.Fatal(err)
		}
	}
	used, err := tokens.UseAlone(t.Context(), "reset", token)
	if err != nil {
		t.Fatal(err)
	}
	var data detail
	if err := used.Into(&data); err != nil || data.Address != "ada@example.org" || used.Subject != "ada" || used.Purpose != "reset" {
		t.Errorf("got %+v with %+v (%v)", used, data, err)
	}
	if _, err := tokens.UseAlone(t.Context(), "reset", token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("second use: %v", err)
	}
	if _, err := tokens.Look(t.Context(), "reset", token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("a used token is found: %v", err)
	}
}

func TestATokenExpires(t *testing.T) {
	w, tokens := open(t)
	token := issue(t, tokens)
	w.Clock.Advance(time.Hour - time.Millisecond)
	if found, err := tokens.Look(t.Context(), "reset", token); err != nil || !found.ValidUntil.Equal(platformtest.Start.Add(time.Hour)) {
		t.Errorf("just before its end: %+v (%v)", found, err)
	}
	w.Clock.Advance(time.Millisecond)
	if _, err := tokens.Look(t.Context(), "reset", token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("at its end it is found: %v", err)
	}
	tx := w.DB.Tx()
	tokens.Use(tx, "reset", token)
	if err := tx.Commit(t.Context()); !onetime.Refused(err) {
		t.Errorf("at its end it is used: %v", err)
	}
}

func TestATokenIsForItsPurpose(t *testing.T) {
	w, tokens := open(t)
	token := issue(t, tokens)
	if _, err := tokens.UseAlone(t.Context(), "verify", token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("for another purpose: %v", err)
	}
	tx := w.DB.Tx()
	tokens.Use(tx, "verify", token)
	if err := tx.Commit(t.Context()); !onetime.Refused(err) {
		t.Errorf("for another purpose, in a transaction: %v", err)
	}
	for _, wrong := range []string{"", token + "A", token[1:], strings.Repeat("x", 22), "#", token + "\n"} {
		if _, err := tokens.UseAlone(t.Context(), "reset", wrong); !errors.Is(err, onetime.ErrUsed) {
			t.Errorf("token %q: %v", wrong, err)
		}
	}
	if _, err := tokens.UseAlone(t.Context(), "reset", token); err != nil {
		t.Errorf("for its purpose, afterwards: %v", err)
	}
}

func TestATokenNeedsPurposeAndLifetime(t *testing.T) {
	_, tokens := open(t)
	if _, err := tokens.Issue(t.Context(), "", "ada", nil, time.Hour); err == nil {
		t.Error("issued without a purpose")
	}
	if _, err := tokens.Issue(t.Context(), "reset", "ada", nil, 0); err == nil {
		t.Error("issued without a lifetime")
	}
	token, err := tokens.Issue(t.Context(), "reset", "ada", nil, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := tokens.Look(t.Context(), "reset", token); err != nil || found.Data != nil {
		t.Errorf("without data: %+v (%v)", found, err)
	}
}

func TestTheTokenIsNotStored(t *testing.T) {
	w, tokens := open(t)
	token := issue(t, tokens)
	rows := 0
	for row, err := range w.DB.ScanOneTimeToken().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		rows++
		item, err := row.Item(w.DB)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range item {
			if text := printed(value); strings.Contains(text, token) || strings.Contains(text, "example.org") {
				t.Errorf("%s holds the token or its data: %s", name, text)
			}
		}
	}
	if rows != 1 {
		t.Errorf("%d rows", rows)
	}
}

func TestOfManyUsesOneSucceeds(t *testing.T) {
	w, tokens := open(t)
	token := issue(t, tokens)
	var wins, refused atomic.Int32
	var group sync.WaitGroup
	for i := range 24 {
		group.Go(func() {
			var err error
			if i%2 == 0 {
				_, err = tokens.UseAlone(t.Context(), "reset", token)
			} else { // with another write
				tx := w.DB.Tx()
				tokens.Use(tx, "reset", token)
				tx.PutHeartbeat(platformdb.Heartbeat{Name: "proof", At: w.Now()})
				err = tx.Commit(t.Context())
			}
			switch {
			case err == nil:
				wins.Add(1)
			case errors.Is(err, onetime.ErrUsed), onetime.Refused(err):
				refused.Add(1)
			default:
				t.Errorf("use: %v", err)
			}
		})
	}
	group.Wait()
	if wins.Load() != 1 || refused.Load() != 23 {
		t.Errorf("%d uses succeeded, %d were refused", wins.Load(), refused.Load())
	}
}

func TestATokenOfATransaction(t *testing.T) {
	w, tokens := open(t)
	tx := w.DB.Tx()
	token, err := tokens.IssueIn(tx, "verify", "ada", nil, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Look(t.Context(), "verify", token); !errors.Is(err, onetime.ErrUsed) {
		t.Errorf("before the transaction: %v", err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.UseAlone(t.Context(), "verify", token); err != nil {
		t.Error(err)
	}
}
