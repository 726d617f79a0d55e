package randomdesign

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/yaml"
)

// A specimen is a design of this repository, with the folder that holds the designs it uses.
type specimen struct {
	folder, name string
	root         *node
	loads        bool // without an error
}

// specimens returns all designs of the repository, by path: those of systems, of published
// documents, and those that tests of the compiler check, plan, generate and verify.
var specimens = sync.OnceValues(func() ([]*specimen, error) {
	const top = "../../.."
	var all []*specimen
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && at != top:
			return fs.SkipDir
		case !strings.HasSuffix(at, ".yaml"):
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if root := parsed(text); root != nil && root.has("entities") && len(root.all()) < 3000 {
			all = append(all, &specimen{filepath.Dir(at), filepath.Base(at), root, loads(at, root.text())})
		}
		return nil
	})
	return all, err
})

// loads reports whether a design can be loaded without an error, so that more than the loader runs.
func loads(name string, text []byte) bool {
	var report diag.Report
	return loader.Load([]loader.Source{{Name: name, Text: text}}, &report) != nil && !report.Failed()
}

// parsed returns a design as nodes, or nil if it is not YAML.
func parsed(text []byte) *node {
	document, _ := yaml.Read(text)
	if document.Root == nil || document.Root.Kind != yaml.Mapping {
		return nil
	}
	return nodeOf("", document.Root)
}

func nodeOf(key string, n *yaml.Node) *node {
	made := &node{key: key, value: n.Text, isText: n.Kind == yaml.Scalar || n.Kind == yaml.Missing, isList: n.Kind == yaml.List}
	for _, e := range n.Entries {
		name := ""
		if e.Key != nil {
			name = e.Key.Text
		}
		made.add(nodeOf(name, e.Value))
	}
	return made
}

// copied returns a copy of a node with copies of its children.
func (n *node) copied() *node { return n.without(nil) }

// A mutant is a changed design.
type mutant struct {
	*rand.Rand
	from   *specimen
	others []*specimen
	root   *node
	steps  []string // what was changed
}

// mutantOf returns the mutant of a seed and its text, most often of a small design. Most changes that
// break the loading of a design that loaded are taken back.
func mutantOf(seed uint64, all []*specimen) (*mutant, []byte) {
	m := &mutant{Rand: rand.New(rand.NewPCG(seed, 33)), others: all}
	for m.from == nil || !m.from.loads && m.IntN(20) > 0 || len(m.from.root.all()) > 400 && m.IntN(20) > 0 {
		m.from = all[m.IntN(len(all))]
	}
	m.root = m.from.root.copied()
	name := filepath.Join(m.from.folder, m.from.name)
	for range 1 + m.IntN(10) {
		before, steps := m.root.copied(), len(m.steps)
		m.change()
		if m.from.loads && m.IntN(20) > 0 && !loads(name, m.root.text()) {
			m.root, m.steps = before, m.steps[:steps]
		}
	}
	text := m.root.text()
	if m.IntN(12) == 0 {
		text = m.changedText(text)
	}
	return m, text
}

// change changes one node of the tree.
func (m *mutant) change() {
	changes := []struct {
		name string
		do   func(at, parent *node)
	}{
		{"remove", m.remove}, {"repeat", m.repeat}, {"rename", m.rename}, {"swap", m.swap}, {"move", m.move},
		{"transplant", m.transplant}, {"transplant", m.transplant}, {"edit", m.edit}, {"edit", m.edit}, {"edit", m.edit},
		{"borrow", m.borrow}, {"borrow", m.borrow}, {"shuffle", m.shuffle}, {"wrap", m.wrap},
		{"ask", m.ask}, {"ask", m.ask}, {"ask", m.ask}, {"gather", m.gather}, {"retype", m.retype}, {"retype", m.retype}, {"refill", m.refill}, {"refill", m.refill},
	}
	at, parent := m.pick(m.root)
	if at == nil {
		return
	}
	c := changes[m.IntN(len(changes))]
	m.steps = append(m.steps, fmt.Sprintf("%s %s %q", c.name, at.key, at.value))
	c.do(at, parent)
}

