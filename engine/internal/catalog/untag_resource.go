package catalog

import (
	"context"

	"sortkey.dev/engine/internal/request"
)

// UntagResource removes tags from a table. It ignores keys that do not exist.
func (c *Catalog) UntagResource(ctx context.Context, req *request.UntagResource) error {
	return c.changeTags(ctx, "UntagResource", req.Table, req.ARN, func(all map[string]string) error {
		for _, k := range req.Keys {
			delete(all, k)
		}
		return nil
	})
}
