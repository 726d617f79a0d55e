package request

import "sortkey.dev/engine/internal/dynamo"

// DescribeContributorInsights is a checked DescribeContributorInsightsInput.
type DescribeContributorInsights struct {
	Table string // as the request names it: a name or an ARN
	Index string // empty: the table itself
}

// CheckDescribeContributorInsights checks the input of DescribeContributorInsights.
func CheckDescribeContributorInsights(in *dynamo.DescribeContributorInsightsInput) (*DescribeContributorInsights, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	v.optionalIndex(in.IndexName)
	v.existingTable(*in.TableName)
	if err := v.err(); err != nil {
		return nil, err
	}
	return &DescribeContributorInsights{Table: *in.TableName, Index: textOf(in.IndexName)}, nil
}
