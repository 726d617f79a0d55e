package client

import (
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/internal/operation"
)

// A List is a page of a list.
type List[T any] = operation.List[T]

// The types of requests and responses.
type (
	Accepted       = contract.Accepted
	ActiveSession  = contract.ActiveSession
	Answer         = contract.Answer
	Asked          = contract.Asked
	Attempt        = contract.Attempt
	Blank          = contract.Blank
	Certificate    = contract.Certificate
	Document       = contract.Document
	Draft          = contract.Draft
	DraftChange    = contract.DraftChange
	Editor         = contract.Editor
	Exam           = contract.Exam
	Feedback       = contract.Feedback
	Filter         = contract.Filter
	Group          = contract.Group
	Image          = contract.Image
	Item           = contract.Item
	ItemReport     = contract.ItemReport
	Key            = contract.Key
	Member         = contract.Member
	NewAnswer      = contract.NewAnswer
	NewProject     = contract.NewProject
	NewQuestion    = contract.NewQuestion
	NewRegrade     = contract.NewRegrade
	Option         = contract.Option
	OptionReport   = contract.OptionReport
	Outcome        = contract.Outcome
	Presented      = contract.Presented
	Project        = contract.Project
	Question       = contract.Question
	Receipt        = contract.Receipt
	Region         = contract.Region
	Registered     = contract.Registered
	Registration   = contract.Registration
	Regrade        = contract.Regrade
	Result         = contract.Result
	Resumed        = contract.Resumed
	Review         = contract.Review
	Rules          = contract.Rules
	RunningSession = contract.RunningSession
	SavedAnswer    = contract.SavedAnswer
	Session        = contract.Session
	Start          = contract.Start
	TimeFactor     = contract.TimeFactor
	Totals         = contract.Totals
	User           = contract.User
)
