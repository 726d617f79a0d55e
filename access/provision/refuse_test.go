package provision_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/access/provision"
)

// What cannot be done is refused before anything is done, all of it at once.
func TestImpossibleChangesAreRefused(t *testing.T) {
	local := provision.Index{Name: "by_date", Local: true, SK: keys(s("date"))}
	for name, c := range map[string]struct {
		before, after func(*provision.Table)
		want          string
	}{
		"other key":        {after: func(t *provision.Table) { t.SK = s("sort") }, want: "its key is PK (S), SK (S), and should be PK (S), sort (S); the key of a table cannot be changed"},
		"no sort key":      {after: func(t *provision.Table) { t.SK = provision.Key{}; t.Indexes = nil }, want: "should be PK (S);"},
		"other kind":       {after: func(t *provision.Table) { t.PK = n("PK") }, want: "its key is PK (S), SK (S), and should be PK (N), SK (S)"},
		"index key":        {after: func(t *provision.Table) { t.Indexes[0].SK = nil }, want: "its index GSI1 has the key GSI1PK (S) / GSI1SK (S), and should have GSI1PK (S), and an index cannot be changed"},
		"index kind":       {after: func(t *provision.Table) { t.Indexes[0].SK = keys(n("GSI1SK")) }, want: "and should have GSI1PK (S) / GSI1SK (N)"},
		"index projection": {after: func(t *provision.Table) { t.Indexes[0].Attributes = []string{"b", "a"} }, want: "its index GSI1 holds all attributes, and should hold the attributes a, b"},
		"local missing":    {after: func(t *provision.Table) { t.Indexes = append(t.Indexes, local) }, want: "its local index by_date is missing, and can only be made together with the table"},
		"local other key": {
			before: func(t *provision.Table) { t.Indexes = append(t.Indexes, local) },
			after: func(t *provision.Table) {
				x := local
				x.SK = keys(s("day"))
				t.Indexes = append(t.Indexes, x)
			},
			want: "its local index by_date has the key PK (S) / date (S), and should have PK (S) / day (S), and a local index cannot be changed",
		},
		"local to global": {
			before: func(t *provision.Table) { t.Indexes = append(t.Indexes, local) },
			after: func(t *provision.Table) {
				t.Indexes = append(t.Indexes, provision.Index{Name: "by_date", PK: keys(s("date"))})
			},
			want: "its index by_date is local, and should be global",
		},
		"kind of another index": {
			before: func(t *provision.Table) {
				t.Indexes = append(t.Indexes, provision.Index{Name: "old", PK: keys(s("year"))})
			},
			after: func(t *provision.Table) {
				t.Indexes = append(t.Indexes, provision.Index{Name: "new", PK: keys(n("year"))})
			},
			want: "index new cannot be added: index old has year as S, not as N",
		},
		"no customer key": {after: func(t *provision.Table) { t.Encryption = "customer" }, want: "it is to be encrypted with a key of the customer, and none was named; give the id or the ARN"},
		"alias":           {after: func(t *provision.Table) { t.Encryption, t.KMSKey = "customer", "alias/shop" }, want: "not by an alias"},
		"half a capacity": {after: func(t *provision.Table) { t.RCU = 5 }, want: "it needs both RCU and WCU, or neither"},
		"unknown words":   {after: func(t *provision.Table) { t.Stream = "all" }, want: `"all" is no view of a stream`},
		"two kinds":       {after: func(t *provision.Table) { t.Indexes[0].PK = keys(n("SK")) }, want: "key attribute SK is S in one key and N in another"},
		"no kind":         {after: func(t *provision.Table) { t.Indexes[0].PK = keys(provision.Key{Name: "x", Kind: "BOOL"}) }, want: `key attribute x has the kind "BOOL"`},
		"index twice":     {after: func(t *provision.Table) { t.Indexes = append(t.Indexes, t.Indexes[0]) }, want: "index GSI1 is there twice"},
		"five attributes": {after: func(t *provision.Table) { t.Indexes[0].PK = keys(s("a"), s("b"), s("c"), s("d"), s("e")) }, want: "index GSI1 has a key of more than four attributes"},
		"21 attributes":   {after: func(t *provision.Table) { t.Indexes[0].Attributes = make([]string, 21) }, want: "index GSI1 projects 21 attributes, and DynamoDB allows 20: project fewer, or all"},
		"21 indexes": {
			after: func(t *provision.Table) {
				for i := range 20 {
					t.Indexes = append(t.Indexes, provision.Index{Name: fmt.Sprint("more", i), PK: keys(s("x"))})
				}
			},
			want: "it has 21 global indexes, and DynamoDB allows 20",
		},
		"two of one index": {after: func(t *provision.Table) { t.Indexes[0].Project, t.Indexes[0].Attributes = "keys", []string{"a"} }, want: "index GSI1 projects keys and attributes"},
	} {
		t.Run(name, func(t *testing.T) {
			api := newAmazon(open(t).API())
			before, after := plain(), plain()
			if c.before != nil {
				c.before(&before)
			}
			c.after(&after)
			apply(t, api, provision.Options{}, before)
			api.writes = nil
			fine := provision.Table{Name: "Another", PK: s("id")}
			_, err := provision.Apply(t.Context(), api, []provision.Table{fine, after}, quick(provision.Options{}))
			if _, ok := errors.AsType[*provision.RefusedError](err); !ok || !strings.Contains(err.Error(), "\ntable Orders: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
			if len(api.writes) > 0 {
				t.Errorf("it wrote: %q", api.writes)
			}
		})
	}
}

func TestApplyReportsAllRefusals(t *testing.T) {
	api := open(t).API()
	users := provision.Table{Name: "Users", PK: s("id")}
	apply(t, api, provision.Options{}, plain(), users)
	orders := plain()
	orders.Indexes[0].Project = "keys"
	users.PK = n("id")
	_, err := provision.Apply(t.Context(), api, []provision.Table{orders, users}, provision.Options{})
	refused, ok := errors.AsType[*provision.RefusedError](err)
	if !ok || len(refused.Reasons) != 2 || !refused.Reasons[0].Replace || refused.Reasons[1].Replace || refused.Reasons[1].Table != "Users" {
		t.Errorf("got %v", err)
	}
	_, err = provision.Apply(t.Context(), api, []provision.Table{plain(), plain()}, provision.Options{})
	if err == nil || !strings.Contains(err.Error(), "it is defined twice; give each table a name of its own") {
		t.Errorf("got %v", err)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	api := newAmazon(open(t).API())
	dry := provision.Options{DryRun: true}
	got := apply(t, api, dry, rich())
	want := []string{"create table Orders", "expire items of Orders by expires", "switch point-in-time recovery of Orders on"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	apply(t, api, provision.Options{}, plain())
	api.writes = nil
	if got := apply(t, api, dry, rich()); len(got) < 8 {
		t.Errorf("got %q", got)
	}
	if len(api.writes) > 0 {
		t.Errorf("it wrote: %q", api.writes)
	}
}

func TestCreateInput(t *testing.T) {
	table := rich()
	table.Indexes = append(table.Indexes, provision.Index{Name: "LSI1", Local: true, SK: keys(n("year")), Project: "keys"})
	hash := func(name string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash}
	}
	sort := func(name string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange}
	}
	attribute := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
	}
	units := func(rcu, wcu int64) *types.ProvisionedThroughput {
		return &types.ProvisionedThroughput{ReadCapacityUnits: &rcu, WriteCapacityUnits: &wcu}
	}
	want := &dynamodb.CreateTableInput{
		TableName: aws.String("Orders"),
		AttributeDefinitions: []types.AttributeDefinition{
			attribute("PK", "S"), attribute("SK", "S"), attribute("GSI1PK", "S"), attribute("GSI1SK", "S"),
			attribute("tenant", "S"), attribute("region", "S"), attribute("year", "N"),
		},
		KeySchema: []types.KeySchemaElement{hash("PK"), sort("SK")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{
				IndexName: aws.String("GSI1"), KeySchema: []types.KeySchemaElement{hash("GSI1PK"), sort("GSI1SK")},
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}, ProvisionedThroughput: units(7, 8),
			},
			{
				IndexName: aws.String("GSI2"), KeySchema: []types.KeySchemaElement{hash("tenant"), hash("region"), sort("year"), sort("SK")},
				Projection:            &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"total", "note"}},
				ProvisionedThroughput: units(5, 6),
			},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName: aws.String("LSI1"), KeySchema: []types.KeySchemaElement{hash("PK"), sort("year")},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		BillingMode: types.BillingModeProvisioned, ProvisionedThroughput: units(5, 6),
		StreamSpecification:       &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
		SSESpecification:          &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: aws.String("arn:aws:kms:us-east-1:123456789012:key/abc")},
		TableClass:                types.TableClassStandardInfrequentAccess,
		DeletionProtectionEnabled: aws.Bool(true),
		Tags:                      []types.Tag{{Key: aws.String("stage"), Value: aws.String("test")}, {Key: aws.String("team"), Value: aws.String("shop")}},
	}
	sdkOnly := cmpopts.IgnoreUnexported(dynamodb.CreateTableInput{}, types.AttributeDefinition{}, types.KeySchemaElement{}, types.GlobalSecondaryIndex{},
		types.LocalSecondaryIndex{}, types.Projection{}, types.ProvisionedThroughput{}, types.StreamSpecification{}, types.SSESpecification{}, types.Tag{})
	if diff := cmp.Diff(want, table.CreateInput(), sdkOnly); diff != "" {
		t.Error(diff)
	}
	small := provision.Table{Name: "Users", PK: s("id")}.CreateInput()
	wantSmall := &dynamodb.CreateTableInput{
		TableName: aws.String("Users"), AttributeDefinitions: []types.AttributeDefinition{attribute("id", "S")},
		KeySchema: []types.KeySchemaElement{hash("id")}, BillingMode: types.BillingModePayPerRequest,
	}
	if diff := cmp.Diff(wantSmall, small, sdkOnly); diff != "" {
		t.Error(diff)
	}
	for _, in := range []*dynamodb.CreateTableInput{table.CreateInput(), small} {
		if _, err := open(t).API().CreateTable(t.Context(), in); err != nil {
			t.Error(err)
		}
	}
}
