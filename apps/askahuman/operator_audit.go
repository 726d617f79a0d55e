package askahuman

import (
	"context"
	"fmt"
)

// RecordAuditEvent writes into the audit trail what an operator did beside the data: signing in,
// running a loop. What changes data is written down together with the change.
func (s *Service) RecordAuditEvent(ctx context.Context, operator, action, target string) error {
	err := s.untilSettled(ctx, func() (bool, error) {
		tx := s.db.Tx()
		s.audit(tx, operator, action, target)
		return false, tx.Commit(ctx)
	})
	if err != nil {
		return fmt.Errorf("note that %s did %q: %w", operator, action, err)
	}
	return nil
}
