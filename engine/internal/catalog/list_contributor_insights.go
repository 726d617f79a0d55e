package catalog

import (
	"maps"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// ListContributorInsights lists the tables and indexes whose insights are enabled: a table
// before its indexes.
func (c *Catalog) ListContributorInsights(req *request.ListContributorInsights) (*dynamo.ListContributorInsightsOutput, error) {
	names := c.names()
	if req.Table != "" {
		t, err := c.find(req.Table)
		if err != nil {
			return nil, err
		}
		names = []string{t.Name()}
	}
	out := &dynamo.ListContributorInsightsOutput{ContributorInsightsSummaries: []dynamo.ContributorInsightsSummary{}}
	last := ""
	for _, name := range names {
		t := c.Lookup(name)
		if t == nil {
			continue // it was deleted meanwhile
		}
		for _, index := range slices.Sorted(maps.Keys(t.Insights)) {
			place := name + "\x00" + index // in the order of the names
			known := t.Insights[index]
			if !known.Enabled || place <= req.Start || index != "" && t.Index(index) == nil {
				continue
			}
			if len(out.ContributorInsightsSummaries) == req.Limit {
				out.NextToken = request.NextToken(last)
				return out, nil
			}
			last = place
			out.ContributorInsightsSummaries = append(out.ContributorInsightsSummaries, dynamo.ContributorInsightsSummary{
				ContributorInsightsMode: known.Mode, ContributorInsightsStatus: dynamo.InsightsEnabled,
				IndexName: named(index), TableName: &t.Definition.Name,
			})
		}
	}
	return out, nil
}
