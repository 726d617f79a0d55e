package rules

import (
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// A match is an activity that a clause names.
type match struct {
	activity understanding.ActivityID
	name     string // of a learned activity that the catalogue does not have
	kind     understanding.Kind
	rule     string
	verb     int      // index of the verb, or of the state
	form     form     // of the verb
	lemma    verbForm // the verb, for clauses that leave it out
	object   int      // index, or -1
	stated   bool     // "disken är klar": finished without a doer
	with     bool     // "klar med disken": finished by the subject
	weak     bool     // the object is unknown
	loose    bool     // a participle of a thing that names no activity: "oven scrubbed"
	fuzzy    bool
	fronted  bool // the object stands before the verb: "disken tog jag"
	span     understanding.Span
}

// match returns the activity that a clause names. A clause has one predicate, so there is at most
// one.
func (c *clause) match() (match, bool) {
	if m, ok := c.stateMatch(); ok {
		return m, true
	}
	for i := range c.tokens {
		if m, ok := c.verbMatch(i); ok {
			return m, true
		}
	}
	return match{}, false
}

// verbMatch returns the activity of the verb at index i.
func (c *clause) verbMatch(i int) (match, bool) {
	t := &c.tokens[i]
	if t.learned != nil {
		if f, ok := learnedForm(t.text); ok {
			m := learnedMatch(t, i)
			m.form = f
			return m, true
		}
	}
	for _, v := range t.verbs {
		if m, ok := c.objectMatch(i, v); ok {
			return m, true
		}
	}
	for _, v := range t.verbs {
		for _, r := range v.lang.rules[v.lemma] {
			if m, ok := c.bareMatch(i, v, r); ok {
				return m, true
			}
		}
	}
	return match{}, false
}

// ruleMatch tries the rules with objects.
func (c *clause) ruleMatch(i int, v verbForm) (match, bool) {
	for _, r := range v.lang.rules[v.lemma] {
		if r.mode != withObject || !c.hasAfter(i, r.needs) || c.isBlocked(i, r) {
			continue
		}
		if j := c.findObject(i, r.preps, func(t *token) bool { return t.hasObject(r.objects) }); j >= 0 {
			return c.matched(i, j, v, r.id, r.activity), true
		}
	}
	return match{}, false
}

// objectMatch tries the rules with objects, then the meaning of the object alone.
func (c *clause) objectMatch(i int, v verbForm) (match, bool) {
	if m, ok := c.ruleMatch(i, v); ok {
		return m, true
	}
	if !v.lang.light[v.lemma] {
		return match{}, false
	}
	if j := c.findObject(i, nil, func(t *token) bool { return t.learned != nil || t.nounActivity() != "" }); j >= 0 {
		t := &c.tokens[j]
		if t.isMeal() && (v.lemma == "finish" || v.lemma == "avsluta" || v.lemma == "complete") {
			return match{}, false // "finished dinner" is eaten, not cooked
		}
		m := c.matched(i, j, v, "noun."+t.text, t.nounActivity())
		if t.learned != nil {
			return m.learn(t.learned), true
		}
		for _, inner := range t.verbs { // "finished cleaning the bathroom"
			if what, ok := c.ruleMatch(j, inner); ok && what.object > j {
				m.activity, m.rule, m.span.End = what.activity, what.rule, what.span.End
				break
			}
		}
		return m, true
	}
	return match{}, false
}

// matched builds the match of a verb and an object.
func (c *clause) matched(i, j int, v verbForm, rule string, activity understanding.ActivityID) match {
	m := match{activity: activity, rule: rule, verb: i, form: c.bestForm(i, v), lemma: v, object: j, fuzzy: c.tokens[i].fuzzy || c.tokens[j].fuzzy, fronted: j < i}
	m.span = understanding.Span{Start: min(c.tokens[i].span.Start, c.tokens[j].span.Start), End: max(c.tokens[i].span.End, c.tokens[j].span.End)}
	return m
}

// bestForm chooses between the forms that a word can have by the words before it: "vacuumed" is a
// participle after "have" and a past without it.
func (c *clause) bestForm(i int, v verbForm) form {
	forms := map[form]bool{}
	for _, o := range c.tokens[i].verbs {
		if o.lemma == v.lemma {
			forms[o.form] = true
		}
	}
	var before class
	for k := range i {
		before |= c.tokens[k].classes
	}
	switch {
	case forms[supine] && before&(have|had) != 0:
		return supine
	case forms[base] && before&(will|can|must|managed|promise) != 0:
		return base
	case forms[past]:
		return past
	case forms[supine]:
		return supine
	}
	return v.form
}

// bareMatch tries a rule without objects.
func (c *clause) bareMatch(i int, v verbForm, r *rule) (match, bool) {
	t := &c.tokens[i]
	if r.mode == withObject || v.form == participle {
		return match{}, false
	}
	if c.isBlocked(i, r) {
		return match{}, false
	}
	known, none := c.directObject(i)
	if r.mode == bare && !none {
		return match{}, false
	}
	return match{activity: r.activity, rule: r.id, verb: i, form: c.bestForm(i, v), lemma: v, object: -1, weak: r.mode == closed && !known, fuzzy: t.fuzzy, span: t.span}, true
}

// isBlocked reports whether the clause has a word that the rule of the verb at i excludes.
func (c *clause) isBlocked(i int, r *rule) bool {
	for j := range c.tokens {
		if j != i && c.tokens[j].hasObject(r.blocked) && (j > i || !c.tokens[j].is(prep)) {
			return true
		}
	}
	return false
}

// directObject reports whether what follows the verb is understood, and whether nothing follows.
func (c *clause) directObject(i int) (known, none bool) {
	for j := i + 1; j < len(c.tokens); j++ {
		t := &c.tokens[j]
		switch {
		case t.time != nil, t.symbol, t.is(adverbial | interjection | negation | hedge | me | we | onTheWay | harmless | laugh | now | irony | heavy | easy | polite | state | habit | praise | elsewhere):
		case t.is(particle) && j == i+1:
		case t.is(prep), t.is(sub):
			return true, false
		case t.is(det):
		default:
			return false, false
		}
	}
	return true, true
}

// findObject returns the index of the first token after the verb that is wanted and stands in the
// right place: not behind a preposition other than those listed. If there is none, an object at the
// beginning of the clause counts when the subject follows the verb.
func (c *clause) findObject(i int, preps []string, wanted func(*token) bool) int {
	for j := i + 1; j < len(c.tokens); j++ {
		t := &c.tokens[j]
		if wanted(t) && c.governed(i, j, preps) && !c.isAsked(i, j) {
			return j
		}
		if t.is(auxiliary) && t.text != "'s" || len(t.verbs) > 0 && len(t.objects) == 0 && !t.is(det|particle|prep) || t.is(me|we|you) && j > i+1 {
			break // the object of another verb
		}
	}
	first := c.firstVerb()
	for j := range first {
		t := &c.tokens[j]
		if wanted(t) && (j == 0 || c.tokens[j-1].is(det|filler)) && c.subjectBetween(first, i) {
			return j
		}
		if !t.is(det | filler) {
			break
		}
	}
	return -1
}

// isAsked reports whether the word at j is the verb of a question that the verb at i only opens, and
// no object: "did anyone wash the car".
func (c *clause) isAsked(i, j int) bool {
	before := &c.tokens[j-1]
	return j-1 > i && (isPerson(before) || before.is(other|anyone|last)) && slices.ContainsFunc(c.tokens[j].verbs, func(v verbForm) bool { return v.form == base })
}

// subjectBetween reports whether a person stands right after the first verb.
func (c *clause) subjectBetween(first, verb int) bool {
	for j := first + 1; j <= min(first+2, len(c.tokens)-1); j++ {
		if isPerson(&c.tokens[j]) {
			return true
		}
	}
	return false
}

// firstVerb returns the index of the first verb or auxiliary, or the number of tokens.
func (c *clause) firstVerb() int {
	for i := range c.tokens {
		if len(c.tokens[i].verbs) > 0 && len(c.tokens[i].objects) == 0 || c.tokens[i].is(auxiliary) {
			return i
		}
	}
	return len(c.tokens)
}

// governed reports whether the object at j belongs to the verb at i: directly, or behind one of the
// prepositions.
func (c *clause) governed(i, j int, preps []string) bool {
	for k := j - 1; k > i; k-- {
		t := &c.tokens[k]
		switch {
		case t.is(prep|particle) && slices.Contains(preps, t.text):
			return true
		case t.is(particle) && k == i+1:
			return true
		case t.is(prep) && !t.is(det):
			return false
		}
	}
	return true
}

// hasAfter reports whether one of the words stands behind the verb, or none is demanded.
func (c *clause) hasAfter(i int, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(c.tokens[i+1:], func(t token) bool { return slices.Contains(words, strings.Fields(t.text)[0]) })
}

// isMeal reports whether the noun can be eaten as well as cooked.
func (t *token) isMeal() bool { return t.hasObject([]string{"mat", "meal"}) }

// hasObject reports whether the token belongs to one of the object classes. Members are persons.
func (t *token) hasObject(classes []string) bool {
	if t.member != "" && slices.Contains(classes, "person") {
		return true
	}
	return slices.ContainsFunc(t.objects, func(o string) bool { return slices.Contains(classes, o) })
}

// nounActivity returns the activity that the token names by itself, or "".
func (t *token) nounActivity() understanding.ActivityID {
	for _, l := range languages() {
		for _, o := range t.objects {
			if a, ok := l.nouns[o]; ok && slices.Contains(l.objects[t.text], o) {
				return a
			}
		}
	}
	return ""
}

// learnedMatch returns the match of a household's own word.
func learnedMatch(t *token, i int) match {
	return match{rule: "vocabulary", verb: i, object: -1, span: t.span}.learn(t.learned)
}

// learn sets the activity of a household's own word.
func (m match) learn(w *understanding.Word) match {
	m.activity, m.name, m.kind, m.rule = w.Activity, w.Name, w.Kind, "vocabulary"
	return m
}
