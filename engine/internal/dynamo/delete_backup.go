package dynamo

// DeleteBackupInput is the input of DeleteBackup.
type DeleteBackupInput struct {
	BackupArn *string
}

// DeleteBackupOutput is the output of DeleteBackup. There are no backups, so nothing returns it.
type DeleteBackupOutput struct{}
