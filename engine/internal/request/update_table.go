package request

import "sortkey.dev/engine/internal/dynamo"

// UpdateTable is a checked UpdateTableInput. Nil and empty fields do not change the
// table, nor does a zero side of OnDemand or Warm; -1 removes an on-demand cap.
type UpdateTable struct {
	Table              string
	BillingMode        string
	Throughput         *dynamo.Throughput
	OnDemand           *dynamo.Throughput
	Warm               *dynamo.Throughput
	DeletionProtection *bool
	Class              string
	Encryption         *dynamo.SSESpecification
	Indexes            []UpdateIndex
	CreateIndex        *CreateIndex // nil: none
	DeleteIndex        string       // its name; empty: none
	CreateVector       *CreateVector
	DeleteVector       string
	Stream             *StreamChange
}

// StreamChange enables a table's stream with a view type, or disables it.
type StreamChange struct {
	Enabled bool
	View    string
}

// CheckUpdateTable checks the input of UpdateTable.
func CheckUpdateTable(in *dynamo.UpdateTableInput) (*UpdateTable, error) {
	table, err := requireTable(in.TableName)
	if err != nil {
		return nil, err
	}
	if err := checkUpdateMembers(in); err != nil {
		return nil, err
	}
	if err := checkChanges(in); err != nil {
		return nil, err
	}
	if err := checkTableClass(in.TableClass); err != nil {
		return nil, err
	}
	update := &UpdateTable{
		Table:              table,
		BillingMode:        in.BillingMode,
		OnDemand:           changedCaps(in.OnDemandThroughput),
		Warm:               warmOf(in.WarmThroughput),
		DeletionProtection: in.DeletionProtectionEnabled,
		Class:              in.TableClass,
		Encryption:         in.SSESpecification,
	}
	if err := update.setCapacity(in); err != nil {
		return nil, err
	}
	if err := update.setStream(in.StreamSpecification); err != nil {
		return nil, err
	}
	if err := update.setIndexes(in); err != nil {
		return nil, err
	}
	return update, nil
}

// checkUpdateMembers checks single members.
func checkUpdateMembers(in *dynamo.UpdateTableInput) error {
	var v violations
	v.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	for i := range in.GlobalSecondaryIndexUpdates {
		v.indexUpdate(&in.GlobalSecondaryIndexUpdates[i], memberPath("globalSecondaryIndexUpdates", i))
	}
	for i := range in.VectorIndexUpdates {
		v.vectorUpdate(&in.VectorIndexUpdates[i], memberPath("vectorIndexUpdates", i))
	}
	billingModes.check(in.BillingMode, &v)
	v.warm(in.WarmThroughput, "warmThroughput")
	v.encryption(in.SSESpecification)
	v.attributeDefinitions(in.AttributeDefinitions)
	v.stream(in.StreamSpecification)
	return v.err()
}

// changes is the set of changes that an UpdateTable requests.
type changes uint

const (
	changeThroughput changes = 1 << iota
	changeBilling
	changeStream
	changeIndexes
	changeCreate // an index is added
	changeDelete // an index is removed
	changeEncryption
	changeProtection
	changeClass
	changeCaps
	changeWarm
)

func changesOf(in *dynamo.UpdateTableInput) (asked changes) {
	add := func(change changes, sent bool) {
		if sent {
			asked |= change
		}
	}
	add(changeThroughput, in.ProvisionedThroughput != nil)
	add(changeBilling, in.BillingMode != "")
	add(changeStream, in.StreamSpecification != nil)
	add(changeIndexes, len(in.GlobalSecondaryIndexUpdates) > 0)
	for i := range in.GlobalSecondaryIndexUpdates {
		add(changeCreate, in.GlobalSecondaryIndexUpdates[i].Create != nil)
		add(changeDelete, in.GlobalSecondaryIndexUpdates[i].Delete != nil)
	}
	add(changeIndexes, len(in.VectorIndexUpdates) > 0)
	for i := range in.VectorIndexUpdates {
		add(changeCreate, in.VectorIndexUpdates[i].Create != nil)
		add(changeDelete, in.VectorIndexUpdates[i].Delete != nil)
	}
	add(changeEncryption, in.SSESpecification != nil)
	add(changeProtection, in.DeletionProtectionEnabled != nil)
	add(changeClass, in.TableClass != "")
	add(changeCaps, capped(in.OnDemandThroughput))
	add(changeWarm, warmed(in.WarmThroughput))
	return asked
}

