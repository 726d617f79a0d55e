package dynamo

import "encoding/binary"

// Only returns the map with only the fields in names, which is sorted. The result does
// not share memory with m.
func (m Map) Only(names []string) Map {
	out := make([]byte, 4, len(m))
	count := uint32(0)
	for c := m.Fields(); c.Next() && len(names) > 0; {
		for len(names) > 0 && names[0] < string(c.Name()) {
			names = names[1:]
		}
		if len(names) > 0 && names[0] == string(c.Name()) {
			out = append(out, c.m[c.field:c.end]...)
			count++
		}
	}
	binary.LittleEndian.PutUint32(out, count)
	return out
}

// Without returns the map without the field called name. The result does not share memory with m.
func (m Map) Without(name string) Map {
	out := make([]byte, 4, len(m))
	count := uint32(0)
	for c := m.Fields(); c.Next(); {
		if string(c.Name()) != name {
			out = append(out, c.m[c.field:c.end]...)
			count++
		}
	}
	binary.LittleEndian.PutUint32(out, count)
	return out
}
