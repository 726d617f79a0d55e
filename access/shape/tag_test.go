package shape_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/access/shape"
)

// wide returns a table whose shape has n facts: the key of the table, the key of each entity, and
// the attributes of the first one.
func wide(n, entities int) *shape.Table {
	t := &shape.Table{PK: "PK"}
	for i := range entities {
		t.Entities = append(t.Entities, shape.Entity{Name: fmt.Sprintf("E%d", i)})
	}
	for i := range n - entities - 1 {
		t.Entities[0].Attributes = append(t.Entities[0].Attributes, shape.Attribute{Name: fmt.Sprintf("a%d", i), Type: "string"})
	}
	return t
}

// TestTagsHoldAFactEachWhileThereIsRoom looks at both sides of every limit: one tag, ten tags, and
// one fact for each entity.
func TestTagsHoldAFactEachWhileThereIsRoom(t *testing.T) {
	for _, c := range []struct {
		facts, entities int
		tags            int
		names           string // what a change of the first attribute is called
	}{
		{40, 1, 1, "E0.a0 differs"},
		{41, 1, 2, "E0.a0 differs"},
		{40 + 42, 1, 2, "E0.a0 differs"},
		{40 + 42 + 1, 1, 3, "E0.a0 differs"},
		{40 + 9*42, 30, 10, "E0.a0 differs"},
		{40 + 9*42 + 1, 30, 1, "E0 differs"},
		{40 + 9*42 + 1, 40, 2, "E0 differs"},
		{1 + 417 + 1, 417, 10, "E0 differs"},
		{1 + 418 + 1, 418, 1, "its tag sortkey:shape does not tell what differs"},
	} {
		t.Run(fmt.Sprintf("%d facts of %d entities", c.facts, c.entities), func(t *testing.T) {
			table := wide(c.facts, c.entities)
			if n := len(table.Facts()); n != c.facts {
				t.Fatalf("%d facts", n)
			}
			tags := table.Tags()
			if len(tags) != c.tags {
				t.Errorf("%d tags", len(tags))
			}
			for key, value := range tags {
				if len(value) > 256 || strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 +-=._:/@") != "" || !shape.IsTag(key) {
					t.Errorf("DynamoDB refuses %s = %q", key, value)
				}
			}
			if d := table.Compare(tags); d != nil {
				t.Errorf("a table differs from itself: %v", d)
			}
			if len(table.Entities[0].Attributes) == 0 {
				return
			}
			table.Entities[0].Attributes[0].Type = "int"
			if d := table.Compare(tags); d == nil || d.String() != c.names {
				t.Errorf("got %v, want %s", d, c.names)
			}
		})
	}
}

// TestDifferenceNamesWhatTheDesignHas changes, adds and removes things.
func TestDifferenceNamesWhatTheDesignHas(t *testing.T) {
	user := func(change func(*shape.Entity)) *shape.Table {
		e := shape.Entity{
			Name:       "User",
			Attributes: []shape.Attribute{{Name: "age", Type: "int"}, {Name: "m", As: "email", Type: "string"}, {Name: "name", Type: "string"}},
			Keys:       []shape.Key{{Name: "PK", Template: "USER#{m}"}, {Name: "GSI1PK", Template: "{name}", In: []string{"by_name"}}},
		}
		change(&e)
		return &shape.Table{PK: "PK", Entities: []shape.Entity{e}}
	}
	tags := user(func(*shape.Entity) {}).Tags()
	for name, c := range map[string]struct {
		change func(*shape.Entity)
		want   string
	}{
		"order":           {func(e *shape.Entity) { slices.Reverse(e.Attributes); slices.Reverse(e.Keys) }, ""},
		"name in design":  {func(e *shape.Entity) { e.Attributes[1].As = "address" }, ""},
		"open hole":       {func(e *shape.Entity) { e.Keys[0].Template = "USER#{m|open}" }, ""},
		"type":            {func(e *shape.Entity) { e.Attributes[0].Type = "string" }, "User.age differs"},
		"stored name":     {func(e *shape.Entity) { e.Attributes[1].Name = "mail" }, "User.email is new; 1 thing that this design does not have"},
		"encryption":      {func(e *shape.Entity) { e.Attributes[2].Sealed = true }, "User.name differs"},
		"key":             {func(e *shape.Entity) { e.Keys[0].Template = "PERSON#{m}" }, "User key differs"},
		"condition":       {func(e *shape.Entity) { e.Keys[1].When = []shape.Condition{{Attribute: "age", Op: "exists"}} }, "User in index by_name differs"},
		"unique":          {func(e *shape.Entity) { e.Unique = []string{"name"} }, "unique User.name is new"},
		"removed":         {func(e *shape.Entity) { e.Attributes = e.Attributes[1:]; e.Keys = e.Keys[:1] }, "2 things that this design does not have"},
		"counter":         {func(e *shape.Entity) { e.Counters = []shape.Counter{{Attribute: "age", Counts: "Order"}} }, "counter User.age is new"},
		"several changes": {func(e *shape.Entity) { e.Attributes[0].Type, e.Keys[0].Template = "int?", "U#{m}" }, "User key and User.age differ"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if d := user(c.change).Compare(tags); d != nil {
				got = d.String()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestDamagedTagsAreADifference takes a part of the tags away, or what they say.
func TestDamagedTagsAreADifference(t *testing.T) {
	table := wide(60, 1)
	tags := table.Tags()
	part := maps.Clone(tags)
	delete(part, shape.Tag+".2")
	if d := table.Compare(part); d != nil {
		t.Errorf("the hash of the whole is there, and tells that nothing changed: %v", d)
	}
	for _, text := range []string{"", "1.", "2." + tags[shape.Tag][2:], "1.AAAAAAAAAAAA." + tags[shape.Tag][15:]} {
		if d := table.Compare(map[string]string{shape.Tag: text}); d == nil {
			t.Errorf("%q counts as the same shape", text)
		}
	}
	for key, want := range map[string]bool{shape.Tag: true, shape.Tag + ".2": true, shape.Tag + ".10": true, shape.Tag + ".1": false, shape.Tag + "s": false, "team": false} {
		if shape.IsTag(key) != want {
			t.Errorf("IsTag(%s) is %t", key, !want)
		}
	}
}

// TestFormatOfTheTagStays keeps tables recognizable that earlier versions of sortkey made.
func TestFormatOfTheTagStays(t *testing.T) {
	table := &shape.Table{PK: "PK", SK: "SK", Type: "type", TTL: "gone", Entities: []shape.Entity{{
		Name: "User", Attributes: []shape.Attribute{{Name: "user_id", Type: "ulid"}, {Name: "n", As: "name", Type: "string?"}},
		Keys:     []shape.Key{{Name: "PK", Template: "USER#{user_id}"}, {Name: "SK", Template: "USER"}, {Name: "G", Template: "{n}", In: []string{"by_name"}, When: []shape.Condition{{Attribute: "n", Op: "exists"}}}},
		Counters: []shape.Counter{{Attribute: "posts", Counts: "Post match user_id = user_id where ", Shards: 4}},
	}}, Structs: []shape.Struct{{Name: "Address", Attributes: []shape.Attribute{{Name: "street", Type: "string"}}}},
		Guards: []shape.Guard{{Entity: "User", Unique: "name", Keys: []shape.Key{{Name: "PK", Template: "NAME#{n}"}}}}}
	const want = "1.oRVQVKyX8dsG.6AYzb-dvYXLMq8EkyzvtMnI5NuaJUIqzCcYyH6dBck379ELCYJ18Wa"
	if got := table.Tags()[shape.Tag]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
