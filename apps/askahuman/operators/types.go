package operators

import (
	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Report is a stored report.
type Report = askahumandb.QuestionReport

// Decisions about a report.
const (
	ReportUpheld    = askahumandb.QuestionReportStateUpheld
	ReportDismissed = askahumandb.QuestionReportStateDismissed
)

// Patterns returns the access patterns of the design with their estimated cost.
func Patterns() []*access.Pattern { return askahumandb.Patterns }
