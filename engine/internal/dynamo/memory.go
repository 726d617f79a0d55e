package dynamo

import "sync"

// Memory holds the bytes of the items of an answer until the answer is written,
// so that reading makes no garbage. The zero Memory is empty and usable.
type Memory struct {
	kept *[]byte // a buffer of the pool; nil when there is none
}

// maxKeptMemory is the largest buffer that goes back to the pool.
const maxKeptMemory = 2 * MaxPageSize

var memories = sync.Pool{New: func() any { return new([]byte) }}

// Keep copies an item into the memory.
func (m *Memory) Keep(item Item) Item {
	if m.kept == nil {
		m.kept = memories.Get().(*[]byte)
	}
	buf := *m.kept
	if len(buf)+len(item) > cap(buf) {
		// What was kept stays in the full buffer; the next one is larger.
		buf = make([]byte, 0, max(2*cap(buf), len(item), 4<<10))
	}
	start := len(buf)
	buf = append(buf, item...)
	*m.kept = buf
	return Item(buf[start:len(buf):len(buf)])
}

// Release gives the memory back for another answer. A door calls it when it has
// written its answer; the items must not be used any more. Without it the items
// stay good for as long as somebody holds them.
func (m *Memory) Release() {
	if spoilReleased && m.kept != nil {
		for i := range *m.kept {
			(*m.kept)[i] = 0xDB
		}
	}
	if m.kept != nil && cap(*m.kept) <= maxKeptMemory {
		*m.kept = (*m.kept)[:0]
		memories.Put(m.kept)
	}
	m.kept = nil
}
