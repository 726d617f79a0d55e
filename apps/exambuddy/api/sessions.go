package api

import (
	"context"
	"net/http"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/openapi"
)

func (a *api) sessionOperations() []openapi.Operation {
	const session = "/v1/student/sessions/{id}"
	return []openapi.Operation{
		openapi.On(a.candidate, http.MethodGet, "/v1/student/projects", "The exams that the caller may sit", http.StatusOK, a.catalogue),
		openapi.On(a.candidate, http.MethodGet, "/v1/student/sessions", "The sessions that the caller can resume", http.StatusOK, a.active),
		openapi.On(a.candidate, http.MethodPost, "/v1/student/sessions", "Start a session", http.StatusCreated, a.start),
		openapi.On(a.candidate, http.MethodGet, session, "A session with the saved answers", http.StatusOK, a.resume),
		openapi.On(a.candidate, http.MethodGet, session+"/questions", "All questions of a session that shows them ahead", http.StatusOK, a.paper),
		openapi.On(a.candidate, http.MethodPost, session+"/present", "Show a question and start its clock", http.StatusOK, a.present),
		openapi.On(a.candidate, http.MethodPost, session+"/answers", "Save an answer of an exam", http.StatusOK, a.answer),
		openapi.On(a.candidate, http.MethodPost, session+"/practice", "Give the final answer to a practice question, and get the right one", http.StatusOK, a.practise),
		openapi.On(a.candidate, http.MethodPost, session+"/flags", "Flag a question, or remove the flag", http.StatusOK, a.flag),
		openapi.On(a.candidate, http.MethodPost, session+"/take", "Continue a session here", http.StatusOK, a.take),
		openapi.On(a.candidate, http.MethodPost, session+"/submit", "Hand in a session; a repeated call returns the same attempt", http.StatusOK, a.submit),
		openapi.On(a.candidate, http.MethodGet, session+"/review", "The questions of a handed-in session with the right answers", http.StatusOK, a.review),
		openapi.On(a.candidate, http.MethodDelete, session, "Cancel a session; there is no result, and an exam counts as an attempt", http.StatusNoContent, a.cancel),
		openapi.On(a.admin, http.MethodGet, "/v1/admin/projects/{id}/sessions", "Who is sitting an exam now", http.StatusOK, a.running),
		openapi.On(a.admin, http.MethodPost, "/v1/admin/sessions/{id}/extend", "Give a running session more time", http.StatusNoContent, a.extend),
	}
}

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

func examOf(e sitting.Entry) Exam {
	return Exam{e.ID, e.Title, e.Description, e.Questions, e.PassMark, e.Practice, e.Count, e.Difficulty, e.MaxAttempts, e.Navigation, e.OpensAt, e.LastStartAt, e.ClosesAt}
}

func (a *api) catalogue(ctx context.Context, me exambuddy.Candidate, in pages) (List[Exam], error) {
	page, err := a.Domain.Sitting.Catalogue(ctx, me, in.Limit, in.Cursor)
	return listOf(page, examOf), err
}

// An ActiveSession can be resumed.
type ActiveSession struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	Mode      string    `json:"mode"`
	StartedAt time.Time `json:"startedAt"`
}