// checkChanges checks that a change is requested and that the changes can be combined.
func checkChanges(in *dynamo.UpdateTableInput) error {
	asked := changesOf(in)
	if asked == 0 {
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, " +
			"SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, " +
			"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required")
	}
	if isEmptyList(in.GlobalSecondaryIndexUpdates) {
		return invalid(invalidParameter + "List of GlobalSecondaryIndexUpdates is empty")
	}
	if isEmptyList(in.VectorIndexUpdates) {
		return invalid(invalidParameter + "List of VectorIndexUpdates is empty")
	}
	if clash := asked.clash(in.BillingMode); clash != "" {
		return invalid(invalidParameter + clash)
	}
	return nil
}

// clash says which changes cannot be made in one request; empty when all can.
// DynamoDB allows one kind of change at a time, with few exceptions.
func (asked changes) clash(billingMode string) string {
	has := func(change changes) bool { return asked&change != 0 }
	and := func(change, others changes) bool { return has(change) && has(others) }
	switch {
	case and(changeEncryption, ^changeEncryption):
		return "Server-Side Encryption modification must be the only operation in the request"
	case and(changeClass, ^changeClass):
		return "TableClass modification must be the only operation in the request"
	case and(changeProtection, ^changeProtection):
		return "DeletionProtection modification must be the only operation in the request"
	case and(changeCaps, ^(changeCaps | changeBilling)):
		return "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"
	case and(changeWarm, changeCreate):
		return "Create global secondary index cannot be specified when updating WarmThroughput"
	case and(changeWarm, ^changeWarm):
		return "WarmThroughput must be the only operation in the request"
	case and(changeThroughput, changeCreate|changeDelete):
		return "You cannot create or delete index while updating table IOPS"
	case and(changeStream, changeThroughput), has(changeStream) && billingMode == dynamo.BillingProvisioned:
		return "You cannot modify stream status while updating table IOPS"
	case and(changeStream, changeCreate|changeDelete):
		return "You cannot create or delete index while changing stream status"
	default:
		return ""
	}
}

// setCapacity checks that the billing mode matches the capacity, as far as that is known
// without the table.
func (u *UpdateTable) setCapacity(in *dynamo.UpdateTableInput) error {
	switch {
	case u.BillingMode == dynamo.BillingProvisioned && in.ProvisionedThroughput == nil:
		return invalid(invalidParameter + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	case u.BillingMode == dynamo.BillingOnDemand && in.ProvisionedThroughput != nil:
		return checkNoThroughput(in.ProvisionedThroughput)
	}
	if u.OnDemand != nil {
		if err := checkCaps(in.OnDemandThroughput, noCap, "table"); err != nil {
			return err
		}
	}
	if in.ProvisionedThroughput == nil {
		return nil
	}
	throughput, err := throughputOf(in.ProvisionedThroughput)
	u.Throughput = &throughput
	return err
}

// changedCaps returns a change of on-demand caps: a side that was not sent is zero.
func changedCaps(o *dynamo.OnDemandThroughput) *dynamo.Throughput {
	if !capped(o) {
		return nil
	}
	return &dynamo.Throughput{Read: unitsOf(o.MaxReadRequestUnits), Write: unitsOf(o.MaxWriteRequestUnits)}
}

// setStream checks that a view type was sent if, and only if, the stream is being enabled.
func (u *UpdateTable) setStream(s *dynamo.StreamSpecification) error {
	switch {
	case s == nil:
		return nil
	case *s.StreamEnabled && s.StreamViewType == "":
		return invalid(invalidParameter + "If stream is being enabled then UpdateViewType is required")
	case !*s.StreamEnabled && s.StreamViewType != "":
		return invalid(invalidParameter + "If stream is being disabled, then UpdateViewType must not be specified")
	}
	u.Stream = &StreamChange{Enabled: *s.StreamEnabled, View: s.StreamViewType}
	return nil
}
