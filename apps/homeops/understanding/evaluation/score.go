package evaluation

import (
	"context"
	"fmt"
	"math"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// A Count holds the results of one class.
type Count struct {
	Wanted      int // labels that are not "maybe"
	Found       int // of them, those that were found with at least the clarify limit
	FoundClear  int // of them, those that were found with at least the clear limit
	Clear       int // meanings with at least the clear limit
	ClearRight  int // of them, those that a label confirms
	Asked       int // meanings between the limits
	AskedRight  int // of them, those that a label confirms
	DetailWrong int // found, but with another date, deadline or effort
}

// PrecisionClear returns the share of clear meanings that are right; 1 if there are none.
func (c Count) PrecisionClear() float64 { return share(c.ClearRight, c.Clear) }

// PrecisionAll returns the share of clear and asked meanings that are right.
func (c Count) PrecisionAll() float64 { return share(c.ClearRight+c.AskedRight, c.Clear+c.Asked) }

// Recall returns the share of labels that were found, asked ones included.
func (c Count) Recall() float64 { return share(c.Found, c.Wanted) }

// RecallClear returns the share of labels that were found clearly.
func (c Count) RecallClear() float64 { return share(c.FoundClear, c.Wanted) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// A Report holds the results of a set.
type Report struct {
	Name     string
	Messages int
	Counts   map[Class]*Count
	Hard     []string // meanings that would store or change something that was not said
	Wrong    []string // all other differences, for development
}

// Run classifies all cases and compares the meanings with the labels.
func Run(ctx context.Context, name string, c understanding.Classifier, cases []Case) (*Report, error) {
	r := &Report{Name: name, Messages: len(cases), Counts: map[Class]*Count{}}
	for _, class := range Classes {
		r.Counts[class] = &Count{}
	}
	for _, k := range cases {
		m, err := c.Classify(ctx, k.Message)
		if err != nil {
			return nil, fmt.Errorf("evaluation: %s:%d: %w", k.File, k.Line, err)
		}
		r.compare(k, found(m))
	}
	return r, nil
}

// A finding is a meaning in the words of a label.
type finding struct {
	Label
	confidence float64
}

// found lists what a classifier understood.
func found(m understanding.Meaning) []finding {
	var all []finding
	for _, a := range m.Activities {
		all = append(all, finding{Label{Class: Log, Activity: activity(a.Activity), Who: who(a.Who), On: a.When.At.Format(dateLayout), Effort: string(a.Effort)}, a.Confidence})
	}
	for _, p := range m.Promises {
		all = append(all, finding{Label{Class: Promise, Activity: activity(p.Activity), Due: p.Deadline.Format(timeLayout)}, p.Confidence})
	}
	for _, q := range m.Questions {
		all = append(all, finding{Label{Class: Ask, Kind: string(q.Kind), Activity: activity(q.Activity), Who: q.Who.Member}, q.Confidence})
	}
	for _, c := range m.Corrections {
		l := Label{Class: Correct, Kind: string(c.Kind), Who: c.Who.Member}
		if c.Kind == understanding.ChangeActivity {
			l.Who = activity(c.Activity)
		}
		all = append(all, finding{l, c.Confidence})
	}
	for _, q := range m.Requests {
		all = append(all, finding{Label{Class: Request, Kind: string(q.Kind)}, q.Confidence})
	}
	for _, d := range m.Disputes {
		all = append(all, finding{Label{Class: Dispute, Activity: activity(d.Activity)}, d.Confidence})
	}
	return all
}

func activity(id understanding.ActivityID) string {
	if id == understanding.Free {
		return "free"
	}
	return string(id)
}

func who(p understanding.Person) string {
	switch p.Role {
	case understanding.RoleWe:
		return "we"
	case understanding.RoleMember:
		return p.Member
	case understanding.RoleOther:
		return "other"
	}
	return ""
}

// compare counts the findings of one case.
func (r *Report) compare(k Case, all []finding) {
	used := make([]bool, len(k.Labels))
	for _, f := range all {
		if f.confidence < understanding.Clarify {
			continue
		}
		r.judge(k, f, used)
	}
	for i, l := range k.Labels {
		if l.Maybe {
			continue
		}
		count := r.Counts[l.Class]
		count.Wanted++
		if !used[i] {
			r.Wrong = append(r.Wrong, k.say("missed %s", l))
		}
	}
}

// judge counts one finding.
func (r *Report) judge(k Case, f finding, used []bool) {
	count := r.Counts[f.Class]
	clear := f.confidence >= understanding.Clear
	if clear {
		count.Clear++
	} else {
		count.Asked++
	}
	at := -1
	for i, l := range k.Labels {
		if !used[i] && l.confirms(k, f, clear) {
			at = i
			break
		}
	}
	if at < 0 {
		text := k.say("found %s with %.2f", f.Label, f.confidence)
		if clear && f.Class != Ask {
			r.Hard = append(r.Hard, text)
		} else {
			r.Wrong = append(r.Wrong, text)
		}
		return
	}
	used[at] = true
	l := k.Labels[at]
	if clear {
		count.ClearRight++
	} else {
		count.AskedRight++
	}
	if !l.Maybe {
		count.Found++
		if clear {
			count.FoundClear++
		}
	}
	if why := l.differs(k, f.Label); why != "" {
		count.DetailWrong++
		r.Wrong = append(r.Wrong, k.say("%s of %s", why, f.Label))
	}
}

// confirms reports whether a label says the same as a finding, details aside. A "maybe" confirms
// no clear finding, except for questions, which change nothing.
func (l Label) confirms(k Case, f finding, clear bool) bool {
	if l.Class != f.Class || l.Activity != f.Activity || l.Kind != f.Kind || l.Maybe && clear && l.Class != Ask {
		return false
	}
	if l.Class == Ask {
		return l.Who == f.Who || l.Who == "" || l.Who == k.Message.Author && f.Who == ""
	}
	return l.Who == f.Who
}

// differs returns the detail in which a finding differs from a label, or "".
func (l Label) differs(k Case, f Label) string {
	switch l.Class {
	case Log:
		on := l.On
		if on == "" {
			on = k.Message.Local().Format(dateLayout)
		}
		if f.On != on {
			return "date " + f.On + ", not " + on + ","
		}
		if l.Effort != "" && f.Effort != l.Effort {
			return "effort " + f.Effort + ", not " + l.Effort + ","
		}
	case Promise:
		if f.Due != l.Due {
			return "deadline " + f.Due + ", not " + l.Due + ","
		}
	}
	return ""
}

// say describes a difference.
func (k Case) say(format string, args ...any) string {
	return fmt.Sprintf("%s:%d %q: ", k.File, k.Line, k.Message.Text) + fmt.Sprintf(format, args...)
}

// String returns the label as it is written.
func (l Label) String() string {
	words := []string{string(l.Class)}
	for _, w := range []string{l.Kind, l.Activity, l.Who} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// String returns the report as a table.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d messages, %d hard errors\n", r.Name, r.Messages, len(r.Hard))
	fmt.Fprintf(&b, "%-8s %6s %16s %18s %8s %13s %13s\n", "class", "labels", "clear precision", "with asked", "recall", "clear recall", "detail wrong")
	for _, class := range Classes {
		c := r.Counts[class]
		low := lowerBound(c.ClearRight, c.Clear)
		fmt.Fprintf(&b, "%-8s %6d  %.3f (%d/%d, 95%% above %.2f)  %.3f (%d/%d)  %.3f  %.3f  %d\n", class, c.Wanted, c.PrecisionClear(), c.ClearRight, c.Clear, low,
			c.PrecisionAll(), c.ClearRight+c.AskedRight, c.Clear+c.Asked, c.Recall(), c.RecallClear(), c.DetailWrong)
	}
	return b.String()
}

// lowerBound returns the lower end of the 95 % Wilson interval of a share.
func lowerBound(right, all int) float64 {
	if all == 0 {
		return 0
	}
	const z = 1.96
	n, p := float64(all), float64(right)/float64(all)
	return (p + z*z/(2*n) - z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
}
