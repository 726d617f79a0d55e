package provision_test

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sortkey.dev/access/provision"
)

// An amazon is an engine that is as slow, as strict and as able as AWS: changes take a
// while, are seen late and come one at a time, and there is point-in-time recovery.
type amazon struct {
	provision.API
	tables map[string]*slowTable
	writes []string
}

// A slowTable holds the steps a table has still to take.
type slowTable struct {
	hidden   int                     // looks at which it cannot be seen
	looks    int                     // looks at which it is changing
	status   types.TableStatus       // what it says meanwhile
	stale    *types.TableDescription // what the next look shows, of before the change
	leaving  *types.GlobalSecondaryIndexDescription
	occupied int // changes that are refused although it seems to be ready
	unready  int // changes of backups that are refused
	pitr     bool
	ttl      bool // time to live was changed within the hour
}

func newAmazon(api provision.API) *amazon { return &amazon{API: api, tables: map[string]*slowTable{}} }

func (a *amazon) table(name *string) *slowTable {
	if a.tables[*name] == nil {
		a.tables[*name] = &slowTable{}
	}
	return a.tables[*name]
}

func refusal(code, message string) error {
	return &smithy.GenericAPIError{Code: code, Message: message}
}

func (a *amazon) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	a.writes = append(a.writes, "CreateTable")
	out, err := a.API.CreateTable(ctx, in, o...)
	if err == nil {
		*a.table(in.TableName) = slowTable{hidden: 2, looks: 3, status: types.TableStatusCreating, unready: 2}
	}
	return out, err
}

func (a *amazon) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	t := a.table(in.TableName)
	if t.hidden > 0 {
		t.hidden--
		return nil, refusal("ResourceNotFoundException", "Requested resource not found")
	}
	if stale := t.stale; stale != nil {
		t.stale = nil
		return &dynamodb.DescribeTableOutput{Table: stale}, nil
	}
	out, err := a.API.DescribeTable(ctx, in, o...)
	if err != nil {
		return nil, err
	}
	if t.looks > 0 {
		t.looks--
		out.Table.TableStatus = t.status
		if t.leaving != nil {
			out.Table.GlobalSecondaryIndexes = append(out.Table.GlobalSecondaryIndexes, *t.leaving)
		}
	} else {
		t.leaving = nil
	}
	return out, nil
}

func (a *amazon) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	t := a.table(in.TableName)
	a.writes = append(a.writes, "UpdateTable")
	if t.looks > 0 || t.occupied > 0 {
		t.occupied = max(t.occupied-1, 0)
		return nil, refusal("ResourceInUseException", "Attempt to change a resource which is still in use: Table is being updated")
	}
	before, err := a.API.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: in.TableName})
	if err != nil {
		return nil, err
	}
	out, err := a.API.UpdateTable(ctx, in, o...)
	if err != nil {
		return nil, err
	}
	t.looks, t.status, t.stale = 3, types.TableStatusUpdating, before.Table
	for _, update := range in.GlobalSecondaryIndexUpdates {
		for _, g := range before.Table.GlobalSecondaryIndexes {
			if update.Delete != nil && *update.Delete.IndexName == *g.IndexName {
				g.IndexStatus = types.IndexStatusDeleting
				t.leaving = &g
			}
		}
	}
	return out, nil
}

func (a *amazon) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	if t := a.table(in.TableName); t.looks > 0 && t.status == types.TableStatusCreating {
		return nil, refusal("ResourceInUseException", "Table is being created")
	}
	out, err := a.API.DescribeTimeToLive(ctx, in, o...)
	if err == nil && out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled {
		out.TimeToLiveDescription.TimeToLiveStatus = types.TimeToLiveStatusEnabling // for the next hour
	}
	return out, err
}

func (a *amazon) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	t := a.table(in.TableName)
	a.writes = append(a.writes, "UpdateTimeToLive")
	if t.ttl {
		return nil, refusal("ValidationException", "Time to live has been modified multiple times within a fixed interval")
	}
	t.ttl = true
	return a.API.UpdateTimeToLive(ctx, in, o...)
}

func (a *amazon) DescribeContinuousBackups(_ context.Context, in *dynamodb.DescribeContinuousBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	status := types.PointInTimeRecoveryStatusDisabled
	if a.table(in.TableName).pitr {
		status = types.PointInTimeRecoveryStatusEnabled
	}
	return &dynamodb.DescribeContinuousBackupsOutput{ContinuousBackupsDescription: &types.ContinuousBackupsDescription{
		PointInTimeRecoveryDescription: &types.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: status},
	}}, nil
}

func (a *amazon) UpdateContinuousBackups(_ context.Context, in *dynamodb.UpdateContinuousBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateContinuousBackupsOutput, error) {
	t := a.table(in.TableName)
	a.writes = append(a.writes, "UpdateContinuousBackups")
	if t.unready > 0 {
		t.unready--
		return nil, refusal("ContinuousBackupsUnavailableException", "Backups are being enabled for the table. Please retry later")
	}
	t.pitr = aws.ToBool(in.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled)
	return &dynamodb.UpdateContinuousBackupsOutput{}, nil
}

// ListTagsOfResource shows a tag of AWS itself, and one tag a page.
func (a *amazon) ListTagsOfResource(ctx context.Context, in *dynamodb.ListTagsOfResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error) {
	out, err := a.API.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: in.ResourceArn}, o...)
	if err != nil {
		return nil, err
	}
	all := append([]types.Tag{{Key: aws.String("aws:cloudformation:stack-name"), Value: aws.String("shop")}}, out.Tags...)
	i := len(aws.ToString(in.NextToken))
	page := &dynamodb.ListTagsOfResourceOutput{Tags: all[i : i+1]}
	if i+1 < len(all) {
		page.NextToken = aws.String(aws.ToString(in.NextToken) + "x")
	}
	return page, nil
}

func (a *amazon) TagResource(ctx context.Context, in *dynamodb.TagResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	a.writes = append(a.writes, "TagResource")
	return a.API.TagResource(ctx, in, o...)
}

func (a *amazon) UntagResource(ctx context.Context, in *dynamodb.UntagResourceInput, o ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	a.writes = append(a.writes, "UntagResource")
	return a.API.UntagResource(ctx, in, o...)
}
