package contract

import (
	"encoding/json"
	"time"

	"sortkey.dev/apps/internal/operation"
)

// The operations of agents.
var (
	SubmitQuestion = operation.Post[Submission, Submitted]("/agent/questions", "Ask a question").Created().Open().
			Describe("Returns at once; people answer later. 60 an hour for an agent, 600 for an address, and 100 open at one moment. With an idempotency key it is safe to repeat.").
			Says(operation.Spec{
			ID: "submitQuestion", Tag: Agents, Scheme: "agentKey", Body: exampleAsk, Example: exampleSubmitted,
			Success: "The question is open.", Repeated: "The question was asked before with this idempotency key.",
			Headers:  append(limited[:4:4], "Location Location"),
			Refusals: refusals(invalid, agentUnauthorized, "403 MayNotAsk", "409 KeyReused", tooLarge, notJSON),
		})
	SubmitQuestions = operation.Post[Submissions, BatchResult]("/agent/questions:batch", "Ask up to 25 questions").Open().
			Describe("Each counts for the limit of questions. One that is refused, or fails, does not stop the others. In all they have at most 64 KB.").
			Says(operation.Spec{
			ID: "submitQuestions", Tag: Agents, Scheme: "agentKey", Body: exampleBatch, Example: exampleResults, Success: "What became of each.",
			Headers: limited, Refusals: refusals(invalid, agentUnauthorized, banned, tooLarge, notJSON),
		})
	ListQuestions = operation.Get[Listing, QuestionList]("/agent/questions", "List your own questions").Open().
			Describe("Newest first. 600 reads of questions an hour for an agent, 6000 for an address.").
			Says(forAgents("listQuestions", "A part of the list.", QuestionList{Questions: []ListedQuestion{exampleListed}, Next: "eyJ2IjoxfQ"}))
	GetQuestion = operation.Get[Waiting, Question]("/agent/questions/{id}", "Collect answers").Open().
			Describe("Every answer so far. With wait it is answered as soon as the question is not as since and status say, or is over; without those, at its first change.").
			Says(forAgents("getQuestion", "The question.", exampleQuestion(exampleListed), noQuestion))
	CloseQuestion = operation.Delete[OfAgent, Question]("/agent/questions/{id}", "Close a question early").Open().
			Describe("The answers so far stay. Closing what is over changes nothing.").
			Says(forAgents("closeQuestion", "The question.", exampleQuestion(exampleClosed()), noQuestion))
	WatchQuestion = operation.Get[OfAgent, operation.File]("/agent/questions/{id}/events", "Watch a question").Open().Sends("text/event-stream").
			Describe("Server-sent events. The event question has a Question as its data, at once and at each change; the event end follows when it is over, and then the connection ends. Do not connect again after it.").
			Says(forAgents("watchQuestion", "The stream: events question, with a Question, and end, with its id and status.",
			"retry: 2000\n\nevent: question\ndata: {\"question_id\":\"01KGF4RY00A1B2C3D4E5F6G7H8\"}\n\n", noQuestion))
	ListDeliveries = operation.Get[OfAgent, Deliveries]("/agent/questions/{id}/deliveries", "See the calls of a webhook").Open().
			Describe("Every attempt to deliver the end of the question to its callback URL, oldest first, with the error if it failed. Up to 20.").
			Says(forAgents("listDeliveries", "The attempts.", exampleDeliveries, noQuestion))
	ProtectAgent = operation.Post[Agent, AgentKey]("/agent/key", "Get a key for your id").Created().Open().
			Describe("From then on the id needs the key. An id that has one gets another for it, and the old one is void. Counts as a read of a question.").
			Says(forAgents("protectAgent", "The key.", AgentKey{AgentID: "release-bot", Key: "aah_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA"}))
)

// A Submission holds the arguments of SubmitQuestion.
type Submission struct {
	Agent
	Key  string `header:"X-Idempotency-Key" doc:"The same as idempotency_key of the body." schema:"maxLength=200"`
	Body Ask
}

