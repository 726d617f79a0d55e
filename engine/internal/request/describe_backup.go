package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDescribeBackup checks the input of DescribeBackup and returns the ARN.
func CheckDescribeBackup(in *dynamo.DescribeBackupInput) (string, error) {
	return requireARN(in.BackupArn, "backupArn", "backup")
}
