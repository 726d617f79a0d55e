package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// RecordsPerRead is how many changes one read of a stream is taken to bring. DynamoDB
// gives up to 1000; a consumer that keeps up gets fewer. Lambda triggers read for nothing.
const RecordsPerRead = 100

// reservedBlock is how much capacity is bought at once.
const reservedBlock = 100

// What the lines of a bill are for.
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

// way is how capacity is paid for.
type way int

const (
	onDemand way = iota
	provisioned
	autoscaled
	asDesigned
)

// An allowance is what of the account's free tier is left for a design.
type allowance struct{ rcu, wcu, gb, streams exact.Number }

// allowanceOf is what a design says is left; all of it if it says nothing.
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

// A biller writes a bill: quantities are added up by what they are for.
type biller struct {
	prices *PriceList
	lines  []Line
}

// add puts a quantity on the line of its kind. Lines of class standard-ia are their
// own, because their price is.
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

// unitOf is the unit of one: WRU, not million WRU.
func unitOf(price string) string {
	known, _ := LookupPrice(price)
	if len(known.Unit) > len(million) && known.Unit[:len(million)] == million {
		return known.Unit[len(million):]
	}
	return known.Unit
}

// release takes what is free off a line.
func (b *biller) release(what string, free exact.Number) {
	for i := range b.lines {
		if l := &b.lines[i]; l.What == what {
			l.Free = free.Min(l.Quantity)
		}
	}
}

// reserve moves whole blocks of capacity to a line of their own, cheaper by a share.
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

// settleBills writes all bills.
func (p *pricer) settleBills(e *Estimate) {
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			path.OnDemand = p.alone(table, path, onDemand)
			path.Provisioned = p.alone(table, path, provisioned)
			path.Autoscaled = p.alone(table, path, autoscaled)
			path.AsDesigned = p.alone(table, path, asDesigned)
		}
	}
	e.OnDemand = p.wholeBill(e, onDemand, "")
	e.Provisioned = p.wholeBill(e, provisioned, "")
	e.Autoscaled = p.wholeBill(e, autoscaled, "")
	e.Reserved1 = p.wholeBill(e, provisioned, "reserved_1y")
	e.Reserved3 = p.wholeBill(e, provisioned, "reserved_3y")
	e.AsDesigned = p.wholeBill(e, asDesigned, "")
	e.BreakEven = BreakEvenAt(p.prices)
	e.FreeTier = p.freeTier(e)
}

// alone is the bill of one path, nothing free.
func (p *pricer) alone(table *TableCost, path *PathCost, w way) Bill {
	b := &biller{prices: p.prices}
	p.charge(b, table, path, w)
	return b.bill()
}

// wholeBill is the bill of the whole design, after the free tier and with capacity
// bought ahead if reserved names a discount.
func (p *pricer) wholeBill(e *Estimate, w way, reserved string) Bill {
	b := &biller{prices: p.prices}
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			p.charge(b, table, path, w)
		}
	}
	b.release(WriteCapacity, p.free.wcu.Times(model.HoursPerMonth))
	b.release(ReadCapacity, p.free.rcu.Times(model.HoursPerMonth))
	b.release(Storage, p.free.gb)
	b.release(Streams, p.free.streams)
	if reserved != "" {
		b.reserve(WriteCapacity, ReservedWrite, p.prices.Of(reserved))
		b.reserve(ReadCapacity, ReservedRead, p.prices.Of(reserved))
	}
	return b.bill()
}

// charge puts everything a path costs on a bill.
func (p *pricer) charge(b *biller, table *TableCost, path *PathCost, w way) {
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
		b.add(Streams, "streams", "", p.changes[t].Over(RecordsPerRead))
	}
}

// DefaultTarget is the utilisation capacity is planned for if a design states none.
var DefaultTarget = exact.Ratio(7, 10)

// capacity is what a table or a global index is provisioned with. As designed: what is
// stated, an index without a statement having what its table has; within the bounds of autoscaling what
// the average needs; if nothing is stated, what the peak needs.
func capacity(path *PathCost, w way) (rcu, wcu exact.Number) {
	if path.Path.Index != nil && path.Path.Index.Local {
		return exact.Zero, exact.Zero // it uses its table's
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

// stated is the capacity a design states for a path; zero where it does not.
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

// Ceiling is the capacity a design gives a path at most: what it states, or the maximum
// of autoscaling; zero where nothing ends it.
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

// Needed is the capacity that serves a load used as far as is planned for.
func Needed(load exact.Number) exact.Number { return sized(load, DefaultTarget) }

// sized is the capacity that serves a load at a utilisation: whole units, at least 1.
func sized(load, target exact.Number) exact.Number {
	units, _ := load.Div(target)
	return units.Ceil().Max(exact.One)
}

// NeededScaled is the capacity that serves a load used as far as autoscaling aims at, and how
// far that is.
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

// BreakEvenAt is the utilisation above which provisioned capacity is cheaper than
// requests on demand: what a unit costs per second of use, over what a request costs.
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

// freeTier is what the design needs of the free tier if all its tables of class
// standard are provisioned, those that state their capacity with it.
func (p *pricer) freeTier(e *Estimate) FreeTierUse {
	use := FreeTierUse{FreeRCU: p.free.rcu, FreeWCU: p.free.wcu, FreeGB: p.free.gb, Covers: true}
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
