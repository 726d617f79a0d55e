package request

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// maxCapacityUnits is the maximum provisioned capacity.
const maxCapacityUnits = 1_000_000_000_000

// throughput checks the members of provisioned capacity, which is optional.
func (v *violations) throughput(p *dynamo.ProvisionedThroughput, path string) {
	if p != nil {
		v.units(p.WriteCapacityUnits, path+".writeCapacityUnits")
		v.units(p.ReadCapacityUnits, path+".readCapacityUnits")
	}
}

func (v *violations) units(units *int64, path string) {
	if units == nil {
		v.missing(path)
		return
	}
	v.atLeast(1, *units, path)
}

// warm checks the members of a warm throughput, which are all optional.
func (v *violations) warm(w *dynamo.WarmThroughput, path string) {
	if w == nil {
		return
	}
	if w.ReadUnitsPerSecond != nil {
		v.atLeast(1, *w.ReadUnitsPerSecond, path+".readUnitsPerSecond")
	}
	if w.WriteUnitsPerSecond != nil {
		v.atLeast(1, *w.WriteUnitsPerSecond, path+".writeUnitsPerSecond")
	}
}

// throughputOf returns provisioned capacity whose members were sent. It fails if one is out of bounds.
func throughputOf(p *dynamo.ProvisionedThroughput) (dynamo.Throughput, error) {
	t := dynamo.Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}
	if t.Read > maxCapacityUnits {
		return t, invalid("Given value " + strconv.FormatInt(t.Read, 10) + " for ReadCapacityUnits is out of bounds")
	}
	if t.Write > maxCapacityUnits {
		return t, invalid("Given value " + strconv.FormatInt(t.Write, 10) + " for WriteCapacityUnits is out of bounds")
	}
	return t, nil
}

// checkNoThroughput rejects provisioned capacity for on-demand billing.
func checkNoThroughput(p *dynamo.ProvisionedThroughput) error {
	if p != nil {
		return invalid(invalidParameter + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	}
	return nil
}

// warmOf returns a warm throughput; a member that was not sent is zero.
func warmOf(w *dynamo.WarmThroughput) *dynamo.Throughput {
	if w == nil {
		return nil
	}
	return &dynamo.Throughput{Read: unitsOf(w.ReadUnitsPerSecond), Write: unitsOf(w.WriteUnitsPerSecond)}
}

// warmed reports whether a warm throughput has a member that was sent.
func warmed(w *dynamo.WarmThroughput) bool {
	return w != nil && (w.ReadUnitsPerSecond != nil || w.WriteUnitsPerSecond != nil)
}

func unitsOf(units *int64) int64 {
	if units == nil {
		return 0
	}
	return *units
}

// noCap is the default on-demand cap of a new table.
const noCap = -1

// capsOf returns the on-demand caps of a new table or index.
func capsOf(o *dynamo.OnDemandThroughput) *dynamo.Throughput {
	if !capped(o) {
		return nil
	}
	caps := &dynamo.Throughput{Read: noCap, Write: noCap}
	if o.MaxReadRequestUnits != nil {
		caps.Read = *o.MaxReadRequestUnits
	}
	if o.MaxWriteRequestUnits != nil {
		caps.Write = *o.MaxWriteRequestUnits
	}
	return caps
}

// capped reports whether on-demand caps have a member that was sent.
func capped(o *dynamo.OnDemandThroughput) bool {
	return o != nil && (o.MaxReadRequestUnits != nil || o.MaxWriteRequestUnits != nil)
}

// defineOnDemand checks the on-demand caps of the table.
func defineOnDemand(in *dynamo.CreateTableInput, d *dynamo.TableDefinition) error {
	d.OnDemand = capsOf(in.OnDemandThroughput)
	return checkOnDemand(in.OnDemandThroughput, d.BillingMode, "table")
}

// checkOnDemand checks on-demand caps for a new table or an index of it.
func checkOnDemand(o *dynamo.OnDemandThroughput, billingMode, owner string) error {
	if !capped(o) {
		return nil
	}
	if billingMode == dynamo.BillingProvisioned {
		return invalid(invalidParameter + firstCap(o) + " for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.")
	}
	return checkCaps(o, 1, owner)
}

// checkCaps checks the values of on-demand caps. Zero is never a valid cap.
func checkCaps(o *dynamo.OnDemandThroughput, least int64, owner string) error {
	for _, m := range []struct {
		name  string
		units *int64
	}{{"MaxReadRequestUnits", o.MaxReadRequestUnits}, {"MaxWriteRequestUnits", o.MaxWriteRequestUnits}} {
		if m.units != nil && (*m.units < least || *m.units == 0) {
			return invalid(invalidParameter + "Requested " + m.name + " for OnDemandThroughput for " + owner + " is outside of valid range")
		}
	}
	return nil
}

// firstCap names the first member of on-demand caps that was sent.
func firstCap(o *dynamo.OnDemandThroughput) string {
	if o.MaxReadRequestUnits != nil {
		return "MaxReadRequestUnits"
	}
	return "MaxWriteRequestUnits"
}
