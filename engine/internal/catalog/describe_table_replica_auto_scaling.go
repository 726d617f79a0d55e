package catalog

import "sortkey.dev/engine/internal/dynamo"

// DescribeTableReplicaAutoScaling describes the auto scaling of a table's replicas, of which
// there are none.
func (c *Catalog) DescribeTableReplicaAutoScaling(table string) (*dynamo.TableAutoScalingDescription, error) {
	t, err := c.find(table)
	if err != nil {
		return nil, err
	}
	return &dynamo.TableAutoScalingDescription{TableName: &t.Definition.Name, TableStatus: dynamo.StatusActive}, nil
}
