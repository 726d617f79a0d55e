package operators

import (
	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// The stored values that this room returns.
type (
	Report   = askahumandb.QuestionReport
	Delivery = askahumandb.WebhookDelivery
	Job      = askahumandb.Job
	JobKind  = askahumandb.JobKind
)

// Decisions about a report.
const (
	ReportUpheld    = askahumandb.QuestionReportStateUpheld
	ReportDismissed = askahumandb.QuestionReportStateDismissed
)

// Kinds of background jobs.
const (
	JobDispatch = askahumandb.JobKindDispatch
	JobCatchUp  = askahumandb.JobKindCatchUp
	JobWebhook  = askahumandb.JobKindWebhook
	JobErase    = askahumandb.JobKindErase
)

// Patterns returns the access patterns of the design with their estimated cost.
func Patterns() []*access.Pattern { return askahumandb.Patterns }
