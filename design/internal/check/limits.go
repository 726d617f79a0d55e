package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// limitRules check DynamoDB's limits.
var limitRules = []rule{
	itemTooLarge, manyPages, transactionTooLarge, tooManyIndexes, tooManyProjected,
	statedTooSmall, sameItemTwice, maybeSameItem, largeItemUpdated, unboundedCollection, tooManyKeyParts, refusedSettings, longExpressions,
}

const (
	maxItemBytes          = 400 << 10
	maxTransactionActions = 100
	maxTransactionBytes   = 4 << 20
	maxGlobalIndexes      = 20
	maxLocalIndexes       = 5
	maxProjected          = 100 // in all indexes of a table
	maxProjectedByOne     = 20  // in one index
	maxKeyParts           = 4
	largeItemBytes        = 16 << 10
)

// itemTooLarge finds items above the size limit (L701). Only stated sizes count.
func itemTooLarge(s *subject) {
	for _, e := range s.entities() {
		largest := max(e.Size.Avg, e.Size.Max)
		if largest <= maxItemBytes {
			continue
		}
		word := "can be"
		if e.Size.Avg > maxItemBytes {
			word = "is on average"
		}
		s.report.Add(diag.Finding{
			Code: "L701", Place: e.SizePlace, Subject: "entity " + e.Name,
			Message: fmt.Sprintf("An item of %s %s %s, and the limit is %s", e.Name, word, bytesText(largest), bytesText(maxItemBytes)),
		})
	}
}

// tooManyIndexes finds tables with more indexes than DynamoDB allows (L704).
func tooManyIndexes(s *subject) {
	for _, table := range s.design.Tables {
		var local, global []*model.Index
		for _, index := range table.Indexes {
			if index.Local {
				local = append(local, index)
			} else {
				global = append(global, index)
			}
		}
		over(s, table, "global", global, maxGlobalIndexes)
		over(s, table, "local", local, maxLocalIndexes)
	}
}

// over reports a table with more indexes of a kind than the limit.
func over(s *subject, table *model.Table, kind string, indexes []*model.Index, limit int) {
	if len(indexes) <= limit {
		return
	}
	s.report.Add(diag.Finding{
		Code: "L704", Place: indexes[limit].Place, Subject: "table " + table.Name,
		Message: fmt.Sprintf("%s has %d %s indexes, and a table can have %d", table.Name, len(indexes), kind, limit),
	})
}

// tooManyProjected finds indexes with more projected attributes than DynamoDB allows per
// index, and tables whose indexes have more than it allows in total (L705). The same
// attribute in two indexes counts twice.
func tooManyProjected(s *subject) {
	for _, table := range s.design.Tables {
		n := 0
		for _, index := range table.Indexes {
			if index.Project.Kind != model.ProjectInclude {
				continue
			}
			if own := len(index.Project.Attributes); own > maxProjectedByOne {
				s.report.Add(diag.Finding{
					Code: "L705", Place: index.Project.Place, Subject: "index " + table.Name + "." + index.Name,
					Message: fmt.Sprintf("%s has %d projected attributes, and an index can have %d", index.Name, own, maxProjectedByOne),
				})
			}
			before := n
			n += len(index.Project.Attributes)
			if before <= maxProjected && n > maxProjected {
				s.report.Add(diag.Finding{
					Code: "L705", Place: index.Project.Place, Subject: "table " + table.Name,
					Message: fmt.Sprintf("The indexes of %s up to %[3]s have %[2]d projected attributes, and a table can have %[4]d in total", table.Name, n, index.Name, maxProjected),
				})
			}
		}
	}
}

// tooManyKeyParts finds index keys with more attributes than DynamoDB allows (L708): four
// in a global index, one in a local index.
func tooManyKeyParts(s *subject) {
	for _, path := range s.indexes() {
		index, limit := path.Index, maxKeyParts
		if index.Local {
			limit = 1
		}
		for _, side := range []struct {
			word  string
			names []model.KeyName
		}{{"partition", index.PK}, {"sort", index.SK}} {
			if len(side.names) <= limit {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "L708", Place: side.names[limit].Place, Subject: fmt.Sprintf("index %s of %s", index.Name, path.Table.Name),
				Message: fmt.Sprintf("The %s key of %s has %d attributes, and it can have %d", side.word, index.Name, len(side.names), limit),
			})
		}
	}
}

// largeItemUpdated finds large items with frequent small changes (L707).
func largeItemUpdated(s *subject) {
	hourly := exact.Int(model.HoursPerMonth)
	for _, p := range s.patterns() {
		if p.Rate.PerMonth.Cmp(hourly) <= 0 {
			continue
		}
		for _, step := range p.Actions() {
			item := s.layout.Home(step.Entity)
			if !step.Verb.InPlace() || item == nil {
				continue
			}
			size, changed := cost.ItemSize(item).Avg, changedBytes(step)
			if size <= largeItemBytes || changed*10 > size {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "L707", Place: step.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s changes about %d bytes of %s %s, and each update is charged for all %s", p.Name, changed, step.Entity.Name, p.Rate.Text, bytesText(size)),
				Fix:     fmt.Sprintf("Move what %s changes into a small entity of its own, or move the large values of %s to object storage", p.Name, step.Entity.Name),
				Related: []diag.Related{{Place: step.Entity.SizePlace, Message: "the size of " + step.Entity.Name}},
			})
		}
	}
}

