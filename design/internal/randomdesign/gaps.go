package randomdesign

// Gaps are what designs do not hold yet because the road is known to break there. Each
// is a debt: whoever mends the road takes the gap away.
const (
	gapSealedMany = true // lists, sets, maps and structs that are encrypted
)
