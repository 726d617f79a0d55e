package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// change lists changes of global indexes.
func change(updates ...dynamo.GlobalSecondaryIndexUpdate) []dynamo.GlobalSecondaryIndexUpdate {
	return updates
}

func capacity(index string) dynamo.GlobalSecondaryIndexUpdate {
	return dynamo.GlobalSecondaryIndexUpdate{Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: &index, ProvisionedThroughput: units(1, 1)}}
}

func removal(index string) dynamo.GlobalSecondaryIndexUpdate {
	return dynamo.GlobalSecondaryIndexUpdate{Delete: &dynamo.DeleteGlobalSecondaryIndexAction{IndexName: &index}}
}

func warm(reads int64) *dynamo.WarmThroughput {
	return &dynamo.WarmThroughput{ReadUnitsPerSecond: &reads}
}

func TestUpdateTableErrors(t *testing.T) {
	tests := []struct {
		name string
		in   dynamo.UpdateTableInput
		want string
	}{
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
		{"warm throughput alone", dynamo.UpdateTableInput{WarmThroughput: warm(1)}, ""},
		{"warm throughput of nothing and protection", dynamo.UpdateTableInput{
			WarmThroughput: &dynamo.WarmThroughput{}, DeletionProtectionEnabled: new(true),
		}, ""},
		{"warm throughput and billing", dynamo.UpdateTableInput{WarmThroughput: warm(1), BillingMode: "PAY_PER_REQUEST"},
			invalidHead + "WarmThroughput must be the only operation in the request"},
		{"caps and billing", dynamo.UpdateTableInput{
			OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(1))}, BillingMode: "PAY_PER_REQUEST",
		}, ""},
		{"capacity of nothing", dynamo.UpdateTableInput{ProvisionedThroughput: units(0, 5)},
			one("Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1")},
		{"too much capacity", dynamo.UpdateTableInput{ProvisionedThroughput: units(1, 1_000_000_000_001)},
			"Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
		{"a cap taken away", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(-1))}}, ""},
		{"cap below nothing", dynamo.UpdateTableInput{OnDemandThroughput: &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(-2))}},
			invalidHead + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"cap of nothing for an index", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{
			Update: &dynamo.UpdateGlobalSecondaryIndexAction{
				IndexName: new("byB"), OnDemandThroughput: &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(0))},
			},
		})}, invalidHead + "Requested MaxReadRequestUnits for OnDemandThroughput for index is outside of valid range"},
		{"warm throughput of nothing for an index", dynamo.UpdateTableInput{GlobalSecondaryIndexUpdates: change(dynamo.GlobalSecondaryIndexUpdate{
			Update: &dynamo.UpdateGlobalSecondaryIndexAction{IndexName: new("byB"), WarmThroughput: &dynamo.WarmThroughput{}},
		})}, invalidHead + "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: byB"},
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
		{dynamo.UpdateTableInput{WarmThroughput: &dynamo.WarmThroughput{WriteUnitsPerSecond: new(int64(3))}},
			UpdateTable{Warm: &dynamo.Throughput{Write: 3}}},
		{dynamo.UpdateTableInput{SSESpecification: &dynamo.SSESpecification{Enabled: new(false)}},
			UpdateTable{Encryption: &dynamo.SSESpecification{Enabled: new(false)}}},
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
