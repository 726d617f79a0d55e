package cost

import (
	"testing"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func attribute(name string, base model.Base) *model.Attribute {
	return &model.Attribute{Name: name, Stored: name, Type: model.Type{Base: base}}
}

func enum(name string, values ...string) *model.Attribute {
	return &model.Attribute{Name: name, Stored: name, Type: model.Type{Base: model.Enum, Values: values}}
}

func TestAttributeSize(t *testing.T) {
	text := model.Type{Base: model.String}
	point := &model.Struct{Name: "Point", Attributes: []*model.Attribute{attribute("x", model.Integer), attribute("y", model.Integer)}}
	loop := &model.Struct{Name: "Loop"}
	loop.Attributes = []*model.Attribute{{Name: "a", Stored: "a", Type: model.Type{Base: model.StructOf, Struct: loop}}}
	for _, c := range []struct {
		attribute *model.Attribute
		want      int64
	}{
		{attribute("name", model.String), 4 + 20},
		{attribute("n", model.Integer), 1 + 4},    // six digits
		{attribute("n", model.Numeric), 1 + 5},    // eight digits
		{attribute("ttl", model.Unixtime), 3 + 6}, // ten digits
		{attribute("on", model.Bool), 2 + 1},
		{attribute("at", model.Timestamp), 2 + 24},
		{attribute("d", model.Date), 1 + 10},
		{attribute("w", model.Week), 1 + 8},
		{attribute("id", model.ULID), 2 + 26},
		{attribute("id", model.UUID), 2 + 36},
		{attribute("id", model.UUIDv7), 2 + 36},
		{enum("role", "ADMIN", "CANDIDATE"), 4 + 7},
		{&model.Attribute{Name: "größe", Stored: "größe", Type: text}, 7 + 20},
		{&model.Attribute{Name: "long", Stored: "l", Type: text, Size: 1000}, 1 + 1000},
		{&model.Attribute{Name: "l", Stored: "l", Type: model.Type{Base: model.ListOf, Element: &text}}, 1 + 3 + 3*(1+20)},
		{&model.Attribute{Name: "p", Stored: "p", Type: model.Type{Base: model.StructOf, Struct: point}}, 1 + 3 + 2*(1+1+4)},
	} {
		if got := AttributeSize(c.attribute); got != c.want {
			t.Errorf("%s of type %s takes %d bytes, want %d", c.attribute.Name, c.attribute.Type, got, c.want)
		}
	}
	if got := AttributeSize(&model.Attribute{Stored: "a", Type: model.Type{Base: model.StructOf, Struct: loop}}); got <= 0 {
		t.Errorf("a type inside itself takes %d bytes", got)
	}
}

func hole(a *model.Attribute, filters ...model.Filter) model.Part {
	return model.Part{Attribute: a, Filters: filters}
}

func literal(text string) model.Part { return model.Part{Literal: text} }

func computed(name string, parts ...model.Part) *model.Computed {
	t := &model.Template{Parts: parts}
	for _, p := range parts {
		t.Text += p.String()
	}
	return &model.Computed{Name: name, Template: t}
}

func TestTemplateSize(t *testing.T) {
	at, order, word := attribute("at", model.Timestamp), attribute("order", model.Integer), attribute("word", model.String)
	for _, c := range []struct {
		part model.Part
		want int64
	}{
		{literal("USER#"), 5},
		{hole(at), 24},
		{hole(at, model.Filter{Name: model.ByDate}), 10},
		{hole(at, model.Filter{Name: model.ByMon}), 7},
		{hole(at, model.Filter{Name: model.ByHour}), 13},
		{hole(order), 6},
		{hole(order, model.Filter{Name: model.Pad, N: 12}), 12},
		{hole(order, model.Filter{Name: model.Pad, N: 3}), 6},
		{hole(word, model.Filter{Name: model.Shard, N: 10}), 1},
		{hole(word, model.Filter{Name: model.Shard, N: 11}), 2},
		{hole(attribute("cell", model.Geohash), model.Filter{Name: model.Prefix, N: 5}), 5},
	} {
		if got := templateSize(computed("K", c.part).Template); got != c.want {
			t.Errorf("%s takes %d bytes, want %d", c.part, got, c.want)
		}
	}
}

// A note with an id, a title and a long body, in one table with indexes of each kind.
func note() (*model.Item, *model.Table) {
	id, title, body := attribute("id", model.ULID), attribute("title", model.String), attribute("body", model.String)
	title.Size = 30
	e := &model.Entity{Name: "Note", ID: []*model.Attribute{id}, Attributes: []*model.Attribute{id, title, body}}
	table := &model.Table{Name: "notes", PK: model.KeyName{Name: "PK"}, Type: "kind"}
	table.Indexes = []*model.Index{
		{Name: "keys", Table: table, PK: []model.KeyName{{Name: "GPK"}}, Project: model.Projection{Kind: model.ProjectKeys}},
		{Name: "titles", Table: table, PK: []model.KeyName{{Name: "GPK"}}, Project: model.Projection{Kind: model.ProjectInclude, Attributes: []string{"title"}}},
		{Name: "bodies", Table: table, PK: []model.KeyName{{Name: "GPK"}}, Project: model.Projection{Kind: model.ProjectInclude, Attributes: []string{"body"}}},
		{Name: "all", Table: table, PK: []model.KeyName{{Name: "GPK"}}, Project: model.Projection{Kind: model.ProjectAll}},
	}
	item := &model.Item{Entity: e, Table: table, Computed: []*model.Computed{computed("PK", literal("NOTE#"), hole(id)), computed("GPK", literal("NOTES"))}}
	table.Items = []*model.Item{item}
	return item, table
}

func TestItemAndEntrySizes(t *testing.T) {
	item, table := note()
	const (
		keys     = 2 + 5 + 26 + 3 + 5          // PK and GPK
		estimate = 28 + 35 + 24 + keys + 4 + 4 // id, title, body, keys, kind
		large    = 2000                        // of which the body takes what is not estimated
		body     = 4 + 20 + (large - estimate) // all of the rest
	)
	for _, c := range []struct {
		stated                    model.Size
		item                      model.Size
		keys, titles, bodies, all int64
	}{
		{model.Size{}, model.Size{Avg: estimate, Max: estimate}, keys, keys + 35, keys + 24, estimate},
		{model.Size{Avg: large}, model.Size{Avg: large, Max: large}, keys, keys + 35, keys + body, large},
		{model.Size{Avg: large, Max: 9000}, model.Size{Avg: large, Max: 9000}, keys, keys + 35, keys + body, large},
		{model.Size{Avg: 60}, model.Size{Avg: 60, Max: 60}, keys, 60, 60, 60},
	} {
		item.Entity.Size = c.stated
		if got := ItemSize(item); got != c.item {
			t.Errorf("stated %+v: an item takes %+v, want %+v", c.stated, got, c.item)
		}
		for i, want := range []int64{c.keys, c.titles, c.bodies, c.all} {
			entry := &resolve.Entry{Path: resolve.Path{Table: table, Index: table.Indexes[i]}, Item: item}
			if got := EntrySize(entry); got.Avg != want {
				t.Errorf("stated %+v: an entry of %s takes %d bytes, want %d", c.stated, table.Indexes[i].Name, got.Avg, want)
			}
		}
	}
}
