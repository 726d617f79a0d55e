package dynamo

// UpdateContinuousBackupsInput is the input of UpdateContinuousBackups.
type UpdateContinuousBackupsInput struct {
	PointInTimeRecoverySpecification *PointInTimeRecoverySpecification
	TableName                        *string
}

// PointInTimeRecoverySpecification enables or disables point-in-time recovery.
type PointInTimeRecoverySpecification struct {
	PointInTimeRecoveryEnabled *bool
	RecoveryPeriodInDays       *int32
}

// UpdateContinuousBackupsOutput is the output of UpdateContinuousBackups.
type UpdateContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}
