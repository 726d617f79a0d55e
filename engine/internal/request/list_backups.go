package request

import "sortkey.dev/engine/internal/dynamo"

// CheckListBackups checks the input of ListBackups. The table need not exist.
func CheckListBackups(in *dynamo.ListBackupsInput) error {
	var v violations
	if in.TableName != nil {
		v.existingTable(*in.TableName)
	}
	v.limit(in.Limit, 100)
	if in.ExclusiveStartBackupArn != nil {
		v.length(minDerivedARN, maxARNLength, *in.ExclusiveStartBackupArn, "exclusiveStartBackupArn")
	}
	backupTypes.check(in.BackupType, &v)
	if err := v.err(); err != nil {
		return err
	}
	lower, upper := in.TimeRangeLowerBound, in.TimeRangeUpperBound
	if lower != nil && upper != nil && lower.After(*upper) {
		return invalid(invalidParameter + "Time range lower bound must be less than or equal to upper bound")
	}
	return nil
}
