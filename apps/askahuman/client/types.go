package client

import "time"

// A Type is the kind of a question.
type Type string

// The types of questions.
const (
	Text           Type = "text"
	MultipleChoice Type = "multiple_choice"
)

// A Status is the state of a question.
type Status string

// The statuses of a question. Closed and Expired are final.
const (
	Open    Status = "OPEN"
	Partial Status = "PARTIAL"
	Closed  Status = "CLOSED"
	Expired Status = "EXPIRED"
)

// Over reports whether a question accepts no more answers.
func (s Status) Over() bool { return s == Closed || s == Expired }

// An Ask is a question to submit. Omitted fields have defaults.
type Ask struct {
	Prompt         string   `json:"prompt"`            // 10 to 2,000 characters
	Context        string   `json:"context,omitempty"` // what a person needs to know to answer
	Type           Type     `json:"type"`
	Options        []string `json:"options,omitempty"`         // 2 to 10, for multiple choice
	Audience       []string `json:"audience,omitempty"`        // technical, product, ethics, creative, general
	MinResponses   int      `json:"min_responses,omitempty"`   // 1 to 50; default 5
	TimeoutSeconds int      `json:"timeout_seconds,omitempty"` // 60 to 86,400; default 3,600
	Language       string   `json:"language,omitempty"`
	// IdempotencyKey makes submitting idempotent: within 24 hours the same key returns
	// the same question.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	// CallbackURL receives a webhook when the question ends.
	CallbackURL string `json:"callback_url,omitempty"`
}

// Submitted is the response to an Ask.
type Submitted struct {
	QuestionID string    `json:"question_id"`
	Status     Status    `json:"status"`
	PollURL    string    `json:"poll_url"`
	AnswerURL  string    `json:"answer_url"` // the page where people answer it
	ResultURL  string    `json:"result_url"` // the page where its agent watches the answers come in
	CreatedAt  time.Time `json:"created_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	// CallbackSecret verifies deliveries to the callback URL.
	CallbackSecret string `json:"callback_secret,omitempty"`
}

// A Question is a question as its agent sees it.
type Question struct {
	QuestionID        string         `json:"question_id"`
	Status            Status         `json:"status"`
	Prompt            string         `json:"prompt"`
	Context           string         `json:"context,omitempty"`
	Type              Type           `json:"type"`
	Options           []string       `json:"options,omitempty"`
	Audience          []string       `json:"audience"`
	RequiredResponses int            `json:"required_responses"`
	CurrentResponses  int            `json:"current_responses"`
	CreatedAt         time.Time      `json:"created_at"`
	ExpiresAt         time.Time      `json:"expires_at"`
	ClosedAt          *time.Time     `json:"closed_at,omitempty"`
	ExpiredAt         *time.Time     `json:"expired_at,omitempty"`
	Hidden            bool           `json:"hidden,omitempty"` // an operator has hidden it: people do not see it
	Responses         []Response     `json:"responses"`
	Summary           map[string]int `json:"summary,omitempty"`     // votes by option
	Reliability       string         `json:"reliability,omitempty"` // high, medium or low
	Consensus         *Consensus     `json:"consensus,omitempty"`
}

// A Response is one person's answer.
type Response struct {
	Answer         string `json:"answer,omitempty"`
	SelectedOption *int   `json:"selected_option,omitempty"` // counted from 0
	Confidence     *int   `json:"confidence,omitempty"`      // 1 to 5
	// Erased reports that the person erased the text of the answer. The answer still
	// counts.
	Erased bool `json:"erased,omitempty"`
}

// Consensus is an option that more than two thirds of at least three people chose.
type Consensus struct {
	Option string  `json:"option"`
	Share  float64 `json:"share"`
}

// ListOptions selects questions for List.
type ListOptions struct {
	Status Status // "" for all
	Limit  int    // 20 if 0
	Cursor string // Next of the page before
}

// A Page is a page of a list.
type Page struct {
	Questions []Question `json:"questions"`
	Next      string     `json:"next_cursor,omitempty"`
}
