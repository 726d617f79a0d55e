package askahuman

import (
	"time"
)

// Bounds of a question.
const (
	MinPrompt        = 10
	MaxPrompt        = 2000
	MaxContext       = 5000
	MinOptions       = 2
	MaxOptions       = 10
	MaxOption        = 200
	MinResponses     = 1
	MaxResponses     = 50
	DefaultResponses = 5
	MinTimeout       = time.Minute
	MaxTimeout       = 24 * time.Hour
	DefaultTimeout   = time.Hour
	MaxCallbackURL   = 500
	MaxKey           = 200 // characters of an idempotency key
	MaxAgentID       = 64
)

// Audiences lists the tags a question may carry.
var Audiences = []string{"technical", "product", "ethics", "creative", "general"}

// Bounds of an answer.
const (
	MaxAnswer     = 5000
	MinConfidence = 1
	MaxConfidence = 5
)

// Retention and validity periods.
const (
	KeepClosed      = 7 * 24 * time.Hour // after closing
	KeepExpired     = 24 * time.Hour     // after expiry
	KeepResponse    = 30 * 24 * time.Hour
	KeepBoard       = 60 * 24 * time.Hour
	KeepMetric      = 90 * 24 * time.Hour
	KeepPush        = 3 * 24 * time.Hour
	KeepDeadJob     = 3 * 24 * time.Hour
	IdempotencyTime = 24 * time.Hour
)

// Bounds of notifications.
const (
	MinInterval     = 5 * time.Minute
	MaxInterval     = 24 * time.Hour
	DefaultInterval = 30 * time.Minute
	NotifyFactor    = 3                // people notified for each missing answer
	CatchUpAfter    = 15 * time.Minute // if answers are still missing by then, more people are notified
)

// Signs of a suspicious answer.
const (
	FastText   = 5 * time.Second // a text that was written in less time is flagged
	FastChoice = 2 * time.Second
	// RapidAnswers within RapidWindow is the maximum rate of a person's answers.
	RapidAnswers = 5
	RapidWindow  = time.Minute
	// MinimalRun consecutive texts of at most MinimalText characters are flagged as minimal
	// effort.
	MinimalRun  = 5
	MinimalText = 12
	// SameAddress is the number of answers to one question from one address after which
	// further answers are flagged. Identities are free, and a household is not a crowd.
	SameAddress = 5
)

// MaxOpenQuestions is the maximum number of open questions of one agent.
const MaxOpenQuestions = 100

// Rate limits. The comments name the subject that is counted.
var (
	LimitAsk = Limit{Name: "ask", Most: 60, Window: time.Hour} // an agent
	// Agent ids are free, so a limit per agent alone is no limit. An address may ask as much
	// as ten agents, whichever ids it uses.
	LimitAskFrom  = Limit{Name: "ask from", Most: 600, Window: time.Hour}
	LimitPoll     = Limit{Name: "poll", Most: 600, Window: time.Hour}       // an agent
	LimitPollFrom = Limit{Name: "poll from", Most: 6000, Window: time.Hour} // an address, as LimitAskFrom
	LimitAnswer   = Limit{Name: "answer", Most: 30, Window: time.Hour}      // a person
	// LimitAnswerFrom counts an address. Identities are free and have no limit on the pages, so
	// that newcomers behind a shared address can answer: as much as sixty people at once.
	LimitAnswerFrom = Limit{Name: "answer from", Most: 1800, Window: time.Hour}
	LimitBrowse     = Limit{Name: "browse", Most: 300, Window: time.Hour}   // an address, on the JSON API
	LimitSubscribe  = Limit{Name: "subscribe", Most: 10, Window: time.Hour} // a person
	// LimitSubscribeFrom counts an address, which thirty people may share.
	LimitSubscribeFrom = Limit{Name: "subscribe from", Most: 300, Window: time.Hour}
	LimitReport        = Limit{Name: "report", Most: 10, Window: time.Hour} // a person
	// LimitReportFrom counts an address, which any number of people may share, so that one
	// address cannot flood the review queue.
	LimitReportFrom = Limit{Name: "report from", Most: 30, Window: time.Hour}
	LimitIdentity   = Limit{Name: "identity", Most: 600, Window: time.Hour} // an address, on the JSON API
)
