package operators

import (
	"context"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/audit"
)

// Audit returns the audit events of a day, newest first, and the cursor of the next page.
func (s *Service) Audit(ctx context.Context, day access.Date, limit int, cursor string) ([]audit.Event, string, error) {
	page, err := s.env.Audit.Day(ctx, day, limit, cursor)
	return page.Items, page.Next, err
}

// RecordAuditEvent records an operator's action that changes no data, such as signing in or
// running a loop. Changes of data record their audit events themselves.
func (s *Service) RecordAuditEvent(ctx context.Context, operator, action, target string) error {
	return s.env.Audit.RecordAlone(ctx, audit.Event{Actor: operator, Action: action, Target: target})
}