// Submissions holds the arguments of SubmitQuestions.
type Submissions struct {
	Agent
	Body Batch
}

// A Listing holds the arguments of ListQuestions.
type Listing struct {
	Agent
	Status Status `query:"status" doc:"Those of one status only."`
	Limit  *int   `query:"limit" doc:"How many at most." schema:"minimum=1; maximum=100; default=20"`
	Cursor string `query:"cursor" doc:"next_cursor of the page before."`
}

// Waiting holds the arguments of GetQuestion.
type Waiting struct {
	OfAgent
	Wait   *int   `query:"wait" doc:"How many seconds to wait for a change." schema:"minimum=0; maximum=30; default=0"`
	Since  *int   `query:"since" doc:"current_responses as you know it."`
	Status Status `query:"status" doc:"The status as you know it."`
}

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
	_              struct{} `doc:"A question to ask."`
	Prompt         string   `json:"prompt" doc:"The question, 10 to 2,000 characters without the space around it." schema:"minLength=10"`
	Context        string   `json:"context,omitempty" doc:"What a person needs to know to answer." schema:"maxLength=5000"`
	Type           Type     `json:"type"`
	Options        []string `json:"options,omitempty" doc:"The 2 to 10 options of a multiple_choice, each of at most 200 characters and different from the others." schema:"maxItems=10" items:"minLength=1"`
	Audience       []string `json:"audience,omitempty" doc:"Who the question is for; general if left out." items:"enum=[\"technical\",\"product\",\"ethics\",\"creative\",\"general\"]"`
	MinResponses   *int     `json:"min_responses,omitempty" doc:"How many answers are wanted." schema:"minimum=1; maximum=50; default=5"`
	TimeoutSeconds *int     `json:"timeout_seconds,omitempty" doc:"How long the question is open." schema:"minimum=60; maximum=86400; default=3600"`
	Language       string   `json:"language,omitempty" doc:"A language tag such as en or pt-BR." schema:"maxLength=35"`
	IdempotencyKey string   `json:"idempotency_key,omitempty" doc:"Makes asking safe to repeat: within 24 hours the same agent and key give the same question." schema:"maxLength=200"`
	CallbackURL    string   `json:"callback_url,omitempty" doc:"Hears of the end of the question, signed as Standard Webhooks are." schema:"maxLength=500"`
}

// Submitted is the response to an Ask.
type Submitted struct {
	_              struct{}  `doc:"What became of a question that was asked."`
	QuestionID     string    `json:"question_id" ref:"QuestionId"`
	Status         Status    `json:"status"`
	PollURL        string    `json:"poll_url" doc:"Where the answers are, relative to this API."`
	AnswerURL      string    `json:"answer_url" doc:"The page where people answer the question, to be shared with whom you like."`
	ResultURL      string    `json:"result_url" doc:"The page where you watch the answers come in."`
	CreatedAt      time.Time `json:"created_at"`
	ExpiresAt      time.Time `json:"expires_at"`
	CallbackSecret string    `json:"callback_secret,omitempty" doc:"Verifies what is sent to the callback URL. It is the same for all questions of an agent."`
}

// A Batch holds questions to submit together.
type Batch struct {
	Questions []json.RawMessage `json:"questions" schema:"minItems=1; maxItems=25" items:"type=object; description=An Ask. One that is wrong becomes an error of its own and does not stop the others."`
}

// A BatchResult holds what became of the questions of a batch.
type BatchResult struct {
	_       struct{}     `doc:"In the order of the questions."`
	Results []BatchEntry `json:"results" schema:"minItems=1; maxItems=25"`
}

// A BatchEntry is the result of one question of a batch.
type BatchEntry struct {
	_        struct{}   `schema:"oneOf=[{\"required\":[\"question\"]},{\"required\":[\"error\"]}]"`
	Status   int        `json:"status" doc:"What it would have been if the question had been sent alone."`
	Question *Submitted `json:"question,omitempty"`
	Error    *ErrorBody `json:"error,omitempty"`
}

