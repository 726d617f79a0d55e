package sample

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func TestPathsHoldItemsGroupedAndSorted(t *testing.T) {
	for name, l := range layouts(t) {
		items := Items(l, Options{})
		for _, table := range l.Design().Tables {
			paths := []resolve.Path{{Table: table}}
			for _, x := range table.Indexes {
				paths = append(paths, resolve.Path{Table: table, Index: x})
			}
			for _, path := range paths {
				seen := map[string]bool{}
				for _, c := range Through(items, path) {
					if key := joined(c.Partition); seen[key] {
						t.Errorf("%s: %s has the partition %v twice", name, path, c.Partition)
					} else {
						seen[key] = true
					}
					if !slices.IsSortedFunc(c.Rows, func(a, b Row) int { return slices.CompareFunc(a.Sort, b.Sort, Value.Compare) }) {
						t.Errorf("%s: the items of %v on %s are not in order", name, c.Partition, path)
					}
				}
			}
		}
	}
}

func TestIndexesHoldWhatTheyProject(t *testing.T) {
	l := layoutOf(t, "shop.yaml", []byte(shop))
	table := l.Design().Tables[0]
	items := Items(l, Options{})
	for index, want := range map[string][]string{
		"open":   {"PK", "SK", "total"},
		"spread": {"PK", "SK"},
	} {
		collections := Through(items, resolve.Path{Table: table, Index: table.Index(index)})
		if len(collections) == 0 {
			t.Fatalf("nothing lies in %s", index)
		}
		for _, c := range collections {
			for _, row := range c.Rows {
				var names []string
				for _, a := range row.Attributes {
					names = append(names, a.Name)
				}
				slices.Sort(names)
				if diff := cmp.Diff(want, names); diff != "" {
					t.Errorf("%s holds (-want +got):\n%s", index, diff)
				}
			}
		}
	}
}

func TestFiltersWriteValuesAsKeysNeedThem(t *testing.T) {
	for _, c := range []struct {
		base    model.Base
		value   Value
		filters []model.Filter
		want    string
	}{
		{model.Integer, number(42), []model.Filter{{Name: model.Pad, N: 5}}, "00042"},
		{model.Integer, number(123456), []model.Filter{{Name: model.Pad, N: 5}}, "123456"},
		{model.Decimal, digits("12.5"), []model.Filter{{Name: model.Pad, N: 5}}, "00012.5"},
		{model.String, text("Ada@Example.ORG"), []model.Filter{{Name: model.Lower}}, "ada@example.org"},
		{model.String, text("ada"), []model.Filter{{Name: model.Upper}}, "ADA"},
		{model.Timestamp, text("2026-02-17T10:11:12.000Z"), []model.Filter{{Name: model.ByDate}}, "2026-02-17"},
		{model.Timestamp, text("2026-02-17T10:11:12.000Z"), []model.Filter{{Name: model.ByMon}}, "2026-02"},
		{model.Timestamp, text("2026-02-17T10:11:12.000Z"), []model.Filter{{Name: model.ByHour}}, "2026-02-17T10"},
		{model.Unixtime, number(1771322472), []model.Filter{{Name: model.ByHour}}, "2026-02-17T10"},
		{model.ULID, text("01KHN85FV0XJFFF4XVX069T2R1"), []model.Filter{{Name: model.ByDate}}, "2026-02-17"},
		{model.UUIDv7, text("019c6a82-bf60-7645-a991-f2a4b0b39aaf"), []model.Filter{{Name: model.ByMon}}, "2026-02"},
		{model.Geohash, text("u6sce1b"), []model.Filter{{Name: model.Prefix, N: 4}}, "u6sc"},
		{model.Geohash, text("u6"), []model.Filter{{Name: model.Prefix, N: 4}}, "u6"},
		{model.String, text("a"), []model.Filter{{Name: model.Shard, N: 10}}, "0"},
		{model.String, text("b"), []model.Filter{{Name: model.Shard, N: 10}}, "7"},
		{model.Bool, truth(true), nil, "true"},
	} {
		part := model.Part{Attribute: &model.Attribute{Type: model.Type{Base: c.base}}, Filters: c.filters}
		if got := written(part, c.value); got != c.want {
			t.Errorf("%s with %v is %q, want %q", c.value, c.filters, got, c.want)
		}
	}
}

func TestNumbersSortByValue(t *testing.T) {
	values := []Value{number(10), number(9), number(100), digits("9.5")}
	slices.SortFunc(values, Value.Compare)
	var got []string
	for _, v := range values {
		got = append(got, v.String())
	}
	if diff := cmp.Diff([]string{"9", "9.5", "10", "100"}, got); diff != "" {
		t.Errorf("numbers sort as (-want +got):\n%s", diff)
	}
}
