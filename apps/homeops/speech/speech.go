// Package speech has the sentences of the bot in Swedish and English, and the tone gate that every
// sentence passes before it is sent. A sentence is one neutral line: no praise, no blame, no
// comparison, no command. It is pure: it sends nothing and knows no household. The rooms policy,
// planner, insights and conversation call it.
package speech

import (
	"fmt"
	"strings"
	"time"

	"sortkey.dev/apps/homeops/load"
	"sortkey.dev/apps/homeops/understanding"
)

// A Phrasebook holds the texts of one language. Fields with verbs in them are formats of package
// fmt; the methods fill them in.
type Phrasebook struct {
	Ack       string // acknowledges a log, as text
	Changed   string
	Removed   string
	Paused    string
	Resumed   string
	Quieted   string
	Erasing   string
	Welcome   string // to a member who opened the private chat
	Joined    string // to a group that the bot was added to; the only text of several lines
	Help      string
	LinkGone  string // to a person whose invitation does not work
	HomeFull  string // to a person whose invitation leads to a household without room
	HintLess  string // to a member: the bot adapts and answers less
	Yes, No   string // buttons
	clarify   string // activity
	invite    string // link
	signIn    string // link
	entered   string // household
	last      string // name, verb phrase, day, clock time
	lastNone  string // activity
	count     string // name, activity, number
	countOnce string // name, activity
	total     string // activity, number
	totalOnce string // activity
	reminder  string // activity, day
	missed    string // activity, weekday
	fact      string // day, clock time, name, activity
	week      string // chores and pauses, as counted
	chores    counted
	pauses    counted
	trend     map[load.Trend]string
	band      map[load.Band]string
	habit     string // activity, weekday
	today     string
	yesterday string
	twoDays   string
	weekdays  [7]string // Sunday first
	months    [12]string
	date      string // day, month
}

// A counted noun has a form for one and a format for other numbers.
type counted struct{ one, many string }

func (c counted) of(n int) string {
	if n == 1 {
		return c.one
	}
	return fmt.Sprintf(c.many, n)
}

// In returns the phrasebook of a locale; Swedish for an unknown one.
func In(locale understanding.Locale) *Phrasebook {
	if locale == understanding.English {
		return &english
	}
	return &swedish
}

// MaxClarifyWords is the length of a question to the author. A longer name of an activity cannot
// be asked about.
const MaxClarifyWords = 5

// Clarify asks whether a message meant an activity; "" if the question is too long.
func (p *Phrasebook) Clarify(activity string) string {
	text := fmt.Sprintf(p.clarify, activity)
	if len(strings.Fields(text)) > MaxClarifyWords {
		return ""
	}
	return text
}

// Invite asks a member once to open the private chat.
func (p *Phrasebook) Invite(link string) string { return fmt.Sprintf(p.invite, link) }

// SignIn gives a member the link to their pages.
func (p *Phrasebook) SignIn(link string) string { return fmt.Sprintf(p.signIn, link) }

// Entered tells a person that they joined a household.
func (p *Phrasebook) Entered(household string) string { return fmt.Sprintf(p.entered, household) }

// Last answers who did an activity last; past is the verb phrase, such as "did the dishes".
func (p *Phrasebook) Last(name, past string, at, now time.Time) string {
	return fmt.Sprintf(p.last, name, past, p.day(at, now), at.Format("15:04"))
}

// LastNone answers that the log has nothing about an activity.
func (p *Phrasebook) LastNone(activity string) string { return fmt.Sprintf(p.lastNone, activity) }

// Count answers how often a member did something this week.
func (p *Phrasebook) Count(name, activity string, n int) string {
	if n == 1 {
		return fmt.Sprintf(p.countOnce, name, activity)
	}
	return fmt.Sprintf(p.count, name, activity, n)
}

// Total answers how often the household did something this week.
func (p *Phrasebook) Total(activity string, n int) string {
	if n == 1 {
		return capitalise(fmt.Sprintf(p.totalOnce, activity))
	}
	return capitalise(fmt.Sprintf(p.total, activity, n))
}

// Reminder says that a promise is open, without a name and without a demand.
func (p *Phrasebook) Reminder(activity string, since, now time.Time) string {
	return capitalise(fmt.Sprintf(p.reminder, activity, p.day(since, now)))
}

// Missed says that an activity usually takes place on a weekday.
func (p *Phrasebook) Missed(activity string, weekday time.Weekday) string {
	return capitalise(fmt.Sprintf(p.missed, activity, p.weekdays[weekday]))
}

// Fact is a line of the log.
func (p *Phrasebook) Fact(name, activity string, at, now time.Time) string {
	return capitalise(fmt.Sprintf(p.fact, p.day(at, now), at.Format("15:04"), name, activity))
}

// A WeekView holds the facts of a member's own week that the member is told.
type WeekView struct {
	Chores, Pauses int
	Trend          load.Trend
	Band           load.Band
	Habit          string // the activity of a habit; "" if there is none
	Weekday        time.Weekday
}

// Insight returns the lines about a member's own week. No other member is in them.
func (p *Phrasebook) Insight(w WeekView) []string {
	lines := []string{fmt.Sprintf(p.week, p.chores.of(w.Chores), p.pauses.of(w.Pauses)), p.trend[w.Trend], p.band[w.Band]}
	if w.Habit != "" {
		lines = append(lines, capitalise(fmt.Sprintf(p.habit, w.Habit, p.weekdays[w.Weekday])))
	}
	return lines
}

// Weekday returns the name of a weekday.
func (p *Phrasebook) Weekday(w time.Weekday) string { return p.weekdays[w] }

// day names a day relative to now, both in the household's zone.
func (p *Phrasebook) day(at, now time.Time) string {
	at = at.In(now.Location())
	days := int(midnight(now).Sub(midnight(at)).Round(24*time.Hour) / (24 * time.Hour))
	switch {
	case days == 0:
		return p.today
	case days == 1:
		return p.yesterday
	case days == 2:
		return p.twoDays
	case days > 2 && days < 7:
		return p.weekdays[at.Weekday()]
	}
	return fmt.Sprintf(p.date, at.Day(), p.months[at.Month()-1])
}

// midnight returns the calendar day of t in UTC, so that days are 24 hours apart.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// Activity returns the display name of a stored activity; a free activity is its own name.
func Activity(key string, locale understanding.Locale) string {
	if d, ok := understanding.Lookup(understanding.ActivityID(key)); ok {
		return d.Noun(locale)
	}
	return key
}

// Past returns the verb phrase of a stored activity, after a name.
func Past(key string, locale understanding.Locale) string {
	if d, ok := understanding.Lookup(understanding.ActivityID(key)); ok {
		if past := d.Names[locale].Past; past != "" {
			return past
		}
	}
	if locale == understanding.English {
		return "did " + key
	}
	return "gjorde " + key
}

func capitalise(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}
