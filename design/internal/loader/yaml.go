package loader

import (
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/yaml"
)

func readAtMost(r io.Reader, most int64) ([]byte, error) { return io.ReadAll(io.LimitReader(r, most)) }

// codes maps problems of YAML to the codes of findings.
var codes = map[yaml.ProblemKind]diag.Code{yaml.Syntax: "F001", yaml.Refused: "F009", yaml.TooLarge: "F010", yaml.Unquoted: "F008"}

// parse parses the YAML of a source. It returns nil if there is no design, after reporting
// why.
func parse(source Source, found *findings) *node {
	doc, problems := yaml.Read(source.Text)
	readable := true
	for _, p := range problems {
		f := diag.Finding{
			Code: codes[p.Kind], Message: p.Message,
			Place: diag.Place{File: source.Name, Line: p.Line, Column: p.Column, EndColumn: p.EndColumn},
		}
		if p.Kind == yaml.Unquoted {
			f.Fix = fmt.Sprintf(`Put the template in double quotes: "%s"`, short(strings.ReplaceAll(p.Text, `"`, "")))
		} else {
			readable = false
		}
		found.add(f)
	}
	if !readable || doc.Root == nil && len(problems) > 0 {
		return nil
	}
	start := diag.Place{File: source.Name, Line: 1, Column: 1, EndColumn: 2}
	if doc.Root == nil {
		found.add(diag.Finding{Code: "F001", Place: start, Message: "the file is empty: a design begins with design: and a name"})
		return nil
	}
	c := &converter{name: source.Name, doc: doc}
	root := c.node(doc.Root)
	if c.crowded != nil {
		found.add(diag.Finding{Code: "F010", Place: c.crowded.place, Message: fmt.Sprintf("a block of more than %d entries", maxEntries)})
		return nil
	}
	if root.kind != mapping {
		found.add(diag.Finding{Code: "F005", Place: root.place, Message: "a design is a mapping: it begins with design: and a name"})
		return nil
	}
	root.last = max(root.last, doc.Lines())
	return root
}

// A converter converts YAML nodes. It allocates nodes in chunks: a design has thousands.
type converter struct {
	name     string
	doc      *yaml.Document
	nodes    []node
	items    []*node
	entries  []entry
	pointers []*entry
	crowded  *node // the first block with too many entries
}

// maxEntries is the maximum number of entries of one block: later steps compare entries with
// each other.
const maxEntries = 5000

func (c *converter) node(y *yaml.Node) *node {
	n := &take(&c.nodes, 1)[0]
	n.written, n.doc = y, c.doc
	n.place = diag.Place{File: c.name, Line: int(y.Line), Column: int(y.Column), EndColumn: int(y.EndColumn)}
	n.last = int(y.Last)
	if len(y.Entries) > maxEntries {
		if c.crowded == nil {
			c.crowded = n
		}
		return n
	}
	switch y.Kind {
	case yaml.Scalar:
		n.text, n.quoted = y.Text, y.Style != yaml.Plain
		if !y.IsNull() {
			n.kind = scalar
		}
	case yaml.Mapping:
		n.kind, n.flow = mapping, y.Style == yaml.Flow
		n.entries = c.mapping(y.Entries)
	case yaml.List:
		n.kind, n.flow = list, y.Style == yaml.Flow
		n.items = take(&c.items, len(y.Entries))
		for i, e := range y.Entries {
			n.items[i] = c.node(e.Value)
		}
	}
	return n
}

func (c *converter) mapping(all []yaml.Entry) []*entry {
	entries, pointers := take(&c.entries, len(all)), take(&c.pointers, len(all))
	for i, e := range all {
		key := c.node(e.Key)
		key.kind = scalar // whatever it looks like
		entries[i] = entry{key: key, value: c.node(e.Value)}
		pointers[i] = &entries[i]
	}
	return pointers
}

// take returns elements of a chunk, and allocates a new chunk if it has too few.
func take[T any](chunk *[]T, count int) []T {
	if count > len(*chunk) {
		*chunk = make([]T, max(count, 512))
	}
	taken := (*chunk)[:count:count]
	*chunk = (*chunk)[count:]
	return taken
}
