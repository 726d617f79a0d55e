package operators

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// Audit returns the audit events of a day, newest first.
func (s *Service) Audit(ctx context.Context, day access.Date, limit int, cursor string) ([]askahumandb.AuditEvent, string, error) {
	if !day.Valid() {
		return nil, "", refusal.OfField(refusal.Field{Name: "day", Constraint: "format"}, "A day is written as 2026-02-02.")
	}
	page, err := s.env.DB.ListAudit(day).PageSize(askahuman.PageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", askahuman.BadCursor(err)
	}
	return page.Items, page.Next, nil
}

// RecordAuditEvent records an operator's action that changes no data, such as signing in or
// running a loop. Changes of data record their audit events themselves.
func (s *Service) RecordAuditEvent(ctx context.Context, operator, action, target string) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.env.DB.Tx()
		s.env.RecordAudit(tx, operator, action, target)
		return false, tx.Commit(ctx)
	})
	if err != nil {
		return fmt.Errorf("note that %s did %q: %w", operator, action, err)
	}
	return nil
}
