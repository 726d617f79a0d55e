package dynamo

import "time"

// DescribeContributorInsightsInput is the input of DescribeContributorInsights.
type DescribeContributorInsightsInput struct {
	IndexName *string
	TableName *string
}

// DescribeContributorInsightsOutput is the output of DescribeContributorInsights. Insights that
// were never enabled have a status and nothing else.
type DescribeContributorInsightsOutput struct {
	ContributorInsightsMode     string
	ContributorInsightsRuleList []string
	ContributorInsightsStatus   string
	IndexName                   *string
	LastUpdateDateTime          *time.Time
	TableName                   *string
}
