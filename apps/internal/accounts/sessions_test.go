package accounts_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/platform/platformtest"
)

const day = 24 * time.Hour

func (w *world) resolve(t *testing.T, id string, want error) accounts.Signed {
	t.Helper()
	signed, err := w.Sessions.Resolve(t.Context(), id)
	if !errors.Is(err, want) {
		t.Fatalf("resolve: %v, want %v", err, want)
	}
	return signed
}

func TestASessionEndsWhenItIsIdle(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	id := w.session(t, account)
	w.Clock.Advance(14*day - time.Millisecond)
	if signed := w.resolve(t, id, nil); signed.Account.AccountID != account.AccountID || signed.Session.Device != "a browser" || signed.Session.Program {
		t.Errorf("got %+v", signed)
	}
	w.Clock.Advance(14*day - time.Millisecond)
	w.resolve(t, id, nil) // it was used meanwhile
	w.Clock.Advance(14 * day)
	w.resolve(t, id, accounts.ErrSignedOut)
}

func TestASessionEndsAtTheLatest(t *testing.T) {
	w := open(t)
	id := w.session(t, w.ada(t))
	for range 8 {
		w.Clock.Advance(10 * day)
		w.resolve(t, id, nil)
	}
	w.Clock.Set(platformtest.Start.Add(90*day - time.Millisecond))
	w.resolve(t, id, nil)
	w.Clock.Advance(time.Millisecond)
	w.resolve(t, id, accounts.ErrSignedOut)
}

