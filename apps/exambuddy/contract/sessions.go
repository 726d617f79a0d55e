package contract

import (
	"time"

	"sortkey.dev/apps/internal/operation"
)

const session = "/v1/student/sessions/{id}"

// The operations of sessions.
var (
	ListExams     = operation.Get[operation.Page, List[Exam]]("/v1/student/projects", "The exams that the caller may sit")
	ListActive    = operation.Get[None, List[ActiveSession]]("/v1/student/sessions", "The sessions that the caller can resume")
	StartSession  = operation.Post[operation.Keyed[Start], Session]("/v1/student/sessions", "Start a session").Created()
	ResumeSession = operation.Get[operation.ByID, Resumed](session, "A session with the saved answers")
	GetPaper      = operation.Get[operation.ByID, List[Asked]](session+"/questions", "All questions of a session that shows them ahead")
	Present       = operation.Post[operation.ByIDWith[Presentation], Presented](session+"/present", "Show a question and start its clock")
	SaveAnswer    = operation.Post[operation.ByIDWith[NewAnswer], Receipt](session+"/answers", "Save an answer of an exam")
	Practise      = operation.Post[operation.ByIDWith[NewAnswer], Feedback](session+"/practice", "Give the final answer to a practice question, and get the right one")
	SetFlag       = operation.Post[operation.ByIDWith[Flag], Session](session+"/flags", "Flag a question, or remove the flag")
	TakeSession   = operation.Post[operation.ByID, Session](session+"/take", "Continue a session here")
	Submit        = operation.Post[operation.ByIDWith[Submission], Attempt](session+"/submit", "Hand in a session; a repeated call returns the same attempt")
	ReviewSession = operation.Get[operation.ByID, List[Review]](session+"/review", "The questions of a handed-in session with the right answers")
	CancelSession = operation.Delete[operation.ByID, None](session, "Cancel a session; there is no result, and an exam counts as an attempt")
	ListRunning   = operation.Get[operation.ByID, List[RunningSession]]("/v1/admin/projects/{id}/sessions", "Who is sitting an exam now")
	ExtendSession = operation.Post[operation.ByIDKeyed[Extension], None]("/v1/admin/sessions/{id}/extend", "Give a running session more time")
)

// An Exam is an entry of the catalogue.
type Exam struct {
	ID            string     `json:"id"`
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	QuestionCount int        `json:"questionCount"`
	PassMark      int        `json:"passMark"`
	Practice      bool       `json:"practice"`
	ExamCount     int        `json:"examCount,omitempty"`
	Difficulty    string     `json:"examDifficulty,omitempty"`
	MaxAttempts   int        `json:"maxAttempts,omitempty"`
	Navigation    string     `json:"navigation" enum:"forward free"`
	OpensAt       *time.Time `json:"opensAt,omitempty"`
	LastStartAt   *time.Time `json:"lastStartAt,omitempty"`
	ClosesAt      *time.Time `json:"closesAt,omitempty"`
}

// An ActiveSession can be resumed.
type ActiveSession struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	Mode      string    `json:"mode"`
	StartedAt time.Time `json:"startedAt"`
}

// A Start says which session a candidate wants.
type Start struct {
	ProjectID     string `json:"projectId"`
	Mode          string `json:"mode" enum:"test exam"`
	Difficulty    string `json:"difficulty,omitempty"`
	QuestionCount int    `json:"questionCount,omitempty"`
	// For practice: no clock, and only questions of a difficulty, with one of the tags, or these.
	NoLimit        bool     `json:"noLimit,omitempty"`
	OnlyDifficulty string   `json:"onlyDifficulty,omitempty"`
	Tags           []string `json:"tags,omitempty"`
	Questions      []string `json:"questions,omitempty"`
}

