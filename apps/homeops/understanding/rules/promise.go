package rules

import "sortkey.dev/apps/homeops/understanding"

// commit adds a promise if the clause commits the author, and a mention otherwise.
func (p *parser) commit(all []clause, i int, m match, f frame) {
	d, known := understanding.Lookup(m.activity)
	kind := d.Kind
	if !known {
		kind = m.kind
	}
	due, words, said := p.deadline(all, i)
	confidence := p.commitment(all, i, m, f, said)
	switch {
	case confidence == 0 && (f.tense == presently || f.tense == ongoing):
		p.mention(m, f, understanding.Unfinished)
		return
	case confidence == 0, kind == understanding.Recovery, m.activity == understanding.Free:
		// The household does not wait for a rest, so plans for it are not promises.
		p.mention(m, f, understanding.Planned)
		return
	}
	name := d.Noun(p.message.Locale)
	if !known {
		name = m.name
	}
	p.meaning.Promises = append(p.meaning.Promises, understanding.Promise{
		Activity: m.activity, Name: name, Kind: understanding.Chore, Deadline: due, Said: said, TimeWords: words,
		Confidence: confidence, Surface: m.span.In(p.message.Text), Span: m.span, Reasons: p.reasons(m, f),
	})
}

// commitment returns the confidence that the author promises the activity; 0 means no promise.
func (p *parser) commitment(all []clause, i int, m match, f frame, said bool) float64 {
	c := &all[i]
	lemma := m.lemma
	light := lemma.lang != nil && lemma.lang.light[lemma.lemma]
	english := lemma.lang != nil && lemma.lang.locale == understanding.English
	aim := said || f.classes&onTheWay != 0
	if f.person.Role != understanding.RoleAuthor || f.unknown || f.classes&now != 0 && !said {
		return 0
	}
	confidence := 0.0
	switch f.tense {
	case inFuture:
		confidence = assumed
		if f.explicit && said {
			confidence = committed
		}
		if !f.explicit && !aim && f.before&promise == 0 {
			confidence = 0
		}
	case presently:
		switch {
		case english:
		case f.explicit && aim:
			confidence = committed
		case aim:
			confidence = assumed
		case f.explicit && light:
			confidence = assumed
		}
	case ongoing:
		_, alone := c.directObject(m.verb)
		if said && (f.explicit || m.object >= 0 || alone) { // not "cleaning lady came today"
			confidence = assumed
		}
	case offered:
		confidence = conditional
		if aim {
			confidence = assumed
		}
	}
	if confidence > 0 && (f.classes&(hedge|irony) != 0 || p.classes&(irony|laugh) != 0 || m.fuzzy || m.weak || p.conditional(all, c)) {
		confidence = conditional
	}
	return confidence
}

// conditional reports whether the sentence sets a condition: "om du lagar mat så tar jag disken".
func (p *parser) conditional(all []clause, c *clause) bool {
	for i := range all {
		if all[i].sentence == c.sentence && all[i].joiner == subordinate && &all[i] != c {
			return true
		}
	}
	return false
}
