package vector

import (
	"cmp"
	"slices"
)

// Nearest keeps the candidates that are nearest to a query. Of equally
// near candidates it keeps those that were offered first.
type Nearest struct {
	query *Query
	most  int
	heap  []Candidate // the first is dropped next
	order int
}

// A Candidate is a vector that was near enough to be kept.
type Candidate struct {
	Score float64
	Entry []byte // a copy of what was offered with the vector
	order int
}

// NewNearest returns a Nearest that keeps up to n candidates.
func NewNearest(q *Query, n int) *Nearest { return &Nearest{query: q, most: n} }

// Offer compares a stored vector and, if it is among the nearest so far, keeps a
// copy of its entry.
func (n *Nearest) Offer(stored, entry []byte) {
	score := n.query.Score(stored)
	n.order++
	if len(n.heap) < n.most {
		n.heap = append(n.heap, Candidate{Score: score, Entry: slices.Clone(entry), order: n.order})
		n.up(len(n.heap) - 1)
		return
	}
	if worst := &n.heap[0]; n.query.Nearer(score, worst.Score) {
		worst.Score, worst.order = score, n.order
		worst.Entry = append(worst.Entry[:0], entry...)
		n.down(0)
	}
}

// Sorted returns the kept candidates, the nearest first. Offer must not be called after
// it.
func (n *Nearest) Sorted() []Candidate {
	slices.SortFunc(n.heap, func(a, b Candidate) int {
		switch {
		case n.query.Nearer(a.Score, b.Score):
			return -1
		case n.query.Nearer(b.Score, a.Score):
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	return n.heap
}

// worse reports whether candidate i is dropped before candidate j.
func (n *Nearest) worse(i, j int) bool {
	a, b := &n.heap[i], &n.heap[j]
	if a.Score != b.Score {
		return n.query.Nearer(b.Score, a.Score)
	}
	return a.order > b.order
}

func (n *Nearest) up(i int) {
	for parent := (i - 1) / 2; i > 0 && n.worse(i, parent); parent = (i - 1) / 2 {
		n.heap[i], n.heap[parent] = n.heap[parent], n.heap[i]
		i = parent
	}
}

func (n *Nearest) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(n.heap); child++ {
			if n.worse(child, worst) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		n.heap[i], n.heap[worst] = n.heap[worst], n.heap[i]
		i = worst
	}
}
