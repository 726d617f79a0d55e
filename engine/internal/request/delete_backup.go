package request

import "sortkey.dev/engine/internal/dynamo"

// CheckDeleteBackup checks the input of DeleteBackup and returns the ARN.
func CheckDeleteBackup(in *dynamo.DeleteBackupInput) (string, error) {
	return requireARN(in.BackupArn, "backupArn", "backup")
}
