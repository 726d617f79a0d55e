package catalog

import (
	"fmt"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DescribeContributorInsights describes the insights of a table or a global index.
func (c *Catalog) DescribeContributorInsights(req *request.DescribeContributorInsights) (*dynamo.DescribeContributorInsightsOutput, error) {
	t, err := c.withInsights(req.Table, req.Index)
	if err != nil {
		return nil, err
	}
	out := &dynamo.DescribeContributorInsightsOutput{
		ContributorInsightsStatus: dynamo.InsightsDisabled, IndexName: named(req.Index), TableName: &t.Definition.Name,
	}
	known, ever := t.Insights[req.Index]
	if !ever {
		return out, nil
	}
	out.ContributorInsightsMode, out.LastUpdateDateTime = known.Mode, &known.Changed
	if known.Enabled {
		out.ContributorInsightsStatus = dynamo.InsightsEnabled
		out.ContributorInsightsRuleList = t.insightRules(req.Index, known)
	}
	return out, nil
}

// insightRules names the rules that AWS would create: for partition keys and, if there are sort
// keys, for whole keys; accessed keys (C) and throttled keys (T).
func (t *Table) insightRules(index string, known insights) (rules []string) {
	key, owner := t.Key(), t.Name()
	if x := t.Index(index); x != nil {
		key, owner = x.Key, owner+"-"+index
	}
	kinds := []string{"PKC", "PKT"}
	if len(key.Sort) > 0 {
		kinds = []string{"PKC", "SKC", "PKT", "SKT"}
	}
	for _, kind := range kinds {
		if kind[2] == 'T' || known.Mode != dynamo.InsightsThrottled {
			rules = append(rules, fmt.Sprintf("DynamoDBContributorInsights-%s-%s-%d", kind, owner, known.Since.UnixMilli()))
		}
	}
	return rules
}
