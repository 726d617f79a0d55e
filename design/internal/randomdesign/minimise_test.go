package randomdesign

import (
	"slices"
	"time"

	"sortkey.dev/design"
)

// walkOnly runs a design through one stage.
func walkOnly(s stage, text []byte) *failure {
	if err := s.safely(design.Parse("random.design.yaml", text), text); err != nil {
		return &failure{s.name, err.Error()}
	}
	return nil
}

// minimised removes parts of a design as long as the checker accepts it and it fails at a
// stage in the same way.
func minimised(root *node, s stage, class string, until time.Time) *node {
	fails := func(n *node) bool {
		if _, whole := refusals(n); !whole {
			return false
		}
		f := walkOnly(s, n.text())
		return f != nil && slices.Contains(f.classes(), class)
	}
	root = halved(root, fails)
	for again := true; again; {
		again = false
		for i := 0; i < len(root.all()); {
			if time.Now().After(until) {
				return root
			}
			smaller := root.without(root.all()[i])
			if !fails(smaller) {
				i++
				continue
			}
			root, again = smaller, true
		}
	}
	return root
}

// halved removes half of the patterns, a quarter and so on, which is faster than one by one.
func halved(root *node, fails func(*node) bool) *node {
	for size := len(root.get("patterns").kids) / 2; size > 0; size /= 2 {
		for at := 0; at < len(root.get("patterns").kids); {
			patterns := root.get("patterns").kids
			smaller := root
			for range patterns[at:min(at+size, len(patterns))] {
				smaller = smaller.without(smaller.get("patterns").kids[at])
			}
			if fails(smaller) {
				root = smaller
			} else {
				at += size
			}
		}
	}
	return root
}
