package request

import (
	"strings"

	"sortkey.dev/engine/internal/expression"
)

// maxAttributesToGet is the maximum length of AttributesToGet.
const maxAttributesToGet = 255

// attributesToGet checks the number of attributes.
func (v *violations) attributesToGet(path string, names []string) {
	switch {
	case names != nil && len(names) == 0:
		v.broken("[]", path, lengthAtLeast(1))
	case len(names) > maxAttributesToGet:
		v.broken("["+strings.Join(names, ", ")+"]", path, lengthAtMost(maxAttributesToGet))
	}
}

// projectionOf translates AttributesToGet; nil when it was not sent.
func projectionOf(names []string) (*expression.Projection, error) {
	if len(names) == 0 {
		return nil, nil
	}
	seen := make(map[string]bool, len(names))
	paths := make([]expression.Path, len(names))
	for i, name := range names {
		if err := checkAttributeName(name); err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, invalid(invalidParameter + "Duplicate value in attribute name: " + name)
		}
		seen[name] = true
		paths[i] = expression.Attribute(name)
	}
	return expression.NewProjection(paths...)
}
