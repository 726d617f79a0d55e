package request

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// key returns a key schema of "name TYPE" pairs.
func key(words ...string) []dynamo.KeySchemaElement {
	elements := make([]dynamo.KeySchemaElement, 0, len(words)/2)
	for i := 0; i < len(words); i += 2 {
		elements = append(elements, dynamo.KeySchemaElement{AttributeName: &words[i], KeyType: words[i+1]})
	}
	return elements
}

// defined returns definitions of string attributes.
func defined(names ...string) []dynamo.AttributeDefinition {
	definitions := make([]dynamo.AttributeDefinition, len(names))
	for i := range names {
		definitions[i] = dynamo.AttributeDefinition{AttributeName: &names[i], AttributeType: "S"}
	}
	return definitions
}

func units(read, write int64) *dynamo.ProvisionedThroughput {
	return &dynamo.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}
}

func all() *dynamo.Projection { return &dynamo.Projection{ProjectionType: "ALL"} }

func createInput() *dynamo.CreateTableInput {
	return &dynamo.CreateTableInput{
		TableName: new("Music"), KeySchema: key("a", "HASH", "b", "RANGE"),
		AttributeDefinitions: defined("a", "b"), BillingMode: "PAY_PER_REQUEST",
	}
}

const invalidHead = "One or more parameter values were invalid: "

// noAttribute returns the message for a definition without members.
func noAttribute(i int) string {
	path := fmt.Sprintf("attributeDefinitions.%d.member.", i)
	return "Value null at '" + path + "attributeType' failed to satisfy constraint: Member must not be null; " +
		"Value null at '" + path + "attributeName' failed to satisfy constraint: Member must not be null"
}

func TestCreateTableErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.CreateTableInput)
		want   string
	}{
		{"a plain table is good", func(*dynamo.CreateTableInput) {}, ""},
		{"shortest name", func(in *dynamo.CreateTableInput) { in.TableName = new("abc") }, ""},
		{"longest name", func(in *dynamo.CreateTableInput) { in.TableName = new(long(255)) }, ""},
		{"name too long", func(in *dynamo.CreateTableInput) { in.TableName = new(long(256)) },
			one("Value '" + long(256) + "' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255")},
		{"length before letters", func(in *dynamo.CreateTableInput) { in.TableName = new("x!") },
			"2 validation errors detected: Value 'x!' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
				"Value 'x!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"the ARN of a new table", func(in *dynamo.CreateTableInput) { in.TableName = new(tableARN) }, ""},
		{"members in their order", func(in *dynamo.CreateTableInput) {
			*in = dynamo.CreateTableInput{
				TableName: new("a b"), BillingMode: "X", TableClass: "X",
				ProvisionedThroughput:  &dynamo.ProvisionedThroughput{ReadCapacityUnits: new(int64(0))},
				LocalSecondaryIndexes:  []dynamo.LocalSecondaryIndex{{IndexName: new("l1"), KeySchema: key("a", "HASH"), Projection: all()}},
				GlobalSecondaryIndexes: []dynamo.GlobalSecondaryIndex{{IndexName: new("g1"), KeySchema: key("a", "HASH"), Projection: all()}},
			}
		}, "8 validation errors detected: " +
			"Value 'X' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; " +
			"Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null; " +
			"Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1; " +
			badName + "; " +
			"Value null at 'keySchema' failed to satisfy constraint: Member must not be null; " +
			"Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; " +
			"Value 'g1' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
			"Value 'l1' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{"no more than ten", func(in *dynamo.CreateTableInput) { in.AttributeDefinitions = make([]dynamo.AttributeDefinition, 6) },
			"10 validation errors detected: " + noAttribute(1) + "; " + noAttribute(2) + "; " + noAttribute(3) + "; " + noAttribute(4) + "; " + noAttribute(5)},

		{"three key elements", func(in *dynamo.CreateTableInput) { in.KeySchema = key("pk", "HASH", "sk", "RANGE", "extra", "RANGE") },
			one("Value '[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=extra, keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2")},
		{"key element without members", func(in *dynamo.CreateTableInput) { in.KeySchema[1] = dynamo.KeySchemaElement{} },
			"2 validation errors detected: Value null at 'keySchema.2.member.attributeName' failed to satisfy constraint: Member must not be null; " +
				"Value null at 'keySchema.2.member.keyType' failed to satisfy constraint: Member must not be null"},
		{"bad attribute type", func(in *dynamo.CreateTableInput) { in.AttributeDefinitions[0].AttributeType = "SS" },
			one("Value 'SS' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]")},
		{"longest key attribute name", func(in *dynamo.CreateTableInput) {
			in.KeySchema, in.AttributeDefinitions = key(long(255), "HASH"), defined(long(255))
		}, ""},
		{"key attribute name too long", func(in *dynamo.CreateTableInput) {
			in.KeySchema, in.AttributeDefinitions = key("a", "HASH"), defined(long(256))
		}, one("Value '" + long(256) + "' at 'attributeDefinitions.1.member.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255")},

		{"capacity for on-demand billing beats a bad key", func(in *dynamo.CreateTableInput) {
			in.ProvisionedThroughput, in.KeySchema = units(1, 1), key("x", "RANGE")
		}, invalidHead + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"greatest capacity", func(in *dynamo.CreateTableInput) {
			in.BillingMode, in.ProvisionedThroughput = "PROVISIONED", units(1_000_000_000_000, 1_000_000_000_000)
		}, ""},
		{"too much write capacity", func(in *dynamo.CreateTableInput) {
			in.BillingMode, in.ProvisionedThroughput = "PROVISIONED", units(1, 1_000_000_000_001)
		}, "Given value 1000000000001 for WriteCapacityUnits is out of bounds"},

		{"unknown class beats capacity for on-demand billing", func(in *dynamo.CreateTableInput) {
			in.TableClass, in.ProvisionedThroughput = "X", units(1, 1)
		}, "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS]."},
		{"attribute defined twice", func(in *dynamo.CreateTableInput) { in.AttributeDefinitions = defined("a", "b", "a") },
			"Attribute Name is duplicated: a"},
		{"key that is not defined", func(in *dynamo.CreateTableInput) { in.KeySchema = key("c", "RANGE", "a", "HASH") },
			invalidHead + "Some index key attributes are not defined in AttributeDefinitions. Keys: [c, a], AttributeDefinitions: [a, b]"},
		{"sort key first", func(in *dynamo.CreateTableInput) { in.KeySchema = key("a", "RANGE", "b", "HASH") },
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},

		{"stream off", func(in *dynamo.CreateTableInput) {
			in.StreamSpecification = &dynamo.StreamSpecification{StreamEnabled: new(false)}
		}, ""},
		{"stream on", func(in *dynamo.CreateTableInput) {
			in.StreamSpecification = &dynamo.StreamSpecification{StreamEnabled: new(true), StreamViewType: "NEW_IMAGE"}
		}, ""},
		{"unknown stream view", func(in *dynamo.CreateTableInput) {
			in.StreamSpecification = &dynamo.StreamSpecification{StreamEnabled: new(true), StreamViewType: "X"}
		}, one("Value 'X' at 'streamSpecification.streamViewType' failed to satisfy constraint: Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]")},
		{"no tags in the list", func(in *dynamo.CreateTableInput) { in.Tags = []dynamo.Tag{} }, ""},
		{"bad tag", func(in *dynamo.CreateTableInput) { in.Tags = []dynamo.Tag{tag("aws:x", "")} },
			"Tag Key cannot be prefixed with aws:, Key: aws:x"},
		{"caps without on-demand billing", func(in *dynamo.CreateTableInput) {
			in.BillingMode, in.ProvisionedThroughput = "", units(1, 1)
			in.OnDemandThroughput = &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(0))}
		}, invalidHead + "MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."},
		{"no cap to take away", func(in *dynamo.CreateTableInput) {
			in.OnDemandThroughput = &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(-1))}
		}, invalidHead + "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"least cap", func(in *dynamo.CreateTableInput) {
			in.OnDemandThroughput = &dynamo.OnDemandThroughput{MaxWriteRequestUnits: new(int64(1))}
		}, ""},
		{"warm throughput of nothing", func(in *dynamo.CreateTableInput) {
			in.WarmThroughput = &dynamo.WarmThroughput{ReadUnitsPerSecond: new(int64(0))}
		}, one("Value '0' at 'warmThroughput.readUnitsPerSecond' failed to satisfy constraint: Member must have value greater than or equal to 1")},
		{"unknown encryption", func(in *dynamo.CreateTableInput) { in.SSESpecification = &dynamo.SSESpecification{SSEType: "X"} },
			one("Value 'X' at 'sSESpecification.sSEType' failed to satisfy constraint: Member must satisfy enum value set: [AES256, KMS]")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := createInput()
			test.change(in)
			_, err := CheckCreateTable(in)
			expect(t, err, test.want)
		})
	}
}

