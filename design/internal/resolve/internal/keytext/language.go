package keytext

import (
	"strings"
	"unicode/utf8"
)

// A language is a set of texts, as a small automaton: the values of a key, or the texts
// that a key condition matches. Two keys can be equal exactly if their languages have a
// text in common.
type language struct {
	states []state
	last   int // the accepting state; the first one is 0
}

type state struct {
	steps []step
	free  []int // states reached without a character
}

// A step leads to another state by one character between low and high.
type step struct {
	low, high rune
	to        int
}

// A span is a range of characters, both ends included; a charset is several spans.
type (
	span    struct{ low, high rune }
	charset []span
)

// Largest is the largest character, which sorts after all others.
const Largest = utf8.MaxRune

var (
	anyChar   = charset{{0, Largest}}
	digit     = charset{{'0', '9'}}
	hexDigit  = charset{{'0', '9'}, {'a', 'f'}}
	crockford = charset{{'0', '9'}, {'A', 'H'}, {'J', 'K'}, {'M', 'N'}, {'P', 'T'}, {'V', 'Z'}}
	geoChar   = charset{{'0', '9'}, {'b', 'h'}, {'j', 'k'}, {'m', 'n'}, {'p', 'z'}}
	number    = charset{{'0', '9'}, {'+', '+'}, {'-', '.'}, {'E', 'E'}, {'e', 'e'}}
)

// A builder makes a language from left to right.
type builder struct {
	language
	at   int
	fold func(string) string // changes case, or nil
	expr *expression         // writes down what is added, or nil
}

func newBuilder() *builder {
	b := &builder{}
	b.states = make([]state, 1, 32)
	return b
}

func (b *builder) done() *language {
	b.last = b.at
	return &b.language
}

func (b *builder) add() int {
	b.states = append(b.states, state{})
	return len(b.states) - 1
}

func (b *builder) connect(from, to int, set charset) {
	for _, s := range b.folded(set) {
		b.states[from].steps = append(b.states[from].steps, step{s.low, s.high, to})
	}
}

// folded returns the set after a change of case. Letters outside ASCII stay as they are: the
// sets that have any have all of them.
func (b *builder) folded(set charset) charset {
	if b.fold == nil {
		return set
	}
	var ascii [utf8.RuneSelf]bool
	var all charset
	for _, s := range set {
		for c := s.low; c <= min(s.high, utf8.RuneSelf-1); c++ {
			ascii[b.fold(string(c))[0]] = true
		}
		if s.high >= utf8.RuneSelf {
			all = append(all, span{max(s.low, utf8.RuneSelf), s.high})
		}
	}
	for c := rune(0); c < utf8.RuneSelf; c++ {
		if !ascii[c] {
			continue
		}
		from := c
		for c+1 < utf8.RuneSelf && ascii[c+1] {
			c++
		}
		all = append(all, span{from, c})
	}
	return all
}

// one adds one character of the set.
func (b *builder) one(set charset) {
	to := b.add()
	b.connect(b.at, to, set)
	b.at = to
	b.expr.one(b, set)
}

// times adds exactly n characters of the set.
func (b *builder) times(set charset, n int) {
	for range n {
		b.one(set)
	}
}

// upTo adds one to n characters of the set.
func (b *builder) upTo(set charset, n int) {
	b.one(set)
	reached := []int{b.at}
	for range n - 1 {
		b.one(set)
		reached = append(reached, b.at)
	}
	for _, s := range reached[:n-1] {
		b.states[s].free = append(b.states[s].free, b.at)
	}
	b.expr.fewer(n - 1)
}

// some adds one or more characters of the set.
func (b *builder) some(set charset) {
	b.one(set)
	b.connect(b.at, b.at, set)
	b.expr.more()
}

// text adds a literal.
func (b *builder) text(s string) {
	for _, c := range s {
		b.one(charset{{c, c}})
	}
}

// choice adds one of the words.
func (b *builder) choice(words []string) {
	from, end := b.at, b.add()
	defer b.expr.pause()(b, words)
	for _, word := range words {
		if b.fold != nil {
			word = b.fold(word)
		}
		b.at = from
		b.text(word)
		b.skip(end)
	}
	b.at = end
}

// skip connects the current state to another one without a character.
func (b *builder) skip(to int) { b.states[b.at].free = append(b.states[b.at].free, to) }

// more adds any number of characters of the set, or none.
func (b *builder) more(set charset) {
	to := b.add()
	b.skip(to)
	b.at = to
	b.connect(to, to, set)
}

// optional adds the character or nothing.
func (b *builder) optional(c rune) {
	to := b.add()
	b.connect(b.at, to, charset{{c, c}})
	b.skip(to)
	b.at = to
	b.expr.one(b, charset{{c, c}})
	b.expr.fewer(1)
}

// shape adds characters by example: 0 stands for a digit, x for a hexadecimal one,
// everything else for itself.
func (b *builder) shape(example string) {
	for _, c := range example {
		switch c {
		case '0':
			b.one(digit)
		case 'x':
			b.one(hexDigit)
		default:
			b.one(charset{{c, c}})
		}
	}
}

// intersects reports whether two languages have a text in common, by walking both
// automata at once.
func (a *language) intersects(b *language) bool {
	w := &walk{a: a, b: b, seen: make([]bool, len(a.states)*len(b.states)), pending: make([]int, 0, 64)}
	w.visit(0, 0)
	for len(w.pending) > 0 {
		pair := w.pending[len(w.pending)-1]
		w.pending = w.pending[:len(w.pending)-1]
		i, j := pair/len(b.states), pair%len(b.states)
		if i == a.last && j == b.last {
			return true
		}
		w.leave(i, j)
	}
	return false
}

// A walk visits the pairs of states that two automata reach by the same text.
type walk struct {
	a, b    *language
	seen    []bool
	pending []int // numbers of the pairs still to leave
}

func (w *walk) visit(i, j int) {
	if pair := i*len(w.b.states) + j; !w.seen[pair] {
		w.seen[pair] = true
		w.pending = append(w.pending, pair)
	}
}

// leave visits the pairs that are reached from one pair by one character or by none.
func (w *walk) leave(i, j int) {
	for _, to := range w.a.states[i].free {
		w.visit(to, j)
	}
	for _, to := range w.b.states[j].free {
		w.visit(i, to)
	}
	for _, x := range w.a.states[i].steps {
		for _, y := range w.b.states[j].steps {
			if max(x.low, y.low) <= min(x.high, y.high) {
				w.visit(x.to, y.to)
			}
		}
	}
}

// firsts returns the smallest and the largest character that a text of the language
// begins with.
func (a *language) firsts() (low, high rune) {
	low, high = Largest, 0
	for _, at := range a.reachable(0) {
		for _, s := range a.states[at].steps {
			low, high = min(low, s.low), max(high, s.high)
		}
	}
	return low, high
}

// reachable returns the states reached from one without a character, itself included.
func (a *language) reachable(from int) []int {
	all := []int{from}
	for i := 0; i < len(all); i++ {
		all = append(all, a.states[all[i]].free...)
	}
	return all
}

// holds reports whether some text of the language holds the character.
func (a *language) holds(c rune) bool {
	for _, at := range a.states {
		for _, s := range at.steps {
			if s.low <= c && c <= s.high {
				return true
			}
		}
	}
	return false
}

func lower(s string) string { return strings.ToLower(s) }
func upper(s string) string { return strings.ToUpper(s) }
