package provision

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// localIndexes refuses all differences: local indexes are made with their table and
// stay as long as it does. One too many does no harm.
func (p *plan) localIndexes() {
	const next = "make the index a global one, or give the new table another name and move the items"
	var have []string
	for _, l := range p.table.LocalSecondaryIndexes {
		name := aws.ToString(l.IndexName)
		have = append(have, name)
		x, ok := p.want.index(name)
		switch {
		case !ok:
			c := p.change(RemoveIndex, "remove local index %s from %s", name, p.want.Name)
			c.Skipped = "a local index stays as long as its table"
			p.steps = append(p.steps, &step{Change: c})
		case !x.Local:
			p.refuse("give the new index another name", "its index %s is local, and should be global", name)
		default:
			if difference := p.differs(x, l.KeySchema, l.Projection); difference != "" {
				p.refuse(next, "its local index %s %s, and a local index cannot be changed", name, difference)
			}
		}
	}
	for _, x := range p.want.Indexes {
		if x.Local && !slices.Contains(have, x.Name) {
			p.refuse(next, "its local index %s is missing, and can only be made together with the table", x.Name)
		}
	}
}

// differs says how an index is not as it should be; "" if it is.
func (p *plan) differs(x Index, schema []types.KeySchemaElement, projection *types.Projection) string {
	partition, sort := p.key(schema)
	if wanted := p.want.partition(x); !slices.Equal(partition, wanted) || !slices.Equal(sort, x.SK) {
		return fmt.Sprintf("has the key %s, and should have %s", indexKeyText(partition, sort), indexKeyText(wanted, x.SK))
	}
	have, want := projectionText(projection), projectionText(x.projection())
	if have != want {
		return fmt.Sprintf("holds %s, and should hold %s", have, want)
	}
	return ""
}

func indexKeyText(partition, sort []Key) string {
	if len(sort) == 0 {
		return keyText(partition)
	}
	return keyText(partition) + " / " + keyText(sort)
}

// projectionText is the same for projections that are the same.
func projectionText(p *types.Projection) string {
	if p == nil {
		return "nothing"
	}
	switch p.ProjectionType {
	case types.ProjectionTypeAll:
		return "all attributes"
	case types.ProjectionTypeKeysOnly:
		return "only keys"
	}
	return "the attributes " + strings.Join(slices.Sorted(slices.Values(p.NonKeyAttributes)), ", ")
}

// staleIndexes removes global indexes that must be built anew, or refuses to.
func (p *plan) staleIndexes() {
	for i := range p.table.GlobalSecondaryIndexes {
		g := &p.table.GlobalSecondaryIndexes[i]
		x, ok := p.want.index(aws.ToString(g.IndexName))
		if !ok || g.IndexStatus == types.IndexStatusDeleting {
			continue
		}
		if x.Local {
			continue // localIndexes has refused it
		}
		difference := p.differs(x, g.KeySchema, g.Projection)
		switch {
		case difference == "":
		case !p.options.Replace:
			p.refused = append(p.refused, Refusal{
				Table: p.want.Name, Replace: true,
				Text: fmt.Sprintf("its index %s %s, and an index cannot be changed", x.Name, difference),
				Next: "give the new index another name, or allow this one to be replaced: queries on it fail until it is built again",
			})
		default:
			p.going = append(p.going, x.Name)
			p.steps = append(p.steps, p.replaceIndex(x))
		}
	}
}

// surplusIndexes takes global indexes away that the definition does not have.
func (p *plan) surplusIndexes() {
	for i := range p.table.GlobalSecondaryIndexes {
		g := &p.table.GlobalSecondaryIndexes[i]
		name := aws.ToString(g.IndexName)
		if _, ok := p.want.index(name); ok || g.IndexStatus == types.IndexStatusDeleting {
			continue
		}
		remove := p.removeIndex(name, "remove index %s from %s")
		if p.options.RemoveIndex != nil && p.options.RemoveIndex(p.want.Name, name) {
			p.going = append(p.going, name)
			p.steps = append(p.steps, remove)
			continue
		}
		if p.options.Prune {
			p.going = append(p.going, name)
		}
		p.takeAway(remove)
	}
}

// replaceIndex removes an index that is not as it should be. If another program builds it anew
// before it was seen missing, it is removed all the same.
func (p *plan) replaceIndex(x Index) *step {
	s := p.removeIndex(x.Name, "remove index %s from %s, to build it anew")
	gone := s.done
	s.done = func(d *types.TableDescription) bool {
		if gone(d) {
			return true
		}
		g, now := globalIndex(d, x.Name), &plan{want: p.want, state: state{table: d}}
		return now.differs(x, g.KeySchema, g.Projection) == ""
	}
	return s
}

func (p *plan) removeIndex(name, text string) *step {
	in := &dynamodb.UpdateTableInput{GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
		{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String(name)}},
	}}
	return p.update(p.change(RemoveIndex, text, name, p.want.Name), in, func(d *types.TableDescription) bool {
		return globalIndex(d, name) == nil
	})
}

// missingIndexes adds global indexes, one after the other as DynamoDB wants it.
func (p *plan) missingIndexes() {
	for _, x := range p.want.Indexes {
		if x.Local || globalIndex(p.table, x.Name) != nil && !slices.Contains(p.going, x.Name) {
			continue
		}
		if holder, kind := p.otherKind(x); holder != "" {
			p.refuse("give the attribute of the new index another name, or remove what needs it as it is",
				"index %s cannot be added: %s has %s", x.Name, holder, kind)
			continue
		}
		in := &dynamodb.UpdateTableInput{
			AttributeDefinitions:        definitions(append(slices.Clone(x.PK), x.SK...)),
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: p.want.createIndex(x)}},
		}
		c := p.change(AddIndex, "add index %s to %s", x.Name, p.want.Name)
		p.add(p.update(c, in, func(d *types.TableDescription) bool { return globalIndex(d, x.Name) != nil }))
	}
}

// otherKind finds a key that stays and has an attribute of the new index as another
// kind: an attribute has one kind in all keys of its table.
func (p *plan) otherKind(x Index) (holder, kind string) {
	for _, k := range append(slices.Clone(x.PK), x.SK...) {
		have := p.kindOf(k.Name)
		if have == "" || have == k.Kind {
			continue
		}
		if holder := p.holder(k.Name); holder != "" {
			return holder, fmt.Sprintf("%s as %s, not as %s", k.Name, have, k.Kind)
		}
	}
	return "", ""
}

// holder returns a key that stays and has the attribute; "" if there is none.
func (p *plan) holder(attribute string) string {
	has := func(schema []types.KeySchemaElement) bool {
		return slices.ContainsFunc(schema, func(e types.KeySchemaElement) bool { return aws.ToString(e.AttributeName) == attribute })
	}
	if has(p.table.KeySchema) {
		return "the key of the table"
	}
	for _, l := range p.table.LocalSecondaryIndexes {
		if has(l.KeySchema) {
			return "local index " + aws.ToString(l.IndexName)
		}
	}
	for _, g := range p.staying() {
		if has(g.KeySchema) {
			return "index " + aws.ToString(g.IndexName)
		}
	}
	return ""
}

// staying returns the global indexes that the table has and keeps.
func (p *plan) staying() []types.GlobalSecondaryIndexDescription {
	return slices.DeleteFunc(slices.Clone(p.table.GlobalSecondaryIndexes), func(g types.GlobalSecondaryIndexDescription) bool {
		return g.IndexStatus == types.IndexStatusDeleting || slices.Contains(p.going, aws.ToString(g.IndexName))
	})
}
