package catalog

import (
	"maps"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// ListTagsOfResource lists the tags of a table. It has at most 50, which
// is one page.
func (c *Catalog) ListTagsOfResource(req *request.ListTagsOfResource) ([]dynamo.Tag, error) {
	t, err := c.tagged("ListTagsOfResource", req.Table, req.ARN)
	if err != nil {
		return nil, err
	}
	tags := []dynamo.Tag{}
	for _, k := range slices.Sorted(maps.Keys(t.Definition.Tags)) {
		v := t.Definition.Tags[k]
		tags = append(tags, dynamo.Tag{Key: &k, Value: &v})
	}
	return tags, nil
}
