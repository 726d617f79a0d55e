// Package randomdesign invents designs and sends them down the whole road: what the checker
// lets pass must be explained, priced, generated, compiled and verified without a
// difference. It knows the format of design files and nothing of how they are read, so a
// rule of the compiler cannot hide a mistake of its own here.
//
// The designs are steered: most of what is invented could be served. What is not is for
// the checker to refuse. Only its own tests call it; no program does.
package randomdesign

import (
	"fmt"
	"math/rand/v2"
)

// Design is an invented design as YAML. The same seed gives the same text.
func Design(seed uint64) []byte { return tree(seed).text() }

// tree is the design of a seed before it is written.
func tree(seed uint64) *node {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7))}
	m.structs = m.inventStructs()
	m.together = m.chance(65)
	for i := range 1 + m.IntN(4) {
		m.entities = append(m.entities, m.inventEntity(i))
	}
	m.inventCounters()
	tables := m.inventTables()
	patterns := m.inventPatterns()
	root := mapping("", scalar("design", fmt.Sprintf("Road%d", seed)))
	if len(m.structs) > 0 {
		types := mapping("types")
		for _, s := range m.structs {
			types.add(s.written())
		}
		root.add(types)
	}
	entities := mapping("entities")
	for _, e := range m.entities {
		entities.add(m.writtenEntity(e))
	}
	root.add(entities, tables, patterns, mapping("roles", m.role()))
	m.scatter(root, 0)
	return root
}

// A maker invents one design.
type maker struct {
	*rand.Rand
	structs  []*structType
	entities []*entity
	together bool // all in one table
	patterns int  // invented so far, for names
}

// chance is true in so many of a hundred cases.
func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

// pick is one of several.
func pick[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// some are up to n of several, in their order.
func some[T any](m *maker, list []T, n int) []T {
	var kept []T
	for i, item := range list {
		if m.IntN(len(list)-i) < n-len(kept) {
			kept = append(kept, item)
		}
	}
	return kept
}

// scatter writes some blocks in braces, as people do.
func (m *maker) scatter(n *node, depth int) {
	n.flow = depth >= 2 && m.chance(50)
	for _, kid := range n.kids {
		m.scatter(kid, depth+1)
	}
}

// role may use all patterns.
func (m *maker) role() *node {
	role := mapping("web", scalar("patterns", "all"))
	if e := m.entities[0]; m.chance(50) && e.id[0].base == "string" {
		role.add(mapping("bind", scalar(e.id[0].name, "sub")))
	}
	return role
}
