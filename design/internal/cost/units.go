package cost

import (
	"strconv"

	"sortkey.dev/design/internal/exact"
)

// DynamoDB's units and limits.
const (
	ReadUnitBytes  = 4 << 10 // bytes per read unit, strongly consistent
	WriteUnitBytes = 1 << 10 // bytes per write unit
	PageBytes      = 1 << 20 // maximum bytes of one page
	GigaByte       = 1 << 30 // AWS's quotas count binary gigabytes
	ItemOverhead   = 100     // bytes billed per item and index entry in addition to its size

	MostGets = 100 // maximum keys of one BatchGetItem

	PartitionRCU = 3000 // read units a second of one partition
	PartitionWCU = 1000 // write units a second of one partition
)

var half = exact.Ratio(1, 2)

// ReadUnits returns the read units of an item of size bytes. A missing item takes as much as
// an empty one.
func ReadUnits(size int64, eventual bool) exact.Number {
	units := exact.Int(max(1, ceilDiv(size, ReadUnitBytes)))
	if eventual {
		return units.Mul(half)
	}
	return units
}

// WriteUnits returns the write units of an item of size bytes, outside a transaction.
func WriteUnits(size int64) int64 { return max(1, ceilDiv(size, WriteUnitBytes)) }

// QueryUnits returns the read units and the number of pages of a Query over a number of
// items. The sizes of a page's items are summed before rounding, each page separately. A
// page ends at the last item that fits into 1 MB.
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

// wholeQuery implements QueryUnits for whole numbers, the common case.
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

// brokenQuery implements QueryUnits for averages, such as 2.5 items of 700 bytes.
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

// sizeText formats a number of bytes: 350 B, 3.5 KB, 1.2 MB.
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

// short formats a non-negative number with at most two decimals.
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

// counted formats a number with its noun: 1 item, 50 items.
func counted(n exact.Number, thing string) string {
	if n.Equal(exact.One) {
		return "1 " + thing
	}
	return short(n) + " " + thing + "s"
}
