package policy_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopsdb"
	"sortkey.dev/apps/homeops/policy"
	"sortkey.dev/apps/homeops/speech"
	"sortkey.dev/apps/homeops/understanding"
)

// base is a situation in which the bot acknowledges.
func base() policy.Situation {
	zone := homeops.Zone("Europe/Stockholm")
	at := time.Date(2037, 2, 16, 10, 0, 0, 0, zone)
	return policy.Situation{
		Meant: true, SaidAt: at, Now: at.Add(2 * time.Second), Zone: zone, Quiet: homeops.QuietHours{From: 22, To: 7}, DailyCap: 3,
		Cooldown: 15 * time.Minute, Confidence: 0.9, Activity: "diskning", Book: speech.In(understanding.Swedish), Names: []string{"Anna", "Erik"},
	}
}

// faults lists what silences the bot, in the order of the policy.
var faults = []struct {
	reason policy.Reason
	apply  func(*policy.Situation)
}{
	{policy.None, func(s *policy.Situation) { s.Meant = false }},
	{policy.Late, func(s *policy.Situation) { s.Now = s.SaidAt.Add(homeops.LateAfter + time.Second) }},
	{policy.QuietHours, func(s *policy.Situation) {
		moved := s.SaidAt.Add(13 * time.Hour)
		s.Now, s.LastSpoke = s.Now.Add(13*time.Hour), s.LastSpoke.Add(13*time.Hour)
		s.SaidAt = moved
	}},
	{policy.DailyCap, func(s *policy.Situation) { s.Responses = 3 }},
	{policy.FastChat, func(s *policy.Situation) { s.Others = 3 }},
	{policy.Cooldown, func(s *policy.Situation) { s.LastSpoke = s.SaidAt.Add(-15*time.Minute + time.Second) }},
	{policy.LowConfidence, func(s *policy.Situation) { s.Confidence = 0.49 }},
	{policy.Suppressed, func(s *policy.Situation) { s.Never = true }},
	{policy.Tone, func(s *policy.Situation) { s.Activity = "du borde"; s.Confidence = min(s.Confidence, 0.6) }},
}

// Every fault silences the bot, and of several the first in the order is the reason.
func TestPolicyAppliesItsRulesInOrder(t *testing.T) {
	if v := policy.Decide(base()); !v.Speak || v.Reason != policy.Spoke || v.Text != "Noterat ✓" {
		t.Fatalf("without a fault: %+v", v)
	}
	for i, first := range faults {
		for j := i; j < len(faults); j++ {
			s := base()
			if j != i {
				faults[j].apply(&s)
			}
			first.apply(&s)
			if first.reason == policy.LowConfidence || faults[j].reason == policy.LowConfidence {
				s.Confidence = 0.49
			}
			if v := policy.Decide(s); v.Speak || v.Reason != first.reason {
				t.Errorf("%s with %s: %+v", first.reason, faults[j].reason, v)
			}
		}
	}
}

