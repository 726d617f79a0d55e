// Package cost prices a design: capacity units of every pattern, storage, and money a
// month under each way to pay, from dated price files with a source for each number.
// All numbers are exact; rounding happens where they are printed.
//
// It needs the plans of package resolve, reports nothing itself and prints nothing.
// Package check looks for problems in its estimates, claim holds a document's numbers
// against them, compare and docgen set them side by side, output prints them.
package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Options choose the workload and the prices.
type Options struct {
	Profile *model.Profile // nil: the rates written on the patterns
	Scale   exact.Number   // multiplies all rates and counts; zero means 1
	Prices  *PriceList     // nil: the design's own, else those of its region
	Tags    []string       // only patterns and entities of these phases
}

// An Estimate is what a layout costs under a workload.
type Estimate struct {
	Design   *model.Design
	Prices   *PriceList
	Patterns []*PatternCost // in the design's order
	Tables   []*TableCost   // in the design's order
	OnDemand Bill           // every table on demand
	// Provisioned is every table and global index with capacity for its peak all the
	// time, used to 70 % then. Autoscaled is what it comes to at best, if the load
	// rises and falls slowly enough for autoscaling to follow: capacity for the average, used to 70 %, at
	// least one unit. Reserved1 and Reserved3 are Provisioned with capacity bought for one or three years in
	// blocks of 100 units, the rest at list price.
	Provisioned Bill
	Autoscaled  Bill
	Reserved1   Bill
	Reserved3   Bill
	AsDesigned  Bill // each table as its billing says
	BreakEven   BreakEven
	FreeTier    FreeTierUse
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
	Uses          []Use        // where the units go
	OnDemand      exact.Number // money a month
	peak          float64      // Peak, to weigh with
}

// A Use is capacity taken from one table or index by one call.
type Use struct {
	Path        resolve.Path
	Read, Write exact.Number
	Why         string // 50 items of 6 KB, eventually consistent
}

// A TableCost is what a table and its indexes need.
type TableCost struct {
	Table *model.Table
	Paths []*PathCost // the table first, then its indexes
}

// A PathCost is what a table or an index needs. A local index has storage of its own,
// but uses its table's capacity: its reads and writes are booked there.
type PathCost struct {
	Path             resolve.Path
	Items            exact.Number // stored
	Bytes            exact.Number // stored, with the 100 bytes an item or entry costs besides
	Reads, Writes    exact.Number // units a month
	PeakRCU, PeakWCU exact.Number // units a second at the peak
	OnDemand         Bill         // its part of Estimate.OnDemand, nothing free
	Provisioned      Bill         // its part of Estimate.Provisioned, nothing free
	Autoscaled       Bill         // its part of Estimate.Autoscaled, nothing free
	AsDesigned       Bill         // its part of Estimate.AsDesigned, nothing free
	Heat             Heat
	Notes            []string // what was estimated, such as how many items a sparse index holds

	peakedReads, peakedWrites exact.Number // of Reads and Writes, by patterns that state their peak
}

// Heat is the busiest partition key of a path against what one partition can do.
type Heat struct {
	Key        string       // the partition key's template: CHAT#{chatId}
	Value      string       // which of the key's few values it is, if one is hotter than the others: queued
	RCU, WCU   exact.Number // a second, at the peak, on the hottest key
	Values     exact.Number // how many partition key values there are, if known; else 0
	Bytes      exact.Number // the largest partition, if known
	Collection exact.Number // of a table with local indexes: the largest partition with their entries, which may not exceed 10 GB
	Contenders []Contender  // what makes it hot, hottest first
}

// A Contender is one pattern's part of a partition's heat.
type Contender struct {
	Pattern  *model.Pattern
	RCU, WCU exact.Number
}

// A Bill is money a month, by what it is for.
type Bill struct {
	Lines []Line
	Total exact.Number
}

// A Line is one position of a bill: a quantity at a price.
type Line struct {
	What     string       // one of the constants Writes, Reads, …; " (standard-ia)" follows for tables of that class
	Quantity exact.Number // in the price's unit
	Unit     string       // WRU, RRU, WCU-hour, GB-month
	Price    exact.Number // of one unit
	Free     exact.Number // of the quantity, covered by the free tier
	Amount   exact.Number
}

// BreakEven is the utilisation above which provisioned capacity is cheaper.
type BreakEven struct {
	Write, Read          exact.Number // as a share of 1
	Reserved1, Reserved3 exact.Number
}

// FreeTierUse is how far the free tier carries the design if it is provisioned.
type FreeTierUse struct {
	RCU, WCU, Bytes          exact.Number // needed
	FreeRCU, FreeWCU, FreeGB exact.Number // left for this design
	Covers                   bool
}
