package roadtest

// Gaps are what designs do not hold yet because the road is known to break there. Each
// is a debt: whoever mends the road takes the gap away.
const (
	gapSealedMany       = true // lists, sets, maps and structs that are encrypted
	gapLimitAmongShards = true // a limit on a list that also reads the rows of a spread counter: it pays for more than it is priced at
)