// An ErrorBody says why a request was refused.
type ErrorBody struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// A ListedQuestion is a question as its agent sees it, without its answers.
type ListedQuestion struct {
	_                 struct{}   `doc:"A question of a list, without its answers."`
	QuestionID        string     `json:"question_id" ref:"QuestionId"`
	Status            Status     `json:"status"`
	Prompt            string     `json:"prompt"`
	Context           string     `json:"context,omitempty"`
	Type              Type       `json:"type"`
	Options           []string   `json:"options,omitempty" schema:"minItems=2; maxItems=10" items:"minLength=1; maxLength=200"`
	Audience          []string   `json:"audience" ref:"Audience"`
	RequiredResponses int        `json:"required_responses" schema:"minimum=1"`
	CurrentResponses  int        `json:"current_responses" schema:"minimum=0"`
	CreatedAt         time.Time  `json:"created_at"`
	ExpiresAt         time.Time  `json:"expires_at"`
	ClosedAt          *time.Time `json:"closed_at,omitempty"`
	ExpiredAt         *time.Time `json:"expired_at,omitempty"`
	Hidden            bool       `json:"hidden,omitempty" doc:"True if an operator has hidden the question: people do not see it. Else absent."`
}

// A Question is a question with its answers as its agent sees it, in responses and in webhook deliveries. It does
// not identify the people who answered.
type Question struct {
	_ struct{} `doc:"A question as its agent sees it."`
	ListedQuestion
	Responses   []Response     `json:"responses" doc:"Every answer so far, oldest first."`
	Summary     map[string]int `json:"summary,omitempty" doc:"Of a multiple_choice: the votes of every option by its text." items:"minimum=0"`
	Reliability string         `json:"reliability,omitempty" enum:"high medium low" doc:"How far the answers can be relied on together."`
	Consensus   *Consensus     `json:"consensus,omitempty"`
}

// A Response is one person's answer.
type Response struct {
	_              struct{} `doc:"One person's answer. It says nothing about who gave it; one whose person wanted to be forgotten has no words and is erased."`
	Answer         string   `json:"answer,omitempty" doc:"Of a text question."`
	SelectedOption *int     `json:"selected_option,omitempty" doc:"Of a multiple_choice, counted from 0." schema:"minimum=0"`
	Confidence     *int     `json:"confidence,omitempty" doc:"How sure the person is, if said." schema:"minimum=1; maximum=5"`
	Erased         bool     `json:"erased,omitempty" doc:"The person took back what they said. The answer still counts."`
}

// Consensus is an option that more than two thirds of at least three people chose.
type Consensus struct {
	_      struct{} `doc:"The option that more than two thirds of at least three people chose."`
	Option string   `json:"option" doc:"The text of the option."`
	Share  float64  `json:"share" schema:"minimum=0; maximum=1"`
}

// A QuestionList is a page of the questions of an agent.
type QuestionList struct {
	Questions []ListedQuestion `json:"questions"`
	Next      string           `json:"next_cursor,omitempty" doc:"For the next page; absent on the last."`
}

// Deliveries are the attempts to deliver the end of a question to its callback URL.
type Deliveries struct {
	Deliveries []Delivery `json:"deliveries"`
}

// A Delivery is one attempt.
type Delivery struct {
	Try    int       `json:"try" schema:"minimum=1"`
	At     time.Time `json:"at"`
	URL    string    `json:"url" doc:"The callback URL without its query."`
	Status int       `json:"status,omitempty" doc:"Of the response; absent if there was none."`
	Error  string    `json:"error,omitempty" doc:"Why the attempt failed; absent if it did not."`
}

// An AgentKey is the key of an agent whose id is protected.
type AgentKey struct {
	AgentID string `json:"agent_id"`
	Key     string `json:"key" doc:"From now on the agent's id needs this key. It is shown once."`
}
