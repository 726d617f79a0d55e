package roadtest

// Gaps are what designs do not hold yet because the road is known to break there. Each
// is a debt: whoever mends the road takes the gap away.
const (
	gapListByWholeKey = true  // a list that binds the whole primary key
	gapSeveralInGet   = true  // a get of one of several values of its key
	gapUniqueSet      = true  // a set whose elements are unique
	gapAddToUnique    = true  // a number that is unique and added to
	gapFilterOnMany   = false // a filter that compares lists, sets, maps, structs or JSON
	gapConsume        = true  // a requirement that is consumed
	gapSealedMany     = true  // lists, sets, maps and structs that are encrypted
	gapNotEqual       = true  // a delete or check on the condition that something differs
	gapCountByEnum    = false // a counter found by an enum: each entity has its own Go type of it
	gapLossyKey       = true  // a primary key with a part that loses some of its attribute
	gapCounterAndStep = true  // a transaction that counts items and touches their counter itself
	gapSharedParam    = true  // a parameter of a repeated step and of another
	gapEachAndCreate  = false // a repeated step beside others
	gapInListEach     = true  // a repeated step on the condition that something is in a list
	gapLoneValue      = true  // an enum of one value: optional, it is taken to be always there
	gapCollectLimit   = false // a collect with a limit
	gapVersionInPut   = false // a put on a condition about the version
)
