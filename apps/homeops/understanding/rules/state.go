package rules

import (
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// stateMatch returns the activity that a clause calls finished: "disken är klar", "klar med
// disken", "soporna slängda", "dishes ✅".
func (c *clause) stateMatch() (match, bool) {
	for i := range c.tokens {
		t := &c.tokens[i]
		if t.is(state) {
			if m, ok := c.doneWith(i); ok {
				return m, true
			}
			if m, ok := c.nounDone(i, nil); ok {
				return m, true
			}
		}
		for _, v := range t.verbs {
			if v.form != participle {
				continue
			}
			if m, ok := c.nounDone(i, &v); ok {
				return m, true
			}
		}
	}
	return match{}, false
}

// doneWith reads "klar med disken".
func (c *clause) doneWith(i int) (match, bool) {
	if i+1 >= len(c.tokens) || !c.tokens[i+1].is(with) {
		return match{}, false
	}
	for j := i + 2; j < len(c.tokens); j++ {
		t := &c.tokens[j]
		if a := t.nounActivity(); a != "" || t.learned != nil {
			m := match{activity: a, rule: "state.with", verb: i, form: past, object: j, with: true, fuzzy: t.fuzzy}
			m.span = t.span
			m.loose = t.isMeal() || j+1 < len(c.tokens) && !c.tokens[j+1].known() // "done with dinner drama"
			if t.learned != nil {
				m = m.learn(t.learned)
			}
			return m, true
		}
		if !t.is(det) {
			break
		}
	}
	return match{}, false
}

// nounDone reads "disken är klar", or "soporna slängda" with a participle. Only determiners, a
// copula and fillers may stand with them.
func (c *clause) nounDone(i int, v *verbForm) (match, bool) {
	noun := -1
	for j := range i {
		t := &c.tokens[j]
		switch {
		case t.learned != nil || len(t.objects) > 0:
			noun = j
		case t.is(prep) && !t.is(det|particle|filler|copula), isPerson(t):
			return match{}, false
		case t.is(det|copula|filler|particle) || t.time != nil || t.symbol:
		default:
			return match{}, false
		}
	}
	if noun < 0 {
		return match{}, false
	}
	t := &c.tokens[noun]
	activity := t.nounActivity()
	rule := "state.noun"
	if v != nil {
		if activity, rule = v.on(t); rule == "" {
			return match{}, false
		}
	}
	if activity == "" && t.learned == nil {
		return match{}, false
	}
	m := match{activity: activity, rule: rule, verb: i, form: past, object: noun, stated: true, fuzzy: t.fuzzy || c.tokens[i].fuzzy}
	m.span = understanding.Span{Start: t.span.Start, End: c.tokens[i].span.End}
	if v != nil {
		m.lemma = *v
		m.loose = t.nounActivity() == ""
	}
	if t.learned != nil {
		m = m.learn(t.learned)
	}
	return m, true
}

// on returns the activity of a participle and the noun before it: "lakanen bytta", "the room is
// cleaned".
func (v *verbForm) on(t *token) (understanding.ActivityID, string) {
	for _, r := range v.lang.rules[v.lemma] {
		if r.mode == withObject && t.hasObject(r.objects) && t.member == "" && !slices.Contains(r.objects, "tid") && !slices.Contains(r.objects, "appointment") {
			return r.activity, r.id
		}
	}
	if a := t.nounActivity(); a != "" && v.lang.light[v.lemma] {
		return a, "state.light"
	}
	for _, r := range v.lang.rules[v.lemma] {
		if r.mode == open && t.hasObject([]string{"städområde", "rooms"}) {
			return r.activity, r.id
		}
	}
	return "", ""
}

// nounOnly returns the activity of a clause that consists of a noun, for lists such as "fixade
// disken och soporna".
func (c *clause) nounOnly() (noun int, ok bool) {
	noun = -1
	for j := range c.tokens {
		t := &c.tokens[j]
		switch {
		case (t.learned != nil || len(t.objects) > 0) && noun < 0:
			noun = j
		case t.is(det|filler|state) || t.time != nil || t.symbol:
		default:
			return -1, false
		}
	}
	return noun, noun >= 0
}

// learnedForm guesses the form of a household's own verb by its ending. ok is false for nouns.
func learnedForm(word string) (form, bool) {
	word = word[strings.LastIndexByte(word, ' ')+1:]
	for _, e := range []struct {
		ending string
		form   form
	}{{"ade", past}, {"dde", past}, {"ed", past}, {"at", supine}, {"it", supine}, {"tt", supine}, {"ar", present}, {"ing", ing}} {
		if len(word) > len(e.ending)+1 && strings.HasSuffix(word, e.ending) {
			if e.form == ing && strings.HasSuffix(word, "ning") {
				return 0, false // a Swedish noun: "pantning"
			}
			return e.form, true
		}
	}
	return 0, false
}
