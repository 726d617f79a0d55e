package dynamo

// DescribeContinuousBackupsInput is the input of DescribeContinuousBackups.
type DescribeContinuousBackupsInput struct {
	TableName *string
}

// DescribeContinuousBackupsOutput is the output of DescribeContinuousBackups.
type DescribeContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}

// ContinuousBackupsDescription says whether a table can be restored.
type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus        string
	PointInTimeRecoveryDescription *PointInTimeRecoveryDescription
}

// PointInTimeRecoveryDescription is the state of point-in-time recovery.
type PointInTimeRecoveryDescription struct {
	PointInTimeRecoveryStatus string
}
