package catalog

import "sortkey.dev/engine/internal/dynamo"

// DescribeKinesisStreamingDestination describes the destinations of a table, including those that
// were disabled or could not be enabled.
func (c *Catalog) DescribeKinesisStreamingDestination(table string) (*dynamo.DescribeKinesisStreamingDestinationOutput, error) {
	t, err := c.find(table)
	if err != nil {
		return nil, err
	}
	out := &dynamo.DescribeKinesisStreamingDestinationOutput{
		KinesisDataStreamDestinations: []dynamo.KinesisDataStreamDestination{}, TableName: &t.Definition.Name,
	}
	for _, d := range t.Destinations {
		out.KinesisDataStreamDestinations = append(out.KinesisDataStreamDestinations, dynamo.KinesisDataStreamDestination{
			ApproximateCreationDateTimePrecision: d.Precision,
			DestinationStatus:                    d.Status,
			DestinationStatusDescription:         named(d.Description),
			StreamArn:                            &d.StreamARN,
		})
	}
	return out, nil
}
