package webhook_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/webhook"
)

var paid = webhook.Event{ID: "evt_1", Type: "order.paid", At: platformtest.Start, Data: json.RawMessage(`{"order":"o-7"}`)}

func TestAnEventReachesEveryEndpointThatChoseIt(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development, UserAgent: "shop"})
	all, some, other, disabled, foreign := receive(t, status(204)), receive(t, status(200)), receive(t, status(200)), receive(t, status(200)), receive(t, status(200))
	_, allSecret := f.add("ann", all.URL)
	_, someSecret := f.add("ann", some.URL, "order.paid", "order.sent", "order.paid")
	f.add("ann", other.URL, "order.sent")
	off, _ := f.add("ann", disabled.URL)
	if err := f.hooks.Disable(t.Context(), "ann", off.ID, "Off for now."); err != nil {
		t.Fatal(err)
	}
	f.add("bob", foreign.URL)
	f.publish("ann", paid)
	f.step()
	for name, to := range map[string]struct {
		r      *receiver
		secret string
	}{"all events": {all, allSecret}, "this event": {some, someSecret}} {
		got := to.r.messages()
		if len(got) != 1 {
			t.Fatalf("the endpoint of %s got %d messages", name, len(got))
		}
		id, err := webhook.Verify(got[0].header, got[0].body, f.Now(), to.secret)
		if err != nil || id != "evt_1" || got[0].header.Get("User-Agent") != "shop" {
			t.Errorf("the endpoint of %s got %q from %q (%v)", name, id, got[0].header.Get("User-Agent"), err)
		}
		if want := `{"type":"order.paid","timestamp":"2037-02-02T12:00:00Z","data":{"order":"o-7"}}`; string(got[0].body) != want {
			t.Errorf("the body is %s, want %s", got[0].body, want)
		}
	}
	for name, r := range map[string]*receiver{"another event": other, "a disabled endpoint": disabled, "another owner": foreign} {
		if n := len(r.messages()); n > 0 {
			t.Errorf("the endpoint of %s got %d messages", name, n)
		}
	}
	if waiting, dead := f.waiting(); waiting+dead > 0 {
		t.Errorf("%d jobs wait and %d are dead", waiting, dead)
	}
}

func TestAnEventOfAFailedTransactionIsNotDelivered(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(200))
	f.add("ann", r.URL)
	tx := f.DB.Tx()
	tx.UseToken(platformdb.OneTimeTokenKey{TokenHash: "none"}, platformdb.UseTokenParams{Purpose: "p", Now: f.Now()})
	if err := f.hooks.Publish(tx, "ann", paid); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err == nil {
		t.Fatal("the transaction succeeds")
	}
	f.step()
	if n := len(r.messages()); n > 0 {
		t.Errorf("%d messages", n)
	}
}