func TestCreateTableIsResolved(t *testing.T) {
	in := &dynamo.CreateTableInput{
		TableName: new("Music"), TableClass: "STANDARD", DeletionProtectionEnabled: new(true),
		KeySchema:             key("a", "HASH", "b", "RANGE"),
		AttributeDefinitions:  defined("a", "b", "c"),
		ProvisionedThroughput: units(5, 6),
		LocalSecondaryIndexes: []dynamo.LocalSecondaryIndex{{
			IndexName: new("local"), KeySchema: key("a", "HASH", "c", "RANGE"),
			Projection: &dynamo.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"}},
		}},
		GlobalSecondaryIndexes: []dynamo.GlobalSecondaryIndex{{
			IndexName: new("global"), KeySchema: key("c", "HASH", "b", "HASH", "a", "RANGE"),
			Projection: all(), ProvisionedThroughput: units(7, 8),
			WarmThroughput: &dynamo.WarmThroughput{ReadUnitsPerSecond: new(int64(9))},
		}},
		SSESpecification:    &dynamo.SSESpecification{Enabled: new(true), SSEType: "KMS"},
		StreamSpecification: &dynamo.StreamSpecification{StreamEnabled: new(true), StreamViewType: "KEYS_ONLY"},
		Tags:                []dynamo.Tag{{Key: new("env"), Value: new("")}},
	}
	in.AttributeDefinitions[1].AttributeType, in.AttributeDefinitions[2].AttributeType = "N", "B"
	a := dynamo.KeyAttribute{Name: "a", Kind: dynamo.KindString}
	b := dynamo.KeyAttribute{Name: "b", Kind: dynamo.KindNumber}
	c := dynamo.KeyAttribute{Name: "c", Kind: dynamo.KindBinary}
	attributes := func(all ...dynamo.KeyAttribute) []dynamo.KeyAttribute { return all }
	want := dynamo.TableDefinition{
		Name: "Music", Attributes: attributes(a, b, c), Key: dynamo.KeySchema{Partition: attributes(a), Sort: attributes(b)},
		Local: []dynamo.IndexDefinition{{
			Name: "local", Key: dynamo.KeySchema{Partition: attributes(a), Sort: attributes(c)},
			ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"},
		}},
		Global: []dynamo.IndexDefinition{{
			Name: "global", Key: dynamo.KeySchema{Partition: attributes(c, b), Sort: attributes(a)},
			ProjectionType: "ALL", Throughput: dynamo.Throughput{Read: 7, Write: 8}, Warm: &dynamo.Throughput{Read: 9},
		}},
		BillingMode: "PROVISIONED", Throughput: dynamo.Throughput{Read: 5, Write: 6}, DeletionProtection: true, Class: "STANDARD",
		Encryption: in.SSESpecification, StreamView: "KEYS_ONLY", Tags: map[string]string{"env": ""},
	}
	create, err := CheckCreateTable(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, create.Definition); diff != "" {
		t.Errorf("the definition differs (-want +got):\n%s", diff)
	}
}

func TestCreateOnDemandTableIsResolved(t *testing.T) {
	in := createInput()
	in.OnDemandThroughput = &dynamo.OnDemandThroughput{MaxReadRequestUnits: new(int64(4))}
	in.SSESpecification = &dynamo.SSESpecification{Enabled: new(false)}
	in.StreamSpecification = &dynamo.StreamSpecification{StreamEnabled: new(false)}
	create, err := CheckCreateTable(in)
	if err != nil {
		t.Fatal(err)
	}
	d := create.Definition
	if d.BillingMode != "PAY_PER_REQUEST" || d.Throughput != (dynamo.Throughput{}) || d.Encryption != nil || d.StreamView != "" || d.Tags != nil {
		t.Errorf("got %+v", d)
	}
	if diff := cmp.Diff(&dynamo.Throughput{Read: 4, Write: -1}, d.OnDemand); diff != "" {
		t.Errorf("the caps differ (-want +got):\n%s", diff)
	}
}
