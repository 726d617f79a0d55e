package cost

import (
	"fmt"
	"testing"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// 100,000 attempts with 50 answers each, every answer copied into one index.
func TestIndexCopiesOfAnswersArePaidFor(t *testing.T) {
	w := newWorld()
	table := w.table("exams", "GSI1")
	answer := w.entity("Answer", table, 350)
	w.put(answer, table, append(table.Items[0].Computed, computed("GSI1PK", literal("ANSWER#"), hole(answer.Attribute("id"))))...)
	w.write(model.Put, answer, "5000000", resolve.Written)
	e := w.price(Options{})
	equal(t, "write units", e.Writes(), "10000000")
	money(t, "writes", e.OnDemand.Line(Writes).Amount, "6.25")
}

func stateCapacity(t *model.Table, rcu, wcu string) {
	t.Billing = model.Billing{Provisioned: true, RCU: number(rcu), WCU: number(wcu)}
}

// A table and three global indexes at 5/5 each; an index has its table's capacity
// unless it states its own.
func TestIndexesNeedCapacityToo(t *testing.T) {
	w := newWorld()
	stateCapacity(w.table("exams", "GSI1", "GSI2", "GSI3"), "5", "5")
	e := w.price(Options{})
	money(t, "as designed", e.AsDesigned.Total, "11.39")
	equal(t, "WCU-hours", e.AsDesigned.Line(WriteCapacity).Quantity, "14600")
	equal(t, "needed RCU", e.FreeTier.RCU, "20")
	w.design.Tables[0].Indexes[0].WCU = number("7")
	equal(t, "WCU-hours", w.price(Options{}).AsDesigned.Line(WriteCapacity).Quantity, "16060")
}

// Five tables at 1/1 cost what one at 5/5 costs.
func TestManySmallTables(t *testing.T) {
	one, five := newWorld(), newWorld()
	stateCapacity(one.table("all"), "5", "5")
	for i := range 5 {
		stateCapacity(five.table(fmt.Sprint("table", i)), "1", "1")
	}
	money(t, "one table", one.price(Options{}).AsDesigned.Total, "2.85")
	money(t, "five tables", five.price(Options{}).AsDesigned.Total, "2.85")
}

func TestFreeTier(t *testing.T) {
	w := newWorld()
	w.design.FreeTier = model.FreeTier{} // not stated: all of it
	table := w.table("exams", "GSI1", "GSI2", "GSI3")
	stateCapacity(table, "5", "5")
	e := w.price(Options{})
	money(t, "within the free tier", e.AsDesigned.Total, "0.00")
	if !e.FreeTier.Covers {
		t.Errorf("20 of 25 units are not covered: %+v", e.FreeTier)
	}
	equal(t, "free writes a month", e.FreeTier.Writes(), "65700000")
	equal(t, "free reads a month", e.FreeTier.Reads(), "65700000")

	stateCapacity(table, "5", "10")
	e = w.price(Options{})
	money(t, "15 WCU too many", e.AsDesigned.Total, "7.12")
	if e.FreeTier.Covers {
		t.Error("40 WCU are said to be covered by 25")
	}

	w.design.FreeTier = model.FreeTier{RCU: number("25"), WCU: number("10")}
	money(t, "15 WCU used elsewhere", w.price(Options{}).AsDesigned.Total, "14.24")

	table.Class = model.StandardIA
	w.design.FreeTier = model.FreeTier{}
	e = w.price(Options{})
	if e.FreeTier.Covers || !e.AsDesigned.Line(WriteCapacity+" (standard-ia)").Free.IsZero() {
		t.Errorf("class standard-ia is said to be free: %+v", e.AsDesigned)
	}
}

func TestValueOfFreeTier(t *testing.T) {
	list, err := PricesOf("us-east-1")
	if err != nil {
		t.Fatal(err)
	}
	worth := list.Of("free_wcu").Mul(list.Of("wcu_hour")).Add(list.Of("free_rcu").Mul(list.Of("rcu_hour"))).Times(model.HoursPerMonth)
	money(t, "the free capacity", worth, "14.24") // 14.235, rounded half up
	money(t, "the free storage", list.Of("free_gb").Mul(list.Of("storage")), "6.25")
}

// On-demand requests are never free, but storage is.
func TestOnDemandWithFreeTier(t *testing.T) {
	w := newWorld()
	w.design.FreeTier = model.FreeTier{}
	e := w.entity("Thing", w.table("things"), 924)
	counts(e, "31457280") // of 1 KB with the overhead: 30 GB
	w.write(model.Put, e, "1000000", resolve.Written)
	bill := w.price(Options{}).OnDemand
	money(t, "a million writes", bill.Line(Writes).Amount, "0.63")
	equal(t, "storage", bill.Line(Storage).Quantity, "30")
	equal(t, "free storage", bill.Line(Storage).Free, "25")
	money(t, "storage", bill.Line(Storage).Amount, "1.25")
}

func TestRecoveryAndStreams(t *testing.T) {
	w := newWorld()
	table := w.table("things", "GSI1")
	table.PITR, table.Stream = true, "new_image"
	e := w.entity("Thing", table, 924)
	w.put(e, table, append(table.Items[0].Computed, computed("GSI1PK", literal("ALL")))...)
	counts(e, "10485760")
	w.write(model.Put, e, "1000000", resolve.Written)
	bill := w.price(Options{}).OnDemand
	equal(t, "storage, with the index", bill.Line(Storage).Quantity, "20")
	equal(t, "recovery, without the global index", bill.Line(Recovery).Quantity, "10")
	money(t, "recovery", bill.Line(Recovery).Amount, "2.00")
	equal(t, "stream reads", bill.Line(Streams).Quantity, "10000")
}

func TestCapacity(t *testing.T) {
	w := newWorld()
	e := w.entity("Thing", w.table("things"), 500)
	p, _ := w.write(model.Put, e, "2628000", resolve.Untouched) // one a second
	p.Peak = perSecond("35")
	est := w.price(Options{})
	equal(t, "for the peak at 70 %", est.Provisioned.Line(WriteCapacity).Quantity.Over(730), "50")
	equal(t, "for the average at 70 %", est.Autoscaled.Line(WriteCapacity).Quantity.Over(730), "2")
	equal(t, "at least one", est.Provisioned.Line(ReadCapacity).Quantity.Over(730), "1")

	w.design.Tables[0].Billing = model.Billing{Provisioned: true, Autoscale: &model.Autoscale{Min: number("10"), Max: number("40"), Target: number("0.5")}}
	equal(t, "not below the least", w.price(Options{}).AsDesigned.Line(WriteCapacity).Quantity.Over(730), "10")
	equal(t, "with 8 times the load", w.price(Options{Scale: number("8")}).AsDesigned.Line(WriteCapacity).Quantity.Over(730), "16")
	equal(t, "not above the most", w.price(Options{Scale: number("80")}).AsDesigned.Line(WriteCapacity).Quantity.Over(730), "40")
	w.design.Tables[0].Billing.Autoscale = nil
	equal(t, "nothing stated", w.price(Options{}).AsDesigned.Line(WriteCapacity).Quantity.Over(730), "50")
}

func TestReservedCapacityComesInBlocks(t *testing.T) {
	w := newWorld()
	w.design.FreeTier = model.FreeTier{}
	e := w.entity("Thing", w.table("things"), 500)
	p, _ := w.write(model.Put, e, "2628000", resolve.Untouched)
	p.Peak = perSecond("175") // 250 WCU, 25 of them free
	est := w.price(Options{})
	year := est.Reserved1
	equal(t, "reserved", year.Line(ReservedWrite).Quantity.Over(730), "200")
	equal(t, "the rest", year.Line(WriteCapacity).Quantity.Sub(year.Line(WriteCapacity).Free).Over(730), "25")
	money(t, "200 units at 46 %", year.Line(ReservedWrite).Amount, "43.65")
	money(t, "200 units at 23 %", est.Reserved3.Line(ReservedWrite).Amount, "21.83")
	if !est.Reserved3.Total.Less(year.Total) || !year.Total.Less(est.Provisioned.Total) {
		t.Errorf("provisioned %s, one year %s, three years %s", est.Provisioned.Total, year.Total, est.Reserved3.Total)
	}
}

func TestStandardIA(t *testing.T) {
	w := newWorld()
	table := w.table("archive")
	table.Class = model.StandardIA
	e := w.entity("Thing", table, 924)
	counts(e, "1048576")
	p, _ := w.write(model.Put, e, "1000000", resolve.Untouched)
	est := w.price(Options{})
	money(t, "writes", est.OnDemand.Line(Writes+" (standard-ia)").Amount, "0.78")
	money(t, "the pattern", est.Pattern(p).OnDemand, "0.78")
	money(t, "storage", est.OnDemand.Line(Storage+" (standard-ia)").Amount, "0.10")
}

// A busy design of many kinds of patterns for properties and benchmarks.
func busyWorld(patterns int) *world {
	w := newWorld()
	table := w.table("busy", "GSI1", "GSI2")
	table.PITR, table.Stream = true, "keys_only"
	for i := range max(patterns/10, 1) {
		e := w.entity(fmt.Sprint("Thing", i), table, int64(137*i%9000+50))
		w.put(e, table, append(table.Items[i*2].Computed, computed("GSI1PK", literal("ALL")), computed("GSI2PK", hole(e.Attribute("id"))))...)
		counts(e, fmt.Sprint(1000*(i+1)))
		e.Per = []*model.Per{per(e.Attribute("group"), fmt.Sprint(i%300+1), "4000")}
		for j := range 10 {
			rate := fmt.Sprint(1000 + 37*j)
			if j%3 == 0 {
				w.write(model.Put, e, rate, resolve.Moved)
			} else {
				w.list(e, rate)
			}
		}
	}
	return w
}

func TestBillsAddUp(t *testing.T) {
	e := busyWorld(200).price(Options{})
	for name, bill := range map[string]Bill{"on demand": e.OnDemand, "provisioned": e.Provisioned, "autoscaled": e.Autoscaled, "reserved": e.Reserved1, "as designed": e.AsDesigned} {
		sum := exact.Zero
		for _, line := range bill.Lines {
			sum = sum.Add(line.Amount)
		}
		if !sum.Equal(bill.Total) || sum.IsZero() {
			t.Errorf("%s: the lines come to %s, the total is %s", name, sum, bill.Total)
		}
	}
	paths, patterns := exact.Zero, exact.Zero
	for _, table := range e.Tables {
		paths = paths.Add(table.Cost(func(p *PathCost) Bill { return p.OnDemand }))
	}
	if !paths.Equal(e.OnDemand.Total) {
		t.Errorf("with nothing free the paths come to %s, the bill is %s", paths, e.OnDemand.Total)
	}
	for _, c := range e.Patterns {
		patterns = patterns.Add(c.OnDemand)
	}
	if requests := e.OnDemand.Line(Writes).Amount.Add(e.OnDemand.Line(Reads).Amount); !patterns.Equal(requests) {
		t.Errorf("the patterns come to %s, the requests of the bill to %s", patterns, requests)
	}
}

func TestDoubleLoadDoublesTheCost(t *testing.T) {
	w := busyWorld(100)
	once := w.price(Options{})
	twice := w.price(Options{Scale: exact.Int(2)})
	profile := w.price(Options{Profile: &model.Profile{Scale: exact.Int(2)}})
	for _, what := range []string{Writes, Reads, Storage, Recovery, Streams} {
		double := once.OnDemand.Line(what).Amount.Times(2)
		if got := twice.OnDemand.Line(what).Amount; !got.Equal(double) || got.IsZero() {
			t.Errorf("%s: twice the load costs %s, want %s", what, got, double)
		}
		if got := profile.OnDemand.Line(what).Amount; !got.Equal(double) {
			t.Errorf("%s: a profile of twice the load costs %s, want %s", what, got, double)
		}
	}
	for i, c := range twice.Patterns {
		if !c.Read.Equal(once.Patterns[i].Read) || !c.Peak.Equal(once.Patterns[i].Peak.Times(2)) {
			t.Errorf("%s: a call takes %s and %s units, the peak is %s and %s", c.Pattern.Name, once.Patterns[i].Read, c.Read, once.Patterns[i].Peak, c.Peak)
		}
	}
}

func BenchmarkPrice1000Patterns(b *testing.B) {
	w := busyWorld(1000)
	b.ReportAllocs()
	for b.Loop() {
		w.price(Options{})
	}
}
