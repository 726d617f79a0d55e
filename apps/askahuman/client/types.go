package client

import "sortkey.dev/apps/askahuman/contract"

// The types of requests and responses.
type (
	Type           = contract.Type
	Status         = contract.Status
	Ask            = contract.Ask
	Submitted      = contract.Submitted
	ListedQuestion = contract.ListedQuestion
	Question       = contract.Question
	Response       = contract.Response
	Consensus      = contract.Consensus
	Page           = contract.QuestionList
)

// The types of questions.
const (
	Text           = contract.Text
	MultipleChoice = contract.MultipleChoice
)

// The statuses of a question. Closed and Expired are final.
const (
	Open    = contract.Open
	Partial = contract.Partial
	Closed  = contract.Closed
	Expired = contract.Expired
)

// ListOptions selects questions for List.
type ListOptions struct {
	Status Status // "" for all
	Limit  int    // 20 if 0
	Cursor string // Next of the page before
}
