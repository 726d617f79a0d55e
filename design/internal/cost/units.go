package cost

import (
	"strconv"

	"sortkey.dev/design/internal/exact"
)

// DynamoDB's measures.
const (
	ReadUnitBytes  = 4 << 10 // what one read unit reads, strongly consistent
	WriteUnitBytes = 1 << 10 // what one write unit writes
	PageBytes      = 1 << 20 // what one Query reads at most
	GigaByte       = 1 << 30 // AWS's quotas count binary gigabytes
	ItemOverhead   = 100     // bytes billed besides each item and each index entry

	PartitionRCU = 3000 // what one partition can read in a second
	PartitionWCU = 1000 // what one partition can write in a second
)

var half = exact.Ratio(1, 2)

// ReadUnits is what reading one item of so many bytes takes. A missing item takes as
// much as an empty one.
func ReadUnits(size int64, eventual bool) exact.Number {
	units := exact.Int(max(1, ceilDiv(size, ReadUnitBytes)))
	if eventual {
		return units.Mul(half)
	}
	return units
}

// WriteUnits is what writing one item of so many bytes takes, outside a transaction.
func WriteUnits(size int64) int64 { return max(1, ceilDiv(size, WriteUnitBytes)) }

// QueryUnits is what one Query over a number of items takes, and in how many pages.
// The sizes of a page's items are summed before they are rounded, each page alone. A page
// ends at the last item that fits into 1 MB.
func QueryUnits(items, size exact.Number, eventual bool) (units, pages exact.Number) {
	if items.IsInt() && size.IsInt() {
		u, n := wholeQuery(items.Int64(), size.Int64())
		units, pages = exact.Int(u), exact.Int(n)
	} else {
		units, pages = brokenQuery(items, size)
	}
	if eventual {
		units = units.Mul(half)
	}
	return units, pages
}

// wholeQuery is QueryUnits for whole numbers, which nearly all are.
func wholeQuery(items, size int64) (units, pages int64) {
	perPage := max(1, PageBytes/max(size, 1))
	if items <= perPage {
		return max(1, ceilDiv(items*size, ReadUnitBytes)), 1
	}
	full, rest := items/perPage, items%perPage
	units, pages = full*max(1, ceilDiv(perPage*size, ReadUnitBytes)), full
	if rest > 0 {
		units += max(1, ceilDiv(rest*size, ReadUnitBytes))
		pages++
	}
	return units, pages
}

// brokenQuery is QueryUnits for averages, such as 2.5 items of 700 bytes.
func brokenQuery(items, size exact.Number) (units, pages exact.Number) {
	rounded := func(n exact.Number) exact.Number {
		return n.Mul(size).Over(ReadUnitBytes).Ceil().Max(exact.One)
	}
	fit, ok := exact.Int(PageBytes).Div(size)
	perPage := fit.Floor().Max(exact.One)
	if !ok || !perPage.Less(items) {
		return rounded(items), exact.One
	}
	pages, _ = items.Div(perPage)
	pages = pages.Floor()
	units = rounded(perPage).Mul(pages)
	if rest := items.Sub(perPage.Mul(pages)); !rest.IsZero() {
		units, pages = units.Add(rounded(rest)), pages.Add(exact.One)
	}
	return units, pages
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// sizeText is a number of bytes as people write it: 350 B, 3.5 KB, 1.2 MB.
func sizeText(size exact.Number) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{GigaByte, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if !size.Less(exact.Int(unit.bytes)) {
			return short(size.Over(unit.bytes)) + " " + unit.name
		}
	}
	return short(size) + " B"
}

// short is a number that is not negative with at most two decimals.
func short(n exact.Number) string {
	if n.IsInt() {
		return strconv.FormatInt(n.Int64(), 10)
	}
	hundredths := n.Times(100).Add(half).Int64()
	text := strconv.FormatInt(hundredths/100, 10)
	switch rest := hundredths % 100; {
	case rest == 0:
		return text
	case rest%10 == 0:
		return text + "." + strconv.FormatInt(rest/10, 10)
	case rest < 10:
		return text + ".0" + strconv.FormatInt(rest, 10)
	default:
		return text + "." + strconv.FormatInt(rest, 10)
	}
}

// counted is a number of things: 1 item, 50 items.
func counted(n exact.Number, thing string) string {
	if n.Equal(exact.One) {
		return "1 " + thing
	}
	return short(n) + " " + thing + "s"
}
