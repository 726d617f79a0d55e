package dynamo

import "sync"

// Memory holds the bytes of the items of a response until the response is written,
// so that reads produce no garbage. The zero Memory is empty and ready to use.
type Memory struct {
	kept *[]byte // a buffer of the pool; nil when there is none
}

// maxKeptMemory is the largest buffer that is returned to the pool.
const maxKeptMemory = 2 * MaxPageSize

var memories = sync.Pool{New: func() any { return new([]byte) }}

// Keep copies an item into the memory.
func (m *Memory) Keep(item Item) Item {
	if m.kept == nil {
		m.kept = memories.Get().(*[]byte)
	}
	buf := *m.kept
	if len(buf)+len(item) > cap(buf) {
		// Items already copied stay in the full buffer; the next buffer is larger.
		buf = make([]byte, 0, max(2*cap(buf), len(item), 4<<10))
	}
	start := len(buf)
	buf = append(buf, item...)
	*m.kept = buf
	return Item(buf[start:len(buf):len(buf)])
}

// Release returns the memory to the pool. A door calls it after it has written its
// response; the items must not be used afterwards. Without Release the items stay
// valid for as long as they are referenced.
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