func TestAnswersDecideWhatHappensNext(t *testing.T) {
	for _, test := range []struct {
		status     int
		retryAfter string
		next       time.Duration // until the next attempt; 0 for none
		disabled   bool
	}{
		{status: 200},
		{status: 299},
		{status: 410, disabled: true},
		{status: 300, next: 5 * time.Second},
		{status: 302, next: 5 * time.Second}, // redirects are not followed
		{status: 400, next: 5 * time.Second},
		{status: 404, next: 5 * time.Second},
		{status: 500, next: 5 * time.Second},
		{status: 500, retryAfter: "60", next: 5 * time.Second},
		{status: 429, next: 5 * time.Second},
		{status: 429, retryAfter: "60", next: time.Minute},
		{status: 429, retryAfter: "1", next: 5 * time.Second}, // not sooner than the schedule
		{status: 429, retryAfter: "-9", next: 5 * time.Second},
		{status: 503, retryAfter: "Mon, 02 Feb 2037 12:10:00 GMT", next: 10 * time.Minute},
		{status: 503, retryAfter: "Mon, 02 Feb 2037 11:10:00 GMT", next: 5 * time.Second},
		{status: 503, retryAfter: "soon", next: 5 * time.Second},
		{status: 503, retryAfter: "999999", next: time.Hour},
	} {
		t.Run(fmt.Sprintf("%d %s", test.status, test.retryAfter), func(t *testing.T) {
			f := open(t, webhook.Options{HTTP: development})
			r := receive(t, func(w http.ResponseWriter, _ *http.Request) {
				if test.retryAfter != "" {
					w.Header().Set("Retry-After", test.retryAfter)
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
			})
			f.add("ann", r.URL)
			f.publish("ann", paid)
			f.step()
			if e := f.endpoint("ann"); e.Enabled == test.disabled || test.disabled && !strings.Contains(e.Reason, "410") {
				t.Errorf("the endpoint is %+v", e)
			}
			if waiting, dead := f.waiting(); dead > 0 || (waiting > 0) != (test.next > 0) {
				t.Errorf("%d jobs wait and %d are dead", waiting, dead)
			}
			if test.next == 0 {
				return
			}
			f.Clock.Advance(test.next - time.Millisecond)
			f.step()
			if n := len(r.messages()); n != 1 {
				t.Errorf("%d attempts before %s", n, test.next)
			}
			f.Clock.Advance(time.Millisecond)
			f.step()
			if n := len(r.messages()); n != 2 {
				t.Errorf("%d attempts after %s", n, test.next)
			}
		})
	}
}

func TestAFailingMessageIsTriedWithTheSameIDAndGivenUp(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	r := receive(t, status(500))
	e, secret := f.add("ann", r.URL+"/hook?token=private")
	f.publish("ann", paid)
	for range webhook.Policy.Tries + 2 {
		f.step()
		f.Clock.Advance(7 * time.Hour)
	}
	got := r.messages()
	if len(got) != webhook.Policy.Tries {
		t.Fatalf("%d attempts, want %d", len(got), webhook.Policy.Tries)
	}
	for i, m := range got {
		at := platformtest.Start.Add(time.Duration(i) * 7 * time.Hour)
		if id, err := webhook.Verify(m.header, m.body, at, secret); err != nil || id != "evt_1" || string(m.body) != string(got[0].body) {
			t.Errorf("attempt %d has the id %q (%v) and the body %s", i+1, id, err, m.body)
		}
	}
	if waiting, dead := f.waiting(); waiting != 0 || dead != 1 {
		t.Errorf("%d jobs wait and %d are dead", waiting, dead)
	}
	deliveries := f.deliveries(e.ID)
	if len(deliveries) != webhook.Policy.Tries {
		t.Fatalf("the owner sees %d attempts", len(deliveries))
	}
	for i, d := range deliveries { // the newest first
		if d.Try != len(deliveries)-i || d.Status != 500 || d.MessageID != "evt_1" || !strings.Contains(d.Error, "500 Internal Server Error") || d.URL != r.URL+"/hook" {
			t.Errorf("attempt %d is shown as %+v", len(deliveries)-i, d)
		}
	}
}

func TestAnAcceptedMessageIsNotSentAgain(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	code := 503
	r := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	e, _ := f.add("ann", r.URL)
	f.publish("ann", paid)
	f.step()
	code = 200
	f.Clock.Advance(time.Hour)
	f.step()
	// The event is published again, as by a worker that repeats its job after a crash.
	f.publish("ann", paid)
	f.step()
	if n := len(r.messages()); n != 2 {
		t.Errorf("%d attempts, want 2", n)
	}
	if d := f.deliveries(e.ID); len(d) != 2 || d[0].Status != 200 || d[0].Error != "" || d[0].Try != 2 || d[1].Status != 503 {
		t.Errorf("the deliveries are %+v", d)
	}
	if waiting, dead := f.waiting(); waiting+dead > 0 {
		t.Errorf("%d jobs wait and %d are dead", waiting, dead)
	}
}

func TestDeliverServesCallbacksWithoutEndpoints(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	code := 410
	r := receive(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	m := webhook.Message{ID: "m1", URL: r.URL, Secrets: []string{vectorSecret}, Body: []byte("{}")}
	for range 2 { // the receiver said once that it wants no more
		if err := f.hooks.Deliver(t.Context(), "question 1", m, 1); !errors.Is(err, webhook.ErrGone) {
			t.Errorf("%v, want %v", err, webhook.ErrGone)
		}
	}
	code, m.ID = 200, "m2"
	for range 2 {
		if err := f.hooks.Deliver(t.Context(), "question 1", m, 1); err != nil {
			t.Error(err)
		}
	}
	if n := len(r.messages()); n != 2 {
		t.Errorf("%d requests, want one for each message", n)
	}
	if d := f.deliveries("question 1"); len(d) != 2 || d[0].MessageID != "m2" || d[1].Error == "" {
		t.Errorf("the deliveries are %+v", d)
	}
}

func TestAPrivateAddressIsNeverReachedAndNotRetried(t *testing.T) {
	f := open(t, webhook.Options{})
	r := receive(t, status(200))
	// An endpoint whose name began to point to a private address after it was added.
	now := f.Now()
	_, err := f.DB.AddEndpoint(t.Context(), platformdb.Endpoint{
		EndpointID: access.NewULID(now), Owner: "ann", URL: strings.Replace(r.URL, "127.0.0.1", "localhost", 1), Secret: webhook.NewSecret(),
		Standing: platformdb.EndpointStandingActive, CreatedAt: now, UpdatedAt: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.publish("ann", paid)
	f.step()
	if waiting, dead := f.waiting(); waiting != 0 || dead != 1 || len(r.messages()) > 0 {
		t.Errorf("%d jobs wait, %d are dead, %d messages arrived", waiting, dead, len(r.messages()))
	}
	if d := f.deliveries(f.endpoint("ann").ID); len(d) != 1 || d[0].Status != 0 || !strings.Contains(d[0].Error, "not public") {
		t.Errorf("the deliveries are %+v", d)
	}
}

// TestRecordedErrorsAreCleanText sends a status line that would control a terminal.
func TestRecordedErrorsAreCleanText(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		if _, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
			fmt.Fprintf(connection, "HTTP/1.1 500 Bad\x1b[31m \u202e%s\r\nContent-Length: 0\r\n\r\n", strings.Repeat("long ", 200))
		}
	}()
	e, _ := f.add("ann", "http://"+listener.Addr().String())
	f.publish("ann", paid)
	f.step()
	d := f.deliveries(e.ID)
	if len(d) != 1 || d[0].Status != 500 || !strings.Contains(d[0].Error, "Bad[31m") {
		t.Fatalf("the deliveries are %+v", d)
	}
	if n := len([]rune(d[0].Error)); n != 500 || strings.ContainsFunc(d[0].Error, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("an error of %d characters: %q", n, d[0].Error)
	}
}

// TestRecordedErrorsTellNothingOfTheNetwork fails in ways whose errors contain addresses of this network: the
// private address of a name, and the own end of a connection.
func TestRecordedErrorsTellNothingOfTheNetwork(t *testing.T) {
	r := receive(t, func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = connection.(*net.TCPConn).SetLinger(0) // the receiver resets the connection
		_ = connection.Close()
	})
	address := strings.Replace(r.URL, "127.0.0.1", "localhost", 1)
	for want, options := range map[string]publichttp.Options{"not public": {}, "connection reset": development} {
		f := open(t, webhook.Options{HTTP: options})
		if err := f.hooks.Deliver(t.Context(), "order", webhook.Message{ID: "m", URL: address, Secrets: []string{webhook.NewSecret()}, Body: []byte("{}")}, 1); err == nil {
			t.Error("no error")
		}
		d := f.deliveries("order")
		if len(d) != 1 || !strings.Contains(d[0].Error, want) || strings.Contains(d[0].Error, "127.0.0.1") || strings.Contains(d[0].Error, "::1") {
			t.Errorf("the deliveries are %+v", d)
		}
	}
}

func TestEventsAreChecked(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	data := func(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", n-2) + `"`) }
	for name, test := range map[string]struct {
		change func(*webhook.Event)
		ok     bool
	}{
		"as it is":        {func(*webhook.Event) {}, true},
		"no data":         {func(e *webhook.Event) { e.Data = nil }, true},
		"much data":       {func(e *webhook.Event) { e.Data = data(webhook.MaxData) }, true},
		"too much data":   {func(e *webhook.Event) { e.Data = data(webhook.MaxData + 1) }, false},
		"data not JSON":   {func(e *webhook.Event) { e.Data = json.RawMessage("{") }, false},
		"no id":           {func(e *webhook.Event) { e.ID = "" }, false},
		"no type":         {func(e *webhook.Event) { e.Type = "" }, false},
		"no type of ours": {func(e *webhook.Event) { e.Type = "Order Paid" }, false},
	} {
		e := paid
		test.change(&e)
		if err := f.hooks.Publish(f.DB.Tx(), "ann", e); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAStoppingWorkerFinishesItsAttempt(t *testing.T) {
	f := open(t, webhook.Options{HTTP: development})
	ctx, stop := context.WithCancel(t.Context())
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stop() }))
	defer receiver.Close()
	_, secret := f.add("o", receiver.URL)
	m := webhook.Message{ID: "evt_1", URL: receiver.URL, Secrets: []string{secret}, Body: []byte("{}")}
	if err := f.hooks.Deliver(ctx, "question 1", m, 1); err != nil {
		t.Error(err)
	}
	if all := f.deliveries("question 1"); len(all) != 1 || all[0].Status != http.StatusOK {
		t.Errorf("the attempts are %+v", all)
	}
}
