package loader

import "sortkey.dev/design/internal/model"

// build builds the model of a checked design. It reports and omits what cannot be parsed, and
// omits everything that depends on it without a finding. ends holds the last line of each file;
// files takes those of used designs, and is nil for a used design.
func build(root *node, ends map[string]int, files *usedFiles, found *findings) *model.Design {
	d := &model.Design{Place: root.place}
	r := newReader(found)
	if n := root.get("design"); n != nil {
		d.Name, d.Place = n.text, n.place
	}
	d.Doc, d.Region = root.get("doc").str(), root.get("region").str()
	d.Control, d.WritesIn = root.get("control").str(), root.get("writes_in").str()
	d.Structs = structBuilder{r}.all(root.get("types"))
	d.Entities = entityBuilder{r}.all(root.get("entities"))
	d.Projections = projectionBuilder{r}.all(root.get("projections"))
	d.Tables = newLayoutBuilder(r).tables(root.get("tables"))
	d.Alternatives = alternatives(r, root.get("alternatives"))
	d.Patterns = patternBuilder{r}.all(root.get("patterns"))
	d.Uses = useBuilder{reader: r, design: d, files: files}.all(root.get("uses"))
	d.Profiles = profileBuilder{r}.all(root.get("profiles"))
	d.Roles = roleBuilder{r, d}.all(root.get("roles"))
	rolesOfUses(r, d)
	d.Prices = priceBuilder{r}.prices(root.get("prices"))
	d.FreeTier = priceBuilder{r}.freeTier(root.get("free_tier"))
	d.Claims = claimBuilder{r}.all(root.get("expect"))
	d.Accepts = r.accepts(root.get("accept"), func(e *entry) model.Scope {
		file := e.key.place.File
		return model.Scope{File: file, First: 1, Last: ends[file]}
	})
	if d.Name == "" && len(d.Entities) == 0 && len(d.Tables) == 0 && len(d.Patterns) == 0 {
		return nil
	}
	return d
}