func (a *api) active(ctx context.Context, me exambuddy.Candidate, _ None) (List[ActiveSession], error) {
	all, err := a.Domain.Sitting.Active(ctx, me)
	return List[ActiveSession]{Items: each(all, func(e sitting.ActiveExam) ActiveSession {
		return ActiveSession{e.AttemptID, e.ProjectID, string(e.Mode), e.StartedAt}
	})}, err
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

func sessionOf(s sitting.State) Session {
	out := Session{
		ID: s.ID, ProjectID: s.ProjectID, Mode: s.Mode, Difficulty: s.Difficulty, Status: s.Status, Navigation: s.Navigation, Offline: s.Offline, QuestionCount: s.Questions,
		Position: s.Position, SecondsPerQuestion: s.Seconds, TotalTimeSeconds: s.Total, ReviewSeconds: s.Review, FactorPercent: s.FactorPercent, Flagged: texts(s.Flagged),
		Notice: s.Notice, StartedAt: s.StartedAt, Now: s.Now, Writer: s.Writer,
	}
	if !s.Deadline.IsZero() {
		out.Deadline, out.RemainingMillis = &s.Deadline, new(s.Remaining.Milliseconds())
	}
	if !s.Closes.IsZero() {
		out.ClosesAt = &s.Closes
	}
	return out
}

func (a *api) start(ctx context.Context, me exambuddy.Candidate, in struct{ Body Start }) (Session, error) {
	b := in.Body
	state, err := a.Domain.Sitting.Start(ctx, me, sitting.Request{
		ProjectID: b.ProjectID, Mode: b.Mode, Difficulty: question.Difficulty(b.Difficulty), Count: b.QuestionCount, NoLimit: b.NoLimit,
		Only: question.Difficulty(b.OnlyDifficulty), Tags: b.Tags, Questions: b.Questions,
	})
	return sessionOf(state), err
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

func (a *api) resume(ctx context.Context, me exambuddy.Candidate, in byID) (Resumed, error) {
	state, answers, err := a.Domain.Sitting.Resume(ctx, me, in.ID)
	return Resumed{Session: sessionOf(state), Answers: each(answers, func(s sitting.Answered) SavedAnswer {
		return SavedAnswer{s.Position, s.ID, Answer(s.Answer), s.Sequence, s.SavedAt}
	})}, err
}

// An Asked is a question of a session, without its key.
type Asked struct {
	Position   int      `json:"position"`
	QuestionID string   `json:"questionId"`
	Question   Question `json:"question"`
}

func askedOf(q sitting.Question) Asked { return Asked{q.Position, q.ID, questionOf(q.Question)} }

func (a *api) paper(ctx context.Context, me exambuddy.Candidate, in byID) (List[Asked], error) {
	all, err := a.Domain.Sitting.Paper(ctx, me, in.ID)
	return List[Asked]{Items: each(all, askedOf)}, err
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

func (a *api) present(ctx context.Context, me exambuddy.Candidate, in struct {
	ID   string `path:"id"`
	Body Presentation
}) (Presented, error) {
	q, state, err := a.Domain.Sitting.Present(ctx, me, in.ID, in.Body.Writer, in.Body.Position)
	return Presented{askedOf(q), sessionOf(state)}, err
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

func (in NewAnswer) input() sitting.Input {
	return sitting.Input{
		Position: in.Position, Answer: question.Answer(in.Answer), Sequence: in.Sequence, Elapsed: time.Duration(in.ElapsedMillis) * time.Millisecond, Queued: in.Queued,
	}
}

type answerArguments struct {
	ID   string `path:"id"`
	Body NewAnswer
}

// A Receipt says what became of an answer. It cannot hold a key.
type Receipt struct {
	Accepted        bool      `json:"accepted"` // in time and not empty
	TimeSpentMillis int64     `json:"timeSpentMillis"`
	LateMillis      int64     `json:"lateMillis,omitempty"`
	Sequence        int64     `json:"sequence"`
	SavedAt         time.Time `json:"savedAt"`
}

func receiptOf(s sitting.Saved) Receipt {
	return Receipt{s.Accepted, s.Spent.Milliseconds(), s.Late.Milliseconds(), s.Sequence, s.SavedAt}
}

func (a *api) answer(ctx context.Context, me exambuddy.Candidate, in answerArguments) (Receipt, error) {
	saved, err := a.Domain.Sitting.Answer(ctx, me, in.ID, in.Body.Writer, in.Body.input())
	return receiptOf(saved), err
}

// A Feedback is the result of a practice question, with its key.
type Feedback struct {
	Receipt       Receipt `json:"receipt"`
	Correct       bool    `json:"isCorrect"`
	Mark          int     `json:"mark"` // in thousandths
	CorrectAnswer Key     `json:"correctAnswer"`
}

func (a *api) practise(ctx context.Context, me exambuddy.Candidate, in answerArguments) (Feedback, error) {
	f, err := a.Domain.Sitting.Practise(ctx, me, in.ID, in.Body.Writer, in.Body.input())
	return Feedback{receiptOf(f.Saved), f.Correct, f.Mark, keyOf(f.Key)}, err
}

// A Flag marks a question for a second look.
type Flag struct {
	QuestionID string `json:"questionId"`
	Flagged    bool   `json:"flagged"`
	Writer     string `json:"writer"`
}

func (a *api) flag(ctx context.Context, me exambuddy.Candidate, in struct {
	ID   string `path:"id"`
	Body Flag
}) (Session, error) {
	state, err := a.Domain.Sitting.Flag(ctx, me, in.ID, in.Body.Writer, in.Body.QuestionID, in.Body.Flagged)
	return sessionOf(state), err
}

func (a *api) take(ctx context.Context, me exambuddy.Candidate, in byID) (Session, error) {
	state, err := a.Domain.Sitting.Take(ctx, me, in.ID)
	return sessionOf(state), err
}

// A Submission hands a session in.
type Submission struct {
	Writer string `json:"writer"`
}

func (a *api) submit(ctx context.Context, me exambuddy.Candidate, in struct {
	ID   string `path:"id"`
	Body Submission
}) (Attempt, error) {
	attempt, err := a.Domain.Sitting.Submit(ctx, me, in.ID, in.Body.Writer)
	return attemptOf(attempt), err
}

func (a *api) review(ctx context.Context, me exambuddy.Candidate, in byID) (List[Review], error) {
	_, reviews, err := a.Domain.Results.Review(ctx, me, in.ID)
	return List[Review]{Items: each(reviews, reviewOf)}, err
}

func (a *api) cancel(ctx context.Context, me exambuddy.Candidate, in byID) (None, error) {
	return None{}, a.Domain.Sitting.Cancel(ctx, me, in.ID)
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

func (a *api) running(ctx context.Context, me exambuddy.Admin, in byID) (List[RunningSession], error) {
	all, err := a.Domain.Sitting.Running(ctx, me, in.ID)
	return List[RunningSession]{Items: each(all, func(s sitting.Session) RunningSession {
		return RunningSession{s.AttemptID, s.CandidateID, string(s.Mode), s.QuestionCount, s.CurrentPosition, s.FactorPercent, s.ExtraSeconds, s.StartedAt, s.LastSeenAt}
	})}, err
}

// An Extension gives a session more time.
type Extension struct {
	Seconds int    `json:"seconds"`
	Notice  string `json:"notice,omitempty"`
}

func (a *api) extend(ctx context.Context, me exambuddy.Admin, in struct {
	ID   string `path:"id"`
	Body Extension
}) (None, error) {
	return None{}, a.Domain.Sitting.Extend(ctx, me, in.ID, time.Duration(in.Body.Seconds)*time.Second, in.Body.Notice, "")
}
