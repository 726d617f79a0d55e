package dynamo

import "time"

// ListBackupsInput is the input of ListBackups.
type ListBackupsInput struct {
	BackupType              string
	ExclusiveStartBackupArn *string
	Limit                   *int32
	TableName               *string
	TimeRangeLowerBound     *time.Time
	TimeRangeUpperBound     *time.Time
}

// ListBackupsOutput is the output of ListBackups.
type ListBackupsOutput struct {
	BackupSummaries        []BackupSummary
	LastEvaluatedBackupArn *string
}

// BackupSummary summarizes a backup. There are none yet.
type BackupSummary struct{}
