package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestUpdateTableAnswers(t *testing.T) {
	change := func(u dynamo.GlobalSecondaryIndexUpdate, more ...dynamo.GlobalSecondaryIndexUpdate) []dynamo.GlobalSecondaryIndexUpdate {
		return append([]dynamo.GlobalSecondaryIndexUpdate{u}, more...)
	}
	capacity := func(name string) dynamo.GlobalSecondaryIndexUpdate {
		return dynamo.GlobalSecondaryIndexUpdate{Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: &name, ProvisionedThroughput: units(1, 1)}}
	}
	removal := func(name string) dynamo.GlobalSecondaryIndexUpdate {
		return dynamo.GlobalSecondaryIndexUpdate{Delete: &dynamo.DeleteGlobalSecondaryIndexAction{IndexName: &name}}
	}
	addition := global("byB", "b", "HASH")
	const nothing = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
	const noIndexChange = "The parameter GlobalSecondaryIndexUpdates is not supported by sortkey yet for adding or removing an index: create the table with its indexes"

	tests := []struct {
		name string
		in   dynamo.UpdateTableInput
		want string
	}{
		{"nothing to change", dynamo.UpdateTableInput{}, nothing},
		{"definitions alone change nothing", dynamo.UpdateTableInput{AttributeDefinitions: defined("a")}, nothing},
		{"no index changes in the list", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: []dynamo.GlobalSecondaryIndexUpdate{}}, nothing},
		{"caps of nothing", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{}}, nothing},
		{"protection alone", dynamo.UpdateTableInput{DeletionProtectionEnabled: new(false)}, ""},
		{"class alone", dynamo.UpdateTableInput{TableClass: "STANDARD"}, ""},
		{"encryption alone", dynamo.UpdateTableInput{SSESpecification: &dynamo.SSESpecification{Enabled: new(true)}}, ""},
		{"members in their order", dynamo.UpdateTableInput{
			ProvisionedThroughput: &dynamo.ProvisionedThroughput{}, BillingMode: "X", TableClass: "X",
			GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{Update: &dynamo.UpdateGlobalSecondaryIndexAction{}}, removal("ab")),
		}, "6 validation errors detected: " +
			"Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null; " +
			"Value null at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must not be null; " +
			"Value null at 'globalSecondaryIndexUpdates.1.member.update.indexName' failed to satisfy constraint: Member must not be null; " +
			"Value null at 'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput' failed to satisfy constraint: Member must not be null; " +
			"Value 'ab' at 'globalSecondaryIndexUpdates.2.member.delete.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
			"Value 'X' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
		{"no index changes in the list, and another change", dynamo.UpdateTableInput{
			TableClass: "STANDARD", GlobalSecondaryIndexUpdates: []dynamo.GlobalSecondaryIndexUpdate{},
		}, invalidHead + "List of GlobalSecondaryIndexUpdates is empty"},
		{"protection and class", dynamo.UpdateTableInput{DeletionProtectionEnabled: new(true), TableClass: "X"},
			invalidHead + "DeletionProtection modification must be the only operation in the request"},
		{"class and billing", dynamo.UpdateTableInput{TableClass: "X", BillingMode: "PAY_PER_REQUEST"},
			invalidHead + "TableClass modification must be the only operation in the request"},
		{"unknown class", dynamo.UpdateTableInput{TableClass: "X"},
			"Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."},
		{"caps and warm throughput", dynamo.UpdateTableInput{
			OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(1))}, WarmThroughput: &dynamo.WarmThroughput{},
		}, invalidHead + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
		{"caps and billing", dynamo.UpdateTableInput{
			OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(1))}, BillingMode: "PAY_PER_REQUEST",
		}, ""},
		{"capacity of nothing", dynamo.UpdateTableInput{ProvisionedThroughput: units(0, 5)},
			one("Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1")},
		{"too much capacity", dynamo.UpdateTableInput{ProvisionedThroughput: units(1, 1_000_000_000_001)},
			"Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
		{"provisioned billing without capacity", dynamo.UpdateTableInput{BillingMode: "PROVISIONED"},
			invalidHead + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{"on-demand billing with capacity", dynamo.UpdateTableInput{BillingMode: "PAY_PER_REQUEST", ProvisionedThroughput: units(1, 1)},
			invalidHead + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"provisioned billing with caps", dynamo.UpdateTableInput{
			BillingMode: "PROVISIONED", ProvisionedThroughput: units(1, 1),
			OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(1))},
		}, invalidHead + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
		{"a cap taken away", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(-1))}}, ""},
		{"cap of nothing", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(0))}},
			invalidHead + "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"cap below nothing", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(-2))}},
			invalidHead + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"index change of nothing", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{})},
			invalidHead + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
		{"one index twice", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(capacity("byB"), removal("byB"))},
			invalidHead + "Only one global secondary index update per index is allowed simultaneously. Index: byB"},
		{"two actions on an index", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{
			Create: &addition, Delete: removal("byB").Delete,
		})}, invalidHead + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"},
		{"an index removed with a change of capacity", dynamo.UpdateTableInput{
			ProvisionedThroughput: units(1, 1), GlobalSecondaryIndexUpdates: change(removal("byB")),
		}, invalidHead + "You cannot create or delete index while updating table IOPS"},
		{"an index added", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{Create: &addition})}, noIndexChange},
		{"an index removed", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(capacity("byC"), removal("byB"))}, noIndexChange},
		{"too much capacity for an index", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{
			Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: new("byB"), ProvisionedThroughput: units(1_000_000_000_001, 1)},
		})}, "Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
		{"cap of nothing for an index", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{
			Update: &dynamo.UpdateGlobalSecondaryIndexAction{
				IndexName: new("byB"), OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(0))},
			},
		})}, invalidHead + "Requested MaxReadRequestUnits for OnDemandThroughput for index is outside of valid range"},
		{"a stream", dynamo.UpdateTableInput{StreamSpecification: &dynamo.StreamSpecification{StreamEnabled: new(true)}},
			"The parameter StreamSpecification is not supported by sortkey yet: tables have no streams"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.in.TableName = new("Music")
			_, err := CheckUpdateTable(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestUpdateTableIsResolved(t *testing.T) {
	in := &dynamo.UpdateTableInput{
		TableName:   new(tableARN),
		BillingMode: "PROVISIONED", ProvisionedThroughput: units(1, 2),
		WarmThroughput:   &dynamo.WarmThroughput{WriteUnitsPerSecond: new(int64(3))},
		SSESpecification: &dynamo.SSESpecification{Enabled: new(false)},
		GlobalSecondaryIndexUpdates: []dynamo.GlobalSecondaryIndexUpdate{
			{Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: new("byB"), ProvisionedThroughput: units(4, 5)}},
			{Update: &dynamo.UpdateGlobalSecondaryIndexAction{
				IndexName:          new("byC"),
				OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(-1))},
				WarmThroughput:     &dynamo.WarmThroughput{ReadUnitsPerSecond: new(int64(6))},
			}},
		},
	}
	want := &UpdateTable{
		Table: tableARN, BillingMode: "PROVISIONED", Throughput: &dynamo.Throughput{Read: 1, Write: 2},
		Warm: &dynamo.Throughput{Write: 3}, Encryption: in.SSESpecification,
		Indexes: []UpdateIndex{
			{Name: "byB", Throughput: &dynamo.Throughput{Read: 4, Write: 5}},
			{Name: "byC", OnDemand: &dynamo.Throughput{Read: -1}, Warm: &dynamo.Throughput{Read: 6}},
		},
	}
	got, err := CheckUpdateTable(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the update differs (-want +got):\n%s", diff)
	}
}

func TestLoneUpdatesAreResolved(t *testing.T) {
	tests := []struct {
		in   dynamo.UpdateTableInput
		want UpdateTable
	}{
		{dynamo.UpdateTableInput{DeletionProtectionEnabled: new(true)}, UpdateTable{DeletionProtection: new(true)}},
		{dynamo.UpdateTableInput{TableClass: "STANDARD_INFREQUENT_ACCESS"}, UpdateTable{Class: "STANDARD_INFREQUENT_ACCESS"}},
		{dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(-1))}},
			UpdateTable{OnDemand: &dynamo.Throughput{Write: -1}}},
	}
	for _, test := range tests {
		test.in.TableName, test.want.Table = new("Music"), "Music"
		got, err := CheckUpdateTable(&test.in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&test.want, got); diff != "" {
			t.Errorf("the update differs (-want +got):\n%s", diff)
		}
	}
}
