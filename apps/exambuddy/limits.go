package exambuddy

import "time"

// Limits of texts, in characters.
const (
	MinTitle       = 3
	MaxTitle       = 120
	MaxDescription = 1000
	MaxGroupName   = 80
	MaxNote        = 500
)

// Limits of exams and sessions.
const (
	MaxQuestions        = 1000 // of a project
	MaxSessionQuestions = 150
	MaxGroups           = 40 // of a candidate
	MaxEditors          = 20
	MaxUploads          = 100 // of files to import, by an admin in 24 hours
	MaxImages           = 500 // by an admin in 24 hours
	DefaultPassMark     = 70  // per cent
	LeastFactor         = 100
	MostFactor          = 400
)

// Times.
const (
	// Grace is added to every limit, for the way of an answer to the server.
	Grace = 2 * time.Second
	// SessionTTL is the longest time of a session without another end.
	SessionTTL = 24 * time.Hour
	// StartWithin is the time in which a start writes what it has read. DeleteAfter is the time after
	// which an archived project can be deleted, because no start is under way.
	StartWithin = time.Minute
	DeleteAfter = 10 * time.Minute
	// RevealAfter is the time after the end of an exam at which every start is written, and its
	// session is found. Answers are not shown before.
	RevealAfter = 2 * StartWithin

	KeepAudit    = 365 * 24 * time.Hour
	KeepSession  = 8 * 24 * time.Hour
	KeepDocument = 90 * 24 * time.Hour
	KeepDraft    = 30 * 24 * time.Hour
	KeepRegrade  = 2 * 365 * 24 * time.Hour
	KeepTotals   = 5 * 365 * 24 * time.Hour
)

// Sizes of pages.
const (
	PageSize    = 20
	MaxPage     = 100
	HistoryPage = 50
)

// FlagBelow is the share of right answers, in per cent, below which a question is flagged.
const FlagBelow = 40

// Within returns a page size within its bounds; standard if none is asked for.
func Within(limit, standard int) int {
	if limit <= 0 {
		return standard
	}
	return min(limit, MaxPage)
}
