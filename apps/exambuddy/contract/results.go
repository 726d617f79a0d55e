package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of results.
var (
	ListAttempts      = operation.Get[Filter, List[Attempt]]("/v1/results/attempts", "Own attempts, or those of an exam of an admin, newest first")
	GetResult         = operation.Get[operation.ByID, Result]("/v1/results/attempts/{id}", "An attempt, with its questions if the exam shows them")
	ReportCSV         = operation.Get[operation.ByID, operation.File]("/v1/results/attempts/{id}/export/csv", "An attempt as a file").Sends("text/csv")
	ReportPDF         = operation.Get[operation.ByID, operation.File]("/v1/results/attempts/{id}/export/pdf", "An attempt as a file").Sends("application/pdf")
	ExportAttempts    = operation.Get[Filter, operation.File]("/v1/results/export/csv", "The attempts of an exam as a file").Sends("text/csv")
	GetCertificate    = operation.Post[operation.ByID, Certificate]("/v1/results/attempts/{id}/certificate", "The certificate of a passed exam")
	VerifyCertificate = operation.Get[CertificateCode, Certificate]("/v1/certificates/{code}", "A certificate by its code").Open()
)

// A Filter selects attempts. Days, such as 2026-02-28, are of UTC, and included.
type Filter struct {
	ProjectID string `query:"projectId"` // required for admins
	From      string `query:"from"`
	To        string `query:"to"`
	Email     string `query:"candidateEmail"`
	Limit     int    `query:"limit"`
	Cursor    string `query:"cursor"`
}

// A CertificateCode names a certificate.
type CertificateCode struct {
	Code string `path:"code"`
}

// An Attempt is the result of a session.
type Attempt struct {
	ID               string     `json:"id"`
	CandidateID      string     `json:"candidateId"`
	CandidateEmail   string     `json:"candidateEmail"`
	CandidateName    string     `json:"candidateName"`
	ProjectID        string     `json:"projectId"`
	ProjectTitle     string     `json:"projectTitle"`
	Mode             string     `json:"mode" enum:"test exam"`
	Difficulty       string     `json:"difficulty"`
	Status           string     `json:"status"`
	StartedAt        time.Time  `json:"startedAt"`
	CompletedAt      time.Time  `json:"completedAt"`
	CorrectCount     int64      `json:"correctCount"`
	AnsweredCount    int64      `json:"answeredCount"`
	TotalQuestions   int64      `json:"totalQuestions"`
	ScorePercent     float64    `json:"scorePercent"` // of all questions, one decimal
	PassMark         int64      `json:"passMark"`
	Passed           bool       `json:"passed"`
	TimeTakenSeconds int64      `json:"timeTakenSeconds"`
	RevealAt         *time.Time `json:"revealAt,omitempty"` // the earliest time at which the candidate sees the answers; not while others sit the exam
	RegradedAt       *time.Time `json:"regradedAt,omitempty"`
}

// A Review is a question of an attempt with the right answer.
type Review struct {
	Position        int      `json:"position"`
	QuestionID      string   `json:"questionId"`
	Question        Question `json:"question"`
	Given           Answer   `json:"given"`
	Answered        bool     `json:"answered"`
	Accepted        bool     `json:"accepted"`
	TimeSpentMillis int64    `json:"timeSpentMillis"`
	LateMillis      int64    `json:"lateMillis,omitempty"`
	Correct         bool     `json:"isCorrect"`
	Mark            int      `json:"mark"`
	CorrectAnswer   Key      `json:"correctAnswer"`
	Dropped         bool     `json:"dropped,omitempty"`
	FullMarks       bool     `json:"fullMarks,omitempty"`
}

// A Result is an attempt with its questions, which are missing while the exam hides its answers.
type Result struct {
	Attempt   Attempt  `json:"attempt"`
	Hidden    bool     `json:"hidden"`
	Questions []Review `json:"questions"`
}

// A Certificate says that a candidate has passed an exam.
type Certificate struct {
	Code          string     `json:"code"`
	AttemptID     string     `json:"attemptId"`
	CandidateName string     `json:"candidateName"`
	ProjectTitle  string     `json:"projectTitle"`
	ScorePercent  float64    `json:"scorePercent"`
	PassedAt      time.Time  `json:"passedAt"`
	IssuedAt      time.Time  `json:"issuedAt"`
	RevokedAt     *time.Time `json:"revokedAt,omitempty"`
	RevokedReason *string    `json:"revokedReason,omitempty"`
}
