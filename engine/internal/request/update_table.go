package request

import (
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateTable is a checked UpdateTableInput. Nil and empty fields stay as they
// are; so does a side of OnDemand or Warm that is zero, while -1 takes an
// on-demand cap away.
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
}

// UpdateIndex changes the capacity of one global index.
type UpdateIndex struct {
	Name       string
	Throughput *dynamo.Throughput
	OnDemand   *dynamo.Throughput
	Warm       *dynamo.Throughput
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
	if err := changesOf(in).check(isEmptyList(in.GlobalSecondaryIndexUpdates)); err != nil {
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
	if err := update.setIndexes(in.GlobalSecondaryIndexUpdates); err != nil {
		return nil, err
	}
	if in.StreamSpecification != nil {
		return nil, errNoStreams()
	}
	return update, nil
}

// checkUpdateMembers makes the complaints about single members.
func checkUpdateMembers(in *dynamo.UpdateTableInput) error {
	var v violations
	v.throughput(in.ProvisionedThroughput, "provisionedThroughput")
	for i := range in.GlobalSecondaryIndexUpdates {
		v.indexUpdate(&in.GlobalSecondaryIndexUpdates[i], memberPath("globalSecondaryIndexUpdates", i))
	}
	billingModes.check(in.BillingMode, &v)
	v.warm(in.WarmThroughput, "warmThroughput")
	v.encryption(in.SSESpecification)
	return v.err()
}

// indexUpdate checks the members of a change of a global index.
func (v *violations) indexUpdate(u *dynamo.GlobalSecondaryIndexUpdate, path string) {
	if a := u.Update; a != nil {
		path := path + ".update"
		v.requireIndexName(a.IndexName, path+".indexName")
		if a.ProvisionedThroughput == nil && a.OnDemandThroughput == nil && a.WarmThroughput == nil {
			v.missing(path + ".provisionedThroughput")
		}
		v.throughput(a.ProvisionedThroughput, path+".provisionedThroughput")
		v.warm(a.WarmThroughput, path+".warmThroughput")
	}
	if u.Create != nil {
		v.globalIndex(u.Create, path+".create")
	}
	if u.Delete != nil {
		v.requireIndexName(u.Delete.IndexName, path+".delete.indexName")
	}
}

// changes is the set of things an UpdateTable asks for.
type changes uint

const (
	changeThroughput changes = 1 << iota
	changeBilling
	changeStream
	changeIndexes
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
	add(changeEncryption, in.SSESpecification != nil)
	add(changeProtection, in.DeletionProtectionEnabled != nil)
	add(changeClass, in.TableClass != "")
	add(changeCaps, capped(in.OnDemandThroughput))
	add(changeWarm, in.WarmThroughput != nil)
	return asked
}

// check checks that something is asked for and that it may be asked for together.
func (asked changes) check(emptyIndexList bool) error {
	only := func(allowed changes) bool { return asked&^allowed == 0 }
	has := func(change changes) bool { return asked&change != 0 }
	switch {
	case asked == 0:
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, " +
			"SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, " +
			"DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required")
	case emptyIndexList:
		return invalid(invalidParameter + "List of GlobalSecondaryIndexUpdates is empty")
	case has(changeProtection) && !only(changeProtection):
		return invalid(invalidParameter + "DeletionProtection modification must be the only operation in the request")
	case has(changeClass) && !only(changeClass):
		return invalid(invalidParameter + "TableClass modification must be the only operation in the request")
	case has(changeCaps) && !only(changeCaps|changeBilling):
		return invalid(invalidParameter + "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request")
	default:
		return nil
	}
}

// setCapacity checks that the billing mode and the capacity go together, as
// far as that can be told without the table.
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

// changedCaps is a change of on-demand caps: a side that was not sent is zero.
func changedCaps(o *dynamo.OnDemandThroughput) *dynamo.Throughput {
	if !capped(o) {
		return nil
	}
	return &dynamo.Throughput{Read: unitsOf(o.MaxReadRequestUnits), Write: unitsOf(o.MaxWriteRequestUnits)}
}

// setIndexes checks the changes of the global indexes. Only their capacity can
// be changed yet.
func (u *UpdateTable) setIndexes(updates []dynamo.GlobalSecondaryIndexUpdate) error {
	var named []string
	online := false // an index is added or removed
	for i := range updates {
		name, err := changedIndex(&updates[i])
		if err != nil {
			return err
		}
		if slices.Contains(named, name) {
			return invalid(invalidParameter + "Only one global secondary index update per index is allowed simultaneously. Index: " + name)
		}
		named = append(named, name)
		online = online || updates[i].Update == nil
	}
	if online && u.Throughput != nil {
		return invalid(invalidParameter + "You cannot create or delete index while updating table IOPS")
	}
	if online {
		return invalid("The parameter GlobalSecondaryIndexUpdates is not supported by sortkey yet for adding or removing an index: create the table with its indexes")
	}
	for i := range updates {
		index, err := updateIndex(updates[i].Update)
		if err != nil {
			return err
		}
		u.Indexes = append(u.Indexes, index)
	}
	return nil
}

// changedIndex names the index that a change is about.
func changedIndex(u *dynamo.GlobalSecondaryIndexUpdate) (name string, err error) {
	actions := 0
	if u.Update != nil {
		name = *u.Update.IndexName
		actions++
	}
	if u.Create != nil {
		name = *u.Create.IndexName
		actions++
	}
	if u.Delete != nil {
		name = *u.Delete.IndexName
		actions++
	}
	switch actions {
	case 0:
		return "", invalid(invalidParameter + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
	case 1:
		return name, nil
	default:
		return "", invalid(invalidParameter + "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object")
	}
}

// updateIndex checks the change of one index's capacity.
func updateIndex(a *dynamo.UpdateGlobalSecondaryIndexAction) (UpdateIndex, error) {
	index := UpdateIndex{
		Name:     *a.IndexName,
		OnDemand: changedCaps(a.OnDemandThroughput),
		Warm:     warmOf(a.WarmThroughput),
	}
	if index.OnDemand != nil {
		if err := checkCaps(a.OnDemandThroughput, noCap, "index"); err != nil {
			return index, err
		}
	}
	if a.ProvisionedThroughput == nil {
		return index, nil
	}
	throughput, err := throughputOf(a.ProvisionedThroughput)
	index.Throughput = &throughput
	return index, err
}
