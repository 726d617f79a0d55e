package homeops

import "time"

// Defaults of a household's settings.
const (
	DefaultZone      = "Europe/Stockholm"
	DefaultQuietFrom = 22 // hours of the local day
	DefaultQuietTo   = 7
	DefaultDailyCap  = 3
	DefaultCooldown  = 15 // minutes
	DefaultRetention = 90 // days that raw messages are kept
	DefaultRecovery  = 1.0
)

// Limits of what the bot says.
const (
	ProactivePerDay  = 1                // unasked messages in a group
	PrivatePerWeek   = 2                // unasked messages to a member
	FastWindow       = time.Minute      // in which FastMessages of others are a conversation
	FastMessages     = 3                //
	LateAfter        = 10 * time.Minute // an older message is logged and not answered
	IgnoreWindow     = 30 * time.Minute // for a reply or a reaction
	ClarifyLifetime  = 24 * time.Hour   // of a question to the author
	MinSamples       = 10               // before a preference is inferred
	IgnoreThreshold  = 0.7
	LowFrequency     = 1.0 // messages a day
	DisputeThreshold = 0.9
	AliasThreshold   = 0.7 // confidence from which a correction teaches a word
	ReferThreshold   = 0.7 // confidence of a correction that says what it is about: by a reply, or to the bot
)

// OrderPatience is the time for which a message waits for the one before it in its chat. It is longer
// than a model takes and shorter than the lease of a process that crashed.
const OrderPatience = 15 * time.Second

// EraseAfter is the time from a request for erasure to the erasure. The answer to the request is sent
// in it: afterwards nothing is left to send it with, and an answer that is planned later would stay.
const EraseAfter = 10 * time.Second

// Times of promises.
const (
	PromiseGrace = 48 * time.Hour // after the reminder, or after the deadline if there was none
	SweepEvery   = time.Hour
)

// Times of the schedule, in hours of the household's local day.
const (
	DayCloseHour     = 9
	InsightHour      = 18
	InsightDay       = time.Sunday
	InsightLate      = 24 * time.Hour // an insight that was delayed by more is not sent
	HabitLapse       = 56 * 24 * time.Hour
	UsualOccurrences = 3 // on one weekday make a habit usual
)

// Retention.
const (
	KeepEvents      = 2 * 365 * 24 * time.Hour
	KeepBotMessages = 365 * 24 * time.Hour
	KeepCounters    = 7 * 24 * time.Hour
	KnownDays       = 20 // local days before today whose messages are counted
	KeepUserDays    = (KnownDays + 1) * 24 * time.Hour
	KeepUserWeeks   = 28 * 24 * time.Hour
	KeepDeadJob     = 14 * 24 * time.Hour
)

// Bounds of texts and numbers.
const (
	MaxText       = 4096 // bytes of a message's text that are stored
	MaxName       = 60   // characters
	MaxActivity   = 60   // characters
	MaxActivities = 5    // activities of one message
	MaxMembers    = 12
	MaxKnown      = 100 // members of a household with those who left
	MaxWords      = 300 // of a household
)

// The counters of the system.
const (
	CountMessages       = "messages"
	CountLogged         = "logged"
	CountAcks           = "acknowledgements"
	CountClarifications = "clarifications"
	CountCorrections    = "corrections"
	CountIgnored        = "ignored"
	CountAnswered       = "answered"
	CountSent           = "sent"
	CountSendFailures   = "send_failures"
	CountUnreadable     = "malformed_updates"
	CountTokens         = "model_tokens"
)

// Counters returns the names of all counters.
func Counters() []string {
	return []string{
		CountMessages, CountLogged, CountAcks, CountClarifications, CountCorrections, CountIgnored, CountAnswered,
		CountSent, CountSendFailures, CountUnreadable, CountTokens,
	}
}
