package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/apps/homeops/understanding"
)

// The word tables are text files, one for each language, so that they can be read and reviewed
// without the code. Each line is one of
//
//	regular LEMMA, …                                     verbs with regular forms
//	verb LEMMA | PRESENT | PAST | SUPINE | PARTICIPLE    verbs with irregular forms; English: -ing last
//	light LEMMA, …                                       verbs that take the meaning of their object
//	persons LEMMA, …                                     verbs whose object can be a person
//	samepast LEMMA, …                                    verbs whose past equals their base: "put"
//	noun ACTIVITY CLASS: WORD, …                         words that name an activity by themselves
//	object CLASS: WORD, …                                words that a rule may ask for
//	do ACTIVITY: LEMMA, … + CLASS, … ~ PREPOSITION, …    a rule with an object; "& WORD, …" demands a word
//	do ACTIVITY: LEMMA, … MODE - CLASS, …                a rule without one; MODE is open, closed or bare;
//	                                                     no rule holds beside the classes behind "-"
//	class NAME: WORD, …                                  words of the frame: persons, negation, …
//
// A WORD may have several words. A comma separates; "#" begins a comment.
var (
	//go:embed sv.txt
	swedishText string
	//go:embed en.txt
	englishText string
)

// A form is the grammatical form of a verb.
type form int

const (
	base form = iota
	present
	past
	supine // the Swedish form after "har"; the English past participle
	participle
	ing
)

// A verbForm is one reading of a word as a verb.
type verbForm struct {
	lemma string
	form  form
	lang  *language
}

// A mode says what a rule without objects accepts after its verb.
type mode int

const (
	withObject mode = iota
	open            // any words
	closed          // an unknown object makes the rule weak
	bare            // nothing but time words
)

// A rule relates verbs, and objects if there are any, to an activity.
type rule struct {
	id       string
	activity understanding.ActivityID
	mode     mode
	objects  []string // classes
	preps    []string
	blocked  []string // classes
	needs    []string // words of which one must follow the verb
}

// A language holds the tables of one language, by lower-case words. Several words are joined by a
// space.
type language struct {
	locale   understanding.Locale
	verbs    map[string][]verbForm
	objects  map[string][]string
	nouns    map[string]understanding.ActivityID // by class
	light    map[string]bool
	persons  map[string]bool
	samePast map[string]bool
	rules    map[string][]*rule // by lemma
	classes  map[string]class
	longest  int        // words of the longest entry
	fuzzy    []spelling // words that a misspelling may stand for
}

// A spelling is a word with its letters.
type spelling struct {
	word    string
	letters []rune
}

// free is the name of understanding.Free in the tables.
const free = "free"

// parseLanguage reads a table. The tables are embedded, so an error is a defect of this package.
func parseLanguage(l understanding.Locale, text string) (*language, error) {
	lang := &language{
		locale: l, verbs: map[string][]verbForm{}, objects: map[string][]string{}, light: map[string]bool{},
		nouns: map[string]understanding.ActivityID{}, samePast: map[string]bool{}, persons: map[string]bool{}, rules: map[string][]*rule{}, classes: map[string]class{},
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		if err := lang.add(kind, rest, i+1); err != nil {
			return nil, fmt.Errorf("rules: table %s, line %d: %w", l, i+1, err)
		}
	}
	for w := range lang.verbs {
		lang.fuzzy = append(lang.fuzzy, spelling{w, []rune(w)})
	}
	for w, classes := range lang.objects {
		if slices.ContainsFunc(classes, func(c string) bool { return lang.nouns[c] != "" }) {
			lang.fuzzy = append(lang.fuzzy, spelling{w, []rune(w)})
		}
	}
	slices.SortFunc(lang.fuzzy, func(a, b spelling) int { return strings.Compare(a.word, b.word) })
	return lang, nil
}

