package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// UpdateTable changes a table's settings. The change is effective when it returns; the
// response says UPDATING, like DynamoDB's. A new index exists, but must still be built: see
// [Catalog.IndexBuilt].
func (c *Catalog) UpdateTable(ctx context.Context, req *request.UpdateTable) (*dynamo.TableDescription, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, err := c.find(req.Table)
	if err != nil {
		return nil, err
	}
	rec := old.record
	rec.Definition.Global = slices.Clone(rec.Definition.Global)
	if err := c.updateCapacity(&rec, req); err != nil {
		return nil, err
	}
	if err := c.updateIndexes(&rec, req.Indexes); err != nil {
		return nil, err
	}
	c.updateSettings(&rec, req)
	switch {
	case req.CreateIndex != nil:
		return c.createIndex(ctx, old, rec, req.CreateIndex)
	case req.DeleteIndex != "":
		return c.deleteIndex(ctx, old, rec, req.DeleteIndex)
	case req.CreateVector != nil:
		return c.createVector(ctx, old, rec, req.CreateVector)
	case req.DeleteVector != "":
		return c.deleteVector(ctx, old, rec, req.DeleteVector)
	case req.Stream != nil:
		return c.updateStream(ctx, old, rec, req.Stream)
	}
	t, err := c.publish(ctx, old, rec, nil)
	if err != nil {
		return nil, err
	}
	if len(req.Indexes) > 0 && req.Throughput == nil && req.BillingMode == "" {
		return old.describeIndexUpdate(req.Indexes), nil
	}
	return t.describe(dynamo.StatusUpdating), nil
}

// describeIndexUpdate returns the response to a change of indexes alone: it describes them
// before the change.
func (t *Table) describeIndexUpdate(updates []request.UpdateIndex) *dynamo.TableDescription {
	d := t.describe(dynamo.StatusActive)
	for i := range d.GlobalSecondaryIndexes {
		g := &d.GlobalSecondaryIndexes[i]
		if slices.ContainsFunc(updates, func(u request.UpdateIndex) bool { return u.Name == *g.IndexName }) {
			g.IndexStatus = dynamo.StatusUpdating
		}
	}
	return d
}

