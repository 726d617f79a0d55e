// Package randomdesign generates random designs for tests of the whole pipeline: a design
// that the checker accepts must be explained, priced, generated, compiled and verified
// without a difference. It knows the format of design files but does not use the compiler,
// so that a bug of the compiler cannot hide here.
//
// Most generated patterns can be served; the checker must reject the others. Only tests use
// this package.
package randomdesign

import (
	"fmt"
	"math/rand/v2"
)

// Design returns a random design as YAML. The same seed gives the same text.
func Design(seed uint64) []byte { return tree(seed).text() }

// tree returns the design of a seed before it is written.
func tree(seed uint64) *node {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7))}
	m.structs = m.generateStructs()
	m.together = m.chance(65)
	for i := range 1 + m.IntN(4) {
		m.entities = append(m.entities, m.generateEntity(i))
	}
	m.generateCounters()
	tables := m.generateTables()
	patterns := m.generatePatterns()
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

// A maker generates one design.
type maker struct {
	*rand.Rand
	structs  []*structType
	entities []*entity
	together bool // all in one table
	patterns int  // generated so far, for names
}

// chance returns true with a probability in percent.
func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

// pick returns a random element of list.
func pick[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// some returns up to n random elements of list, in order.
func some[T any](m *maker, list []T, n int) []T {
	var kept []T
	for i, item := range list {
		if m.IntN(len(list)-i) < n-len(kept) {
			kept = append(kept, item)
		}
	}
	return kept
}

// scatter writes some blocks in braces.
func (m *maker) scatter(n *node, depth int) {
	n.flow = depth >= 2 && m.chance(50)
	for _, kid := range n.kids {
		m.scatter(kid, depth+1)
	}
}

// role returns a role that may use all patterns.
func (m *maker) role() *node {
	role := mapping("web", scalar("patterns", "all"))
	if e := m.entities[0]; m.chance(50) && e.id[0].base == "string" {
		role.add(mapping("bind", scalar(e.id[0].name, "sub")))
	}
	return role
}
