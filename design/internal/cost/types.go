// Package cost estimates the cost of a design: capacity units of every pattern, storage, and
// the monthly bill in each billing mode, from dated price files with a source for each
// number. All numbers are exact; they are rounded only when printed.
//
// It uses the plans of package resolve, reports no findings and prints nothing. Package check
// looks for problems in its estimates, claim compares a document's numbers with them,
// compare and docgen show them side by side, output prints them.
package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Options selects the workload and the prices.
type Options struct {
	Profile *model.Profile // nil: the rates written on the patterns
	Scale   exact.Number   // multiplies all rates and counts; zero means 1
	Prices  *PriceList     // nil: the design's own, else those of its region
	Tags    []string       // only patterns and entities of these phases
}

// An Estimate is the cost of a layout under a workload.
type Estimate struct {
	Design   *model.Design
	Prices   *PriceList
	Patterns []*PatternCost // in the design's order
	Tables   []*TableCost   // in the design's order
	OnDemand Bill           // every table on demand
	// Provisioned is the bill if every table and global index always has the capacity for its
	// peak at 70 % utilization. Autoscaled is the best case with autoscaling, if the load
	// changes slowly enough: capacity for the average at 70 % utilization, at least one unit.
	// Reserved1 and Reserved3 are Provisioned with capacity reserved for one or three years in
	// blocks of 100 units, the rest at list price.
	Provisioned Bill
	Autoscaled  Bill
	Reserved1   Bill
	Reserved3   Bill
	AsDesigned  Bill // each table in its own billing mode
	BreakEven   BreakEven
	FreeTier    FreeTierUse

	items *inventory
}

// A PatternCost is the capacity one pattern uses.
type PatternCost struct {
	Pattern  *model.Pattern
	Plan     *resolve.Plan
	Calls    exact.Number // a month
	Peak     exact.Number // calls in the busiest second
	Requests exact.Number // to DynamoDB for one call, pages included
	Pages    exact.Number // of one query
	Items    exact.Number // read by one call, before any filter
	Known    bool         // whether Items is known from per, returns, limit or the key
	Read     exact.Number // read units of one call
	Write    exact.Number // write units of one call, indexes included
	// Amplification is write units in all over write units of the table alone.
	Amplification exact.Number
	Uses          []Use        // the units by table and index
	OnDemand      exact.Number // money a month
	peak          float64      // Peak, for comparisons
}

// A Use is the capacity one call uses of one table or index.
type Use struct {
	Path        resolve.Path
	Read, Write exact.Number
	Why         string // 50 items of 6 KB, eventually consistent
}

// A TableCost is the cost of a table and its indexes.
type TableCost struct {
	Table *model.Table
	Paths []*PathCost // the table first, then its indexes
}

// A PathCost is the cost of a table or an index. A local index has its own storage, but
// its reads and writes are counted for its table.
type PathCost struct {
	Path             resolve.Path
	Items            exact.Number // stored
	Bytes            exact.Number // stored, including 100 bytes of overhead per item or entry
	Reads, Writes    exact.Number // units a month
	PeakRCU, PeakWCU exact.Number // units a second at the peak
	OnDemand         Bill         // its part of Estimate.OnDemand, nothing free
	Provisioned      Bill         // its part of Estimate.Provisioned, nothing free
	Autoscaled       Bill         // its part of Estimate.Autoscaled, nothing free
	AsDesigned       Bill         // its part of Estimate.AsDesigned, nothing free
	Heat             Heat         // of its hottest partition
	Hot              []Heat       // of every partition above half of its limits, hottest first
	Notes            []string     // what was estimated, such as the number of items in a sparse index

	peakedReads, peakedWrites exact.Number // of Reads and Writes, by patterns that state their peak
}

// Heat describes the load on the hottest partition key of a path.
type Heat struct {
	Key        string       // the partition key's template: CHAT#{chatId}
	Value      string       // its value if that is known: one that the design states, or the hottest of a few
	RCU, WCU   exact.Number // a second, at the peak, on the hottest key
	Values     exact.Number // number of partition key values, 0 if unknown
	Bytes      exact.Number // the largest partition, if known
	Collection exact.Number // of a table with local indexes: the largest partition with their entries, which may not exceed 10 GB
	Contenders []Contender  // the patterns that load it, hottest first
}

// A Contender is the load of one pattern on a partition.
type Contender struct {
	Pattern  *model.Pattern
	RCU, WCU exact.Number
}

// A Bill is a monthly amount with its lines.
type Bill struct {
	Lines []Line
	Total exact.Number
}

// A Line is one line of a bill: a quantity at a price.
type Line struct {
	What     string       // one of the constants Writes, Reads, …; " (standard-ia)" follows for tables of that class
	Quantity exact.Number // in the price's unit
	Unit     string       // WRU, RRU, WCU-hour, GB-month
	Price    exact.Number // of one unit
	Free     exact.Number // of the quantity, covered by the free tier
	Amount   exact.Number
}

// BreakEven is the utilization above which provisioned capacity is cheaper.
type BreakEven struct {
	Write, Read          exact.Number // as a share of 1
	Reserved1, Reserved3 exact.Number
}

// FreeTierUse compares the needs of a provisioned design with the free tier.
type FreeTierUse struct {
	RCU, WCU, Bytes          exact.Number // needed
	FreeRCU, FreeWCU, FreeGB exact.Number // left for this design
	Covers                   bool
}
