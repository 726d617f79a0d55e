// Package randomdesign generates random designs for tests of the whole pipeline: a design
// that the checker accepts must be explained, priced, generated, compiled and verified
// without a difference. It knows the format of design files but does not use the compiler,
// so that a bug of the compiler cannot hide here.
//
// Most generated patterns can be served; the checker must reject the others. Only tests use
// this package. Its own tests also change the designs of the repository at random, mostly into
// ones that the checker rejects: no command may panic on these mutants, or hang.
package randomdesign

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Design returns a random design as YAML. The same seed gives the same text.
func Design(seed uint64) []byte { return tree(seed).text() }

// tree returns the design of a seed before it is written.
func tree(seed uint64) *node {
	d := &draft{Rand: rand.New(rand.NewPCG(seed, 7))}
	maker := entityMaker{d}
	d.structs = maker.generateStructs()
	d.together = d.chance(65)
	for i := range 1 + d.IntN(4) {
		d.entities = append(d.entities, maker.generateEntity(i))
	}
	maker.generateCounters()
	tables := tableMaker{keyMaker{d}}.generateTables()
	patterns := (&patternMaker{draft: d}).generatePatterns()
	root := mapping("", scalar("design", fmt.Sprintf("Road%d", seed)))
	if len(d.structs) > 0 {
		types := mapping("types")
		for _, s := range d.structs {
			types.add(s.written())
		}
		root.add(types)
	}
	entities := mapping("entities")
	for _, e := range d.entities {
		entities.add(maker.writtenEntity(e))
	}
	if len(d.views) > 0 {
		root.add(mapping("projections", d.views...))
	}
	root.add(entities, tables, patterns, mapping("roles", d.role()))
	d.scatter(root, 0)
	return root
}

// A draft is the design under construction, with the source of its random choices. Makers
// of entities, tables and patterns share one draft.
type draft struct {
	*rand.Rand
	structs   []*structType
	entities  []*entity
	together  bool    // all in one table
	views     []*node // the named projections
	delimiter string  // of the keys of the table
}

// A source provides random numbers: a draft, or a maker with its draft.
type source interface{ IntN(n int) int }

// chance returns true with a probability in percent.
func (d *draft) chance(percent int) bool { return d.IntN(100) < percent }

// pick returns a random element of list.
func pick[T any](from source, list ...T) T { return list[from.IntN(len(list))] }

// some returns up to n random elements of list, in order.
func some[T any](from source, list []T, n int) []T {
	var kept []T
	for i, item := range list {
		if from.IntN(len(list)-i) < n-len(kept) {
			kept = append(kept, item)
		}
	}
	return kept
}

// scatter writes some blocks in braces.
func (d *draft) scatter(n *node, depth int) {
	n.flow = depth >= 2 && d.chance(50)
	for _, kid := range n.kids {
		d.scatter(kid, depth+1)
	}
}

// role returns a role that may use all patterns.
func (d *draft) role() *node {
	role := mapping("web", scalar("patterns", "all"))
	if e := d.entities[0]; d.chance(50) && e.id[0].base == "string" {
		role.add(mapping("bind", scalar(e.id[0].name, "sub")))
	}
	return role
}

// constant returns a value of an attribute's type in the syntax of conditions.
func (d *draft) constant(a *attribute) string {
	switch a.base {
	case "enum":
		return pick(d, a.values...)
	case "bool":
		return pick(d, "true", "false")
	case "int":
		return pick(d, "0", "1", "7", "100")
	case "unixtime":
		return pick(d, "1771322400", "1700000000")
	case "number", "decimal":
		return pick(d, "0.5", "1", "20", "3.25")
	case "timestamp":
		return "2026-02-17T10:00:00.000Z"
	case "date":
		return "2026-02-17"
	case "week":
		return "2026-W07"
	case "geohash":
		return pick(d, "u6s", "u4pruy")
	case "string":
		return pick(d, "ann", "Bob", "x y")
	}
	return "$"
}

// sealedAnywhere reports whether an attribute stored under a name is encrypted in any
// entity: in a shared table it would be in the same index.
func (d *draft) sealedAnywhere(stored string) bool {
	for _, e := range d.entities {
		if slices.ContainsFunc(e.attributes, func(a *attribute) bool { return a.sealed && a.inKey() == stored }) {
			return true
		}
	}
	return false
}
