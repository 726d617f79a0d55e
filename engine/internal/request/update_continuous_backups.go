package request

import "sortkey.dev/engine/internal/dynamo"

// UpdateContinuousBackups is a checked UpdateContinuousBackupsInput.
type UpdateContinuousBackups struct {
	Table   string // as the request names it: a name or an ARN
	Enabled bool
}

// CheckUpdateContinuousBackups checks the input of UpdateContinuousBackups.
func CheckUpdateContinuousBackups(in *dynamo.UpdateContinuousBackupsInput) (*UpdateContinuousBackups, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	s := in.PointInTimeRecoverySpecification
	v.recovery(s)
	v.existingTable(*in.TableName)
	if err := v.err(); err != nil {
		return nil, err
	}
	if !*s.PointInTimeRecoveryEnabled && s.RecoveryPeriodInDays != nil {
		return nil, invalid("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	}
	return &UpdateContinuousBackups{Table: *in.TableName, Enabled: *s.PointInTimeRecoveryEnabled}, nil
}

// recovery checks the members of a PointInTimeRecoverySpecification.
func (v *violations) recovery(s *dynamo.PointInTimeRecoverySpecification) {
	const path = "pointInTimeRecoverySpecification"
	if s == nil {
		v.missing(path)
		return
	}
	if s.PointInTimeRecoveryEnabled == nil {
		v.missing(path + ".pointInTimeRecoveryEnabled")
	}
	if s.RecoveryPeriodInDays != nil {
		v.atLeast(1, int64(*s.RecoveryPeriodInDays), path+".recoveryPeriodInDays")
		v.atMost(35, int64(*s.RecoveryPeriodInDays), path+".recoveryPeriodInDays")
	}
}
