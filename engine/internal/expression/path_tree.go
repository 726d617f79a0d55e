package expression

import "slices"

// A pathTree is a set of document paths that do not overlap: none is a prefix of
// another. Children are sorted like the fields and elements that they match, so that a
// tree and an item can be walked in parallel.
type pathTree struct{ children []pathNode }

// A pathNode is one element of one or more of the paths.
type pathNode struct {
	element
	leaf     int // the number of the path that ends here, or -1
	first    int // the number of the first path that goes through here
	children []pathNode
}

// A clash is a pair of paths that cannot be used together.
type clash struct{ one, two path }

const (
	overlapText  = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: %s, path two: %s"
	conflictText = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: %s, path two: %s"
)

// newPathTree returns the tree of paths, or the error for paths that cannot be combined.
// Two paths overlap when one is a prefix of the other; they conflict when
// one expects a list where the other expects a map.
func newPathTree(paths []path, l language) (pathTree, error) {
	t := pathTree{children: make([]pathNode, 0, len(paths))}
	conflict := clash{}
	for i, p := range paths {
		with, overlaps := t.insert(p, i)
		switch {
		case with >= 0 && overlaps:
			return t, l.errorf(overlapText, paths[with], p)
		case with >= 0 && conflict.one == nil:
			conflict = clash{paths[with], p}
		}
	}
	if conflict.one != nil {
		return t, l.errorf(conflictText, conflict.one, conflict.two)
	}
	return t, nil
}

// insert adds a path. If it clashes with a path added before, insert
// returns the number of that path and whether they overlap or conflict, and
// adds nothing: the new part of a path has no siblings to clash with.
func (t *pathTree) insert(p path, number int) (with int, overlaps bool) {
	level, first := &t.children, number
	for depth, e := range p {
		if n := *level; len(n) > 0 && (n[0].kind == position) != (e.kind == position) {
			return first, false
		}
		at, found := slices.BinarySearchFunc(*level, e, func(n pathNode, e element) int { return n.compare(e) })
		last := depth == len(p)-1
		switch {
		case !found:
			*level = slices.Insert(*level, at, pathNode{element: e, leaf: -1, first: number})
		case (*level)[at].leaf >= 0:
			return (*level)[at].leaf, true
		case last:
			return (*level)[at].first, true
		}
		node := &(*level)[at]
		if last {
			node.leaf = number
		}
		level, first = &node.children, node.first
	}
	return -1, false
}
