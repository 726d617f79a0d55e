package results

import "sortkey.dev/apps/exambuddy/exambuddydb"

// The types of results for doors, which do not import the database.
type (
	Attempt     = exambuddydb.Attempt
	Mode        = exambuddydb.AttemptMode
	Difficulty  = exambuddydb.AttemptDifficulty
	Certificate = exambuddydb.Certificate
	Regrade     = exambuddydb.Regrade
	Totals      = exambuddydb.ProjectStat
	DayTotals   = exambuddydb.DayStat
	MonthTotals = exambuddydb.MonthStat
)

// The modes of an attempt.
const (
	ModeTest = exambuddydb.AttemptModeTest
	ModeExam = exambuddydb.AttemptModeExam
)
