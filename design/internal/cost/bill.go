package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// RecordsPerRead is the assumed number of records one read of a stream returns. DynamoDB
// returns up to 1000; a consumer that keeps up gets fewer. Reads by Lambda triggers are free.
const RecordsPerRead = 100

// reservedBlock is the number of units in which capacity is reserved.
const reservedBlock = 100

// The kinds of lines of a bill.
const (
	Writes        = "writes"
	Reads         = "reads"
	WriteCapacity = "write capacity"
	ReadCapacity  = "read capacity"
	ReservedWrite = "reserved write capacity"
	ReservedRead  = "reserved read capacity"
	Storage       = "storage"
	Recovery      = "pitr"
	Streams       = "streams"
)

// way is a way to pay for capacity.
type way int

const (
	onDemand way = iota
	provisioned
	autoscaled
	asDesigned
)

// An allowance is the part of the account's free tier that is left for a design.
type allowance struct{ rcu, wcu, gb, streams exact.Number }

// allowanceOf returns the free tier left for a design; all of it if the design does not say.
func allowanceOf(d *model.Design, prices *PriceList) allowance {
	all := allowance{
		rcu: prices.Of("free_rcu"), wcu: prices.Of("free_wcu"),
		gb: prices.Of("free_gb"), streams: prices.Of("free_streams"),
	}
	said := d.FreeTier
	if said.Place.IsZero() && said.RCU.IsZero() && said.WCU.IsZero() && said.Bytes.IsZero() {
		return all
	}
	left := allowance{rcu: said.RCU, wcu: said.WCU, gb: said.Bytes.Over(GigaByte), streams: all.streams}
	if left.rcu.IsZero() && left.wcu.IsZero() && left.gb.IsZero() {
		left.streams = exact.Zero
	}
	return left
}

// A biller builds a bill: it adds up quantities by kind of line.
type biller struct {
	prices *PriceList
	lines  []Line
}

// add adds a quantity to the line of its kind. Class standard-ia has separate lines, because
// it has separate prices.
func (b *biller) add(what, price, class string, quantity exact.Number) {
	if quantity.IsZero() {
		return
	}
	if class != "" {
		what += " (standard-ia)"
	}
	for i := range b.lines {
		if b.lines[i].What == what {
			b.lines[i].Quantity = b.lines[i].Quantity.Add(quantity)
			return
		}
	}
	b.lines = append(b.lines, Line{What: what, Quantity: quantity, Unit: unitOf(price), Price: b.prices.Of(class + price)})
}

// unitOf returns the single unit of a price: WRU, not million WRU.
func unitOf(price string) string {
	known, _ := LookupPrice(price)
	if len(known.Unit) > len(million) && known.Unit[:len(million)] == million {
		return known.Unit[len(million):]
	}
	return known.Unit
}

// release marks a quantity of a line as free.
func (b *biller) release(what string, free exact.Number) {
	for i := range b.lines {
		if l := &b.lines[i]; l.What == what {
			l.Free = free.Min(l.Quantity)
		}
	}
}

// reserve moves whole blocks of capacity to a separate line with a discount.
func (b *biller) reserve(what, as string, discount exact.Number) {
	for i := range b.lines {
		l := &b.lines[i]
		if l.What != what {
			continue
		}
		blocks := l.Quantity.Sub(l.Free).Over(model.HoursPerMonth * reservedBlock).Floor()
		if blocks.Sign() <= 0 {
			return
		}
		hours := blocks.Times(reservedBlock * model.HoursPerMonth)
		bought := Line{What: as, Quantity: hours, Unit: l.Unit, Price: l.Price.Mul(exact.One.Sub(discount))}
		l.Quantity = l.Quantity.Sub(hours)
		b.lines = append(b.lines, bought)
		return
	}
}

func (b *biller) bill() Bill {
	bill := Bill{Lines: b.lines}
	for i := range bill.Lines {
		l := &bill.Lines[i]
		l.Amount = l.Quantity.Sub(l.Free).Mul(l.Price)
		bill.Total = bill.Total.Add(l.Amount)
	}
	return bill
}