// add adds one line of a table.
func (l *language) add(kind, rest string, line int) error {
	head, tail, _ := strings.Cut(rest, ":")
	switch kind {
	case "regular":
		for _, lemma := range list(rest) {
			l.addRegular(lemma)
		}
	case "verb":
		return l.addVerb(strings.Split(rest, "|"))
	case "light":
		for _, lemma := range list(rest) {
			l.light[lemma] = true
		}
	case "persons":
		for _, lemma := range list(rest) {
			l.persons[lemma] = true
		}
	case "samepast":
		for _, lemma := range list(rest) {
			l.samePast[lemma] = true
		}
	case "noun":
		activity, name, ok := strings.Cut(head, " ")
		if _, known := understanding.Lookup(understanding.ActivityID(activity)); !ok || !known {
			return fmt.Errorf("unknown activity %q", activity)
		}
		l.nouns[name] = understanding.ActivityID(activity)
		l.addObjects(name, tail)
	case "object":
		l.addObjects(head, tail)
	case "do":
		return l.addRule(understanding.ActivityID(head), tail, line)
	case "class":
		c, ok := classNames[head]
		if !ok {
			return fmt.Errorf("unknown class %q", head)
		}
		for _, w := range list(tail) {
			l.classes[w] |= c
			l.measure(w)
		}
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	return nil
}

// list splits a list at its commas.
func list(text string) []string {
	var words []string
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// measure keeps the length of the longest entry.
func (l *language) measure(words string) {
	l.longest = max(l.longest, strings.Count(words, " ")+1)
}

func (l *language) addObjects(name, words string) {
	for _, w := range list(words) {
		if !slices.Contains(l.objects[w], name) {
			l.objects[w] = append(l.objects[w], name)
		}
		l.measure(w)
	}
}

// addForm registers a reading of a word, once.
func (l *language) addForm(word, lemma string, f form) {
	v := verbForm{lemma: lemma, form: f, lang: l}
	if !slices.Contains(l.verbs[word], v) {
		l.verbs[word] = append(l.verbs[word], v)
	}
	l.measure(word)
}

// addVerb adds a verb with its forms in the order base, present, past, supine, participle or -ing.
func (l *language) addVerb(parts []string) error {
	if len(parts) != 5 {
		return fmt.Errorf("a verb has 5 forms, not %d", len(parts))
	}
	lemma := strings.TrimSpace(parts[0])
	last := participle
	if l.locale == understanding.English {
		last = ing
	}
	for i, f := range []form{base, present, past, supine, last} {
		for _, w := range list(parts[i]) {
			l.addForm(w, lemma, f)
			if f == supine && l.locale == understanding.English {
				l.addForm(w, lemma, participle)
			}
		}
	}
	return nil
}

// addRegular adds a verb whose forms follow from its first word.
func (l *language) addRegular(lemma string) {
	first, rest, _ := strings.Cut(lemma, " ")
	if rest != "" {
		rest = " " + rest
	}
	add := func(word string, f form) { l.addForm(word+rest, lemma, f) }
	add(first, base)
	if l.locale == understanding.Swedish {
		add(first+"r", present)
		add(first+"de", past)
		add(first+"t", supine)
		add(first+"d", participle)
		add(first+"de", participle)
		return
	}
	for _, past2 := range englishPast(first) {
		add(past2, past)
		add(past2, supine)
		add(past2, participle)
	}
	add(englishPresent(first), present)
	for _, progressive := range englishIng(first) {
		add(progressive, ing)
	}
}

// addRule adds a rule for each of its verbs.
func (l *language) addRule(activity understanding.ActivityID, text string, line int) error {
	if _, ok := understanding.Lookup(activity); !ok && activity != free {
		return fmt.Errorf("unknown activity %q", activity)
	}
	r := &rule{id: fmt.Sprintf("%s.%s.%d", l.locale, activity, line), activity: activity}
	if activity == free {
		r.activity = understanding.Free
	}
	text, blocked, _ := strings.Cut(text, " - ")
	text, needs, _ := strings.Cut(text, " & ")
	text, preps, _ := strings.Cut(text, " ~ ")
	text, objects, _ := strings.Cut(text, " + ")
	r.blocked, r.needs, r.preps, r.objects = list(blocked), list(needs), list(preps), list(objects)
	verbs := list(text)
	if len(r.objects) == 0 {
		last := verbs[len(verbs)-1]
		cut := strings.LastIndex(last, " ")
		modes := map[string]mode{"open": open, "closed": closed, "bare": bare}
		if cut < 0 || modes[last[cut+1:]] == 0 {
			return fmt.Errorf("a rule without objects ends in open, closed or bare")
		}
		r.mode = modes[last[cut+1:]]
		verbs[len(verbs)-1] = last[:cut]
	}
	for _, lemma := range verbs {
		if _, ok := l.verbs[lemma]; !ok {
			l.addRegular(lemma)
		}
		l.rules[lemma] = append(l.rules[lemma], r)
	}
	return nil
}

// englishPast returns the regular past of a verb, with the spellings people use.
func englishPast(v string) []string {
	switch {
	case strings.HasSuffix(v, "e"):
		return []string{v + "d"}
	case strings.HasSuffix(v, "y") && !strings.ContainsAny(v[len(v)-2:len(v)-1], "aeiou"):
		return []string{v[:len(v)-1] + "ied"}
	case doubles(v):
		return []string{v + v[len(v)-1:] + "ed", v + "ed"}
	}
	return []string{v + "ed"}
}

func englishIng(v string) []string {
	switch {
	case strings.HasSuffix(v, "e") && !strings.HasSuffix(v, "ee"):
		return []string{v[:len(v)-1] + "ing"}
	case doubles(v):
		return []string{v + v[len(v)-1:] + "ing", v + "ing"}
	}
	return []string{v + "ing"}
}

func englishPresent(v string) string {
	switch {
	case strings.HasSuffix(v, "y") && !strings.ContainsAny(v[len(v)-2:len(v)-1], "aeiou"):
		return v[:len(v)-1] + "ies"
	case strings.HasSuffix(v, "s"), strings.HasSuffix(v, "sh"), strings.HasSuffix(v, "ch"), strings.HasSuffix(v, "x"):
		return v + "es"
	}
	return v + "s"
}

// doubles reports whether a verb ends in a consonant, a vowel and a consonant, so that the last
// letter may be doubled.
func doubles(v string) bool {
	n := len(v)
	return n >= 3 && !strings.ContainsAny(v[n-1:], "aeiouwxy") && strings.ContainsAny(v[n-2:n-1], "aeiou") && !strings.ContainsAny(v[n-3:n-2], "aeiou")
}
