package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Page holds the parameters that queries and scans share.
type Page struct {
	Limit      int32
	Filter     *Condition
	Project    []Path
	Select     types.Select
	Consistent bool
	Capacity   types.ReturnConsumedCapacity
	After      Item // the first page starts after this row
	Older      bool // the filter is QueryFilter or ScanFilter, the projection AttributesToGet
	Spoil      string
}

// zeroLimit spoils a page with a limit of 0.
const zeroLimit = "limit 0"

func (p *Page) limit() *int32 {
	if p.Spoil == zeroLimit {
		return new(int32)
	}
	return optional(p.Limit)
}

// An answer is the response to a query or scan.
type answer struct {
	Items          []Item
	Count, Scanned int32
	Last           Item
	Capacity       *types.ConsumedCapacity
}

// maxPageSize is the size at which a page ends.
const maxPageSize = 1 << 20

// A source is the table or index that a page reads, and how.
type source struct {
	name  string // as the request calls the table
	table *table
	index *Index
	page  *Page
	scan  *spread // of a scan: the partitions of the rows
	once  bool    // of a query: it finds at most one row, and is over after one page
}

// source returns the source of a page, or the failure if there is none.
func (m *Model) source(table, index string, p *Page) (source, *Failure) {
	if p.Select == types.SelectAllProjectedAttributes && index == "" {
		return source{}, refuse("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	t := m.find(table)
	if t == nil {
		return source{}, noTable
	}
	x := t.index(index)
	switch {
	case x == nil:
		return source{}, refuse("The table does not have the specified index: " + index)
	case index != "" && !x.Local && p.Consistent:
		return source{}, refuse("Consistent reads are not supported on global secondary indexes")
	}
	return source{name: table, table: t, index: x, page: p}, nil
}

// selectFailure returns the failure of a global index that lacks requested attributes.
func (s source) selectFailure() *Failure {
	switch missing := s.missing(); {
	case s.index.Local || s.index.Project == "ALL":
		return nil
	case s.page.Select == types.SelectAllAttributes:
		return refuse(invalid + "Select type ALL_ATTRIBUTES is not supported for global secondary index " + s.index.Name + " because its projection type is not ALL")
	case len(missing) > 0:
		return refuse(fmt.Sprintf(invalid+"Global secondary index %s does not project %v", s.index.Name, missing))
	}
	return nil
}

// missing returns the requested attributes that are not in the index.
func (s source) missing() (names []string) {
	if s.index.Project == "ALL" {
		return nil
	}
	carried := slices.Concat(s.table.rowKey(s.index), s.index.Include)
	for _, p := range s.page.Project {
		if !slices.Contains(carried, p.head()) && !slices.Contains(names, p.head()) {
			names = append(names, p.head())
		}
	}
	return names
}

// fetches reports whether a local index fetches the items from the table.
func (s source) fetches() bool {
	return s.index.Local && s.index.Project != "ALL" && (s.page.Select == types.SelectAllAttributes || len(s.missing()) > 0)
}

// answers returns the pages of a listing of all rows in order.
func (s source) answers(listing []Item) (pages []answer) {
	place := 0
	if s.scan != nil {
		place = s.scan.start
	}
	for {
		page, n := s.answer(listing, &place)
		pages = append(pages, page)
		if page.Last == nil {
			return pages
		}
		listing = listing[n:]
	}
}

// answer returns the first page of a listing, and the number of its rows. The page
// starts in the partition place, and place is set to the partition it ends in.
func (s source) answer(listing []Item, place *int) (a answer, n int) {
	if s.page.Select != types.SelectCount {
		a.Items = []Item{}
	}
	size, cost := 0, bill{}
	sizes, start := map[int]int{}, *place
	for _, entry := range listing {
		n++
		size += itemSize(entry)
		*place = s.scan.place(entry)
		sizes[*place] += itemSize(entry)
		it := entry
		if s.fetches() {
			it = s.table.get(entry)
			cost.table += readUnits(itemSize(it), s.page.Consistent)
		}
		if s.page.Filter.holds(it) {
			a.Count++
			if a.Items != nil {
				a.Items = append(a.Items, projected(it, s.page.Project))
			}
		}
		if !s.once && (int32(n) == s.page.Limit || size >= maxPageSize) {
			a.Last = only(entry, s.table.rowKey(s.index)...)
			break
		}
	}
	a.Scanned = int32(n)
	if a.Last == nil && s.scan != nil {
		*place = s.scan.end
	}
	units := 0.0
	for i := start; i <= *place; i++ { // each partition is rounded up separately
		units += readUnits(sizes[i], s.page.Consistent)
	}
	if s.index.Name == "" {
		cost.table += units
	} else {
		cost.index(s.index, units)
	}
	a.Capacity = cost.consumed(s.name, s.page.Capacity, plain)
	return a, n
}

// A reader reads a page that starts after a row. Without details it omits
// everything that makes responses smaller.
type reader func(ctx context.Context, after Item, details bool) (*answer, error)

// list reads all rows.
func (read reader) list(ctx context.Context) (rows []Item, err error) {
	var after Item
	for {
		page, err := read(ctx, after, false)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Items...)
		if after = page.Last; after == nil {
			return rows, nil
		}
	}
}

// checkPages reads page after page and compares each with the page computed from the
// listing. The first page starts after row from of the listing.
func (s source) checkPages(ctx context.Context, read reader, listing []Item, from int) *Problem {
	after := s.page.After
	for i, want := range s.answers(listing[from:]) {
		got, err := read(ctx, after, true)
		if err != nil {
			return problem("page", "page %d: %v", i+1, err)
		}
		if difference := difference(got, &want); difference != "" {
			return problem("page", "page %d:\n%s", i+1, difference)
		}
		after = got.Last
	}
	return nil
}

// sameRows compares rows regardless of their order.
func sameRows(got, want []Item) *Problem {
	g, w := literals(got), literals(want)
	if slices.Equal(g, w) {
		return nil
	}
	missing := slices.DeleteFunc(slices.Clone(w), func(row string) bool { return slices.Contains(g, row) })
	surplus := slices.DeleteFunc(slices.Clone(g), func(row string) bool { return slices.Contains(w, row) })
	return problem("rows", "got %d rows, want %d\nmissing:\n%s\nnot wanted:\n%s", len(g), len(w), strings.Join(missing, "\n"), strings.Join(surplus, "\n"))
}

// literals returns items as literals, sorted.
func literals(items []Item) []string {
	all := make([]string, len(items))
	for i, it := range items {
		all[i] = Literal(it)
	}
	slices.Sort(all)
	return all
}

// from returns the position in the listing after which a page starts. It is
// unknown if the start row does not exist.
func (s source) from(listing []Item) (position int, known bool) {
	if s.page.After == nil {
		return 0, true
	}
	after := Literal(canonicalItem(s.page.After))
	i := slices.IndexFunc(listing, func(row Item) bool { return Literal(only(row, s.table.rowKey(s.index)...)) == after })
	return i + 1, i >= 0
}
