package catalog

import (
	"context"
	"maps"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// TagResource adds tags to a table, replacing those with the same key.
func (c *Catalog) TagResource(ctx context.Context, req *request.TagResource) error {
	return c.changeTags(ctx, "TagResource", req.Table, req.ARN, func(all map[string]string) error {
		maps.Copy(all, req.Tags)
		if len(all) > dynamo.MaxTags {
			return dynamo.Invalid("Number of Tags exceed the current limit for the provided ResourceArn")
		}
		return nil
	})
}

// changeTags applies change to a copy of a table's tags and commits the result.
func (c *Catalog) changeTags(ctx context.Context, operation string, table request.TableARN, arn string, change func(map[string]string) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, err := c.tagged(operation, table, arn)
	if err != nil {
		return err
	}
	rec := old.record
	tags := maps.Clone(rec.Definition.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	if err := change(tags); err != nil {
		return err
	}
	rec.Definition.Tags = tags
	_, err = c.publish(ctx, old, rec, nil)
	return err
}

// tagged returns the table that a tag operation names. Access to the tables of other accounts
// is denied.
func (c *Catalog) tagged(operation string, table request.TableARN, arn string) (*Table, error) {
	if table.Region != c.opts.Region {
		return nil, dynamo.Invalid("Invalid TableArn: Invalid ResourceArn provided as input %s", arn)
	}
	if table.Account != c.opts.Account {
		return nil, dynamo.Errorf(dynamo.AccessDenied, "User: arn:aws:iam::%s:root is not authorized to perform: dynamodb:%s on resource: %s", c.opts.Account, operation, arn)
	}
	t := c.Lookup(table.Name)
	if t == nil {
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: ResourceArn: %s not found", arn)
	}
	return t, nil
}
