package across

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/access/provision"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/tabledef"
	"sortkey.dev/design/internal/verify/internal/arrange"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A party is one of the two designs: the one that made the items, or the one whose code is called.
type party struct {
	version  Version
	layout   *resolve.Layout
	program  *program.Program
	arranger *arrange.Arranger
	decoder  decoder
	// tables hold the items in the shape of this design. Those of the caller are complete: they have
	// every attribute that its items must have, so that arguments can be chosen by them.
	tables *state.Tables
}

func newParty(v Version, l *resolve.Layout, seed uint64) *party {
	p := &party{version: v, layout: l, program: program.New(l), tables: state.New(l)}
	p.arranger = arrange.New(p.program, p.tables, seed)
	p.arranger.Sparse = true
	return p
}

// A world is tables with the items of one design, and the code of the other.
type world struct {
	o             Options
	api           API
	client        *access.Client // of the caller
	maker, caller *party
	same          *Pairs
	// oracle holds the items as the code of the caller must find them: in its shape, with what they
	// mean there.
	oracle  *state.Tables
	mirrors map[string]string // addresses of rows of the oracle, by that of the row of the maker
	sources map[string]string // addresses of rows of the maker, by that of the row of the caller
	stored  map[string]access.Item
	exists  map[string]bool // tables
	found   *finder
}

// open creates the tables and stores items.
func (w *world) open(ctx context.Context) error {
	tables := tabledef.Temporary(w.maker.layout.Design())
	if w.maker.version == Old {
		tables = extended(tables, tabledef.Temporary(w.caller.layout.Design()))
	}
	w.exists = map[string]bool{}
	for i := range tables {
		w.exists[tables[i].Name], tables[i].Shape = true, nil
		tables[i].Stream, tables[i].PITR, tables[i].Protect, tables[i].Class, tables[i].Tags = "", false, false, "", nil
	}
	if _, err := provision.Apply(ctx, w.api, tables, provision.Options{TableNames: w.client.Table}); err != nil {
		return fmt.Errorf("creating the tables: %w", err)
	}
	return w.load(ctx)
}

// extended returns the tables of the old design with the tables and indexes that only the new one
// has: they are added before its code runs. An index that cannot be added is left out.
func extended(tables, more []provision.Table) []provision.Table {
	for _, t := range more {
		i := slices.IndexFunc(tables, func(have provision.Table) bool { return have.Name == t.Name })
		if i < 0 {
			tables = append(tables, t)
			continue
		}
		for _, x := range t.Indexes {
			known := slices.ContainsFunc(tables[i].Indexes, func(have provision.Index) bool { return have.Name == x.Name })
			if known || x.Local || len(tables[i].Indexes) >= mostIndexes || contradicts(&tables[i], x) {
				continue
			}
			tables[i].Indexes = append(slices.Clip(tables[i].Indexes), x)
		}
	}
	return tables
}

// mostIndexes is the number of global indexes that DynamoDB allows.
const mostIndexes = 20

// contradicts reports whether a key attribute of an index has another kind in a table.
func contradicts(t *provision.Table, x provision.Index) bool {
	kinds := map[string]string{t.PK.Name: t.PK.Kind, t.SK.Name: t.SK.Kind}
	for _, have := range t.Indexes {
		for _, k := range slices.Concat(have.PK, have.SK) {
			kinds[k.Name] = k.Kind
		}
	}
	return slices.ContainsFunc(slices.Concat(x.PK, x.SK), func(k provision.Key) bool { return kinds[k.Name] != "" && kinds[k.Name] != k.Kind })
}

// load invents items of the maker and stores them.
func (w *world) load(ctx context.Context) error {
	rows := w.maker.arranger.Items(sample.Options{Seed: w.o.Seed, Roots: w.o.Roots, Children: w.o.Children, Typical: w.o.Children})
	for _, r := range rows {
		if r.Entity == nil {
			continue
		}
		if r = w.withDefaults(r); !w.mirror(r) {
			w.maker.remove(r)
		}
	}
	w.count(w.oracle, w.oracle.Put)
	w.count(w.caller.tables, w.caller.tables.Put)
	for _, at := range slices.Sorted(maps.Keys(w.maker.tables.Rows)) {
		r := w.maker.tables.Rows[at]
		if r == nil {
			continue // it went with an item that was refused
		}
		item, err := w.sealed(r)
		if err != nil {
			return err
		}
		switch err := w.put(ctx, r.Table, item); {
		case refusal(err):
			w.refused(r, err)
		case err != nil:
			return fmt.Errorf("loading items: %w", err)
		default:
			w.stored[at] = item
		}
	}
	return nil
}

