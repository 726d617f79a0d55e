package dynamo

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// A place is a part in the order of its container. Most keys differ in their first
// eight bytes, which are compared as a number.
type place struct {
	prefix uint64 // of the key, padded with zeros
	part   int
}

// smallOrder is the number of parts up to which sorting them by insertion is the
// fastest way. Most items have no more.
const smallOrder = 32

// order returns the ascending order of the parts of f, nil when they were
// written in it, and the first place in that order where a key is repeated, or -1.
func (e *Encoder) order(f frame) (order []place, repeat int) {
	parts := e.parts[f.firstPart:]
	ascending := true
	for i := 1; i < len(parts) && ascending; i++ {
		ascending = bytes.Compare(e.key(parts[i-1]), e.key(parts[i])) < 0
	}
	if ascending {
		return nil, -1
	}
	order = e.places[:0]
	for i, p := range parts {
		order = append(order, place{e.prefix(p), i})
	}
	e.places = order
	if len(order) <= smallOrder {
		e.insertionSort(order, parts)
	} else {
		slices.SortStableFunc(order, func(a, b place) int { return e.compare(parts, a, b) })
	}
	for i := 1; i < len(order); i++ {
		if e.compare(parts, order[i-1], order[i]) == 0 {
			return order, i
		}
	}
	return order, -1
}

func (e *Encoder) insertionSort(order []place, parts []part) {
	for i := 1; i < len(order); i++ {
		p, j := order[i], i
		for ; j > 0 && e.compare(parts, p, order[j-1]) < 0; j-- {
			order[j] = order[j-1]
		}
		order[j] = p
	}
}

// compare compares the keys of two parts.
func (e *Encoder) compare(parts []part, a, b place) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return bytes.Compare(e.key(parts[a.part]), e.key(parts[b.part]))
}

// prefix returns the first eight bytes of the key of p as a number.
func (e *Encoder) prefix(p part) uint64 {
	n := p.keyEnd - p.keyStart
	if p.keyStart+8 <= len(e.buf) {
		return binary.BigEndian.Uint64(e.buf[p.keyStart:]) &^ (^uint64(0) >> (8 * min(n, 8)))
	}
	var padded [8]byte
	copy(padded[:], e.key(p))
	return binary.BigEndian.Uint64(padded[:])
}

// rearrange moves the parts of f into order.
func (e *Encoder) rearrange(f frame, header int, order []place) {
	if order == nil {
		return
	}
	parts := e.parts[f.firstPart:]
	body := e.sorted[:0]
	for _, p := range order {
		end := len(e.buf)
		if p.part+1 < len(parts) {
			end = parts[p.part+1].start
		}
		body = append(body, e.buf[parts[p.part].start:end]...)
	}
	copy(e.buf[f.start+header:], body)
	if cap(body) <= maxSortRoom {
		e.sorted = body
	}
}

// maxSortRoom bounds what an Encoder keeps after an unusually large container.
const maxSortRoom = 64 << 10
