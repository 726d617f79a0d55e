package dynamo

// DescribeBackupInput is the input of DescribeBackup.
type DescribeBackupInput struct {
	BackupArn *string
}

// DescribeBackupOutput is the output of DescribeBackup. There are no backups, so nothing returns it.
type DescribeBackupOutput struct{}
