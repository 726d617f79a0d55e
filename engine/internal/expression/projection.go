package expression

import "sortkey.dev/engine/internal/dynamo"

// A Projection is a parsed projection expression.
type Projection struct {
	paths   []path
	tree    pathTree
	columns map[string]path // of a statement: the paths by the names they get; nil: use the tree
}

// ParseProjection parses a ProjectionExpression.
func (s *Scope) ParseProjection(text string) (*Projection, error) {
	const l = projectionLanguage
	p, err := newParser(text, l)
	if err != nil {
		return nil, err
	}
	paths, err := p.pathList()
	if err == nil {
		err = p.finish()
	}
	if err != nil {
		return nil, err
	}
	for _, elements := range paths {
		if err := p.checkPath(elements); err != nil {
			return nil, err
		}
	}
	for _, elements := range paths {
		if err := s.resolvePath(elements, l); err != nil {
			return nil, err
		}
	}
	tree, err := newPathTree(paths, l)
	if err != nil {
		return nil, err
	}
	return &Projection{paths: paths, tree: tree}, nil
}

// pathList parses paths separated by commas.
func (p *parser) pathList() (paths []path, err error) {
	for {
		found, err := p.path()
		if err != nil {
			return nil, err
		}
		paths = append(paths, found)
		if !p.accept(tokenComma) {
			return paths, nil
		}
	}
}

// TopLevelNames lists the attributes the paths start with, in the order of the text.
func (p *Projection) TopLevelNames() []string { return heads(p.each, everyPath) }

// NestedNames lists the attributes that the projection takes a part of.
func (p *Projection) NestedNames() []string { return heads(p.each, nestedPath) }

func (p *Projection) each(yield func(path)) {
	for _, elements := range p.paths {
		yield(elements)
	}
}

// Apply returns an item of the values that the paths lead to in item. A path to
// a part of a document gives a document with that part only; selected elements of a list
// close up in their old order. A nil item stays nil.
func (p *Projection) Apply(item dynamo.Item) dynamo.Item {
	if item == nil {
		return nil
	}
	if p.columns != nil {
		return p.pick(item)
	}
	return p.tree.project(item)
}

// pick returns an item of the columns.
func (p *Projection) pick(item dynamo.Item) dynamo.Item {
	var enc dynamo.Encoder
	enc.OpenItem()
	for name, elements := range p.columns {
		if v := elements.in(item); v != nil {
			enc.Name(name)
			enc.Copy(v)
		}
	}
	picked, _ := enc.CloseItem() // the names are unique
	return picked
}

// project returns an item of the parts of item that the tree selects.
func (t *pathTree) project(item dynamo.Item) dynamo.Item {
	var enc dynamo.Encoder
	enc.Grow(len(item))
	enc.OpenItem()
	projectFields(&enc, item, t.children)
	projected, _ := enc.CloseItem() // the names are unique
	return projected
}

func projectFields(enc *dynamo.Encoder, m dynamo.Map, nodes []pathNode) {
	for c := m.Fields(); len(nodes) > 0 && c.Next(); {
		for len(nodes) > 0 && nodes[0].name < string(c.Name()) {
			nodes = nodes[1:]
		}
		if len(nodes) > 0 && nodes[0].name == string(c.Name()) && nodes[0].leadsInto(c.Value()) {
			enc.Name(string(c.Name()))
			projectValue(enc, c.Value(), &nodes[0])
		}
	}
}

// projectValue writes the part of v that the node selects. It must not be empty.
func projectValue(enc *dynamo.Encoder, v dynamo.Value, n *pathNode) {
	switch {
	case n.leaf >= 0:
		enc.Copy(v)
	case v.Kind() == dynamo.KindMap:
		enc.OpenMap()
		projectFields(enc, v.Map(), n.children)
		_ = enc.CloseMap() // as above
	default:
		enc.OpenList()
		n.eachElement(v, func(child *pathNode, e dynamo.Value) bool {
			if child.leadsInto(e) {
				projectValue(enc, e, child)
			}
			return true
		})
		enc.CloseList()
	}
}

// leadsInto reports whether at least one path below the node leads to a part of v.
func (n *pathNode) leadsInto(v dynamo.Value) (found bool) {
	switch {
	case n.leaf >= 0:
		return true
	case n.children[0].kind == position:
		if v.Kind() == dynamo.KindList {
			n.eachElement(v, func(child *pathNode, e dynamo.Value) bool {
				found = child.leadsInto(e)
				return !found
			})
		}
	case v.Kind() == dynamo.KindMap:
		nodes := n.children
		for c := v.Map().Fields(); !found && len(nodes) > 0 && c.Next(); {
			for len(nodes) > 0 && nodes[0].name < string(c.Name()) {
				nodes = nodes[1:]
			}
			found = len(nodes) > 0 && nodes[0].name == string(c.Name()) && nodes[0].leadsInto(c.Value())
		}
	}
	return found
}

// eachElement calls yield for the elements of a list that have a node, until
// it returns false.
func (n *pathNode) eachElement(list dynamo.Value, yield func(*pathNode, dynamo.Value) bool) {
	nodes := n.children
	for i, e := range list.Elements() {
		if len(nodes) == 0 {
			return
		}
		if nodes[0].index != i {
			continue
		}
		if !yield(&nodes[0], e) {
			return
		}
		nodes = nodes[1:]
	}
}
