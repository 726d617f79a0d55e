package provision

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A state is a table as it is.
type state struct {
	table *types.TableDescription
	ttl   string // the attribute items expire by, or ""
	pitr  bool
	tags  map[string]string
	lacks []feature // what the endpoint cannot do
}

// A feature is something an endpoint that stands in for DynamoDB may not have.
type feature string

const (
	timeToLive feature = "time to live"
	recovery   feature = "point-in-time recovery"
	tagging    feature = "tagging"
)

// missing marks a change that needs the feature as one that the endpoint does not support.
func (f feature) missing(c *Change) {
	c.Skipped, c.Unsupported = string(f)+" is not supported by this endpoint", string(f)
}

// hasCode reports whether DynamoDB refused a request with this code.
func hasCode(err error, code string) bool {
	// What the SDK's errors and those of everything that stands in for it share.
	var refused interface{ ErrorCode() string }
	return errors.As(err, &refused) && refused.ErrorCode() == code
}

// ErrUnlikeDynamoDB says that an endpoint takes requests, but that its answers lack what
// DynamoDB always says: it is something else.
var ErrUnlikeDynamoDB = errors.New("the endpoint does not answer as DynamoDB does")

// describe looks at a table; nil means that there is none.
func describe(ctx context.Context, api API, table string) (*types.TableDescription, error) {
	out, err := api.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	switch {
	case hasCode(err, "ResourceNotFoundException"):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look at table %s: %w", table, err)
	case out == nil || out.Table == nil || out.Table.TableStatus == "":
		return nil, fmt.Errorf("look at table %s: %w: the answer does not say how the table is", table, ErrUnlikeDynamoDB)
	}
	return out.Table, nil
}

// settings reads what DescribeTable does not tell.
func (s *state) settings(ctx context.Context, api API) error {
	name := aws.ToString(s.table.TableName)
	for _, read := range []struct {
		feature feature
		from    func(context.Context, API) error
	}{{timeToLive, s.readTTL}, {recovery, s.readPITR}, {tagging, s.readTags}} {
		err := read.from(ctx, api)
		switch {
		case hasCode(err, "UnknownOperationException"):
			s.lacks = append(s.lacks, read.feature)
		case err != nil:
			return fmt.Errorf("read %s of table %s: %w", read.feature, name, err)
		}
	}
	return nil
}

func (s *state) readTTL(ctx context.Context, api API) error {
	out, err := api.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: s.table.TableName})
	if err != nil || out.TimeToLiveDescription == nil {
		return err
	}
	switch d := out.TimeToLiveDescription; d.TimeToLiveStatus {
	case types.TimeToLiveStatusEnabled, types.TimeToLiveStatusEnabling:
		s.ttl = aws.ToString(d.AttributeName)
	}
	return nil
}

func (s *state) readPITR(ctx context.Context, api API) error {
	out, err := api.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: s.table.TableName})
	if err != nil || out.ContinuousBackupsDescription == nil {
		return err
	}
	if d := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription; d != nil {
		s.pitr = d.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled
	}
	return nil
}

func (s *state) readTags(ctx context.Context, api API) error {
	s.tags = map[string]string{}
	in := &dynamodb.ListTagsOfResourceInput{ResourceArn: s.table.TableArn}
	for {
		out, err := api.ListTagsOfResource(ctx, in)
		if err != nil {
			return err
		}
		for _, tag := range out.Tags {
			s.tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
		}
		if aws.ToString(out.NextToken) == "" {
			return nil
		}
		in.NextToken = out.NextToken
	}
}

// kindOf returns the kind of a key attribute of the table, or "".
func (s *state) kindOf(attribute string) string {
	for _, a := range s.table.AttributeDefinitions {
		if aws.ToString(a.AttributeName) == attribute {
			return string(a.AttributeType)
		}
	}
	return ""
}

// key returns a key schema as a definition has it.
func (s *state) key(schema []types.KeySchemaElement) (partition, sort []Key) {
	for _, e := range schema {
		name := aws.ToString(e.AttributeName)
		k := Key{Name: name, Kind: s.kindOf(name)}
		if e.KeyType == types.KeyTypeHash {
			partition = append(partition, k)
		} else {
			sort = append(sort, k)
		}
	}
	return partition, sort
}

// onDemand reports how a table is billed. One that was always provisioned has no summary.
func onDemand(d *types.TableDescription) bool {
	return d.BillingModeSummary != nil && d.BillingModeSummary.BillingMode == types.BillingModePayPerRequest
}

// streamView returns the view of a table's stream; "" if it has none.
func streamView(d *types.TableDescription) types.StreamViewType {
	if s := d.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		return s.StreamViewType
	}
	return ""
}

func classOf(d *types.TableDescription) types.TableClass {
	if d.TableClassSummary == nil || d.TableClassSummary.TableClass == "" {
		return types.TableClassStandard
	}
	return d.TableClassSummary.TableClass
}

// kmsKey returns the ARN of the key of KMS that encrypts the table; "" for DynamoDB's own.
func kmsKey(d *types.TableDescription) string {
	if d.SSEDescription == nil {
		return ""
	}
	switch d.SSEDescription.Status {
	case types.SSEStatusDisabled, types.SSEStatusDisabling:
		return ""
	}
	return aws.ToString(d.SSEDescription.KMSMasterKeyArn)
}

// globalIndex finds a global index that is not on its way out.
func globalIndex(d *types.TableDescription, name string) *types.GlobalSecondaryIndexDescription {
	for i := range d.GlobalSecondaryIndexes {
		g := &d.GlobalSecondaryIndexes[i]
		if aws.ToString(g.IndexName) == name && g.IndexStatus != types.IndexStatusDeleting {
			return g
		}
	}
	return nil
}

// settled reports whether the table and all its indexes can be used and changed.
func settled(d *types.TableDescription) bool {
	if d.TableStatus != types.TableStatusActive {
		return false
	}
	for _, g := range d.GlobalSecondaryIndexes {
		if g.IndexStatus != types.IndexStatusActive || aws.ToBool(g.Backfilling) {
			return false
		}
	}
	return true
}
