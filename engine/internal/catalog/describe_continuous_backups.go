package catalog

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DescribeContinuousBackups describes the backups of a table, which has none: it returns the
// description of a table on AWS whose point-in-time recovery was never enabled.
func (c *Catalog) DescribeContinuousBackups(table string) (*dynamo.ContinuousBackupsDescription, error) {
	t, err := c.Find(table)
	if err != nil {
		return nil, err
	}
	if t == nil {
		if arn, ok := request.ParseTableARN(table); ok {
			table = arn.Name
		}
		return nil, dynamo.Errorf(dynamo.TableMissing, "Table not found: %s", table)
	}
	return &dynamo.ContinuousBackupsDescription{
		ContinuousBackupsStatus:        "ENABLED",
		PointInTimeRecoveryDescription: &dynamo.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: "DISABLED"},
	}, nil
}
