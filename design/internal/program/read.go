package program

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func newRead(r *resolve.Read) *Read {
	path := r.Entry.Path
	read := &Read{Read: r, Fans: fans(r)}
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
