package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A Change is one difference between two versions of a design.
type Change struct {
	Code      diag.Code
	Class     diag.Class // that of the rule, unless the case is another
	Dangerous bool       // data is deleted or becomes unreachable
	Place     diag.Place // in the new version; of what was removed, in the old one
	Removed   bool       // the place is in the old version
	Within    diag.Place // of the element of the new version around it, which may accept the change; zero: only the design
	Subject   string     // attribute Task.title, index GSI1 of tasks
	Message   string     // what changed, one sentence without a full stop
	Why       string     // "": that of the rule
	Fix       string     // "": that of the rule
	Related   []diag.Related
	Accepted  string // the reason, or ""
	Items     *int64 // how many items of the live table it is about; nil: they were not counted
	Evidence  string // the smallest call that went wrong when both versions were run, or ""

	// What it is about, nil for all else.
	Entity    *EntityPair
	From      *EntityPair // whose attributes the entity has now, of E043 and E044
	Attribute *AttributePair
	Table     *TablePair
	Index     *Pair[*model.Index]
	Pattern   *Pair[*model.Pattern]
}

// Changes are the differences between two versions.
type Changes struct {
	*Matching
	All []*Change // by class, the worst first
}

// Options holds what other rooms tell about a design.
type Options struct {
	// Cursors returns a text that changes if cursors of the version before are refused; nil: none is.
	Cursors func(*model.Design) string
	// Limits returns the findings about limits of DynamoDB; nil: none.
	Limits func(*model.Design) []diag.Finding
	// MostCost is the highest bill of a month, and MostRise the highest rise of it as a share; nil: any.
	MostCost, MostRise *exact.Number
	Prices             *cost.PriceList
}

// Between returns the changes from one version of a design to the next.
func Between(before, after *model.Design, o Options) *Changes {
	c := &comparer{
		Matching: Match(before, after), options: o,
		before: resolve.New(before.Whole()), after: resolve.New(after.Whole()),
	}
	for _, look := range []func(){
		c.lostNames, c.renames,
		c.entities, c.structs, c.tables, c.indexes, c.keys, c.mixes,
		c.uniques, c.counters, c.versions, c.lifecycles,
		c.patterns, c.methods, c.cursors, c.roles, c.interim, c.cost,
	} {
		look()
	}
	accept(after, c.all)
	slices.SortStableFunc(c.all, compare)
	return &Changes{Matching: c.Matching, All: c.all}
}

// compare puts dangerous changes and those of the worst class first, and then keeps the order of the files.
func compare(a, b *Change) int {
	return cmp.Or(
		cmp.Compare(b.rank(), a.rank()),
		cmp.Compare(a.Place.File, b.Place.File),
		cmp.Compare(a.Place.Line, b.Place.Line),
		cmp.Compare(a.Place.Column, b.Place.Column),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Subject, b.Subject),
	)
}

// rank orders changes: by class, those that have none first.
func (c *Change) rank() int {
	if c.Class == "" {
		return len(diag.Classes)
	}
	return slices.Index(diag.Classes, c.Class)
}

// comparer collects the changes between two versions.
type comparer struct {
	*Matching
	options       Options
	before, after *resolve.Layout
	all           []*Change
}

// add adds a change at a place of the new version.
func (c *comparer) add(code diag.Code, at diag.Place, subject, format string, args ...any) *Change {
	rule := code.Rule()
	change := &Change{
		Code: code, Class: rule.Class, Dangerous: rule.Dangerous, Place: at, Within: at,
		Subject: subject, Message: fmt.Sprintf(format, args...),
	}
	c.all = append(c.all, change)
	return change
}

// addRemoved adds a change at a place of the old version. within is the element of the new one that lost something.
func (c *comparer) addRemoved(code diag.Code, at, within diag.Place, subject, format string, args ...any) *Change {
	change := c.add(code, at, subject, format, args...)
	change.Removed, change.Within = true, within
	return change
}

// was adds the place in the old version.
func (c *Change) was(at diag.Place, format string, args ...any) *Change {
	c.Related = append(c.Related, diag.Related{Place: at, Message: fmt.Sprintf(format, args...)})
	return c
}

// as sets another class than that of the rule, with the reason.
func (c *Change) as(class diag.Class, why string) *Change {
	c.Class, c.Why = class, why
	return c
}

// accept marks the changes that the new version accepts: in the element around them, or for the whole design.
func accept(d *model.Design, all []*Change) {
	reason := func(c *Change, accepts []*model.Accept) {
		for _, a := range accepts {
			if a.Code == c.Code && c.Accepted == "" {
				c.Accepted = a.Reason
			}
		}
	}
	for _, c := range all {
		covers := func(accepts []*model.Accept) bool { return len(accepts) > 0 && accepts[0].Scope.Covers(c.Within) }
		for _, part := range d.Parts() {
			for _, e := range part.Entities {
				if covers(e.Accepts) {
					reason(c, e.Accepts)
				}
			}
			for _, t := range part.Tables {
				for _, x := range t.Indexes {
					if covers(x.Accepts) {
						reason(c, x.Accepts)
					}
				}
				if covers(t.Accepts) {
					reason(c, t.Accepts)
				}
			}
			for _, p := range part.Patterns {
				if covers(p.Accepts) {
					reason(c, p.Accepts)
				}
			}
		}
		for _, u := range d.Uses {
			if c.Within.File == u.File {
				reason(c, u.Accepts)
			}
		}
		reason(c, d.Accepts)
	}
}

// fixing sets another advice than that of the rule.
func (c *Change) fixing(format string, args ...any) *Change {
	c.Fix = fmt.Sprintf(format, args...)
	return c
}

// mostNames is the number of names that a sentence lists.
const mostNames = 8

func listed(all []string) string {
	if len(all) > mostNames {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:mostNames], ", "), len(all)-mostNames)
	}
	return strings.Join(all, ", ")
}
