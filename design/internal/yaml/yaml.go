// Package yaml reads the YAML that designs use, and nothing else of YAML: mappings,
// lists and texts in all their forms, with the exact place of every word. What makes
// a text mean more than it shows (anchors, aliases, tags, merge keys, directives,
// several documents, long keys) is refused by name.
//
// It reads a text once from its start to its end, so hostile texts take no longer
// than others of their size. It knows nothing of designs, does not turn texts into
// numbers or truth values, and does not look for duplicate keys. Packages file, layout
// and check call it.
package yaml

// The limits of a text.
const (
	MaxBytes = 4 << 20
	MaxDepth = 100 // mappings and lists inside each other
)

// maxProblems is the number of problems after which parsing stops.
const maxProblems = 50

// A Document is a parsed text.
type Document struct {
	Root     *Node // nil if there is nothing but comments, or if reading stopped
	Comments []Comment
	Marked   bool // --- stands before the document or ... after it

	text   string  // with LF as its only line end and without byte order mark
	starts []int32 // offset of every line
	ascii  bool
}

// A Node is one value or key. Lines and columns count characters from 1.
type Node struct {
	Kind    Kind
	Style   Style
	Refused bool   // an anchor, alias or tag was reported here and left out
	Text    string // of a scalar: what it means
	Raw     string // of a scalar: as written, with its quotes; of a text block only its header

	// Where it begins, and where it ends if that is on the same line, else where that
	// line ends. A missing value is at its key, dash or bracket.
	Line, Column, EndColumn int32
	Last                    int32 // last line

	Entries []Entry

	start  int32 // offset of its first character
	end    int32 // offset after its last character, of scalars and brackets
	parent int32 // indentation of the block it stands in
	inFlow bool
}

// An Entry is one key of a mapping with its value, or one item of a list.
type Entry struct {
	Key          *Node // nil in a list
	Value        *Node
	Line, Column int32 // of its key, its dash or, in brackets, its value
}

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	Missing Kind = iota // nothing is written where a value belongs
	Scalar
	Mapping
	List
)

// Style is the notation of a node.
type Style uint8

// The styles: the first three are of mappings and lists, the others of scalars.
const (
	Block   Style = iota // by indentation
	Flow                 // in brackets
	Pair                 // a mapping of one key inside [ ] that has no brackets of its own
	Plain                // without quotes
	Single               // in single quotes
	Double               // in double quotes
	Literal              // the lines after |
	Folded               // the lines after >
)

// IsNull reports whether a value is missing or written as null.
func (n *Node) IsNull() bool {
	if n.Kind == Scalar && n.Style == Plain {
		switch n.Text {
		case "~", "null", "Null", "NULL":
			return true
		}
	}
	return n.Kind == Missing
}

// A Comment is one # and what follows it on its line.
type Comment struct {
	Text         string // with its #, without spaces at its end
	Line, Column int32
	Alone        bool // nothing else stands on the line
}

// A Problem is an error in a text, or an unsupported feature.
type Problem struct {
	Kind                    ProblemKind
	Line, Column, EndColumn int
	Message                 string
	Text                    string // of an unquoted text: all of it
}

// ProblemKind is the kind of a problem.
type ProblemKind uint8

// The kinds of problems.
const (
	Syntax   ProblemKind = iota // this is not YAML; reading stopped
	Refused                     // YAML that designs do not use
	TooLarge                    // beyond the bounds; reading stopped
	Unquoted                    // a text with { } lacks its quotes and was read as if it had them
)

// Read parses a text. It stops at the first syntax error, and then there is no root; refused
// and unquoted parts are reported, and the rest is parsed. It also stops after many problems.
func Read(text []byte) (*Document, []Problem) {
	d := &Document{}
	if problem := d.admit(text); problem != nil {
		return d, []Problem{*problem}
	}
	p := newParser(d)
	d.Root = p.document()
	if p.stopped {
		d.Root = nil
	}
	return d, p.problems
}

// Lines returns the number of lines of the text; a line end at its end begins no other line.
func (d *Document) Lines() int {
	n := len(d.starts)
	if n > 1 && int(d.starts[n-1]) == len(d.text) {
		n--
	}
	return n
}

// Line returns the text of a line, counted from 1, without its end.
func (d *Document) Line(line int) string {
	if line < 1 || line > len(d.starts) {
		return ""
	}
	end := len(d.text)
	if line < len(d.starts) {
		end = int(d.starts[line]) - 1
	}
	return d.text[d.starts[line-1]:end]
}

// Around returns the source text of a scalar or of brackets on their first line, and the rest
// of that line.
func (d *Document) Around(n *Node) (written, after string) {
	line := len(d.text)
	if int(n.Line) < len(d.starts) {
		line = int(d.starts[n.Line]) - 1
	}
	end := min(max(int(n.end), int(n.start)), line)
	return d.text[n.start:end], d.text[end:line]
}
