package askahuman

import (
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// RecordAudit adds an audit event to a transaction, so that the change and its event are committed
// together.
func (e *Env) RecordAudit(tx *askahumandb.Tx, operator, action, target string) {
	now := e.Now().Truncate(time.Millisecond)
	tx.RecordAudit(askahumandb.AuditEvent{
		AuditID: access.NewULID(now), Day: access.DateOf(now), At: now,
		Operator: operator, Action: action, Target: target,
		TTL: now.Add(KeepAudit),
	})
}
