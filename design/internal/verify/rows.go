package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// typical is the largest number of items of one parent that is invented as the design
// states it.
const typical = 100

// load fills the tables with sample items.
func (v *verifier) load(ctx context.Context) error {
	var writes []call.Action
	for _, r := range v.arranger.Items(sample.Options{Seed: v.o.Seed, Roots: v.o.Roots, Children: v.o.Children, Typical: typical}) {
		v.compareKind(r)
		writes = append(writes, call.Action{Kind: call.Put, Name: "load", Table: r.Table.Name, Item: r.Item, KeyNames: state.KeyNames(r.Table)})
	}
	v.report.Items = len(writes)
	return call.BatchWrite(ctx, v.client, &access.Pattern{Name: "load"}, writes)
}

// stage stores the rows of a scenario in the tables.
func (v *verifier) stage(ctx context.Context, s *judge.Scenario) error {
	for _, key := range slices.Sorted(maps.Keys(s.Placed)) {
		want, have := s.Placed[key], v.tables.Rows[key]
		var err error
		switch {
		case want == nil && have != nil:
			err = v.erase(ctx, have)
		case want != nil && (have == nil || !state.SameItem(want.Item, have.Item)):
			err = v.store(ctx, want)
		}
		if err != nil {
			return fmt.Errorf("arranging rows: %w", err)
		}
		if want != nil {
			v.tables.Put(want)
		} else if have != nil {
			v.tables.Remove(have)
		}
	}
	return nil
}

// store stores a row.
func (v *verifier) store(ctx context.Context, r *state.Row) error {
	name := v.client.Table(r.Table.Name)
	_, err := v.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: r.Item})
	return err
}

// erase deletes a row.
func (v *verifier) erase(ctx context.Context, r *state.Row) error {
	name := v.client.Table(r.Table.Name)
	_, err := v.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: state.KeyOf(r.Table, r.Item)})
	return err
}

// fetch returns an item of a table, or nil.
func (v *verifier) fetch(ctx context.Context, t *model.Table, key access.Item) (access.Item, error) {
	name, consistent := v.client.Table(t.Name), true
	out, err := v.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &name, Key: state.KeyOf(t, key), ConsistentRead: &consistent})
	if err != nil {
		return nil, fmt.Errorf("reading back: %w", err)
	}
	if len(out.Item) == 0 {
		return nil, nil
	}
	return out.Item, nil
}

// compareAll compares all items of all tables with the rows that they must hold.
func (v *verifier) compareAll(ctx context.Context) error {
	seen := map[string]bool{}
	for _, t := range v.layout.Design().Tables {
		items, err := v.scan(ctx, t)
		if err != nil {
			return err
		}
		for _, item := range items {
			seen[state.Address(t, item)] = true
			v.compareRow(t, item)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.tables.Rows)) {
		v.compareKind(v.tables.Rows[key])
		if !seen[key] {
			v.report.Leftover = append(v.report.Leftover, Difference{Kind: "missing", Detail: key + " is not there"})
		}
	}
	return nil
}

// compareKind reports a row that generated code takes for an item of another entity: in a collect, a
// scan or a stream of a table where no attribute names the entity. It reports one row of each kind.
func (v *verifier) compareKind(r *state.Row) {
	if r.Table.Type != "" {
		return
	}
	own := "a row of the design's own"
	if r.Entity != nil {
		own = "a row of " + r.Entity.Name
	}
	found := v.tables.Recognized(r.Table, r.Item)
	if r.Entity != nil && !slices.Contains(found, r.Entity) {
		v.confused(r, own, "no entity reads its key")
	}
	for _, e := range found {
		if e != r.Entity {
			v.confused(r, own, "its key is read as one of "+e.Name)
		}
	}
}

// confused reports that a row is read as one of another entity.
func (v *verifier) confused(r *state.Row, own, problem string) {
	if kind := own + problem; !v.kinds[kind] {
		v.kinds[kind] = true
		v.report.Leftover = append(v.report.Leftover, Difference{Kind: "entity", Detail: fmt.Sprintf("%s is %s, and %s", r.Address(), own, problem)})
	}
}

// scan returns every item of a table.
func (v *verifier) scan(ctx context.Context, t *model.Table) ([]access.Item, error) {
	var all []access.Item
	var start access.Item
	for {
		name, consistent := v.client.Table(t.Name), true
		page, err := v.api.Scan(ctx, &dynamodb.ScanInput{TableName: &name, ConsistentRead: &consistent, ExclusiveStartKey: start})
		if err != nil {
			return nil, fmt.Errorf("reading all of %s: %w", t.Name, err)
		}
		all = append(all, page.Items...)
		if start = page.LastEvaluatedKey; len(start) == 0 {
			return all, nil
		}
	}
}

// compareRow compares an item with its row.
func (v *verifier) compareRow(t *model.Table, got access.Item) {
	key := state.Address(t, got)
	switch want := v.tables.Rows[key]; {
	case want == nil:
		v.report.Leftover = append(v.report.Leftover, Difference{Kind: "surplus", Detail: key + " is there: " + state.DescribeItem(got)})
	case !state.SameItem(want.Item, got):
		v.report.Leftover = append(v.report.Leftover, Difference{Kind: "content", Detail: state.Difference(want.Item, got)})
	}
}
