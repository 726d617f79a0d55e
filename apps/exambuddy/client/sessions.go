package client

import "time"

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
	Navigation    string     `json:"navigation"`
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
	Mode          string `json:"mode"`
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
	Mode               string     `json:"mode"`
	Difficulty         string     `json:"difficulty"`
	Status             string     `json:"status"`
	Navigation         string     `json:"navigation"`
	Offline            string     `json:"offline"`
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

// An Attempt is the result of a session.
type Attempt struct {
	ID               string     `json:"id"`
	CandidateID      string     `json:"candidateId"`
	CandidateEmail   string     `json:"candidateEmail"`
	CandidateName    string     `json:"candidateName"`
	ProjectID        string     `json:"projectId"`
	ProjectTitle     string     `json:"projectTitle"`
	Mode             string     `json:"mode"`
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