// updateCapacity applies the billing mode and throughput of the request.
func (c *Catalog) updateCapacity(rec *record, req *request.UpdateTable) error {
	def := &rec.Definition
	now := c.opts.Now()
	switch {
	case req.BillingMode == dynamo.BillingOnDemand && def.BillingMode != dynamo.BillingOnDemand:
		def.BillingMode, def.Throughput = dynamo.BillingOnDemand, dynamo.Throughput{}
		rec.History.BecameOnDemand = &now
		for i := range def.Global {
			def.Global[i].Throughput = dynamo.Throughput{}
		}
	case req.BillingMode == dynamo.BillingProvisioned && def.BillingMode != dynamo.BillingProvisioned:
		return becomeProvisioned(def, req)
	}
	if c := req.OnDemand; c != nil && def.BillingMode == dynamo.BillingProvisioned {
		first := "MaxReadRequestUnits"
		if c.Read == 0 {
			first = "MaxWriteRequestUnits"
		}
		return dynamo.Invalid("One or more parameter values were invalid: %s for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.", first)
	}
	if req.Throughput == nil {
		return nil
	}
	if def.BillingMode == dynamo.BillingOnDemand {
		return dynamo.Invalid("One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	}
	if *req.Throughput == def.Throughput {
		return unchanged("the table", "the table", def.Throughput)
	}
	rec.History.note(def.Throughput, *req.Throughput, now)
	def.Throughput = *req.Throughput
	return nil
}

// becomeProvisioned turns an on-demand table into a provisioned one. The request must also
// set the throughput of its global indexes.
func becomeProvisioned(def *dynamo.TableDefinition, req *request.UpdateTable) error {
	var lacking []string
	for _, x := range def.Global {
		given := func(u request.UpdateIndex) bool { return u.Name == x.Name && u.Throughput != nil }
		if !slices.ContainsFunc(req.Indexes, given) {
			lacking = append(lacking, x.Name)
		}
	}
	if len(lacking) > 0 {
		return dynamo.Invalid("One or more parameter values were invalid: ProvisionedThroughput must be specified for index: %s", strings.Join(lacking, ","))
	}
	if len(def.Vector) > 0 {
		return request.ErrVectorBilling()
	}
	def.BillingMode, def.Throughput = dynamo.BillingProvisioned, *req.Throughput
	return nil
}

// updateIndexes applies the request's changes of global indexes.
func (c *Catalog) updateIndexes(rec *record, updates []request.UpdateIndex) error {
	def := &rec.Definition
	for _, u := range updates {
		i := slices.IndexFunc(def.Global, func(x dynamo.IndexDefinition) bool { return x.Name == u.Name })
		local := func(x dynamo.IndexDefinition) bool { return x.Name == u.Name }
		switch {
		case i < 0 && slices.ContainsFunc(def.Local, local):
			return dynamo.Invalid("Cannot update an index that is not a GlobalSecondaryIndex: %s", u.Name)
		case i < 0:
			return dynamo.Errorf(dynamo.ResourceNotFound, "Requested resource not found: Index %s for table %s", u.Name, def.Name)
		}
		before := def.Global[i].Throughput
		if err := updateIndex(&def.Global[i], u, def.BillingMode == dynamo.BillingOnDemand); err != nil {
			return err
		}
		rec.noteIndex(u.Name, before, def.Global[i].Throughput, c.opts.Now())
	}
	return nil
}

func updateIndex(x *dynamo.IndexDefinition, u request.UpdateIndex, onDemand bool) error {
	if u.Throughput != nil {
		if onDemand {
			return dynamo.Invalid("One or more parameter values were invalid: The only Updates for index: %s when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput", u.Name)
		}
		if *u.Throughput == x.Throughput {
			return unchanged("the index "+u.Name, "the index", x.Throughput)
		}
		x.Throughput = *u.Throughput
	}
	x.OnDemand = merge(x.OnDemand, u.OnDemand)
	x.Warm = merge(x.Warm, u.Warm)
	return nil
}

// unchanged returns the error for a throughput that the table or index already has.
func unchanged(what, short string, current dynamo.Throughput) error {
	return dynamo.Invalid("The provisioned throughput for %s will not change. The requested value equals the current value. "+
		"Current ReadCapacityUnits provisioned for %s: %d. Requested ReadCapacityUnits: %[3]d. "+
		"Current WriteCapacityUnits provisioned for %[2]s: %[4]d. Requested WriteCapacityUnits: %[4]d. "+
		"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		what, short, current.Read, current.Write)
}

// updateSettings applies the settings other than capacity and indexes.
func (c *Catalog) updateSettings(rec *record, req *request.UpdateTable) {
	def := &rec.Definition
	if req.DeletionProtection != nil {
		def.DeletionProtection = *req.DeletionProtection
	}
	if req.Class != "" && req.Class != def.Class {
		now := c.opts.Now()
		def.Class, rec.History.ClassChanged = req.Class, &now
	}
	def.OnDemand = merge(def.OnDemand, req.OnDemand)
	def.Warm = merge(def.Warm, req.Warm)
	if e := req.Encryption; e != nil {
		def.Encryption = e
		if e.Enabled == nil || !*e.Enabled {
			def.Encryption = nil // back to the service's own key
		}
	}
}

// merge applies a change; a zero side means no change.
func merge(current, change *dynamo.Throughput) *dynamo.Throughput {
	if change == nil {
		return current
	}
	merged := *change
	if current != nil {
		merged.Read, merged.Write = cmp.Or(change.Read, current.Read), cmp.Or(change.Write, current.Write)
	}
	return &merged
}
