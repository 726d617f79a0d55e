package dynamo

import "sortkey.dev/engine/internal/number"

// Size returns the size in bytes that DynamoDB charges for the item: the sum of its
// names and values.
func (m Map) Size() int {
	size := 0
	for c := m.Fields(); c.Next(); {
		size += len(c.Name()) + c.Value().Size()
	}
	return size
}

// Size returns the size in bytes that DynamoDB charges for the value.
func (v Value) Size() int {
	switch k := v.Kind(); k {
	case KindString, KindBinary:
		return len(v.Bytes())
	case KindNumber:
		return number.Size(v.Bytes())
	case KindStringSet, KindBinarySet, KindNumberSet:
		size := 0
		for m := range v.Members() {
			if k == KindNumberSet {
				size += number.Size(m)
			} else {
				size += len(m)
			}
		}
		return size
	case KindList:
		size := 3 + v.Len()
		for _, e := range v.Elements() {
			size += e.Size()
		}
		return size
	case KindMap:
		m := v.Map()
		return 3 + m.Len() + m.Size()
	default:
		return 1
	}
}

// Depth returns the number of levels of values in the map: 1 when all are scalars,
// 0 when the map is empty.
func (m Map) Depth() int {
	depth := 0
	for c := m.Fields(); c.Next(); {
		depth = max(depth, c.Value().depth())
	}
	return depth
}

func (v Value) depth() int {
	switch v.Kind() {
	case KindMap:
		return 1 + v.Map().Depth()
	case KindList:
		deepest := 0
		for _, e := range v.Elements() {
			deepest = max(deepest, e.depth())
		}
		return 1 + deepest
	}
	return 1
}
