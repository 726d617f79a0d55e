package request

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// CreateTable is a checked CreateTableInput.
type CreateTable struct {
	Definition dynamo.TableDefinition
}

// CheckCreateTable checks the input of CreateTable.
func CheckCreateTable(in *dynamo.CreateTableInput) (*CreateTable, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	if err := checkCreateMembers(in); err != nil {
		return nil, err
	}
	d := &dynamo.TableDefinition{
		Name:               createdName(*in.TableName),
		BillingMode:        in.BillingMode,
		DeletionProtection: isTrue(in.DeletionProtectionEnabled),
		Class:              in.TableClass,
	}
	if d.BillingMode == "" {
		d.BillingMode = dynamo.BillingProvisioned
	}
	steps := []func(*dynamo.CreateTableInput, *dynamo.TableDefinition) error{
		checkClass,
		defineThroughput,
		defineAttributes,
		defineKey,
		checkIndexLists,
		defineLocalKeys,
		defineGlobalKeys,
		defineVectors,
		checkDefinitionsUsed,
		defineProjections,
		defineGlobalThroughput,
		checkIndexNames,
		defineStream,
		defineOnDemand,
		defineTags,
		definePolicy,
	}
	for _, step := range steps {
		if err := step(in, d); err != nil {
			return nil, err
		}
	}
	d.Warm = warmOf(in.WarmThroughput)
	d.Encryption = encryptionOf(in.SSESpecification)
	return &CreateTable{Definition: *d}, nil
}

// createdName returns the name of a table to be created, which may be given as its
// future ARN.
func createdName(tableName string) string {
	if arn, ok := ParseTableARN(tableName); ok {
		return arn.Name
	}
	return tableName
}

// checkCreateMembers checks single members.
func checkCreateMembers(in *dynamo.CreateTableInput) error {
	var v violations
	billingModes.check(in.BillingMode, &v)
	v.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	v.shortName(minTableName, createdName(*in.TableName), "tableName")
	v.keySchema(in.KeySchema, "keySchema")
	v.atMostTwo(in.KeySchema, "keySchema")
	if in.AttributeDefinitions == nil {
		v.missing("attributeDefinitions")
	}
	v.attributeDefinitions(in.AttributeDefinitions)
	for i := range in.GlobalSecondaryIndexes {
		v.globalIndex(&in.GlobalSecondaryIndexes[i], memberPath("globalSecondaryIndexes", i))
	}
	for i := range in.LocalSecondaryIndexes {
		l, path := &in.LocalSecondaryIndexes[i], memberPath("localSecondaryIndexes", i)
		v.index(l.IndexName, l.KeySchema, l.Projection, path)
		v.atMostTwo(l.KeySchema, path+".keySchema")
	}
	for i := range in.VectorIndexes {
		v.vectorIndex(&in.VectorIndexes[i], memberPath("vectorIndexes", i))
	}
	v.warm(in.WarmThroughput, "warmThroughput")
	v.encryption(in.SSESpecification)
	v.stream(in.StreamSpecification)
	return v.err()
}

// defineThroughput checks that the billing mode matches the capacity.
func defineThroughput(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) (err error) {
	if d.BillingMode == dynamo.BillingOnDemand {
		return checkNoThroughput(in.ProvisionedThroughput)
	}
	if in.ProvisionedThroughput == nil {
		return invalid(invalidParameter + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	d.Throughput, err = throughputOf(in.ProvisionedThroughput)
	return err
}

// checkClass checks the table class, whose message differs from that of other members.
func checkClass(in *dynamo.CreateTableInput, _ *dynamo.TableDefinition) error {
	return checkTableClass(in.TableClass)
}

func checkTableClass(class string) error {
	if tableClasses.has(class) {
		return nil
	}
	return invalid("Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].")
}

// defineAttributes checks that no attribute is defined twice.
func defineAttributes(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) (err error) {
	d.Attributes, err = attributesOf(in.AttributeDefinitions)
	return err
}

// defineKey checks the key of the table.
func defineKey(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) (err error) {
	if len(in.KeySchema) > len(in.AttributeDefinitions) {
		return errFewDefinitions()
	}
	d.Key, err = plainKey(in.KeySchema, d.Attributes)
	return err
}

// checkDefinitionsUsed checks that every defined attribute is part of a key.
// An empty list of indexes has its own message.
func checkDefinitionsUsed(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	if isEmptyList(in.LocalSecondaryIndexes) || isEmptyList(in.GlobalSecondaryIndexes) {
		return nil
	}
	used := keyNames(in)
	unused := func(a dynamo.KeyAttribute) bool { return !slices.Contains(used, a.Name) }
	switch {
	case !slices.ContainsFunc(d.Attributes, unused):
		return nil
	case in.LocalSecondaryIndexes == nil && in.GlobalSecondaryIndexes == nil && in.VectorIndexes == nil:
		return invalid(invalidParameter + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	default:
		return invalid(invalidParameter + "Some AttributeDefinitions are not used. AttributeDefinitions: " +
			bracketed(attributeNames(d.Attributes)) + ", keys used: " + bracketed(used))
	}
}

// keyNames lists the attributes of all keys of a table, each once.
func keyNames(in *dynamo.CreateTableInput) (names []string) {
	add := func(elements []dynamo.KeySchemaElement) {
		for _, e := range elements {
			if !slices.Contains(names, *e.AttributeName) {
				names = append(names, *e.AttributeName)
			}
		}
	}
	add(in.KeySchema)
	for i := range in.LocalSecondaryIndexes {
		add(in.LocalSecondaryIndexes[i].KeySchema)
	}
	for i := range in.GlobalSecondaryIndexes {
		add(in.GlobalSecondaryIndexes[i].KeySchema)
	}
	for i := range in.VectorIndexes {
		for _, e := range in.VectorIndexes[i].SearchSchema {
			add([]dynamo.KeySchemaElement{{AttributeName: e.AttributeName}})
		}
	}
	return names
}

// isEmptyList reports whether a list was sent without elements.
func isEmptyList[T any](list []T) bool { return list != nil && len(list) == 0 }

// defineStream checks that a view type was sent if, and only if, the stream is enabled.
func defineStream(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	s := in.StreamSpecification
	switch {
	case s == nil:
		return nil
	case *s.StreamEnabled && s.StreamViewType == "":
		return invalid(invalidParameter + "Table is being created with a stream enabled, UpdateViewType is required")
	case !*s.StreamEnabled && s.StreamViewType != "":
		return invalid(invalidParameter + "Table is being created with a stream disabled, UpdateViewType should not be specified")
	}
	d.StreamView = s.StreamViewType
	return nil
}

// stream checks the members of a StreamSpecification, which is optional.
func (v *violations) stream(s *dynamo.StreamSpecification) {
	if s == nil {
		return
	}
	if s.StreamEnabled == nil {
		v.missing("streamSpecification.streamEnabled")
	}
	streamViews.check(s.StreamViewType, v)
}

// encryptionOf returns the requested encryption of a table; nil means the service's own key.
func encryptionOf(s *dynamo.SSESpecification) *dynamo.SSESpecification {
	if s == nil || !isTrue(s.Enabled) {
		return nil
	}
	return s
}

// encryption checks an SSESpecification.
func (v *violations) encryption(s *dynamo.SSESpecification) {
	if s != nil {
		encryptionTypes.check(s.SSEType, v)
	}
}
