package askahuman

import (
	"context"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// audit adds an audit event to a transaction, so that the change and its event are committed
// together.
func (s *Service) audit(tx *askahumandb.Tx, operator, action, target string) {
	now := s.Now().Truncate(time.Millisecond)
	tx.RecordAudit(askahumandb.AuditEvent{
		AuditID: access.NewULID(now), Day: access.DateOf(now), At: now,
		Operator: operator, Action: action, Target: target,
		TTL: now.Add(KeepAudit),
	})
}

// Audit returns the audit events of a day, newest first.
func (s *Service) Audit(ctx context.Context, day access.Date, limit int, cursor string) ([]askahumandb.AuditEvent, string, error) {
	if !day.Valid() {
		return nil, "", refusal.OfField(refusal.Field{Name: "day", Constraint: "format"}, "A day is written as 2026-02-02.")
	}
	page, err := s.db.ListAudit(day).PageSize(pageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", badCursor(err)
	}
	return page.Items, page.Next, nil
}