// Vectors 2 to 6, both sides of every bound.
func TestPolicyBounds(t *testing.T) {
	zone := homeops.Zone("Europe/Stockholm")
	at := func(day, hour, minute, second int) func(*policy.Situation) {
		return func(s *policy.Situation) {
			s.SaidAt = time.Date(2037, 2, day, hour, minute, second, 0, zone)
			s.Now = s.SaidAt
		}
	}
	const ack, clarify = homeopsdb.BotMessageKindAck, homeopsdb.BotMessageKindClarify
	for _, c := range []struct {
		name   string
		change func(*policy.Situation)
		reason policy.Reason
		kind   policy.Kind
	}{
		{"21:59:59", at(16, 21, 59, 59), policy.Spoke, ack},
		{"22:30", at(16, 22, 30, 0), policy.QuietHours, ""},
		{"06:59", at(17, 6, 59, 59), policy.QuietHours, ""},
		{"07:00", at(17, 7, 0, 0), policy.Spoke, ack},
		{"third", func(s *policy.Situation) { s.Responses = 2 }, policy.Spoke, ack},
		{"fourth", func(s *policy.Situation) { s.Responses = 3 }, policy.DailyCap, ""},
		{"ten minutes", func(s *policy.Situation) { s.LastSpoke = s.SaidAt.Add(-10 * time.Minute) }, policy.Cooldown, ""},
		{"14:59", func(s *policy.Situation) { s.LastSpoke = s.SaidAt.Add(-15*time.Minute + time.Second) }, policy.Cooldown, ""},
		{"15:00", func(s *policy.Situation) { s.LastSpoke = s.SaidAt.Add(-15 * time.Minute) }, policy.Spoke, ack},
		{"two others", func(s *policy.Situation) { s.Others = 2 }, policy.Spoke, ack},
		{"three others", func(s *policy.Situation) { s.Others = 3 }, policy.FastChat, ""},
		{"ten minutes late", func(s *policy.Situation) { s.Now = s.SaidAt.Add(10 * time.Minute) }, policy.Spoke, ack},
		{".85", func(s *policy.Situation) { s.Confidence = .85 }, policy.Spoke, ack},
		{".84", func(s *policy.Situation) { s.Confidence = .84 }, policy.Spoke, clarify},
		{".50", func(s *policy.Situation) { s.Confidence = .50 }, policy.Spoke, clarify},
		{".49", func(s *policy.Situation) { s.Confidence = .49 }, policy.LowConfidence, ""},
		{".49 to the bot", func(s *policy.Situation) { s.Confidence, s.Addressed = .49, true }, policy.Spoke, clarify},
		{"ignored, 9 samples", func(s *policy.Situation) { s.Ignored, s.IgnoredN = .9, 9 }, policy.Spoke, ack},
		{"ignored .7, 10 samples", func(s *policy.Situation) { s.Ignored, s.IgnoredN = .7, 10 }, policy.Spoke, ack},
		{"ignored .71, 10 samples", func(s *policy.Situation) { s.Ignored, s.IgnoredN = .71, 10 }, policy.Suppressed, ""},
		{"ignored, clarify", func(s *policy.Situation) { s.Ignored, s.IgnoredN, s.Confidence, s.Frequency = .9, 10, .6, 5 }, policy.Spoke, clarify},
		{"rare writer", func(s *policy.Situation) { s.Frequency, s.FrequencyN, s.Confidence = .99, 10, .6 }, policy.LowFrequency, ""},
		{"rare writer, 9 days", func(s *policy.Situation) { s.Frequency, s.FrequencyN, s.Confidence = .99, 9, .6 }, policy.Spoke, clarify},
		{"once a day", func(s *policy.Situation) { s.Frequency, s.FrequencyN, s.Confidence = 1, 10, .6 }, policy.Spoke, clarify},
		{"long activity", func(s *policy.Situation) { s.Activity, s.Confidence = "hämta barnen hos farmor", .6 }, policy.Tone, ""},
	} {
		s := base()
		c.change(&s)
		v := policy.Decide(s)
		if v.Reason != c.reason || c.reason == policy.Spoke && v.Kind != c.kind || v.Speak != (c.reason == policy.Spoke) {
			t.Errorf("%s: %+v, want %s %s", c.name, v, c.reason, c.kind)
		}
	}
}

// A direct question is answered in spite of budgets, but not at night.
func TestDirectQuestionsPassBudgets(t *testing.T) {
	s := base()
	s.Direct, s.Kind, s.Text = true, homeopsdb.BotMessageKindAnswer, "Anna diskade senast igår kl 18:00."
	s.Responses, s.Others, s.LastSpoke, s.Never = 9, 9, s.SaidAt, true
	if v := policy.Decide(s); !v.Speak || v.Text != s.Text {
		t.Errorf("%+v", v)
	}
	s.SaidAt, s.Now = s.SaidAt.Add(14*time.Hour), s.SaidAt.Add(14*time.Hour)
	if v := policy.Decide(s); v.Reason != policy.QuietHours {
		t.Errorf("at night: %+v", v)
	}
}
