package rules

import (
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/timewords"
)

// languageOf returns the language that knows more of the words, and the household's if both know
// the same number.
func (c *Classifier) languageOf(tokens []token, household understanding.Locale) *language {
	score := func(l *language) (n int) {
		for i := range tokens {
			t := tokens[i].text
			if l.classes[t] != 0 && !tokens[i].mark || len(l.verbs[t]) > 0 || len(l.objects[t]) > 0 {
				n++
			}
		}
		return n
	}
	sv, en := score(c.swedish), score(c.english)
	if en > sv || en == sv && household == understanding.English {
		return c.english
	}
	return c.swedish
}

// otherThan returns the language that is not l.
func (c *Classifier) otherThan(l *language) *language {
	if l == c.swedish {
		return c.english
	}
	return c.swedish
}

// annotate joins the tokens of expressions with several words and adds all readings. Time words
// come first, because they contain words that mean something else elsewhere: "om en timme".
func (c *Classifier) annotate(tokens []token, m understanding.Message, lang *language) []token {
	tokens = joinTimes(tokens, lang.locale)
	names := nameTable(m.Members)
	vocabulary := wordTable(m.Vocabulary)
	second := c.otherThan(lang)
	var out []token
	for i := 0; i < len(tokens); {
		n := 1
		if !tokens[i].quoted && tokens[i].time == nil {
			n = max(n, c.longestEntry(tokens[i:], lang, vocabulary))
		}
		t := join(tokens[i : i+n])
		t.read(lang, second, names, vocabulary)
		out = append(out, t)
		i += n
	}
	markPossessives(out)
	return out
}

// joinTimes makes one token of each time expression.
func joinTimes(tokens []token, l understanding.Locale) []token {
	words := make([]string, len(tokens))
	for i := range tokens {
		words[i] = tokens[i].text
		if tokens[i].quoted {
			words[i] = "\""
		}
	}
	var out []token
	next := 0
	for _, m := range timewords.Find(words, l) {
		if m.Start > 0 && (words[m.Start-1] == "as" || words[m.Start-1] == "så") && m.End == m.Start+1 {
			continue // "as soon as", "så snart"
		}
		out = append(out, tokens[next:m.Start]...)
		t := join(tokens[m.Start:m.End])
		t.time = &m.Time
		out = append(out, t)
		next = m.End
	}
	return append(out, tokens[next:]...)
}

// join returns one token for a run of tokens.
func join(run []token) token {
	if len(run) == 1 {
		return run[0]
	}
	words := make([]string, len(run))
	for i := range run {
		words[i] = run[i].text
	}
	return token{text: strings.Join(words, " "), span: understanding.Span{Start: run[0].span.Start, End: run[len(run)-1].span.End}}
}

// longestEntry returns the number of tokens of the longest entry of a table at the first token.
func (c *Classifier) longestEntry(tokens []token, lang *language, vocabulary map[string]*understanding.Word) int {
	limit := min(len(tokens), max(lang.longest, maxSurface))
	text := tokens[0].text
	best := 1
	for n := 2; n <= limit; n++ {
		t := &tokens[n-1]
		if t.mark || t.quoted || t.time != nil {
			break
		}
		text += " " + t.text
		if lang.classes[text] != 0 || len(lang.verbs[text]) > 0 || len(lang.objects[text]) > 0 || vocabulary[text] != nil {
			best = n
		}
	}
	return best
}

// maxSurface is the number of words of a learned expression that is looked for.
const maxSurface = 4