// A billing computes the bills of an estimate.
type billing struct {
	prices  *PriceList
	free    allowance
	changes map[*model.Table]exact.Number // items written a month, for streams
}

// settle computes all bills.
func (g billing) settle(e *Estimate) {
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			path.OnDemand = g.alone(table, path, onDemand)
			path.Provisioned = g.alone(table, path, provisioned)
			path.Autoscaled = g.alone(table, path, autoscaled)
			path.AsDesigned = g.alone(table, path, asDesigned)
		}
	}
	e.OnDemand = g.wholeBill(e, onDemand, "")
	e.Provisioned = g.wholeBill(e, provisioned, "")
	e.Autoscaled = g.wholeBill(e, autoscaled, "")
	e.Reserved1 = g.wholeBill(e, provisioned, "reserved_1y")
	e.Reserved3 = g.wholeBill(e, provisioned, "reserved_3y")
	e.AsDesigned = g.wholeBill(e, asDesigned, "")
	e.BreakEven = BreakEvenAt(g.prices)
	e.FreeTier = g.freeTier(e)
}

// alone returns the bill of one path, without the free tier.
func (g billing) alone(table *TableCost, path *PathCost, w way) Bill {
	b := &biller{prices: g.prices}
	g.charge(b, table, path, w)
	return b.bill()
}

// wholeBill returns the bill of the whole design, after the free tier and with reserved
// capacity if reserved names a discount.
func (g billing) wholeBill(e *Estimate, w way, reserved string) Bill {
	b := &biller{prices: g.prices}
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			g.charge(b, table, path, w)
		}
	}
	b.release(WriteCapacity, g.free.wcu.Times(model.HoursPerMonth))
	b.release(ReadCapacity, g.free.rcu.Times(model.HoursPerMonth))
	b.release(Storage, g.free.gb)
	b.release(Streams, g.free.streams)
	if reserved != "" {
		b.reserve(WriteCapacity, ReservedWrite, g.prices.Of(reserved))
		b.reserve(ReadCapacity, ReservedRead, g.prices.Of(reserved))
	}
	return b.bill()
}

// charge adds all costs of a path to a bill.
func (g billing) charge(b *biller, table *TableCost, path *PathCost, w way) {
	t, class := table.Table, classPrefix(table.Table)
	if w == asDesigned && !t.Billing.Provisioned {
		w = onDemand
	}
	if w == onDemand {
		b.add(Writes, "write", class, path.Writes)
		b.add(Reads, "read", class, path.Reads)
	} else {
		rcu, wcu := capacity(path, w)
		b.add(WriteCapacity, "wcu_hour", class, wcu.Times(model.HoursPerMonth))
		b.add(ReadCapacity, "rcu_hour", class, rcu.Times(model.HoursPerMonth))
	}
	b.add(Storage, "storage", class, path.Bytes.Over(GigaByte))
	local := path.Path.Index == nil || path.Path.Index.Local
	if t.PITR && local {
		b.add(Recovery, "pitr", "", path.Bytes.Over(GigaByte))
	}
	if path.Path.Index == nil {
		b.add(Streams, "streams", "", g.changes[t].Over(RecordsPerRead))
	}
}

// DefaultTarget is the target utilization of capacity if a design states none.
var DefaultTarget = exact.Ratio(7, 10)

// capacity returns the provisioned capacity of a table or a global index. As designed, it is
// the stated capacity, where an index defaults to that of its table; with autoscaling, the
// capacity for the average load within its bounds; if none is stated, that for the peak.
func capacity(path *PathCost, w way) (rcu, wcu exact.Number) {
	if path.Path.Index != nil && path.Path.Index.Local {
		return exact.Zero, exact.Zero // it uses the capacity of its table
	}
	averageRCU, averageWCU := path.Reads.Over(secondsPerMonth), path.Writes.Over(secondsPerMonth)
	b := path.Path.Table.Billing
	switch {
	case w == autoscaled:
		return sized(averageRCU, DefaultTarget), sized(averageWCU, DefaultTarget)
	case w == asDesigned && b.Autoscale != nil:
		return scaled(averageRCU, b.Autoscale), scaled(averageWCU, b.Autoscale)
	case w == asDesigned:
		rcu, wcu = stated(path)
	}
	if rcu.IsZero() {
		rcu = sized(path.PeakRCU, DefaultTarget)
	}
	if wcu.IsZero() {
		wcu = sized(path.PeakWCU, DefaultTarget)
	}
	return rcu, wcu
}

