package rules

import (
	"slices"

	"sortkey.dev/apps/homeops/understanding"
)

// A tense says when the activity of a clause takes place.
type tense int

const (
	noTense tense = iota
	done
	presently
	inFuture
	offered // "jag kan ta disken"
	unreal  // "hade diskat", "borde diska"
	command // "diska!"
	ongoing // "doing the dishes"
)

// A frame says who does the activity of a clause, when, and how the clause speaks of it.
type frame struct {
	person   understanding.Person
	persons  []string // members, when several are named
	explicit bool     // the subject is said
	unknown  bool     // a word in front of the verb is unknown, so the subject may be too
	tense    tense
	negated  bool
	question bool
	classes  class // of the whole clause
	before   class // of the words before the verb
}

// frame determines the frame of a match. prev is the frame of the clause before, which a clause
// without its own subject or auxiliary continues.
func (c *clause) frame(m match, author string, prev *frame) frame {
	f := frame{classes: c.all()}
	for i := range m.verb {
		f.before |= c.tokens[i].classes
	}
	f.negated = c.negated()
	inverted, front := f.setPerson(c, m, author)
	f.setTense(c, m)
	continues := prev != nil && !f.explicit && (c.joiner == coordinated || c.joiner == comma || c.joiner == contrasted)
	if continues {
		f.continueFrom(prev, c, m)
	}
	asks := len(c.tokens) > 0 && c.firstContent().is(wh)
	f.question = c.question || asks && !m.stated || inverted && !front && c.joiner != consequent
	return f
}

// firstContent returns the first token that is no interjection.
func (c *clause) firstContent() *token {
	for i := range c.tokens {
		if !c.tokens[i].is(interjection) || c.tokens[i].is(wh) {
			return &c.tokens[i]
		}
	}
	return &c.tokens[0]
}

// negated reports whether a word of the clause negates it. "No" before a subject answers something
// else: "no I did the dishes".
func (c *clause) negated() bool {
	for i := range c.tokens {
		t := &c.tokens[i]
		if !t.is(negation) {
			continue
		}
		if t.text == "no" && i == 0 && len(c.tokens) > 1 && (isPerson(&c.tokens[1]) || c.tokens[1].text == "it" || c.tokens[1].text == "that") {
			continue
		}
		return true
	}
	return false
}

// setPerson finds the subject. It reports whether the subject follows the verb, and whether
// something stands in front of the verb that explains it.
func (f *frame) setPerson(c *clause, m match, author string) (inverted, front bool) {
	first := min(c.firstVerb(), m.verb)
	subject := -1
	for i := range m.verb {
		t := &c.tokens[i]
		if i < first && (t.is(adverbial|prep|onTheWay) || t.time != nil || i == m.object) {
			front = true
		}
		if !c.isSubject(i) {
			if i != m.object && !m.stated && f.obscures(c, i, m) {
				f.unknown = true
			}
			continue
		}
		subject = i
	}
	if subject < 0 {
		if i := m.verb + 1; first == m.verb && i < len(c.tokens) && i != m.object && c.isSubject(i) && !c.takesPerson(i, m, front) {
			subject = i
		}
	}
	f.person = understanding.Person{Role: understanding.RoleAuthor}
	if subject >= 0 {
		f.explicit = true
		f.name(c, subject, author)
	}
	if f.unknown && f.believes(c, subject, m) {
		f.person, f.explicit = understanding.Person{Role: understanding.RoleOther}, true
	}
	return subject > first, front
}

// believes reports whether the subject only believes what an unknown person did: "jag tror Olle
// diskade".
func (f *frame) believes(c *clause, subject int, m match) bool {
	hedged := false
	for i := max(subject, 0); i < m.verb; i++ {
		if hedged && i != m.object && f.obscures(c, i, m) {
			return true
		}
		hedged = hedged || c.tokens[i].is(hedge)
	}
	return false
}

// takesPerson reports whether the member behind the verb is its object: "nattade Leo". English
// puts no subject there. With words in front of a Swedish verb, the member is the subject: "igår
// nattade Leo".
func (c *clause) takesPerson(i int, m match, front bool) bool {
	l := m.lemma.lang
	if c.tokens[i].member == "" || l == nil || c.question {
		return false
	}
	return l.locale == understanding.English || l.persons[m.lemma.lemma] && !front
}

