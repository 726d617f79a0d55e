package provision

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/shape"
)

const shapeTag feature = "the tag " + shape.Tag

// shape compares the shape of the table's items with that of the definition. It refuses another
// one, and adopts a table that has none if its items fit.
func (a *applier) shape(ctx context.Context, p *plan) error {
	if p.want.Shape == nil || len(p.refused) > 0 || !active(p.table) {
		return nil
	}
	if !shape.Stored(p.state.tags) {
		return a.sample(ctx, p)
	}
	difference := p.want.Shape.Compare(p.state.tags)
	if difference == nil {
		return nil
	}
	if a.AcceptShape {
		p.storeShape("accept the shape of %s: %s", p.want.Name, difference)
		return nil
	}
	empty, err := a.empty(ctx, p)
	switch {
	case err != nil:
		return err
	case empty:
		p.storeShape("adopt table %s: it is empty", p.want.Name)
	default:
		p.refuseShape(fmt.Sprintf("its items have another shape than this design gives them: %s", difference))
	}
	return nil
}

// refuseShape refuses a table whose items are not as the definition says.
func (p *plan) refuseShape(text string) {
	p.refused = append(p.refused, Refusal{
		Table: p.want.Name, Text: text, Shape: true,
		Next: "use the design that the items were written with, or tables of other names; if you know that every item is as this design says, accept the shape: " +
			"items that are not are then lost to lists, read wrong or written twice",
	})
}

// storeShape adds the step that writes the tags.
func (p *plan) storeShape(format string, args ...any) {
	tags, arn := p.want.Shape.Tags(), p.table.TableArn
	stale := slices.DeleteFunc(slices.Collect(maps.Keys(p.state.tags)), func(key string) bool {
		_, kept := tags[key]
		return kept || !shape.IsTag(key)
	})
	s := &step{Change: p.change(StoreShape, format, args...), needs: shapeTag, send: func(ctx context.Context, api API) error {
		_, err := api.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: tagList(tags)})
		if err == nil && len(stale) > 0 {
			_, err = api.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: stale})
		}
		return err
	}}
	if slices.Contains(p.lacks, tagging) {
		s.needs.missing(&s.Change)
	}
	p.steps = append(p.steps, s)
}

// allTags returns the tags of a definition with those of its shape.
func (t Table) allTags() map[string]string {
	if t.Shape == nil {
		return t.Tags
	}
	all := t.Shape.Tags()
	maps.Copy(all, t.Tags)
	return all
}

// sample reads some items of a table without a shape. It adopts the table if all fit, and refuses it
// if one does not.
func (a *applier) sample(ctx context.Context, p *plan) error {
	var keys []string
	for _, k := range p.want.keys() {
		keys = append(keys, k.Name)
	}
	s := sample{plan: p, kept: map[string]string{}, reader: shape.NewReader(p.want.Shape, keys...)}
	if err := s.read(ctx, a.api); err != nil {
		return fmt.Errorf("read items of table %s: %w", p.want.Name, err)
	}
	expiring := ""
	if s.expiring > 0 {
		expiring = fmt.Sprintf("; %s of no entity of the design will expire by %s", items(s.expiring), p.want.TTL)
	}
	switch {
	case a.AcceptShape && s.misfits > 0:
		p.storeShape("accept the shape of %s: %s read, %d %s not fit", p.want.Name, items(s.seen), s.misfits, does(s.misfits))
	case s.misfits > 0:
		p.refuseShape(fmt.Sprintf("%d of %s read %s not fit the design:%s", s.misfits, items(s.seen), does(s.misfits), s.listed()))
	case s.seen == 0:
		p.storeShape("adopt table %s: it is empty", p.want.Name)
	default:
		p.storeShape("adopt table %s: %s read, all fit%s", p.want.Name, items(s.seen), expiring)
	}
	return nil
}
