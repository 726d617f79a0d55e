// Package rules is the offline classifier: rules and word tables for Swedish and English chat. It
// is the default of a household, needs no network, and prefers silence to a wrong entry.
//
// A message passes seven steps: it is split into tokens, its language is chosen, expressions are
// joined and read, sentences become clauses, each clause gets a frame (who, when, how it is said),
// the clause's words name an activity, and a decision table turns both into a meaning. Every
// decision carries the rules that made it.
//
// It stores and learns nothing: learned words come with each message. The system's ingest and its
// sandbox page call it.
package rules

import (
	"context"
	"sync"
	"unicode/utf8"

	"sortkey.dev/apps/homeops/understanding"
)

// A Classifier understands messages by rules. It is safe for concurrent use.
type Classifier struct {
	swedish, english *language
}

// New returns a classifier.
func New() *Classifier {
	l := languages()
	return &Classifier{swedish: l[0], english: l[1]}
}

// languages returns the tables, parsed once.
var languages = sync.OnceValue(func() [2]*language {
	var parsed [2]*language
	for i, source := range []struct {
		locale understanding.Locale
		text   string
	}{{understanding.Swedish, swedishText}, {understanding.English, englishText}} {
		l, err := parseLanguage(source.locale, source.text)
		if err != nil {
			panic(err) // the tables are part of the program
		}
		parsed[i] = l
	}
	return parsed
})

// Classify returns the meaning of a message. It never fails.
func (c *Classifier) Classify(_ context.Context, m understanding.Message) (understanding.Meaning, error) {
	meaning := understanding.Meaning{Language: m.Locale, Classifier: "rules"}
	if len(m.Text) > understanding.MaxText || !utf8.ValidString(m.Text) {
		return meaning, nil
	}
	raw := tokenize(m.Text)
	if len(raw) == 0 {
		return meaning, nil
	}
	lang := c.languageOf(raw, m.Locale)
	meaning.Language = lang.locale
	p := &parser{message: m, lang: lang, meaning: &meaning}
	p.tokens = c.annotate(raw, m, lang)
	for i := range p.tokens {
		p.classes |= p.tokens[i].classes
	}
	if len(p.tokens) <= maxCorrection && (p.corrections() || p.requests()) {
		return meaning, nil
	}
	p.statements()
	return meaning, nil
}

// A parser holds the state of one message.
type parser struct {
	message understanding.Message
	lang    *language
	tokens  []token
	classes class // of all tokens
	meaning *understanding.Meaning
}

// statements reads all clauses.
func (p *parser) statements() {
	all := clauses(p.tokens)
	var prev *frame
	var prevMatch *match
	for i := range all {
		c := &all[i]
		if c.joiner == begin {
			prev, prevMatch = nil, nil
		}
		m, ok := c.match()
		if !ok {
			m, ok = p.listed(all, i, prevMatch)
		}
		if !ok {
			if f, has := c.bareFrame(p.message.Author, prev); has {
				prev = &f
			}
			continue
		}
		f := c.frame(m, p.message.Author, prev)
		if m.rule == "list" && prev != nil {
			f = *prev
			f.negated = f.negated || c.negated()
			f.question = f.question || c.question
		}
		p.decide(all, i, m, f)
		if !m.stated {
			prev = &f
		}
		prevMatch = &m
	}
}

// listed returns the activity of a clause that only names a noun, with the verb of the clause
// before or the state of the clause after it.
func (p *parser) listed(all []clause, i int, prev *match) (match, bool) {
	c := &all[i]
	noun, ok := c.nounOnly()
	if !ok || c.joiner == subordinate || c.joiner == contrasted || c.joiner == consequent {
		return match{}, false
	}
	t := &c.tokens[noun]
	m := match{rule: "list", object: noun, verb: 0, form: past, span: t.span, activity: t.nounActivity(), fuzzy: t.fuzzy}
	switch {
	case c.joiner == begin || prev == nil:
		next := i + 1
		if next >= len(all) || all[next].sentence != c.sentence || all[next].joiner != coordinated && all[next].joiner != comma {
			return match{}, false
		}
		following, ok := all[next].match()
		if !ok || !following.stated || m.activity == "" {
			return match{}, false
		}
		m.stated, m.rule = true, "list.stated"
		return m, true
	case (prev.stated || prev.with) && (c.joiner != coordinated || c.all()&now != 0):
		return match{}, false // "hundpromenad klar, nu frukost"
	case prev.stated || prev.with:
		m.stated = prev.stated
		m.with = prev.with
	case prev.lemma.lang == nil:
		return match{}, false
	default:
		activity, rule := prev.lemma.on(t)
		if rule == "" {
			return match{}, false
		}
		m.activity, m.lemma, m.form = activity, prev.lemma, prev.form
	}
	if t.learned != nil {
		m = m.learn(t.learned)
		m.rule = "list"
	}
	return m, m.activity != "" || t.learned != nil
}

// bareFrame returns the frame of a clause without an activity, which later clauses may continue:
// "mormor kom hem och diskade".
func (c *clause) bareFrame(author string, prev *frame) (frame, bool) {
	if c.joiner == subordinate || len(c.tokens) == 0 {
		return frame{}, false
	}
	first := c.firstVerb()
	if first == len(c.tokens) {
		first = -1
		for i := range c.tokens {
			if !c.tokens[i].known() || isPerson(&c.tokens[i]) || c.tokens[i].is(other) {
				first = len(c.tokens)
			}
		}
		if first < 0 {
			if prev != nil {
				return *prev, true
			}
			return frame{}, false
		}
	}
	m := match{verb: min(first, len(c.tokens)-1), object: -1, form: past}
	for j := m.verb; j < len(c.tokens); j++ {
		if len(c.tokens[j].verbs) > 0 {
			m.form = c.tokens[j].verbs[0].form
			m.verb = j
			break
		}
	}
	f := c.frame(m, author, prev)
	f.negated = c.negated()
	switch set := c.all(); {
	case set&(must|had) != 0:
		f.tense = unreal
	case set&will != 0:
		f.tense = inFuture
	case set&can != 0:
		f.tense = offered
	case set&managed != 0:
		f.tense = done
	}
	return f, true
}
