package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// Options holds the optional arguments of NewOutbox.
type Options struct {
	// Sender sends the mail. Nil keeps it for the page that shows the outbox.
	Sender Sender
	// Queue adds a background job to the transaction that records a mail. The job's worker calls
	// Deliver with the key. Nil sends while the caller waits.
	Queue func(tx access.Tx, key string) error
	// Keep is the time after which a mail is deleted; 30 days if 0.
	Keep time.Duration
}

// An Outbox records every mail and sends it. It is safe for use by many goroutines.
type Outbox struct {
	p       *platform.Platform
	options Options
}

// NewOutbox returns the outbox of a platform.
func NewOutbox(p *platform.Platform, options Options) *Outbox {
	if options.Keep == 0 {
		options.Keep = 30 * 24 * time.Hour
	}
	return &Outbox{p: p, options: options}
}

// Sends reports whether mail is sent, and not only kept.
func (o *Outbox) Sends() bool { return o.options.Sender != nil }

// Post records a mail, and queues it, sends it or keeps it.
func (o *Outbox) Post(ctx context.Context, m Message) error {
	if o.Sends() && o.options.Queue == nil {
		return o.sendNow(ctx, m)
	}
	tx := o.p.DB.Tx()
	if err := o.Add(tx, m); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("record a mail: %w", err)
	}
	return nil
}

// Add records a mail as a part of a transaction, which queues it or keeps it. It needs a Queue if
// there is a Sender.
func (o *Outbox) Add(tx access.Tx, m Message) error {
	row, err := o.row(m)
	if err != nil {
		return err
	}
	if o.Sends() {
		if o.options.Queue == nil {
			return errors.New("mail: an outbox without a queue cannot send as a part of a transaction")
		}
		if err := o.options.Queue(tx, keyText(row.Key())); err != nil {
			return fmt.Errorf("queue a mail: %w", err)
		}
	}
	o.p.DB.Join(tx).RecordMail(row)
	return nil
}

func (o *Outbox) sendNow(ctx context.Context, m Message) error {
	row, err := o.row(m)
	if err != nil {
		return err
	}
	if _, err := o.p.DB.RecordMail(ctx, row); err != nil {
		return fmt.Errorf("record a mail: %w", err)
	}
	return o.Deliver(ctx, keyText(row.Key()))
}

func (o *Outbox) row(m Message) (platformdb.Mail, error) {
	at := o.p.Now()
	m.ID = access.NewULID(at)
	if err := m.check(); err != nil {
		return platformdb.Mail{}, err
	}
	row := platformdb.Mail{
		Day: access.DateOf(at), MailID: m.ID, To: m.To, Subject: m.Subject, Text: &m.Text,
		State: platformdb.MailStateKept, At: at, TTL: at.Add(o.options.Keep),
	}
	if m.HTML != "" {
		row.HTML = &m.HTML
	}
	if o.Sends() {
		row.State = platformdb.MailStateQueued
	}
	return row, nil
}

// Deliver sends a queued mail. It does nothing if the mail was sent before or has been deleted. A
// mail that was sent by a worker that was lost before it could record that is sent again, with the
// same Message-ID. Permanent tells the errors after which trying again is of no use.
func (o *Outbox) Deliver(ctx context.Context, key string) error {
	if !o.Sends() {
		return errors.New("mail: there is no mail server to send a queued mail with")
	}
	day, id, _ := strings.Cut(key, "/")
	row, err := o.p.DB.GetMail(ctx, access.Date(day), id)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read a mail: %w", err)
	case row.State != platformdb.MailStateQueued || row.Text == nil:
		return nil
	}
	m := Message{ID: row.MailID, To: row.To, Subject: row.Subject, Text: *row.Text}
	if row.HTML != nil {
		m.HTML = *row.HTML
	}
	if err := o.options.Sender.Send(ctx, m); err != nil {
		return err
	}
	if _, err := o.p.DB.FinishMail(ctx, row.Key()); err != nil && !access.Refused(err) {
		return fmt.Errorf("record that a mail was sent: %w", err)
	}
	return nil
}

func keyText(key platformdb.MailKey) string { return string(key.Day) + "/" + key.MailID }

// List returns a page of the mail of a day, newest first.
func (o *Outbox) List(ctx context.Context, day access.Date, cursor string) (access.Page[platformdb.Mail], error) {
	return o.p.DB.ListMail(day).Page(ctx, cursor)
}

// Recent returns up to n mails of the last days, newest first.
func (o *Outbox) Recent(ctx context.Context, days, n int) ([]platformdb.Mail, error) {
	var recent []platformdb.Mail
	for day := range days {
		if len(recent) >= n {
			break
		}
		found, err := o.p.DB.ListMail(access.DateOf(o.p.Now().AddDate(0, 0, -day))).Limit(n - len(recent)).Slice(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the mail: %w", err)
		}
		recent = append(recent, found...)
	}
	return recent, nil
}
