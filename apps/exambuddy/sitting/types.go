package sitting

import "sortkey.dev/apps/exambuddy/exambuddydb"

// The types of sessions for doors, which do not import the database.
type (
	Session    = exambuddydb.ExamSession
	ActiveExam = exambuddydb.ActiveExam // a session that can be resumed
	ActiveMode = exambuddydb.ActiveExamMode
)

// Started is the status of a session that runs.
const Started = string(exambuddydb.ExamSessionStatusStarted)
