package askahuman

import "time"

// What a question may be.
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

// Audiences are the tags a question may carry.
var Audiences = []string{"technical", "product", "ethics", "creative", "general"}

// What an answer may be.
const (
	MaxAnswer     = 5000
	MinConfidence = 1
	MaxConfidence = 5
)

// How long things are kept and stay valid.
const (
	KeepClosed      = 7 * 24 * time.Hour // after closing
	KeepExpired     = 24 * time.Hour     // after expiry
	KeepResponse    = 30 * 24 * time.Hour
	KeepBoard       = 60 * 24 * time.Hour
	KeepMetric      = 90 * 24 * time.Hour
	KeepAudit       = 365 * 24 * time.Hour
	KeepPush        = 3 * 24 * time.Hour
	KeepDeadJob     = 3 * 24 * time.Hour
	IdempotencyTime = 24 * time.Hour
)

// How often people are woken.
const (
	MinInterval     = 5 * time.Minute
	MaxInterval     = 24 * time.Hour
	DefaultInterval = 30 * time.Minute
	NotifyFactor    = 3                // people woken for each answer that is missing
	CatchUpAfter    = 15 * time.Minute // when a question is under-answered by then, more are woken
)

// What looks wrong in an answer.
const (
	FastText   = 5 * time.Second // a text that was written in less time is looked at
	FastChoice = 2 * time.Second
	// RapidAnswers within RapidWindow slow a person down.
	RapidAnswers = 5
	RapidWindow  = time.Minute
	// MinimalRun texts in a row of at most MinimalText characters say that somebody writes
	// just enough to be let through.
	MinimalRun  = 5
	MinimalText = 12
	// SameAddress is how many answers to one question may come from one address before those
	// that follow are looked at: identities are free, and a household is not a crowd.
	SameAddress = 5
)

// MaxOpenQuestions is how many questions of one agent are open at one moment.
const MaxOpenQuestions = 100

// A Limit is how often something may be done within a window of time.
type Limit struct {
	Name   string // part of the key of its counter
	Most   int
	Window time.Duration
}

// The limits of the fronts. Who is counted is said in the comments.
var (
	LimitAsk = Limit{Name: "ask", Most: 60, Window: time.Hour} // an agent
	// An agent's id is free, so the limit of an agent alone bounds nobody. An address asks as
	// much as ten agents may, whatever agents it says to be.
	LimitAskFrom   = Limit{Name: "ask from", Most: 600, Window: time.Hour}
	LimitPoll      = Limit{Name: "poll", Most: 600, Window: time.Hour}       // an agent
	LimitPollFrom  = Limit{Name: "poll from", Most: 6000, Window: time.Hour} // an address, as LimitAskFrom
	LimitAnswer    = Limit{Name: "answer", Most: 30, Window: time.Hour}      // a person
	LimitBrowse    = Limit{Name: "browse", Most: 300, Window: time.Hour}     // an address, on the JSON API
	LimitSubscribe = Limit{Name: "subscribe", Most: 10, Window: time.Hour}   // an address
	LimitReport    = Limit{Name: "report", Most: 10, Window: time.Hour}      // a person
	// LimitReportFrom is for an address, where any number of people may be: nobody should
	// have to read what one neighbour made up.
	LimitReportFrom = Limit{Name: "report from", Most: 30, Window: time.Hour}
	LimitIdentity   = Limit{Name: "identity", Most: 60, Window: time.Hour} // an address
	LimitSignIn     = Limit{Name: "signin", Most: 10, Window: time.Hour}   // an address, of operators
)
