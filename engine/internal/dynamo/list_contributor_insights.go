package dynamo

// ListContributorInsightsInput is the input of ListContributorInsights. A MaxResults of zero was
// not sent.
type ListContributorInsightsInput struct {
	MaxResults int32
	NextToken  *string
	TableName  *string
}

// ListContributorInsightsOutput is the output of ListContributorInsights.
type ListContributorInsightsOutput struct {
	ContributorInsightsSummaries []ContributorInsightsSummary
	NextToken                    *string
}

// ContributorInsightsSummary names a table or an index whose insights are enabled.
type ContributorInsightsSummary struct {
	ContributorInsightsMode   string
	ContributorInsightsStatus string
	IndexName                 *string
	TableName                 *string
}