// A Session is a session as its candidate sees it.
type Session struct {
	ID                 string     `json:"id"`
	ProjectID          string     `json:"projectId"`
	Mode               string     `json:"mode" enum:"test exam"`
	Difficulty         string     `json:"difficulty"`
	Status             string     `json:"status"`
	Navigation         string     `json:"navigation" enum:"forward free"`
	Offline            string     `json:"offline" enum:"strict tolerant"`
	QuestionCount      int        `json:"questionCount"`
	Position           int        `json:"position"` // 0 before the first question
	SecondsPerQuestion int        `json:"secondsPerQuestion"`
	TotalTimeSeconds   int        `json:"totalTimeSeconds"`
	ReviewSeconds      int        `json:"reviewSeconds"`
	FactorPercent      int        `json:"factorPercent"`
	Deadline           *time.Time `json:"deadline,omitempty"`
	RemainingMillis    *int64     `json:"remainingMillis,omitempty"`
	ClosesAt           *time.Time `json:"closesAt,omitempty"`
	Flagged            []string   `json:"flagged"`
	Notice             string     `json:"notice,omitempty"`
	StartedAt          time.Time  `json:"startedAt"`
	Now                time.Time  `json:"now"`
	Writer             string     `json:"writer,omitempty"` // of a start and a take: send it with every change
}

// A Resumed is a session with the answers that the server has.
type Resumed struct {
	Session Session       `json:"session"`
	Answers []SavedAnswer `json:"answers"`
}

// A SavedAnswer is an answer that the server has.
type SavedAnswer struct {
	Position   int       `json:"position"`
	QuestionID string    `json:"questionId"`
	Answer     Answer    `json:"answer"`
	Sequence   int64     `json:"sequence"`
	SavedAt    time.Time `json:"savedAt"`
}

// An Asked is a question of a session, without its key.
type Asked struct {
	Position   int      `json:"position"`
	QuestionID string   `json:"questionId"`
	Question   Question `json:"question"`
}

// A Presentation asks for a question.
type Presentation struct {
	Position int    `json:"position"`
	Writer   string `json:"writer"`
}

// A Presented is a question whose clock runs.
type Presented struct {
	Asked   Asked   `json:"asked"`
	Session Session `json:"session"`
}

// A NewAnswer is an answer to the question at a position. Of two answers the one with the higher
// sequence stays.
type NewAnswer struct {
	Position      int    `json:"position"`
	Answer        Answer `json:"answer"`
	Sequence      int64  `json:"sequence"`
	Writer        string `json:"writer"`
	ElapsedMillis int64  `json:"elapsedMillis,omitempty"` // by the clock of the client
	Queued        bool   `json:"queued,omitempty"`        // while the client was offline
}

// A Receipt says what became of an answer. It cannot hold a key.
type Receipt struct {
	Accepted        bool      `json:"accepted"` // in time and not empty
	TimeSpentMillis int64     `json:"timeSpentMillis"`
	LateMillis      int64     `json:"lateMillis,omitempty"`
	Sequence        int64     `json:"sequence"`
	SavedAt         time.Time `json:"savedAt"`
}

// A Feedback is the result of a practice question, with its key.
type Feedback struct {
	Receipt       Receipt `json:"receipt"`
	Correct       bool    `json:"isCorrect"`
	Mark          int     `json:"mark"` // in thousandths
	CorrectAnswer Key     `json:"correctAnswer"`
}

// A Flag marks a question for a second look.
type Flag struct {
	QuestionID string `json:"questionId"`
	Flagged    bool   `json:"flagged"`
	Writer     string `json:"writer"`
}

// A Submission hands a session in.
type Submission struct {
	Writer string `json:"writer"`
}

// A RunningSession is a session as the admin of its exam sees it.
type RunningSession struct {
	ID            string    `json:"id"`
	CandidateID   string    `json:"candidateId"`
	Mode          string    `json:"mode"`
	QuestionCount int64     `json:"questionCount"`
	Position      int64     `json:"position"`
	FactorPercent int64     `json:"factorPercent"`
	ExtraSeconds  int64     `json:"extraSeconds"`
	StartedAt     time.Time `json:"startedAt"`
	LastSeenAt    time.Time `json:"lastSeenAt"`
}

// An Extension gives a session more time.
type Extension struct {
	Seconds int    `json:"seconds"`
	Notice  string `json:"notice,omitempty"`
}
