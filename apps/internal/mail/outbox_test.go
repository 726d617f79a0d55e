package mail_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
)

var letter = mail.Message{To: "ada@example.org", Subject: "Hello", Text: "A link.", HTML: "<p>A link.</p>"}

func recent(t *testing.T, o *mail.Outbox, days, n int) []platformdb.Mail {
	t.Helper()
	rows, err := o.Recent(t.Context(), days, n)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestWithoutAServerMailIsKept(t *testing.T) {
	w := platformtest.Open(t)
	o := mail.NewOutbox(w.Platform, mail.Options{})
	if o.Sends() {
		t.Error("it says that it sends")
	}
	for day := range 3 {
		m := letter
		m.Subject += strings.Repeat("!", day)
		if err := o.Post(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(24 * time.Hour)
	}
	rows := recent(t, o, 3, 10) // today has none
	if len(rows) != 2 || rows[0].Subject != "Hello!!" || rows[1].Subject != "Hello!" {
		t.Fatalf("got %+v", rows)
	}
	if rows := recent(t, o, 30, 2); len(rows) != 2 || rows[1].Subject != "Hello!" {
		t.Errorf("the two newest are %+v", rows)
	}
	if first := rows[0]; first.State != platformdb.MailStateKept || first.To != letter.To || *first.Text != letter.Text || *first.HTML != letter.HTML {
		t.Errorf("got %+v", first)
	}
	if page, err := o.List(t.Context(), access.DateOf(platformtest.Start), ""); err != nil || len(page.Items) != 1 {
		t.Errorf("the first day has %+v (%v)", page, err)
	}
	if err := o.Post(t.Context(), mail.Message{To: "ada"}); !mail.Permanent(err) {
		t.Errorf("a mail without a recipient: %v", err)
	}
}

func TestMailIsSentAndRecorded(t *testing.T) {
	w, s := platformtest.Open(t), serve(t, &server{implicit: true})
	o := mail.NewOutbox(w.Platform, mail.Options{Sender: sender(t, s, "smtps://127.0.0.1:PORT"+from)})
	if err := o.Post(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	rows := recent(t, o, 1, 10)
	if len(rows) != 1 || rows[0].State != platformdb.MailStateSent || rows[0].Text != nil || rows[0].HTML != nil || rows[0].To != letter.To {
		t.Errorf("recorded: %+v", rows)
	}
	got := s.received()
	if len(got) != 1 || !strings.Contains(got[0].data, "<"+rows[0].MailID+"@mail.test>") {
		t.Errorf("sent: %+v", got)
	}
	tx := w.DB.Tx()
	if err := o.Add(tx, letter); err == nil {
		t.Error("a transaction takes mail that is never sent")
	}
}

func TestQueuedMailIsDeliveredOnce(t *testing.T) {
	w, s := platformtest.Open(t), serve(t, &server{implicit: true})
	var queue []string
	o := mail.NewOutbox(w.Platform, mail.Options{
		Sender: sender(t, s, "smtps://127.0.0.1:PORT"+from),
		Queue:  func(_ access.Tx, key string) error { queue = append(queue, key); return nil },
	})
	if err := o.Post(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	if rows := recent(t, o, 1, 10); len(rows) != 1 || rows[0].State != platformdb.MailStateQueued || len(queue) != 1 {
		t.Fatalf("queued: %+v %v", rows, queue)
	}
	w.Clock.Advance(24 * time.Hour)
	for range 2 { // a job may run twice
		if err := o.Deliver(t.Context(), queue[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.received(); len(got) != 1 {
		t.Errorf("sent %d times", len(got))
	}
	if err := o.Deliver(t.Context(), "2037-02-02/01KGXXXXXXXXXXXXXXXXXXXXXX"); err != nil {
		t.Errorf("a mail that was deleted: %v", err)
	}
}

func TestAMailThatFailsStaysQueued(t *testing.T) {
	w := platformtest.Open(t)
	away := errors.New("away")
	post := &switched{err: away}
	o := mail.NewOutbox(w.Platform, mail.Options{Sender: post})
	if err := o.Post(t.Context(), letter); !errors.Is(err, away) {
		t.Fatalf("got %v", err)
	}
	rows := recent(t, o, 1, 10)
	if len(rows) != 1 || rows[0].State != platformdb.MailStateQueued || *rows[0].Text != letter.Text {
		t.Fatalf("got %+v", rows)
	}
	post.err = nil
	if err := o.Deliver(t.Context(), string(rows[0].Day)+"/"+rows[0].MailID); err != nil {
		t.Fatal(err)
	}
	if len(post.ids) != 2 || post.ids[0] != post.ids[1] || post.ids[0] != rows[0].MailID {
		t.Errorf("the attempts have the ids %v", post.ids)
	}
}

// A switched sender fails until err is nil.
type switched struct {
	err error
	ids []string
}

func (s *switched) Send(_ context.Context, m mail.Message) error {
	s.ids = append(s.ids, m.ID)
	return s.err
}