// isSubject reports whether the token at i can be a subject: a person that no preposition governs.
func (c *clause) isSubject(i int) bool {
	t := &c.tokens[i]
	if isDummy(t) && i+1 < len(c.tokens) && (c.tokens[i+1].is(auxiliary) || len(c.tokens[i+1].verbs) > 0) {
		return true // "det var en fin promenad": no person did it
	}
	if t.member == "" && !t.is(person) {
		return false
	}
	if i > 0 && c.tokens[i-1].is(prep) && !c.tokens[i-1].is(adverbial|with) || i > 0 && c.tokens[i-1].is(with) {
		return false
	}
	if t.is(det) && t.member == "" { // "alla sängar", "her bike"
		return i+1 < len(c.tokens) && (c.tokens[i+1].is(auxiliary|adverbial) || len(c.tokens[i+1].verbs) > 0)
	}
	return true
}

// isDummy reports whether a word stands for no person as a subject.
func isDummy(t *token) bool {
	switch t.text {
	case "det", "detta", "it", "that", "this", "there":
		return true
	}
	return false
}

// obscures reports whether the token at i, in front of the verb, may be a subject that the tables
// do not know, or a verb that changes the meaning.
func (f *frame) obscures(c *clause, i int, m match) bool {
	t := &c.tokens[i]
	switch {
	case t.is(filler|auxiliary|promise|habit|det|prep|particle|always|never|with|anyone|last|report|fail) || t.time != nil || t.symbol || t.mark:
		return false
	case t.text == "att" || t.text == "to" || t.text == "did":
		return false
	}
	return true
}

// name sets the person of the subject at i, with the persons that "och" joins to it.
func (f *frame) name(c *clause, i int, author string) {
	t := &c.tokens[i]
	switch {
	case t.is(me):
		f.person = understanding.Person{Role: understanding.RoleAuthor}
	case t.is(we):
		f.person = understanding.Person{Role: understanding.RoleWe}
	case t.member == author && author != "":
		f.person = understanding.Person{Role: understanding.RoleAuthor}
	case t.member != "":
		f.person = understanding.Person{Role: understanding.RoleMember, Member: t.member}
	default:
		f.person = understanding.Person{Role: understanding.RoleOther}
	}
	for j := i; j >= 2 && c.tokens[j-1].is(and); j -= 2 {
		second := &c.tokens[j-2]
		switch {
		case second.is(me) || f.person.Role == understanding.RoleAuthor:
			f.person = understanding.Person{Role: understanding.RoleWe}
		case second.member != "" && f.person.Role == understanding.RoleMember:
			f.persons = append(f.persons, second.member)
		default:
			f.person = understanding.Person{Role: understanding.RoleOther}
		}
	}
}

// setTense determines the tense from the form of the verb and the words before it.
func (f *frame) setTense(c *clause, m match) {
	b := f.before
	switch {
	case m.stated || m.with:
		f.tense = done
		if f.classes&(will|must|can|had) != 0 {
			f.tense = unreal
		}
	case b&(must|had) != 0:
		f.tense = unreal
	case m.form == base && b&managed != 0:
		f.tense = done
	case m.form == base && b&(will|promise) != 0:
		f.tense = inFuture
	case m.form == base && b&can != 0:
		f.tense = offered
	case m.form == base:
		f.tense = command
	case m.form == ing && b&managed != 0:
		f.tense = done
	case m.form == ing:
		f.tense = ongoing
		if b&have != 0 || c.startsWithBeen(m) {
			f.tense = noTense
		}
	case m.form == present:
		f.tense = presently
	case m.form == past && b&(will|can) == 0:
		f.tense = done
	case m.form == supine && b&(will|can) == 0:
		f.tense = done
	default:
		f.tense = unreal
	}
}

// startsWithBeen reports whether "been" stands before an -ing form: "been cleaning".
func (c *clause) startsWithBeen(m match) bool {
	return slices.ContainsFunc(c.tokens[:m.verb], func(t token) bool { return t.text == "been" })
}

// continueFrom takes over what a coordinated clause leaves out: the subject, and the auxiliary and
// negation of infinitives and supines.
func (f *frame) continueFrom(prev *frame, c *clause, m match) {
	if !f.unknown {
		f.person, f.persons, f.explicit = prev.person, prev.persons, prev.explicit
		f.unknown = prev.unknown
	}
	if m.stated {
		return
	}
	if f.tense == command && prev.tense != noTense && m.form == base {
		f.tense = prev.tense
	}
	if m.form == supine && prev.tense == unreal {
		f.tense = unreal
	}
	finite := m.form == past && m.lemma.lang != nil && m.lemma.lang.locale == understanding.Swedish
	if prev.negated && c.joiner != contrasted && !finite {
		f.negated = true
	}
	f.before |= prev.before & (must | fail | report | habit | hedge)
	f.classes |= prev.classes & (fail | report | habit)
	if prev.tense == unreal && m.form == base {
		f.tense = unreal
	}
}