func TestUseIsRecordedEveryFiveMinutes(t *testing.T) {
	meter := &access.Meter{}
	w := &world{World: platformtest.Open(t, access.WithObserver(meter))}
	w.outbox, w.trail = mailOutbox(w), trailOf(w)
	w.Accounts = w.on(t)
	id := w.session(t, w.ada(t))
	touches := func() int64 {
		for _, report := range meter.Report() {
			if report.Pattern == "TouchSession" {
				return report.Calls
			}
		}
		return 0
	}
	w.Clock.Advance(5*time.Minute - time.Millisecond)
	if w.resolve(t, id, nil); touches() != 0 {
		t.Error("it is recorded too often")
	}
	w.Clock.Advance(time.Millisecond)
	if signed := w.resolve(t, id, nil); touches() != 1 || !signed.Session.SeenAt.Equal(w.Now()) {
		t.Errorf("after five minutes: %+v, %d times", signed.Session, touches())
	}
	if w.resolve(t, id, nil); touches() != 1 {
		t.Error("it is recorded twice")
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	first := w.session(t, account)
	w.Clock.Advance(time.Minute)
	second := w.session(t, account)
	w.Clock.Advance(time.Minute)
	if _, err := w.Tokens.Issue(t.Context(), account, strings.Repeat("å", 500)); err != nil {
		t.Fatal(err)
	}
	list, err := w.Sessions.List(t.Context(), account)
	if err != nil || len(list) != 3 || !list[0].Program || list[1].Program || len(list[0].Device) != 200 {
		t.Fatalf("got %+v (%v)", list, err)
	}
	if list[1].Handle != w.resolve(t, second, nil).Session.Handle {
		t.Error("the newest is not first")
	}
	w.resolve(t, list[1].Handle, accounts.ErrSignedOut) // the handle is not the cookie
	other, err := w.SignUps.SignUp(t.Context(), accounts.NewAccount{Name: "Bo", Address: "bo@example.org", Password: password}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Sessions.EndOne(t.Context(), other, list[1].Handle); err != nil {
		t.Fatal(err)
	}
	w.resolve(t, second, nil) // another account cannot end it
	if err := w.Sessions.EndOne(t.Context(), account, list[1].Handle); err != nil {
		t.Fatal(err)
	}
	w.resolve(t, second, accounts.ErrSignedOut)
	w.resolve(t, first, nil)
	for range 2 {
		if err := w.Sessions.End(t.Context(), first); err != nil {
			t.Fatal(err)
		}
	}
	w.resolve(t, first, accounts.ErrSignedOut)
	for _, wrong := range []string{"", "x", "a#b", strings.Repeat("x", 3000)} {
		w.resolve(t, wrong, accounts.ErrSignedOut)
	}
}

func TestEndAll(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	first := w.session(t, account)
	pair, err := w.Tokens.Issue(t.Context(), account, "a program")
	if err != nil {
		t.Fatal(err)
	}
	now, err := w.Sessions.EndAll(t.Context(), account.AccountID)
	if err != nil {
		t.Fatal(err)
	}
	w.resolve(t, first, accounts.ErrSignedOut)
	_, err = w.Tokens.Verify(t.Context(), pair.Access)
	w.expect(t, "a program", err, accounts.ErrSignedOut)
	w.resolve(t, w.session(t, account), accounts.ErrSignedOut) // by a sign-in that had begun before
	w.resolve(t, w.session(t, now), nil)
	if list, err := w.Sessions.List(t.Context(), now); err != nil || len(list) != 1 {
		t.Errorf("the list has %+v (%v)", list, err)
	}
}

func TestTheSessionIsStoredAsAHash(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	id := w.session(t, account)
	pair, err := w.Tokens.Issue(t.Context(), account, "a program")
	if err != nil {
		t.Fatal(err)
	}
	programID, next, _ := strings.Cut(pair.Refresh, ".")
	for row, err := range w.DB.ScanSession().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		text := row.SessionHash
		if row.RefreshHash != nil {
			text += *row.RefreshHash
		}
		for _, value := range []string{id, programID, next} {
			if strings.Contains(text, value) {
				t.Errorf("stored: %s", text)
			}
		}
	}
	w.resolve(t, programID, accounts.ErrSignedOut) // a program's session is no cookie
}

func TestTokens(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	pair, err := w.Tokens.Issue(t.Context(), account, "a program")
	if err != nil || !pair.Expires.Equal(w.Now().Add(time.Hour)) {
		t.Fatalf("got %+v (%v)", pair, err)
	}
	w.Clock.Advance(time.Hour - time.Second)
	if signed, err := w.Tokens.Verify(t.Context(), pair.Access); err != nil || signed.Account.AccountID != account.AccountID || !signed.Session.Program {
		t.Errorf("got %+v (%v)", signed, err)
	}
	w.Clock.Advance(time.Second)
	_, err = w.Tokens.Verify(t.Context(), pair.Access)
	w.expect(t, "after an hour", err, accounts.ErrSignedOut)
	next, err := w.Tokens.Refresh(t.Context(), pair.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tokens.Verify(t.Context(), next.Access); err != nil || next.Refresh == pair.Refresh {
		t.Errorf("the next pair: %v", err)
	}
	for _, wrong := range []string{"", ".", pair.Refresh, next.Access + "x", "a.b.c"} {
		_, err := w.Tokens.Verify(t.Context(), wrong)
		w.expect(t, "verify "+wrong, err, accounts.ErrSignedOut)
	}
	for _, wrong := range []string{"", ".", "a", "a.", ".b", "a.b", next.Access} {
		_, err := w.Tokens.Refresh(t.Context(), wrong)
		w.expect(t, "refresh "+wrong, err, accounts.ErrSignedOut)
	}
	if _, err := w.Tokens.Verify(t.Context(), next.Access); err != nil {
		t.Errorf("after wrong tokens: %v", err)
	}
}

func TestARefreshTokenUsedTwiceEndsTheSession(t *testing.T) {
	w := open(t)
	pair, err := w.Tokens.Issue(t.Context(), w.ada(t), "a program")
	if err != nil {
		t.Fatal(err)
	}
	next, err := w.Tokens.Refresh(t.Context(), pair.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Tokens.Refresh(t.Context(), pair.Refresh)
	w.expect(t, "again", err, accounts.ErrTokenReused)
	_, err = w.Tokens.Refresh(t.Context(), next.Refresh)
	w.expect(t, "the next", err, accounts.ErrSignedOut)
	_, err = w.Tokens.Verify(t.Context(), next.Access)
	w.expect(t, "its access token", err, accounts.ErrSignedOut)
}

func TestParallelUsesOfARefreshToken(t *testing.T) {
	w := open(t)
	pair, err := w.Tokens.Issue(t.Context(), w.ada(t), "a program")
	if err != nil {
		t.Fatal(err)
	}
	var won, reused, ended atomic.Int32
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			_, err := w.Tokens.Refresh(t.Context(), pair.Refresh)
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, accounts.ErrTokenReused):
				reused.Add(1)
			case errors.Is(err, accounts.ErrSignedOut):
				ended.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 || reused.Load() == 0 || reused.Load()+ended.Load() != 9 {
		t.Errorf("%d succeeded, %d were reuse, %d came after the end", won.Load(), reused.Load(), ended.Load())
	}
	for range w.DB.ScanSession().All(t.Context()) {
		t.Error("the session is still there")
	}
}

func TestTheLifetimeOfRefreshTokens(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	issue := func() accounts.Pair {
		pair, err := w.Tokens.Issue(t.Context(), account, "a program")
		if err != nil {
			t.Fatal(err)
		}
		return pair
	}
	first, second := issue(), issue()
	w.Clock.Advance(30*day - time.Millisecond)
	pair, err := w.Tokens.Refresh(t.Context(), first.Refresh)
	if err != nil {
		t.Fatalf("just before 30 days: %v", err)
	}
	w.Clock.Advance(time.Millisecond)
	_, err = w.Tokens.Refresh(t.Context(), second.Refresh)
	w.expect(t, "after 30 days", err, accounts.ErrSignedOut)
	for w.Now().Before(platformtest.Start.Add(355 * day)) {
		if pair, err = w.Tokens.Refresh(t.Context(), pair.Refresh); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(20 * day)
	}
	w.Clock.Set(platformtest.Start.Add(365*day - time.Millisecond))
	if pair, err = w.Tokens.Refresh(t.Context(), pair.Refresh); err != nil {
		t.Fatalf("just before a year: %v", err)
	}
	w.Clock.Advance(time.Millisecond)
	_, err = w.Tokens.Refresh(t.Context(), pair.Refresh)
	w.expect(t, "after a year", err, accounts.ErrSignedOut)
}

func TestProgramsSignOut(t *testing.T) {
	w := open(t)
	account := w.ada(t)
	for _, by := range []func(accounts.Pair) string{func(p accounts.Pair) string { return p.Access }, func(p accounts.Pair) string { return p.Refresh }} {
		pair, err := w.Tokens.Issue(t.Context(), account, "a program")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Tokens.End(t.Context(), by(pair)); err != nil {
			t.Fatal(err)
		}
		_, err = w.Tokens.Verify(t.Context(), pair.Access)
		w.expect(t, "afterwards", err, accounts.ErrSignedOut)
	}
	if err := w.Tokens.End(t.Context(), ""); err != nil {
		t.Error(err)
	}
}
