package policy

import (
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
)

// A Reason says why the bot speaks or is silent.
type Reason string

// The reasons, in the order in which they are considered.
const (
	None          Reason = "none" // the message means nothing
	Late          Reason = "late" // the message is too old to be answered
	QuietHours    Reason = "quiet_hours"
	DailyCap      Reason = "daily_cap"
	FastChat      Reason = "fast_conversation"
	Cooldown      Reason = "cooldown"
	LowConfidence Reason = "low_confidence"
	Suppressed    Reason = "preference_suppressed"
	LowFrequency  Reason = "low_frequency_suppressed"
	Tone          Reason = "tone"
	Spoke         Reason = "spoke"
)

// A Kind is the kind of a response to a message.
type Kind = homeopsdb.BotMessageKind

// KindAnswer is the kind of an answer to a question or a request.
const KindAnswer = homeopsdb.BotMessageKindAnswer

// A Situation holds everything that the decision about a response depends on.
type Situation struct {
	Meant      bool      // the message means something
	SaidAt     time.Time // when the message was written
	Now        time.Time
	Zone       *time.Location
	Quiet      homeops.QuietHours
	Responses  int // of today
	DailyCap   int
	Others     int       // messages of others in the last minute
	LastSpoke  time.Time // zero if the bot never spoke
	Cooldown   time.Duration
	Addressed  bool // the message mentions the bot or replies to it
	Direct     bool // a question or a request to the bot, which is answered in spite of budgets
	Kind       Kind // "" for a log: its confidence decides between ack and clarify
	Confidence float64
	Text       string // of kinds other than ack and clarify
	MaxLines   int    // of the text; 1 by default
	Activity   string // its display name, for a clarification
	Book       *speech.Phrasebook
	Names      []string // of the members
	Ignored    float64  // the author's ignore rate
	IgnoredN   int64
	Frequency  float64 // the author's messages a day
	FrequencyN int64
	Never      bool // the author wants no answers
}

// A Verdict is the decision about a response.
type Verdict struct {
	Speak  bool
	Reason Reason
	Kind   Kind
	Text   string
}

// Decide applies the rules in their order; the first that demands silence is the reason.
func Decide(s Situation) Verdict {
	silent := func(r Reason) Verdict { return Verdict{Reason: r, Kind: s.Kind} }
	if !s.Meant {
		return silent(None)
	}
	if s.Now.Sub(s.SaidAt) > homeops.LateAfter {
		return silent(Late)
	}
	if s.Quiet.Contains(s.SaidAt.In(s.Zone)) {
		return silent(QuietHours)
	}
	if !s.Direct {
		switch {
		case s.Responses >= s.DailyCap:
			return silent(DailyCap)
		case s.Others >= homeops.FastMessages:
			return silent(FastChat)
		case !s.LastSpoke.IsZero() && s.SaidAt.Sub(s.LastSpoke) < s.Cooldown:
			return silent(Cooldown)
		}
	}
	kind, text := s.Kind, s.Text
	if kind == "" {
		if kind, text = s.log(); kind == "" {
			return silent(LowConfidence)
		}
	}
	switch {
	case s.Never && !s.Direct:
		return silent(Suppressed)
	case kind == homeopsdb.BotMessageKindAck && s.Ignored > homeops.IgnoreThreshold && s.IgnoredN >= homeops.MinSamples:
		return silent(Suppressed)
	case kind == homeopsdb.BotMessageKindClarify && s.Frequency < homeops.LowFrequency && s.FrequencyN >= homeops.MinSamples:
		return silent(LowFrequency)
	}
	if speech.Check(text, max(s.MaxLines, 1), s.Names) != "" {
		return silent(Tone)
	}
	return Verdict{Speak: true, Reason: Spoke, Kind: kind, Text: text}
}

// log returns the response to a log: an acknowledgement if it is clear, a question if it is not,
// and nothing below that unless the bot is addressed. The text of a question that would be too
// long is empty and does not pass the tone gate.
func (s Situation) log() (Kind, string) {
	switch {
	case s.Confidence >= understanding.Clear:
		return homeopsdb.BotMessageKindAck, s.Book.Ack
	case s.Confidence >= understanding.Clarify || s.Addressed:
		return homeopsdb.BotMessageKindClarify, s.Book.Clarify(s.Activity)
	}
	return "", ""
}
