package call

// A merge is a heap of readers that have items: the one whose next item comes first is in
// front.
type merge struct {
	sort       []string // the sort key attributes
	descending bool
	heap       []*reader
}

// start makes a heap of the readers that have items.
func (m *merge) start(q *Query, readers []reader) {
	m.sort, m.descending, m.heap = q.Pattern.Sort, q.Descending, m.heap[:0]
	for i := range readers {
		if len(readers[i].items) > 0 {
			m.heap = append(m.heap, &readers[i])
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
}

// front returns the reader with the next item; nil: there is none.
func (m *merge) front() *reader {
	if len(m.heap) == 0 {
		return nil
	}
	return m.heap[0]
}

// advance puts the front reader where it belongs after an item of it was used.
func (m *merge) advance() {
	if len(m.heap[0].items) == 0 {
		end := len(m.heap) - 1
		m.heap[0] = m.heap[end]
		m.heap = m.heap[:end]
	}
	m.sink(0)
}

func (m *merge) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if right := child + 1; right < len(m.heap) && m.less(m.heap[right], m.heap[child]) {
			child = right
		}
		if !m.less(m.heap[child], m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}

// less reports whether the next item of a comes before that of b. Items with the same key
// come in the order of their requests, which distinctRequests decides.
func (m *merge) less(a, b *reader) bool {
	order := m.compare(a, b)
	if order == 0 {
		return a.order < b.order
	}
	return order < 0 != m.descending
}

func (m *merge) compare(a, b *reader) int {
	leadA, leadB := a.request.Lead, b.request.Lead
	for _, name := range m.sort {
		if order := compareValues(a.items[0][name], leadA, b.items[0][name], leadB); order != 0 {
			return order
		}
		leadA, leadB = 0, 0 // only the first attribute has a lead
	}
	return 0
}
