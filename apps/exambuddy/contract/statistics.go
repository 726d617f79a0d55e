package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of statistics and regrades.
var (
	GetStats       = operation.Get[None, List[Totals]]("/v1/results/stats", "The totals of own exams")
	GetDays        = operation.Get[DaysOf, List[Totals]]("/v1/admin/projects/{id}/days", "The totals of an exam by day")
	AnalyseItems   = operation.Get[operation.ByID, List[ItemReport]]("/v1/admin/projects/{id}/items", "The item analysis of an exam")
	PreviewRegrade = operation.Post[operation.ByIDWith[NewRegrade], Outcome]("/v1/admin/projects/{id}/regrades/preview", "What a regrade would change")
	StartRegrade   = operation.Post[operation.ByIDKeyed[NewRegrade], Regrade]("/v1/admin/projects/{id}/regrades", "Regrade a question in all attempts").Accepted()
	ListRegrades   = operation.Get[operation.ByID, List[Regrade]]("/v1/admin/projects/{id}/regrades", "The newest regrades of an exam")
)

// DaysOf holds the arguments of GetDays.
type DaysOf struct {
	ID   string `path:"id"`
	From string `query:"from" required:"true"`
	To   string `query:"to" required:"true"`
}

// Totals holds the totals of an exam.
type Totals struct {
	ProjectID        string   `json:"projectId"`
	Day              string   `json:"day,omitempty"`
	Attempts         int64    `json:"attempts"`
	Practices        int64    `json:"practices"`
	Passed           int64    `json:"passed"`
	Abandoned        int64    `json:"abandoned"`
	MeanScorePercent *float64 `json:"meanScorePercent,omitempty"`
	MeanSeconds      *float64 `json:"meanSeconds,omitempty"`
	CompletionRate   *float64 `json:"completionRate,omitempty"` // of the sessions that have ended, practice included
}

// An ItemReport is the analysis of a question. Indices are missing below ten answers.
type ItemReport struct {
	QuestionID     string                  `json:"questionId"`
	Revision       int64                   `json:"revision"`
	Answers        int64                   `json:"answers"`
	Answered       int64                   `json:"answered"`
	Late           int64                   `json:"late"`
	Correct        int64                   `json:"correct"`
	MeanSeconds    float64                 `json:"meanSeconds"`
	Facility       *float64                `json:"facility,omitempty"`
	Discrimination *float64                `json:"discrimination,omitempty"`
	Options        map[string]OptionReport `json:"options"`
	Flags          []string                `json:"flags"`
}

// An OptionReport says who chose an option.
type OptionReport struct {
	Count int64   `json:"count"`
	Share float64 `json:"share"`
}

// A NewRegrade says how the attempts with a question are regraded.
type NewRegrade struct {
	QuestionID string `json:"questionId"`
	Rule       string `json:"rule"`
	Key        Key    `json:"key"`
	Reason     string `json:"reason,omitempty"`
}

// An Outcome says what a regrade changes.
type Outcome struct {
	Attempts  int `json:"attempts"`
	Changed   int `json:"changed"`
	NowPassed int `json:"nowPassed"`
	NowFailed int `json:"nowFailed"`
}

// A Regrade is a change of attempts that runs or is complete.
type Regrade struct {
	ID          string     `json:"id"`
	QuestionID  string     `json:"questionId"`
	Rule        string     `json:"rule"`
	Reason      string     `json:"reason"`
	Status      string     `json:"status"`
	Changed     int64      `json:"changed"`
	NowPassed   int64      `json:"nowPassed"`
	NowFailed   int64      `json:"nowFailed"`
	RequestedAt time.Time  `json:"requestedAt"`
	FinishedAt  *time.Time `json:"finishedAt,omitempty"`
}
