package program

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

func newRead(r *resolve.Read) *Read {
	read := &Read{Read: r, Fans: fans(r)}
	if r.Operation == resolve.Scan || r.Operation == resolve.BatchGetItem {
		return read // it comes in no order, or in that of the keys
	}
	for _, key := range r.Entry.SK[differs(r):] {
		read.Sort = append(read.Sort, key.Name)
	}
	return read
}

// differs returns the number of the first sort key attribute that answers of several
// requests are merged by: the last one that is asked for, or the one behind it if each
// request asks for one number, which has no beginning to leave out.
func differs(r *resolve.Read) int {
	asked := len(r.Sort)
	if asked == 0 {
		return 0
	}
	if last := r.Sort[asked-1]; last.Op == model.Eq && last.Kind != "S" && asked < len(r.Entry.SK) {
		return asked
	}
	return asked - 1
}

// fans returns the parts of the keys that have several values, each once.
func fans(r *resolve.Read) []*Fan {
	var all []*Fan
	for _, c := range slices.Concat(r.Partition, r.Sort) {
		for _, part := range slices.Concat(c.Low, c.High) {
			if !part.Each || slices.ContainsFunc(all, func(f *Fan) bool { return f.Is(part) }) {
				continue
			}
			all = append(all, &Fan{Attribute: part.Attribute, Shards: part.Shards, Values: part.Values, Param: part.Value.Param, Span: part.Span})
		}
	}
	return all
}

// Is reports whether the fan gives a part of a key its values.
func (f *Fan) Is(part resolve.TextPart) bool {
	return part.Each && part.Attribute == f.Attribute && part.Shards == f.Shards && part.Value.Param == f.Param && part.Span == f.Span
}

// Fan returns the fan that gives a part of a key its values, or nil if it has only one
// value.
func (r *Read) Fan(part resolve.TextPart) *Fan {
	for _, f := range r.Fans {
		if f.Is(part) {
			return f
		}
	}
	return nil
}