// stated returns the capacity a design states for a path; zero where it does not.
func stated(path *PathCost) (rcu, wcu exact.Number) {
	b := path.Path.Table.Billing
	rcu, wcu = b.RCU, b.WCU
	if x := path.Path.Index; x != nil {
		if !x.RCU.IsZero() {
			rcu = x.RCU
		}
		if !x.WCU.IsZero() {
			wcu = x.WCU
		}
	}
	return rcu, wcu
}

// Ceiling returns the maximum capacity of a path: the stated one, or the maximum of
// autoscaling; zero if it is unlimited.
func (c *PathCost) Ceiling() (rcu, wcu exact.Number) {
	b := c.Path.Table.Billing
	switch {
	case !b.Provisioned || c.Path.Index != nil && c.Path.Index.Local:
		return exact.Zero, exact.Zero
	case b.Autoscale != nil:
		return b.Autoscale.Max, b.Autoscale.Max
	}
	return stated(c)
}

// Needed returns the capacity for a load at the default target utilization.
func Needed(load exact.Number) exact.Number { return sized(load, DefaultTarget) }

// sized returns the capacity for a load at a target utilization: whole units, at least 1.
func sized(load, target exact.Number) exact.Number {
	units, _ := load.Div(target)
	return units.Ceil().Max(exact.One)
}

// NeededScaled returns the capacity for a load at the target utilization of autoscaling, and
// that target.
func NeededScaled(load exact.Number, a *model.Autoscale) (units, target exact.Number) {
	target = a.Target
	if target.Sign() <= 0 {
		target = DefaultTarget
	}
	return sized(load, target), target
}

func scaled(load exact.Number, a *model.Autoscale) exact.Number {
	needed, _ := NeededScaled(load, a)
	units := needed.Max(a.Min)
	if a.Max.Sign() > 0 {
		units = units.Min(a.Max)
	}
	return units
}

// BreakEvenAt returns the utilization above which provisioned capacity is cheaper than
// on-demand requests: the price of a unit per second over the price of a request.
func BreakEvenAt(prices *PriceList) BreakEven {
	at := func(hour, request string) exact.Number {
		share, _ := prices.Of(hour).Over(3600).Div(prices.Of(request))
		return share
	}
	b := BreakEven{Write: at("wcu_hour", "write"), Read: at("rcu_hour", "read")}
	b.Reserved1 = b.Write.Mul(exact.One.Sub(prices.Of("reserved_1y")))
	b.Reserved3 = b.Write.Mul(exact.One.Sub(prices.Of("reserved_3y")))
	return b
}

// freeTier returns the use of the free tier if all tables of class standard are provisioned,
// with their stated capacity if any.
func (g billing) freeTier(e *Estimate) FreeTierUse {
	use := FreeTierUse{FreeRCU: g.free.rcu, FreeWCU: g.free.wcu, FreeGB: g.free.gb, Covers: true}
	for _, table := range e.Tables {
		if table.Table.Class == model.StandardIA {
			use.Covers = false
			continue
		}
		for _, path := range table.Paths {
			rcu, wcu := capacity(path, asDesigned)
			use.RCU, use.WCU, use.Bytes = use.RCU.Add(rcu), use.WCU.Add(wcu), use.Bytes.Add(path.Bytes)
		}
	}
	fits := func(need, free exact.Number) bool { return !free.Less(need) }
	use.Covers = use.Covers && fits(use.RCU, use.FreeRCU) && fits(use.WCU, use.FreeWCU) && fits(use.Bytes, use.FreeGB.Times(GigaByte))
	return use
}
