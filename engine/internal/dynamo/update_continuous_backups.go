package dynamo

// UpdateContinuousBackupsInput is the input of UpdateContinuousBackups.
type UpdateContinuousBackupsInput struct {
	PointInTimeRecoverySpecification *PointInTimeRecoverySpecification
	TableName                        *string
}

// PointInTimeRecoverySpecification switches point-in-time recovery on or off.
type PointInTimeRecoverySpecification struct {
	PointInTimeRecoveryEnabled *bool
	RecoveryPeriodInDays       *int32
}

// UpdateContinuousBackupsOutput is the output of UpdateContinuousBackups.
type UpdateContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}