// changedBytes returns an estimate of the bytes of an item that an update changes.
func changedBytes(step *model.Step) int64 {
	var attributes []*model.Attribute
	for _, c := range stepChanges(nil, step) {
		if !slices.Contains(attributes, c.attribute) {
			attributes = append(attributes, c.attribute)
		}
	}
	var n int64
	for _, a := range attributes {
		n += cost.AttributeSize(a)
	}
	return n
}

// statedTooSmall finds stated sizes below what the smallest item takes (L713).
func statedTooSmall(s *subject) {
	for _, e := range s.entities() {
		home := s.layout.Home(e)
		if home == nil || e.Size.Avg == 0 {
			continue
		}
		least := cost.LeastSize(home)
		if least <= e.Size.Avg {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "L713", Place: orPlace(e.SizePlace, e.Place), Subject: "entity " + e.Name,
			Message: fmt.Sprintf("%s is said to take %s, but the names, keys and fixed-length values of its attributes alone take %d B", e.Name, bytesText(e.Size.Avg), least),
			Fix:     fmt.Sprintf("State a size of %s of more than %d B, or none: it is then estimated as %d B", e.Name, least, cost.EstimateSize(home)),
		})
	}
}

// manyPages finds reads that take more than one page (L702): on average, or for the value
// with the most items. C308 reports lists whose number of items is unknown.
func manyPages(s *subject) {
	for _, p := range s.patterns() {
		read, c := s.layout.Plan(p).Read, s.priced(p)
		if read == nil || c == nil || read.Unique {
			continue
		}
		finding := diag.Finding{Code: "L702", Place: p.Place, Subject: "pattern " + p.Name}
		if c.Known && exact.One.Less(c.Pages) {
			finding.Message = fmt.Sprintf("%s takes %s pages of 1 MB, one after the other: %s items", p.Name, figure(c.Pages), figure(c.Items))
		} else if pages, items, per := worstCase(p, read); exact.One.Less(pages) {
			finding.Message = fmt.Sprintf("%s takes one page on average, but %s pages of 1 MB where one %s has %s items", p.Name, pages, per.Attribute.Name, figure(per.Max))
			if items.Less(per.Max) {
				finding.Message = fmt.Sprintf("%s takes one page on average, but %s pages of 1 MB for the %s items of its limit", p.Name, pages, figure(items))
			}
			finding.Related = []diag.Related{{Place: per.Place, Message: fmt.Sprintf("up to %s for one %s", figure(per.Max), per.Attribute.Name)}}
		} else {
			continue
		}
		finding.Fix = fewerPages(p, read)
		s.report.Add(finding)
	}
}

// fewerPages returns advice on how to read a single page.
func fewerPages(p *model.Pattern, read *resolve.Read) string {
	switch fit := cost.PageBytes / max(cost.EntrySize(read.Entry).Avg, 1); {
	case len(read.Filter) > 0:
		return fmt.Sprintf("Put %s into a key, because the limit applies before the filter, or narrow the key", inWords(filterNames(read.Filter)))
	case p.Limit > 0:
		return fmt.Sprintf("Lower the limit of %s to %d, which fit into one page, and paginate, or project less", p.Name, max(fit, 1))
	}
	return fmt.Sprintf("Add a limit to %s and paginate, or narrow the key", p.Name)
}

// worstCase returns the pages and items one query reads for the value with the most items,
// and the fan-out that states them; zero if none does. The returns of a pattern is an average
// and bounds nothing; its limit is a bound only if no filter follows. Where the key holds a
// further value in its sort key, no per states how many items have both.
func worstCase(p *model.Pattern, read *resolve.Read) (pages, items exact.Number, per *model.Per) {
	narrowed := false
	if len(read.Entities) != 1 {
		return exact.Zero, exact.Zero, nil
	}
	for _, c := range p.Where {
		if c.Op.IsRange() {
			return exact.Zero, exact.Zero, nil
		}
		switch stated := read.Entities[0].PerOf(c.Attribute); {
		case stated != nil && (per == nil || stated.Max.Less(per.Max)):
			per = stated
		case stated == nil && narrows(read, c):
			narrowed = true
		}
	}
	if per == nil || narrowed {
		return exact.Zero, exact.Zero, nil
	}
	items = per.Max
	if p.Limit > 0 && len(read.Filter) == 0 {
		items = items.Min(exact.Int(p.Limit))
	}
	_, pages = cost.QueryUnits(items, exact.Int(cost.EntrySize(read.Entry).Avg), read.Eventual)
	return pages, items, per
}

// narrows reports whether a condition leaves an unknown part of the items of another value: an
// equality in the sort key of an attribute with many values. All items may have one value of few,
// and the parts of a partition key often belong together, as a city and its country do.
func narrows(read *resolve.Read, c *model.Condition) bool {
	few := c.Attribute.Type.Base == model.Enum || c.Attribute.Type.Base == model.Bool
	sorts := slices.ContainsFunc(read.Entry.SK, func(key *model.Key) bool { return slices.Contains(key.Attributes(), c.Attribute) })
	return c.Op == model.Eq && !few && sorts && !slices.Contains(read.Checks, c) && !slices.Contains(read.Filter, c)
}

// bytesText formats a size in the syntax of design files.
func bytesText(n int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"MB", 1 << 20}, {"KB", 1 << 10}} {
		if n >= unit.bytes {
			return exact.Ratio(n, unit.bytes).Round(1).String() + " " + unit.name
		}
	}
	return fmt.Sprintf("%d B", n)
}

// Limits returns the findings about limits of DynamoDB that a design has under its workload.
func Limits(d *model.Design) []diag.Finding {
	var report diag.Report
	newSubject(d, Options{OwnWorkload: true}, &report).look([][]rule{limitRules})
	return report.Findings()
}
