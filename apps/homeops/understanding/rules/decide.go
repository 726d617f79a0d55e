package rules

import (
	"slices"
	"time"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/timewords"
)

// Confidence by rule, calibrated on the development set. Only reports of the author can be clear.
const (
	certain     = 0.95 // "jag har diskat"
	implied     = 0.90 // "har diskat"
	stated      = 0.88 // "disken är klar"
	together    = 0.86 // "vi har diskat"
	named       = 0.70 // "Anna har diskat"
	doubtful    = 0.60 // a guard or a misspelling leaves a doubt
	unclear     = 0.55 // the object is unknown
	committed   = 0.90 // "jag tar disken ikväll"
	assumed     = 0.86 // "tar disken ikväll", "jag tar disken"
	conditional = 0.40 // "jag kan ta disken": below the limit of a question
)

// decide adds the meaning of a clause that names an activity.
func (p *parser) decide(all []clause, i int, m match, f frame) {
	c := &all[i]
	if p.ask(c, m, f) || p.dispute(c, m, f) {
		return
	}
	if m.stated && p.notYet(all, i) || f.tense == done && c.saysSoon() {
		p.mention(m, f, understanding.Planned)
		return
	}
	if why := p.guard(c, m, f); why != "" {
		p.mention(m, f, why)
		return
	}
	switch f.tense {
	case done:
		p.report(all, i, m, f)
	case presently, inFuture, offered, ongoing:
		p.commit(all, i, m, f)
	case noTense: // "been cleaning"
		p.add(all, i, m, f, f.person, doubtful)
	default:
		p.mention(m, f, understanding.Hypothetical)
	}
}

// guard returns the reason why a clause reports nothing, or "".
func (p *parser) guard(c *clause, m match, f frame) understanding.MentionReason {
	switch {
	case p.classes&retract != 0:
		return understanding.Retracted
	case p.classes&irony != 0 && p.classes&laugh != 0 && f.tense == done:
		return understanding.Ironic
	case f.question && !p.tagQuestion(c, f):
		return understanding.Asked
	case f.negated, f.classes&fail != 0, m.stated && p.crossesFirst():
		return understanding.Negated
	case c.joiner == subordinate:
		return understanding.Hypothetical
	case f.before&report != 0 || f.classes&report != 0 && !f.explicit:
		return understanding.Reported
	case f.tense == unreal:
		return understanding.Hypothetical
	case f.tense == command || f.classes&polite != 0 && f.tense != done:
		return understanding.Requested
	case f.person.Role == understanding.RoleOther:
		return understanding.OtherPerson
	case f.unknown && !f.explicit:
		return understanding.OtherPerson
	case f.classes&habit != 0:
		return understanding.NoStatement
	case f.classes&praise != 0 || p.classes&praise != 0 && !f.explicit:
		return understanding.NoStatement
	}
	return ""
}

// notYet reports whether a state has a time that has not passed: "maten är klar om 10 min", "dinner
// is ready at 6", "disken är klar när du kommer".
func (p *parser) notYet(all []clause, i int) bool {
	for j := range all[i].tokens {
		t := &all[i].tokens[j]
		if t.time != nil && t.time.IsFuture() && !t.time.IsWholeDay() {
			return true
		}
		if t.text != "" && t.text[0] >= '0' && t.text[0] <= '9' && t.time == nil {
			return true
		}
	}
	return i+1 < len(all) && all[i+1].sentence == all[i].sentence && all[i+1].joiner == subordinate
}

// crossesFirst reports whether a message puts its checks and crosses before what they are about:
// "❌ disk ✅ tvätt".
func (p *parser) crossesFirst() bool {
	return isCheck(&p.tokens[0]) && slices.ContainsFunc(p.tokens, func(t token) bool { return isCheck(&t) && t.is(negation) })
}

// saysSoon reports whether a clause puts what it says into the next moment: "snart klar med disken",
// "jag har diskat klart strax".
func (c *clause) saysSoon() bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool { return t.time != nil && t.time.IsSoon() })
}

// tagQuestion reports whether the question mark belongs to a short clause after the report: "jag
// har diskat, nöjda?"
func (p *parser) tagQuestion(c *clause, f frame) bool {
	if !c.question || !f.explicit || f.tense != done || !c.tokens[0].is(me|we|interjection|adverbial) {
		return false
	}
	last := clauses(p.tokens)
	tag := last[len(last)-1]
	for k := len(last) - 1; k >= 0; k-- {
		if last[k].sentence == c.sentence {
			tag = last[k]
			break
		}
	}
	if tag.joiner != begin && !tag.disjunct && tag.all()&(you|negation) == you {
		return true // "jag lämnade Leo, hämtar du?"
	}
	if _, ok := tag.match(); ok || len(tag.tokens) > 3 || tag.joiner == begin {
		return false
	}
	return tag.all()&(you|negation|or) == 0 && !tag.disjunct && tag.tokens[0].text != "hur"
}

// mention records an activity that is not reported.
func (p *parser) mention(m match, f frame, why understanding.MentionReason) {
	p.meaning.Mentions = append(p.meaning.Mentions, understanding.Mention{
		Activity: m.activity, Why: why, Span: m.span,
		Reasons: []understanding.Reason{{Rule: m.rule, Span: m.span}, {Rule: "guard." + string(why), Span: m.span}},
	})
}

