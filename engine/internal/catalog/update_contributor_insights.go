package catalog

import (
	"context"
	"maps"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// insights is the stored state of the contributor insights of a table or an index. Keys are
// not counted.
type insights struct {
	Enabled bool
	Mode    string
	Changed time.Time
	Since   time.Time // when they were last enabled; part of the rule names
}

// UpdateContributorInsights enables or disables the insights of a table or a global index. The
// change is effective when it returns; the response says ENABLING or DISABLING, like DynamoDB's.
func (c *Catalog) UpdateContributorInsights(ctx context.Context, req *request.UpdateContributorInsights) (*dynamo.UpdateContributorInsightsOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.withInsights(req.Table, req.Index)
	if err != nil {
		return nil, err
	}
	if req.Enable && req.Index != "" && t.Building == req.Index {
		return nil, dynamo.Invalid("Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to enable ContributorInsights.")
	}
	before := t.Insights[req.Index]
	next, status := before.next(req, c.opts.Now())
	if next != before {
		rec := t.record
		rec.Insights = maps.Clone(rec.Insights)
		if rec.Insights == nil {
			rec.Insights = map[string]insights{}
		}
		rec.Insights[req.Index] = next
		if t, err = c.publish(ctx, t, rec, nil); err != nil {
			return nil, err
		}
	}
	return &dynamo.UpdateContributorInsightsOutput{
		ContributorInsightsMode: next.Mode, ContributorInsightsStatus: status, IndexName: named(req.Index), TableName: &t.Definition.Name,
	}, nil
}

// next returns the insights after a request, and the status in the response.
func (before insights) next(req *request.UpdateContributorInsights, now time.Time) (next insights, status string) {
	switch {
	case req.Enable && before.Enabled && before.Mode == req.Mode:
		return before, dynamo.InsightsEnabled
	case req.Enable:
		next = insights{Enabled: true, Mode: req.Mode, Changed: now, Since: now}
		if before.Enabled {
			next.Since = before.Since
		}
		return next, dynamo.InsightsEnabling
	case before.Enabled:
		before.Enabled, before.Changed = false, now
		return before, dynamo.InsightsDisabling
	default:
		return before, dynamo.InsightsDisabled
	}
}

// withInsights returns a table and checks that its global index, if named, exists: local
// indexes have no insights.
func (c *Catalog) withInsights(table, index string) (*Table, error) {
	t, err := c.find(table)
	if err != nil || index == "" {
		return t, err
	}
	if x := t.Index(index); x == nil || x.Local {
		return nil, dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Index: %s not found for table: %s", index, t.Name())
	}
	return t, nil
}

// named returns a pointer to text for a response, or nil if it is empty.
func named(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
