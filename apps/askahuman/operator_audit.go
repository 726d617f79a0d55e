package askahuman

import (
	"context"
	"fmt"

	"sortkey.dev/access"
)

// RecordAuditEvent records an operator's action that changes no data, such as signing in or
// running a loop. Changes of data record their audit events themselves.
func (s *Service) RecordAuditEvent(ctx context.Context, operator, action, target string) error {
	err := access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.db.Tx()
		s.audit(tx, operator, action, target)
		return false, tx.Commit(ctx)
	})
	if err != nil {
		return fmt.Errorf("note that %s did %q: %w", operator, action, err)
	}
	return nil
}