// report adds a finished activity.
func (p *parser) report(all []clause, i int, m match, f frame) {
	confidence := implied
	switch {
	case m.stated:
		confidence = stated
	case f.person.Role == understanding.RoleMember:
		confidence = named
	case f.person.Role == understanding.RoleWe:
		confidence = together
	case f.explicit:
		confidence = certain
	}
	samePast := m.lemma.lang != nil && m.lemma.lang.samePast[m.lemma.lemma] && !f.explicit && f.before&(have|adverbial) == 0
	adjective := p.classes&tidy != 0 && !f.explicit && f.before&have == 0
	doubt := adjective || m.fuzzy || m.loose || samePast || all[i].cleft || f.classes&(hedge|irony|elsewhere) != 0 || p.classes&(irony|laugh) != 0 || f.unknown && !all[i].cleft || p.sentenceAsksBack(all, i)
	if doubt {
		confidence = min(confidence, doubtful)
	}
	if m.weak || m.activity == understanding.Free {
		confidence = min(confidence, unclear)
	}
	p.add(all, i, m, f, f.person, confidence)
	for _, member := range f.persons {
		p.add(all, i, m, f, understanding.Person{Role: understanding.RoleMember, Member: member}, confidence)
	}
}

// sentenceAsksBack reports whether a denial opens the message: "nej, jag diskade igår" may be part
// of a quarrel.
func (p *parser) sentenceAsksBack(all []clause, i int) bool {
	if i == 0 {
		return false
	}
	t := &all[0].tokens[0]
	return len(all[0].tokens) == 1 && (t.text == "nej" || t.text == "nä" || t.text == "no" || t.text == "nope")
}

// add appends an activity, unless the message reported it before.
func (p *parser) add(all []clause, i int, m match, f frame, who understanding.Person, confidence float64) {
	for _, a := range p.meaning.Activities {
		if a.Activity == m.activity && a.Who == who && a.Activity != understanding.Free {
			p.mention(m, f, understanding.Repeated)
			return
		}
	}
	d, known := understanding.Lookup(m.activity)
	a := understanding.Activity{
		Activity: m.activity, Name: d.Noun(p.message.Locale), Kind: d.Kind, Who: who, Effort: d.Effort,
		Confidence: confidence, Surface: m.span.In(p.message.Text), Span: m.span, Reasons: p.reasons(m, f),
	}
	if !known {
		a.Name, a.Kind, a.Effort = m.name, m.kind, understanding.Medium
		if a.Kind == "" {
			a.Kind = understanding.Chore
		}
		if a.Name == "" {
			a.Name = a.Surface
		}
	}
	if usual, ok := p.message.Usual[m.activity]; ok && m.activity != understanding.Free {
		a.Effort = usual
	}
	if e, ok := p.effort(all, i); ok {
		a.Effort, a.EffortSaid = e, true
	}
	a.When = p.when(all, i)
	p.meaning.Activities = append(p.meaning.Activities, a)
}

// reasons lists the rules of a decision.
func (p *parser) reasons(m match, f frame) []understanding.Reason {
	out := []understanding.Reason{{Rule: m.rule, Span: m.span}}
	add := func(rule string) { out = append(out, understanding.Reason{Rule: "frame." + rule, Span: m.span}) }
	add(string(f.person.Role))
	if !f.explicit {
		add("subject_left_out")
	}
	for _, x := range []struct {
		on   bool
		name string
	}{{m.fuzzy, "misspelled"}, {m.weak, "unknown_object"}, {f.classes&hedge != 0, "hedged"}, {p.classes&(irony|laugh) != 0, "ironic"}, {f.unknown, "unknown_word"}} {
		if x.on {
			add(x.name)
		}
	}
	return out
}

// when returns the time of a report: the past time words of its clause or of a neighbour.
func (p *parser) when(all []clause, i int) understanding.When {
	now := p.message.Local()
	if e, ok := p.timeOf(all, i, timewords.Expression.IsPast); ok && !e.OnlyFuture() {
		at, exact := e.Past(now)
		return understanding.When{At: at, Exact: exact, Said: true}
	}
	return understanding.When{At: now}
}

// timeOf returns the joined time words of a clause, or of the nearest clause of the sentence that
// has some.
func (p *parser) timeOf(all []clause, i int, fits func(timewords.Expression) bool) (timewords.Expression, bool) {
	order := []int{i}
	for d := 1; d < len(all); d++ {
		order = append(order, i-d, i+d)
	}
	for _, k := range order {
		if k < 0 || k >= len(all) || all[k].sentence != all[i].sentence {
			continue
		}
		if k != i && all[k].joiner == subordinate {
			continue
		}
		if k > i && slices.ContainsFunc(all[i+1:k+1], func(c clause) bool { return c.joiner == contrasted || c.joiner == subordinate }) {
			continue
		}
		var sum timewords.Expression
		found := false
		for j := range all[k].tokens {
			e := all[k].tokens[j].time
			if e == nil || !fits(*e) {
				continue
			}
			if !found {
				sum, found = *e, true
			} else if merged, ok := sum.Merge(*e); ok {
				sum = merged
			}
		}
		if found {
			return sum, true
		}
	}
	return timewords.Expression{}, false
}

// deadline returns when a promise is due and the words that say it.
func (p *parser) deadline(all []clause, i int) (due time.Time, words string, said bool) {
	now := p.message.Local()
	e, ok := p.timeOf(all, i, timewords.Expression.IsFuture)
	if !ok || e.OnlyPast() {
		return now.Add(timewords.DefaultDeadline), "", false
	}
	for k := range all {
		for j := range all[k].tokens {
			if t := &all[k].tokens[j]; t.time != nil && t.time.IsFuture() && all[k].sentence == all[i].sentence {
				if words != "" {
					words += " "
				}
				words += t.span.In(p.message.Text)
			}
		}
	}
	return e.Deadline(now), words, true
}
