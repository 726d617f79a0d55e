package arrange

import (
	"hash/fnv"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
)

// hostileEnds lists ends of texts that keys must keep apart from their own delimiters: the
// delimiter alone, twice and before an empty part, the mark of escaped text, and what the two
// are escaped as.
func hostileEnds(d model.Delimiter) []string {
	s, mark := d.String(), d.Mark()
	return []string{s, s + s, s + "c", mark, mark + s + mark, mark + "2", mark + "1" + s}
}

// withDelimiters gives some texts of items an end that contains the delimiter of keys, if every
// key that holds the attribute takes it. Equal texts of attributes of one name stay equal.
func (ar *Arranger) withDelimiters(items []*sample.Item) {
	free, d := ar.freeNames(), ar.delimiters()
	for _, item := range items {
		for i, a := range item.Attributes {
			if a.Origin == nil || a.Origin.Type.Base != model.String || !free[a.Origin.Name] || a.Value.Text == "" {
				continue
			}
			item.Attributes[i].Value.Text += hostileEnd(a.Value.Text, d)
		}
	}
}

// hostileEnd returns an end for a text, "" for most texts. It follows from the text.
func hostileEnd(text string, delimiters []model.Delimiter) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	ends := hostileEnds(delimiters[h.Sum32()/16%uint32(len(delimiters))])
	if n := h.Sum32() % 16; n < uint32(len(ends)) {
		return ends[n]
	}
	return ""
}

// delimiters returns the delimiters of the tables, each once.
func (g *generator) delimiters() []model.Delimiter {
	var all []model.Delimiter
	for _, t := range g.layout.Design().Tables {
		if !slices.ContainsFunc(all, func(d model.Delimiter) bool { return d.String() == t.Delimiter.String() }) {
			all = append(all, t.Delimiter)
		}
	}
	return all
}

// freeNames returns the names of the attributes that are in keys, and whose values may contain
// the delimiter in all of them. Attributes by which an item finds its counter under another
// name are not among them.
func (g *generator) freeNames() map[string]bool {
	if g.free != nil {
		return g.free
	}
	free := map[string]bool{}
	g.free = free
	d := g.layout.Design()
	note := func(parts []model.Part) {
		for _, part := range parts {
			if part.IsHole() {
				was, known := free[part.Attribute.Name]
				free[part.Attribute.Name] = part.TakesDelimiter() && (was || !known)
			}
		}
	}
	for _, t := range d.Tables {
		for _, item := range t.Items {
			for _, c := range item.Computed {
				note(c.Template.Parts)
			}
		}
		for _, guard := range t.Guards {
			for _, c := range guard.Computed {
				note(c.Template.Parts)
			}
		}
	}
	for _, e := range d.Entities {
		for _, c := range e.Counters {
			for _, m := range c.Match {
				if m.Mine.Name != m.Theirs.Name {
					free[m.Mine.Name], free[m.Theirs.Name] = false, false
				}
			}
		}
	}
	return free
}