// read adds the readings of a token: the household's own words, its members, the language of the
// message, then the other language.
func (t *token) read(lang, second *language, names map[string]string, vocabulary map[string]*understanding.Word) {
	if t.quoted {
		return
	}
	if t.time != nil {
		t.classes |= adverbial
		if lang.classes[t.text]&now != 0 {
			t.classes |= now
		}
		return
	}
	t.learned = vocabulary[t.text]
	t.member = names[t.text]
	if t.mark && t.text != "&" && t.text != "+" {
		return
	}
	if t.readFrom(lang, t.text) || t.learned != nil || t.member != "" || t.symbol && t.readFrom(second, t.text) {
		return
	}
	if owner, ok := strings.CutSuffix(t.text, "s"); ok && names[owner] != "" {
		t.classes = det // a Swedish genitive: "Majas cykel"
		return
	}
	if single := singleVowels(t.text); single != t.text && t.readFrom(lang, single) {
		return
	}
	if t.readFrom(second, t.text) {
		return
	}
	if near := lang.nearest(t.text); near != "" {
		t.readFrom(lang, near)
		t.fuzzy = true
	}
}

// readFrom adds the readings of a word in a language and reports whether there are any.
func (t *token) readFrom(l *language, word string) bool {
	t.classes |= l.classes[word]
	t.verbs = l.verbs[word]
	t.objects = l.objects[word]
	return t.classes != 0 || len(t.verbs) > 0 || len(t.objects) > 0
}

// fuzzyLength is the number of letters from which a word may be misspelled.
const fuzzyLength = 6

// nearest returns the only word of the tables that differs from w in one letter, or "".
func (l *language) nearest(w string) string {
	letters := []rune(w)
	if len(letters) < fuzzyLength {
		return ""
	}
	found := ""
	for i := range l.fuzzy {
		candidate := &l.fuzzy[i]
		if len(candidate.letters) < fuzzyLength-1 || !oneEdit(letters, candidate.letters) {
			continue
		}
		if found != "" && !slices.EqualFunc(l.verbs[found], l.verbs[candidate.word], func(a, b verbForm) bool { return a.lemma == b.lemma }) {
			return ""
		}
		found = candidate.word
	}
	return found
}

// oneEdit reports whether x and y differ by one inserted, deleted or changed letter, or by two
// letters that changed places.
func oneEdit(x, y []rune) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return slices.Equal(x[i:], y[i+1:])
	}
	if i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && slices.Equal(x[i+2:], y[i+2:]) {
		return true
	}
	return i < len(x) && slices.Equal(x[i+1:], y[i+1:])
}

// nameTable maps folded names to member ids. A name that two members share names neither.
func nameTable(members []understanding.Member) map[string]string {
	names := map[string]string{}
	for _, m := range members {
		for _, name := range m.Names {
			name = fold(name)
			if id, taken := names[name]; taken && id != m.ID {
				names[name] = ""
				continue
			}
			names[name] = m.ID
		}
	}
	delete(names, "")
	return names
}

// wordTable maps folded expressions to learned words; more confirmations win.
func wordTable(vocabulary []understanding.Word) map[string]*understanding.Word {
	words := map[string]*understanding.Word{}
	for i := range vocabulary {
		w := &vocabulary[i]
		var parts []string
		for _, part := range strings.Fields(w.Surface) {
			parts = append(parts, fold(part))
		}
		key := strings.Join(parts, " ")
		if old := words[key]; key != "" && (old == nil || old.Confirmations < w.Confirmations) {
			words[key] = w
		}
	}
	return words
}

// markPossessives turns "Jake's" into a determiner, unless it means "Jake has" or "Jake is".
func markPossessives(tokens []token) {
	for i := range tokens {
		t := &tokens[i]
		if t.member == "" && !t.is(person) && i+1 < len(tokens) && tokens[i+1].text == "'s" && len(t.objects) == 0 && !t.known() {
			t.classes |= det // an unknown owner: "grandma's"
		}
		if t.member == "" || i+2 >= len(tokens) || tokens[i+1].text != "'s" {
			continue
		}
		next := &tokens[i+2]
		verb := slices.ContainsFunc(next.verbs, func(v verbForm) bool { return v.form != base && v.form != present })
		if !verb && !next.is(adverbial|negation|state|interjection) {
			t.member, t.classes = "", det
			tokens[i+1].classes = det
		}
	}
}
