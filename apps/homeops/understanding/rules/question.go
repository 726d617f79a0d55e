package rules

import (
	"slices"

	"sortkey.dev/apps/homeops/understanding"
)

// Confidence of questions and disputes.
const (
	asked      = 0.90
	askedOfOne = 0.70 // "har Anna diskat?" may be a question to the others
	disputed   = 0.90
)

// ask adds a question to the log and reports whether the clause is one.
func (p *parser) ask(c *clause, m match, f frame) bool {
	kind, confidence := p.questionKind(c, m, f)
	if kind == "" || c.joiner == subordinate || f.negated {
		return false
	}
	d, ok := understanding.Lookup(m.activity)
	name := d.Noun(p.message.Locale)
	if !ok {
		name = m.name
	}
	q := understanding.Question{Kind: kind, Activity: m.activity, Name: name, Confidence: confidence, Span: m.span}
	q.Reasons = []understanding.Reason{{Rule: m.rule, Span: m.span}, {Rule: "question." + string(kind), Span: m.span}}
	switch f.person.Role {
	case understanding.RoleMember:
		q.Who = f.person
	case understanding.RoleAuthor:
		if f.explicit {
			q.Who = f.person
		}
	}
	p.meaning.Questions = append(p.meaning.Questions, q)
	return true
}

// questionKind returns what the clause asks of the log, or "". Questions to a person ("har du
// diskat?") and about the future are not for the log.
func (p *parser) questionKind(c *clause, m match, f frame) (understanding.QuestionKind, float64) {
	first := c.firstContent()
	set := c.all()
	pastTense := m.form == past || m.form == supine || m.stated || slices.ContainsFunc(c.tokens, func(t token) bool { return t.text == "did" })
	future := set&(will|can|must) != 0
	switch {
	case !pastTense && !(set&last != 0 && m.form == base) || future:
		return "", 0
	case set&you != 0 && set&anyone == 0:
		return "", 0
	case set&often != 0:
		return understanding.HowOften, asked
	case first.text == "vem" || first.text == "who":
		return understanding.WhoLast, asked
	case first.text == "när" || first.text == "when":
		return understanding.WhenLast, asked
	case c.tokens[0].is(have|copula) || c.tokens[0].text == "did":
		if len(c.tokens) < 3 {
			return "", 0
		}
		switch {
		case set&anyone != 0:
			return understanding.HasDone, asked
		case f.person.Role == understanding.RoleMember && f.explicit || m.stated && c.question:
			return understanding.HasDone, askedOfOne
		}
	}
	return "", 0
}

// dispute adds a quarrel about who does an activity and reports whether the clause is one: "du
// diskar aldrig", "det är alltid jag som diskar".
func (p *parser) dispute(c *clause, m match, f frame) bool {
	set := c.all()
	habitual := m.form == present || m.form == base
	accuses := set&you != 0 && set&never != 0 && habitual && !c.question
	complains := c.cleft && f.person.Role == understanding.RoleAuthor && set&always != 0
	if !accuses && !complains {
		return false
	}
	d, ok := understanding.Lookup(m.activity)
	name := d.Noun(p.message.Locale)
	if !ok {
		name = m.name
	}
	p.meaning.Disputes = append(p.meaning.Disputes, understanding.Dispute{
		Activity: m.activity, Name: name, Confidence: disputed, Span: m.span,
		Reasons: []understanding.Reason{{Rule: m.rule, Span: m.span}, {Rule: "dispute", Span: m.span}},
	})
	return true
}