// pick returns a random descendant and its parent.
func (m *mutant) pick(root *node) (at, parent *node) {
	return m.pickOf(root, func(*node) bool { return true })
}

func (m *mutant) pickOf(root *node, fits func(*node) bool) (at, parent *node) {
	var all, parents []*node
	for _, p := range append([]*node{root}, root.all()...) {
		for _, kid := range p.kids {
			if fits(kid) {
				all, parents = append(all, kid), append(parents, p)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	i := m.IntN(len(all))
	return all[i], parents[i]
}

func (m *mutant) remove(at, parent *node) {
	parent.kids = slices.DeleteFunc(parent.kids, func(n *node) bool { return n == at })
}

// repeat adds a node once more, in most cases under another name.
func (m *mutant) repeat(at, parent *node) {
	again := at.copied()
	if m.IntN(4) > 0 && again.key != "" {
		again.key += "2"
	}
	parent.kids = slices.Insert(parent.kids, m.IntN(len(parent.kids)+1), again)
}

// rename gives a node the key of another one.
func (m *mutant) rename(at, _ *node) {
	other, _ := m.pick(m.root)
	at.key = other.key
}

// swap exchanges the contents of two nodes, in most cases of two that have the same key.
func (m *mutant) swap(at, _ *node) {
	other := m.alike(m.root, at)
	if m.within(at, other) || m.within(other, at) {
		return
	}
	a, b := at.key, other.key
	*at, *other = *other, *at
	at.key, other.key = a, b
}

// within reports whether a node is another one or one of its descendants.
func (m *mutant) within(n, of *node) bool { return n == of || slices.Contains(of.all(), n) }

// alike returns a node like another: in most cases with the same key, else any.
func (m *mutant) alike(root, to *node) *node {
	if m.IntN(6) > 0 {
		if n, _ := m.pickOf(root, func(n *node) bool { return n != to && n.key == to.key }); n != nil {
			return n
		}
	}
	n, _ := m.pick(root)
	return n
}

// move takes a node away from its parent and adds it to another one, in most cases to one with
// the same key: an attribute to another entity.
func (m *mutant) move(at, parent *node) {
	to := m.alike(m.root, parent)
	if to.isText || m.within(to, at) {
		return
	}
	m.remove(at, parent)
	to.add(at)
}

// transplant puts a node of another design in the place of one, or beside it.
func (m *mutant) transplant(at, parent *node) {
	donor := m.others[m.IntN(len(m.others))].root
	part := m.alike(donor, at).copied()
	if m.IntN(3) == 0 {
		parent.add(part)
		return
	}
	key := at.key
	*at = *part
	at.key = key
}

// borrow puts the text of another node of this design in the place of one.
func (m *mutant) borrow(at, _ *node) {
	isText := func(n *node) bool { return n.isText }
	if !at.isText {
		if at, _ = m.pickOf(m.root, isText); at == nil {
			return
		}
	}
	key := at.key
	like := func(n *node) bool { return n.isText && n != at && (n.key == key || m.IntN(20) == 0) }
	other, _ := m.pickOf(m.root, like)
	if other == nil {
		return
	}
	if at.value = other.value; m.IntN(6) == 0 {
		at.value = other.key // a name in the place of a value
	}
}

func (m *mutant) shuffle(at, parent *node) {
	of := at
	if len(of.kids) < 2 {
		of = parent
	}
	m.Shuffle(len(of.kids), func(i, j int) { of.kids[i], of.kids[j] = of.kids[j], of.kids[i] })
}

// wrap turns a text into a list or a mapping, and a list or a mapping into something else.
func (m *mutant) wrap(at, _ *node) {
	inner := at.copied()
	switch {
	case at.isText && m.IntN(2) == 0:
		inner.key = ""
		*at = node{key: at.key, isList: true, kids: []*node{inner}}
	case at.isText:
		*at = node{key: at.key, kids: []*node{inner}}
	case at.isList || m.IntN(2) == 0:
		*at = node{key: at.key, isText: true, value: at.key}
		if len(inner.kids) > 0 {
			at.value = inner.kids[0].value
		}
	default:
		at.isList = true
	}
}

// pieces are what texts of designs are made of, and numbers at the edges.
var textPieces = strings.Fields(`string int number decimal bool bytes timestamp unixtime date week uuid uuidv7 ulid geohash json
	enum(A,B) list<string> set<string> set<int> map<int> int? string? ulid? list<ulid> enum(A)? set<enum(A,B)> map<timestamp>
	0 1 -1 2 3 100 101 1000000 9223372036854775807 9223372036854775808 1e400 0.0001 -0 1/day 0/day 1000000/s 1KB 400KB 5GB 90d 0s
	$ $from $to $a between in lt lte gt gte begins_with exists missing or and != = all keys true false null
	asc desc PK SK # : | {id} {id|pad|4} - . * /`)

// edit changes a text: a number, a word, a piece of a template.
func (m *mutant) edit(at, _ *node) {
	if !at.isText {
		if at, _ = m.pickOf(m.root, func(n *node) bool { return n.isText }); at == nil {
			return
		}
	}
	word := textPieces[m.IntN(len(textPieces))]
	pieces := split(at.value)
	switch m.IntN(6) {
	case 0:
		at.value = word
	case 1:
		at.value += " " + word
	case 2, 3:
		if len(pieces) > 0 {
			pieces[m.IntN(len(pieces))] = m.pieceFor(word)
		}
		at.value = strings.Join(pieces, "")
	case 4:
		if len(pieces) > 1 {
			i := m.IntN(len(pieces))
			pieces = slices.Delete(pieces, i, i+1)
		}
		at.value = strings.Join(pieces, "")
	default:
		if n, err := strconv.ParseInt(at.value, 10, 64); err == nil {
			at.value = strconv.FormatInt([]int64{0, -n, n + 1, n - 1, n * 1000, 1}[m.IntN(6)], 10)
			return
		}
		if len(pieces) > 1 {
			i, j := m.IntN(len(pieces)), m.IntN(len(pieces))
			pieces[i], pieces[j] = pieces[j], pieces[i]
		}
		at.value = strings.Join(pieces, "")
	}
}

// holeFilters are the filters of templates.
var holeFilters = []string{"pad 4", "pad 1", "pad 0", "lower", "upper", "date", "month", "hour", "year", "prefix 3", "prefix 0", "shard 4", "shard 1", "shard 0", "escape"}

// pieceFor returns what takes the place of a piece of a text: a word, the name of something, a
// hole of a template.
func (m *mutant) pieceFor(word string) string {
	named, _ := m.pickOf(m.root, func(n *node) bool { return n.key != "" })
	switch m.IntN(4) {
	case 0:
		return word
	case 1:
		return "{" + named.key + "}"
	case 2:
		return "{" + named.key + "|" + holeFilters[m.IntN(len(holeFilters))] + "}"
	}
	return named.key
}

// split cuts a text into words and what stands between them.
func split(text string) []string {
	var all []string
	isWord := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	last := false
	for i, r := range text {
		if w := isWord(r); i == 0 || w != last || !w {
			all, last = append(all, ""), w
		}
		all[len(all)-1] += string(r)
	}
	return all
}

// changedText changes the text of a design, which need not be YAML any more.
func (m *mutant) changedText(text []byte) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	for range 1 + m.IntN(3) {
		i, j := m.IntN(len(lines)), m.IntN(len(lines))
		switch m.IntN(6) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += lines[j]
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			lines[i] = "  " + lines[i]
		case 4:
			lines[i] = strings.TrimPrefix(lines[i], "  ")
		default:
			at := m.IntN(len(lines[i]) + 1)
			lines[i] = lines[i][:at] + []string{"{", "}", "[", "]", "\"", ":", "#", "|", "\n", "\x00", "é", "&a", "- ", ", "}[m.IntN(14)] + lines[i][at:]
		}
	}
	m.steps = append(m.steps, "text")
	return []byte(strings.Join(lines, ""))
}
