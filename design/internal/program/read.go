package program

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func newRead(r *resolve.Read) *Read {
	path := r.Entry.Path
	read := &Read{Read: r, Statement: r.Statement(), Fans: fans(r)}
	var index, sort []model.KeyName
	if path.Index != nil {
		index, sort = slices.Concat(path.Index.PK, path.Index.SK), path.Index.SK
	} else if path.Table.SK.Name != "" {
		sort = []model.KeyName{path.Table.SK}
	}
	for _, name := range slices.Concat(index, resolve.KeyNames(resolve.Path{Table: path.Table})) {
		if !slices.Contains(read.Keys, name.Name) {
			read.Keys = append(read.Keys, name.Name)
		}
	}
	for _, name := range sort[differs(r, len(sort)):] {
		read.Sort = append(read.Sort, name.Name)
	}
	if len(r.Sort) > 0 {
		read.Lead = lead(r.Sort[len(r.Sort)-1])
	}
	if len(r.Pattern.Select) > 0 {
		read.Rows = rows(r)
	}
	return read
}

// differs is which of the attributes of a sort key is the first that answers of several
// requests are merged by: the last one that is asked for, or the one behind it if each
// request asks for one number, which has no beginning to leave out.
func differs(r *resolve.Read, attributes int) int {
	asked := len(r.Sort)
	if asked == 0 {
		return 0
	}
	if last := r.Sort[asked-1]; last.Op == model.Eq && last.Kind != "S" && asked < attributes {
		return asked
	}
	return asked - 1
}

// lead is the beginning that all keys a condition matches share.
func lead(c resolve.KeyCondition) resolve.Text {
	if c.Kind != "S" {
		return nil
	}
	switch c.Op {
	case model.Eq:
		return c.Low
	case model.BeginsWith:
		return fixed(c.Low)
	case model.Between:
		return resolve.Shared(c.Low, c.High)
	}
	return nil
}

// fixed is a text up to a value that a range is asked of. A prefix ends at a delimiter;
// one that ends with a value is itself the beginning somebody asks for.
func fixed(t resolve.Text) resolve.Text {
	if n := len(t); n > 0 && t[n-1].Value != nil {
		return t[:n-1]
	}
	return t
}

// fans are the parts of the keys that have several values, each once.
func fans(r *resolve.Read) []*Fan {
	var all []*Fan
	for _, c := range slices.Concat(r.Partition, r.Sort) {
		for _, part := range slices.Concat(c.Low, c.High) {
			if !part.Each || slices.ContainsFunc(all, func(f *Fan) bool { return f.Is(part) }) {
				continue
			}
			all = append(all, &Fan{Attribute: part.Attribute, Shards: part.Shards, Values: part.Values, Param: part.Value.Param})
		}
	}
	return all
}

// Is reports whether the fan gives a part of a key its values.
func (f *Fan) Is(part resolve.TextPart) bool {
	return part.Each && part.Attribute == f.Attribute && part.Shards == f.Shards && part.Value.Param == f.Param
}

// Fan is what gives a part of a key its values, or nil if it has only one.
func (r *Read) Fan(part resolve.TextPart) *Fan {
	for _, f := range r.Fans {
		if f.Is(part) {
			return f
		}
	}
	return nil
}

// rows are the selected attributes of each entity and where they are found.
func rows(r *resolve.Read) map[*model.Entity][]Held {
	all := map[*model.Entity][]Held{}
	for _, e := range r.Entities {
		item := r.Entry.Path.Table.Item(e)
		for _, a := range r.Pattern.Select {
			own := e.Attribute(a.Name)
			if own == nil {
				continue
			}
			held := Held{Attribute: own, Name: resolve.HeldBy(r.Entry.Path, item, own)}
			if key := item.Key(held.Name); held.Name != own.Stored && key != nil {
				held.Key = key
			}
			all[e] = append(all[e], held)
		}
	}
	return all
}
