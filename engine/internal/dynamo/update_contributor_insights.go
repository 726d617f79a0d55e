package dynamo

// UpdateContributorInsightsInput is the input of UpdateContributorInsights.
type UpdateContributorInsightsInput struct {
	ContributorInsightsAction string
	ContributorInsightsMode   string
	IndexName                 *string
	TableName                 *string
}

// UpdateContributorInsightsOutput is the output of UpdateContributorInsights.
type UpdateContributorInsightsOutput struct {
	ContributorInsightsMode   string
	ContributorInsightsStatus string
	IndexName                 *string
	TableName                 *string
}

// The statuses and modes of contributor insights.
const (
	InsightsEnabling  = "ENABLING"
	InsightsEnabled   = "ENABLED"
	InsightsDisabling = "DISABLING"
	InsightsDisabled  = "DISABLED"

	InsightsAccessedAndThrottled = "ACCESSED_AND_THROTTLED_KEYS"
	InsightsThrottled            = "THROTTLED_KEYS"
)
