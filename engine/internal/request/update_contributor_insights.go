package request

import (
	"cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateContributorInsights is a checked UpdateContributorInsightsInput.
type UpdateContributorInsights struct {
	Table  string // as the request names it: a name or an ARN
	Index  string // empty: the table itself
	Enable bool
	Mode   string
}

// CheckUpdateContributorInsights checks the input of UpdateContributorInsights.
func CheckUpdateContributorInsights(in *dynamo.UpdateContributorInsightsInput) (*UpdateContributorInsights, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	insightsActions.require(insightsActions.path, in.ContributorInsightsAction, &v)
	insightsModes.check(in.ContributorInsightsMode, &v)
	v.optionalIndex(in.IndexName)
	v.existingTable(*in.TableName)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &UpdateContributorInsights{
		Table:  *in.TableName,
		Index:  textOf(in.IndexName),
		Enable: insightsActions.value(in.ContributorInsightsAction),
		Mode:   cmp.Or(in.ContributorInsightsMode, dynamo.InsightsAccessedAndThrottled),
	}, nil
}

// optionalIndex checks the name of an index, which is optional.
func (v *violations) optionalIndex(name *string) {
	if name != nil {
		v.name(minTableName, *name, "indexName")
	}
}
