// Package audit records who did what to which thing, and lists the records by day, by thing and by
// actor.
// An event is written in the transaction of the change that it describes, so that neither exists
// without the other.
//
// It does not decide what is worth a record, and does not log: the systems' domains, package jobs
// and package accounts call it, and operators' pages read it.
package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/refusal"
)

const (
	// defaultKeep is the retention of events unless Options say otherwise.
	defaultKeep = 730 * 24 * time.Hour
	// maxPage is the maximum length of a page, and its length if the caller asks for none.
	maxPage = 100
	// maxText is the maximum length of a text of an event, in characters. Longer texts are cut: a
	// record must not be the reason that a change fails.
	maxText = 200
	// maxDetail is the maximum length of all details of an event, in bytes.
	maxDetail = 2 << 10
)

// An Event is an action of a person or a program.
type Event struct {
	ID     string    // set by Record
	At     time.Time // set by Record
	Actor  string    // the operator's name, or the part of the system that acted
	Action string    // a verb and a noun: ban agent
	Target string    // the id of the changed thing; "" if there is none
	// About is the thing whose history the event belongs to, such as the project of a changed
	// task; the target if it is "".
	About string
	// Detail holds what else is worth knowing, such as the reason that was given.
	Detail map[string]string
}

// Options configures a Trail. The zero value works.
type Options struct {
	// Keep is the time after which events are deleted; two years by default.
	Keep time.Duration
}

// A Trail is the audit trail of one system. It is safe for concurrent use.
type Trail struct {
	p    *platform.Platform
	keep time.Duration
}

// New returns the audit trail of a platform.
func New(p *platform.Platform, options Options) *Trail {
	if options.Keep <= 0 {
		options.Keep = defaultKeep
	}
	return &Trail{p: p, keep: options.Keep}
}

// Keep returns the time after which events are deleted.
func (t *Trail) Keep() time.Duration { return t.keep }

// Record adds an event to a transaction of any generated package. It is committed together with
// the change.
func (t *Trail) Record(tx access.Tx, event Event) {
	t.p.DB.Join(tx).RecordAudit(platformdb.RecordAuditParams{AuditEvent: t.stored(event)})
}

// RecordAlone records an action that changes no data, such as signing in.
func (t *Trail) RecordAlone(ctx context.Context, event Event) error {
	if _, err := t.p.DB.RecordAuditAlone(ctx, t.stored(event)); err != nil {
		return fmt.Errorf("record that %s did %q: %w", event.Actor, event.Action, err)
	}
	return nil
}

// Day returns the events of a day of UTC, newest first. The cursor is "" for the first page, and
// Next of the previous page for the others. A limit of 0 means as many as fit on a page.
func (t *Trail) Day(ctx context.Context, day access.Date, limit int, cursor string) (access.Page[Event], error) {
	if !day.Valid() {
		return access.Page[Event]{}, refusal.OfField(refusal.Field{Name: "day", Constraint: "format"}, "A day is written as 2026-02-17.")
	}
	return t.page(ctx, t.p.DB.ListAudit(day), limit, cursor)
}

// About returns the history of a thing, newest first, in pages as Day does.
func (t *Trail) About(ctx context.Context, thing string, limit int, cursor string) (access.Page[Event], error) {
	if thing == "" {
		return access.Page[Event]{}, nil
	}
	return t.page(ctx, t.p.DB.ListAuditAbout(cut(thing)), limit, cursor)
}

// By returns what an actor did, newest first, in pages as Day does.
func (t *Trail) By(ctx context.Context, actor string, limit int, cursor string) (access.Page[Event], error) {
	if actor == "" {
		return access.Page[Event]{}, nil
	}
	return t.page(ctx, t.p.DB.ListAuditBy(cut(actor)), limit, cursor)
}

func (t *Trail) page(ctx context.Context, list access.List[platformdb.AuditEvent], limit int, cursor string) (access.Page[Event], error) {
	if limit <= 0 || limit > maxPage {
		limit = maxPage
	}
	page, err := list.PageSize(limit).Page(ctx, cursor)
	switch {
	case errors.Is(err, access.ErrBadCursor):
		return access.Page[Event]{}, refusal.BadCursor()
	case err != nil:
		return access.Page[Event]{}, fmt.Errorf("list audit events: %w", err)
	}
	result := access.Page[Event]{Next: page.Next}
	for _, stored := range page.Items {
		if stored.TTL.After(t.p.Now()) {
			result.Items = append(result.Items, eventOf(stored))
		}
	}
	return result, nil
}

// stored returns an event as it is stored.
func (t *Trail) stored(event Event) platformdb.AuditEvent {
	now := t.p.Now()
	stored := platformdb.AuditEvent{
		AuditID: access.NewULID(now), Day: access.DateOf(now), At: now,
		Actor: cut(event.Actor), Action: cut(event.Action), Target: cut(event.Target),
		TTL: now.Add(t.keep),
	}
	if about := cmp.Or(event.About, event.Target); about != "" {
		stored.About = new(cut(about))
	}
	if len(event.Detail) > 0 {
		stored.Detail = encodeDetail(event.Detail)
	}
	return stored
}

func eventOf(stored platformdb.AuditEvent) Event {
	event := Event{
		ID: stored.AuditID, At: stored.At, Actor: stored.Actor, Action: stored.Action, Target: stored.Target,
		Detail: decodeDetail(stored.Detail),
	}
	if stored.About != nil {
		event.About = *stored.About
	}
	return event
}

// encodeDetail encodes details, in the order of their names, as far as they fit.
func encodeDetail(detail map[string]string) json.RawMessage {
	kept, left := make(map[string]string, len(detail)), maxDetail
	for _, name := range slices.Sorted(maps.Keys(detail)) {
		kept[first(name, maxText)] = first(detail[name], left)
		if left -= len(name) + len(detail[name]); left <= 0 {
			break
		}
	}
	encoded, err := json.Marshal(kept)
	if err != nil { // a map of texts has no value that cannot be encoded
		panic(fmt.Sprintf("audit: encode details: %v", err))
	}
	return encoded
}

// decodeDetail returns stored details; nil if there are none, or if they have another form.
func decodeDetail(encoded json.RawMessage) map[string]string {
	var detail map[string]string
	if len(encoded) == 0 || json.Unmarshal(encoded, &detail) != nil {
		return nil
	}
	return detail
}

func cut(text string) string { return first(text, maxText) }

// first returns the first n characters of a text, which is valid UTF-8 then.
func first(text string, n int) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) <= n {
		return text
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), n)])
}
