package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// withNeighbours gives a few items numbers in their keys for which the keys come nearest to those
// of another entity in the same partition, if only the characters of values tell the two apart: the
// smallest and the largest number, and one as wide as a value of the other entity. Equal numbers of
// attributes of one name stay equal.
func (ar *Arranger) withNeighbours(items []*sample.Item) {
	for name, edges := range ar.edges() {
		taken, replaced := map[string]bool{}, map[string]string{}
		var order []string
		for _, item := range items {
			for _, a := range item.Attributes {
				if a.Origin != nil && a.Origin.Name == name && !taken[a.Value.Text] {
					taken[a.Value.Text] = true
					order = append(order, a.Value.Text)
				}
			}
		}
		for _, edge := range edges {
			if !taken[edge] && len(order) > len(edges) {
				replaced[order[0]], order = edge, order[1:]
			}
		}
		for _, item := range items {
			for i, a := range item.Attributes {
				if edge := replaced[a.Value.Text]; edge != "" && a.Origin != nil && a.Origin.Name == name {
					item.Attributes[i].Value.Text = edge
				}
			}
		}
	}
}

// edges returns the numbers at the edges of keys, by the name of the attribute.
func (ar *Arranger) edges() map[string][]string {
	all := map[string][]string{}
	for _, t := range ar.layout.Design().Tables {
		widths := widthsOf(t)
		for _, item := range t.Items {
			for _, tell := range resolve.Tells(item) {
				if !tell.Exact || tell.Key.Template == nil {
					continue
				}
				for _, part := range tell.Key.Template.Parts {
					if part.IsHole() && part.Attribute.Type.Base == model.Integer && ar.isFreeNumber(part) {
						all[part.Attribute.Name] = edgesOf(part, widths)
					}
				}
			}
		}
	}
	return all
}

// widthsOf returns the widths of the values in the keys of a table that always have the same width.
func widthsOf(t *model.Table) []int {
	var all []int
	for _, item := range t.Items {
		for _, tell := range resolve.Tells(item) {
			for _, part := range tell.Key.Parts() {
				if width := part.Width(); width > 0 && !slices.Contains(all, width) {
					all = append(all, width)
				}
			}
		}
	}
	return all
}

// mostDigits is the number of digits of the largest number that every int holds.
const mostDigits = 18

// edgesOf returns the numbers at the edges of a hole.
func edgesOf(part model.Part, widths []int) []string {
	if pad, ok := part.Filter(model.Pad); ok {
		return []string{"0", strings.Repeat("9", min(pad.N, mostDigits))}
	}
	all := []string{"0"}
	for _, width := range widths {
		if width <= mostDigits {
			all = append(all, "1"+strings.Repeat("0", width-1))
		}
	}
	return all
}

// isFreeNumber reports whether the number of a hole can be any: all keys write it in the same way, and
// it is no counter or version.
func (ar *Arranger) isFreeNumber(hole model.Part) bool {
	name := hole.Attribute.Name
	for _, e := range ar.layout.Design().Entities {
		if e.Version != nil && e.Version.Name == name {
			return false
		}
		for _, c := range e.Counters {
			if c.Attribute.Name == name {
				return false
			}
		}
		if a := e.Attribute(name); a != nil && a.Type.Base != model.Integer {
			return false
		}
	}
	same := func(p model.Part) bool {
		return !p.IsHole() || p.Attribute.Name != name || slices.Equal(p.Filters, hole.Filters)
	}
	for _, t := range ar.layout.Design().Tables {
		for _, item := range t.Items {
			for _, c := range item.Computed {
				if slices.ContainsFunc(c.Template.Parts, func(p model.Part) bool { return !same(p) }) {
					return false
				}
			}
		}
	}
	return true
}
