package rules

import (
	"slices"
)

// A joiner says how a clause is joined to the one before it.
type joiner int

const (
	begin joiner = iota // of a sentence
	comma
	coordinated // och, and
	contrasted  // men, but
	consequent  // så, so
	subordinate // när, om, that
)

// A clause is a part of a sentence with at most one predicate. Negation, tense and person belong to
// the clause.
type clause struct {
	tokens   []token
	joiner   joiner
	disjunct bool // joined by "eller"
	cleft    bool // "det var Anna som diskade", rewritten as "Anna diskade"
	question bool // the sentence ends with a question mark
	sentence int
}

// all returns the classes of all tokens.
func (c *clause) all() (set class) {
	for i := range c.tokens {
		set |= c.tokens[i].classes
	}
	return set
}

// clauses splits a message.
func clauses(tokens []token) []clause {
	var out []clause
	sentence, start := 0, 0
	for i := 0; i <= len(tokens); i++ {
		if i < len(tokens) && !endsSentence(&tokens[i]) {
			continue
		}
		question := i < len(tokens) && tokens[i].text == "?"
		part := splitSentence(tokens[start:i], sentence)
		for j := range part {
			part[j].question = question
		}
		out = append(out, part...)
		sentence++
		start = i + 1
	}
	return out
}

// endsSentence reports whether a mark ends a sentence.
func endsSentence(t *token) bool {
	if !t.mark {
		return false
	}
	switch t.text {
	case ".", "!", "?", "\n", "…", ";", ":", "(", ")", "=", "—":
		return true
	}
	return false
}

// splitSentence splits a sentence into clauses.
func splitSentence(tokens []token, sentence int) []clause {
	var out []clause
	current := clause{sentence: sentence, joiner: begin}
	flush := func(next joiner, disjunct bool) {
		if len(current.tokens) > 0 {
			out = append(out, current)
		} else if current.joiner == subordinate {
			next = subordinate // "om, när": the empty clause keeps its word
		} else if current.joiner == contrasted && next != subordinate {
			next = contrasted // "but then"
		}
		if len(out) == 0 && next != subordinate {
			next = begin
		}
		current = clause{sentence: sentence, joiner: next, disjunct: disjunct}
	}
	for i := range tokens {
		t := &tokens[i]
		j, splits := splitsAt(tokens, i, &current)
		if !splits {
			if !t.mark || t.quoted {
				current.tokens = append(current.tokens, *t)
			}
			if isCheck(t) {
				flush(coordinated, false)
			}
			continue
		}
		if j == subordinate && rewriteCleft(&current) {
			continue
		}
		flush(j, t.is(or))
	}
	if len(current.tokens) > 0 {
		out = append(out, current)
	}
	return out
}

// isCheck reports whether a token ticks off or crosses out what stands before it.
func isCheck(t *token) bool { return t.symbol && t.is(state|negation) }

// splitsAt reports whether a token begins a new clause, and how the clause is joined.
func splitsAt(tokens []token, i int, current *clause) (joiner, bool) {
	t := &tokens[i]
	switch {
	case t.quoted:
		return 0, false
	case t.mark && t.text == ",":
		return comma, true
	case t.time != nil:
		return 0, false
	case t.is(harmless | onTheWay):
		return 0, false
	case t.is(sub) && startsSubordinate(tokens, i, current):
		return subordinate, true
	case t.is(but):
		return contrasted, true
	case t.is(so) && i > 0 && i+1 < len(tokens) && startsStatement(&tokens[i+1]):
		return consequent, true
	case t.is(and) && !joinsPersons(tokens, i):
		return coordinated, true
	}
	return 0, false
}

// startsStatement reports whether a token can begin a statement after "så" and "för".
func startsStatement(t *token) bool {
	return t.is(person|auxiliary) || t.member != "" || len(t.verbs) > 0 || t.text == "det" || t.text == "it" || t.text == "that"
}

// joinsPersons reports whether a conjunction stands between two persons: "Anna och jag".
func joinsPersons(tokens []token, i int) bool {
	return i > 0 && i+1 < len(tokens) && isPerson(&tokens[i-1]) && isPerson(&tokens[i+1])
}

func isPerson(t *token) bool { return t.member != "" || t.is(me|we|you) }

// startsSubordinate reports whether a word that can be a preposition, a question word or a
// determiner begins a subordinate clause here.
func startsSubordinate(tokens []token, i int, current *clause) bool {
	t := &tokens[i]
	var next *token
	if i+1 < len(tokens) {
		next = &tokens[i+1]
	}
	switch t.text {
	case "om", "if", "that", "as", "cause":
		return next != nil && (next.is(person) || next.member != "" || next.text == "det" || next.text == "it") && t.text != "as"
	case "att":
		return next == nil || !slices.ContainsFunc(next.verbs, func(v verbForm) bool { return v.form == base })
	case "who", "which", "what", "how", "where", "why", "when", "när", "som":
		// At the beginning it asks; after a question word it belongs to the question.
		first := len(current.tokens) == 0
		asks := len(current.tokens) > 0 && current.tokens[0].is(wh|anyone) || startsWithVerbOfAsking(current)
		if t.text == "when" || t.text == "när" {
			return !first || next != nil && (next.is(person) || next.member != "")
		}
		return !first && !asks
	}
	return true
}

// startsWithVerbOfAsking reports whether a clause begins like "är det någon som".
func startsWithVerbOfAsking(c *clause) bool {
	return len(c.tokens) > 1 && c.tokens[0].is(copula) && c.all()&anyone != 0
}

// rewriteCleft turns "det var Anna" before "som" into "Anna", so that the rest of the sentence has
// her as its subject.
func rewriteCleft(c *clause) bool {
	n := len(c.tokens)
	if n < 3 {
		return false
	}
	subject := &c.tokens[n-1]
	var words []token
	for _, t := range c.tokens[:n-1] {
		if !t.is(interjection|hedge|always|never) || t.is(copula) {
			words = append(words, t)
		}
	}
	for len(words) > 2 && words[len(words)-1].is(adverbial) {
		words = words[:len(words)-1]
	}
	if len(words) != 2 || !words[1].is(copula) || (words[0].text != "det" && words[0].text != "it" && words[0].text != "that") || !isPerson(subject) {
		return false
	}
	kept := []token{*subject}
	for _, t := range c.tokens[:n-1] {
		if t.is(hedge | always | never | negation) {
			kept = append([]token{t}, kept...)
		}
	}
	c.tokens, c.cleft = kept, true
	return true
}
