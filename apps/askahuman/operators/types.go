package operators

import "sortkey.dev/apps/askahuman/askahumandb"

// Report is a stored report.
type Report = askahumandb.QuestionReport

// Decisions about a report.
const (
	ReportUpheld    = askahumandb.QuestionReportStateUpheld
	ReportDismissed = askahumandb.QuestionReportStateDismissed
)