// withDefaults returns a row of the new version with the defaults of attributes that items of the old one must
// have: no item lacks them, because creates store defaults.
func (w *world) withDefaults(r *state.Row) *state.Row {
	if w.maker.version != New {
		return r
	}
	values := maps.Clone(r.Values)
	for _, a := range r.Entity.Attributes {
		old := w.same.attributes[a]
		if _, has := values[a]; !has && a.Default != nil && old != nil && !old.MayBeMissing() {
			values[a] = state.Constant(a, *a.Default)
		}
	}
	if len(values) > len(r.Values) {
		r = w.maker.tables.RowOf(r.Entity, values)
		w.maker.tables.Put(r)
	}
	return r
}

// refusal reports whether DynamoDB does not take an item.
func refusal(err error) bool {
	api, ok := errors.AsType[interface {
		error
		ErrorCode() string
	}](err)
	return ok && api.ErrorCode() == "ValidationException"
}

// remove removes a row and those of its guards.
func (p *party) remove(r *state.Row) {
	p.tables.Remove(r)
	for _, g := range p.tables.Guards(r) {
		p.tables.Remove(g)
	}
}

// mirror adds a row of the maker to the tables of the caller. It reports false for an item that the
// design of the caller cannot have beside the others.
func (w *world) mirror(r *state.Row) bool {
	e := w.same.entities[r.Entity]
	if e == nil || w.caller.layout.Home(e) == nil {
		return true
	}
	values := w.same.translated(r.Values, e)
	complete := maps.Clone(values)
	maps.DeleteFunc(complete, func(a *model.Attribute, v sample.Value) bool { // no caller can give it
		return !state.IsEmptySet(v) && unknown(a.Type, state.AttributeValue(v)) != ""
	})
	w.caller.arranger.Complete(e, complete)
	ideal := w.caller.tables.RowOf(e, complete)
	if _, known := w.oracle.KeyOf(e, values); known {
		row := w.oracle.RowOf(e, values)
		if !add(w.oracle, row) {
			return false
		}
		w.mirrors[r.Address()], w.sources[row.Address()] = row.Address(), r.Address()
	}
	if add(w.caller.tables, ideal) {
		w.sources[ideal.Address()] = r.Address()
	}
	return true
}

// add adds a row with those of its guards, unless one of them is taken.
func add(to *state.Tables, r *state.Row) bool {
	all := append(to.Guards(r), r)
	if slices.ContainsFunc(all, func(one *state.Row) bool { return to.At(one.Table, one.Item) != nil }) {
		return false
	}
	for _, one := range all {
		to.Put(one)
	}
	return true
}

// count gives items the counters that the maker does not keep. Put is told about items that change.
func (w *world) count(tables *state.Tables, put func(*state.Row)) {
	for _, e := range w.caller.layout.Design().Entities {
		for _, c := range e.Counters {
			if c.Shards > 1 || w.same.sameCounter(e, c) || w.same.entities[e] == nil {
				continue
			}
			for _, r := range tables.Of(e) {
				values := maps.Clone(r.Values)
				values[c.Attribute] = total(c, values, tables.Of(c.Of))
				put(tables.RowOf(e, values))
			}
		}
	}
}

// sealed returns a row of the maker as it is stored.
func (w *world) sealed(r *state.Row) (access.Item, error) {
	if r.Entity == nil || len(r.Entity.Encrypt) == 0 {
		return r.Item, nil
	}
	item := maps.Clone(r.Item)
	for _, a := range r.Entity.Encrypt {
		v, ok := r.Values[a]
		if !ok {
			continue
		}
		value, err := w.seal(r.Entity, a, v)
		if err != nil {
			return nil, err
		}
		item[a.Stored] = value
	}
	return item, nil
}

// seal seals a value as generated code does.
func (w *world) seal(e *model.Entity, a *model.Attribute, v sample.Value) (types.AttributeValue, error) {
	plain := v.Text
	if v.Kind == sample.Truth {
		plain = marshal.FormatBool(v.Truth)
	}
	return marshal.Seal(w.client, e.Name, a.Stored, []byte(plain))
}

// put stores an item.
func (w *world) put(ctx context.Context, t *model.Table, item access.Item) error {
	name := w.client.Table(t.Name)
	_, err := w.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: item})
	return err
}

// erase deletes an item.
func (w *world) erase(ctx context.Context, t *model.Table, key access.Item) error {
	name := w.client.Table(t.Name)
	_, err := w.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: state.KeyOf(t, key)})
	return err
}

// fetch returns an item of a table; nil: there is no such item, or no such table.
func (w *world) fetch(ctx context.Context, t *model.Table, key access.Item) (access.Item, error) {
	if !w.exists[t.Name] {
		return nil, nil
	}
	name, consistent := w.client.Table(t.Name), true
	out, err := w.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &name, Key: state.KeyOf(t, key), ConsistentRead: &consistent})
	switch {
	case refusal(err):
		return nil, nil // the key of the table has another form
	case err != nil:
		return nil, fmt.Errorf("reading back: %w", err)
	case len(out.Item) == 0:
		return nil, nil
	}
	return out.Item, nil
}
