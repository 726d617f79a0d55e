package questions

import (
	"sortkey.dev/apps/askahuman/askahumandb"
)

// The stored values that this room returns.
type (
	Question      = askahumandb.Question
	Status        = askahumandb.QuestionStatus
	Type          = askahumandb.QuestionType
	Agent         = askahumandb.Agent
	AgentStanding = askahumandb.AgentStanding
)

// Statuses of a question. An OPEN question has no answers yet, a PARTIAL one some.
const (
	StatusOpen    = askahumandb.QuestionStatusOpen
	StatusPartial = askahumandb.QuestionStatusPartial
	StatusClosed  = askahumandb.QuestionStatusClosed
	StatusExpired = askahumandb.QuestionStatusExpired
)

// Types of questions.
const (
	TypeText           = askahumandb.QuestionTypeText
	TypeMultipleChoice = askahumandb.QuestionTypeMultipleChoice
)

// AgentBanned is the moderation status of an agent that may not ask.
const AgentBanned = askahumandb.AgentStandingBanned

// Statuses returns the statuses of questions.
func Statuses() []Status { return askahumandb.QuestionStatusValues() }
