package main

import (
	"math/rand/v2"
	"strconv"
	"sync/atomic"
)

// A template is a text prepared once and filled in for each request by
// overwriting bytes in place, so that making a request costs next to nothing.
type template struct {
	text  []byte
	slots []slot
}

// A slot is a place in a template that changes from request to request.
type slot struct {
	at, width int
	kind      slotKind
	offset    int // of a number, from the request's key
}

type slotKind int

const (
	slotKey   slotKind = iota // the number of the item the request is about
	slotGroup                 // a random number, the key of an index
	slotText                  // random text
	slotPart                  // the partition of the item, in a table with a sort key
	slotSort                  // its place in there
	slotFresh                 // a number that no request has had before
)

// numberWidth is the number of digits of every number in a template.
const numberWidth = 8

// put appends fixed text.
func (t *template) put(text string) *template {
	t.text = append(t.text, text...)
	return t
}

// add appends a slot.
func (t *template) add(kind slotKind, width, offset int) *template {
	t.slots = append(t.slots, slot{at: len(t.text), width: width, kind: kind, offset: offset})
	for range width {
		t.text = append(t.text, '0')
	}
	return t
}

// within returns the template as the part of a longer text that follows head.
func (t *template) within(head string) *template {
	moved := &template{text: append([]byte(head), t.text...)}
	for _, s := range t.slots {
		s.at += len(head)
		moved.slots = append(moved.slots, s)
	}
	return moved
}

// fill writes the values of one request about the item with number key, out of
// items there are.
func (t *template) fill(rnd *rand.Rand, key, items int) {
	fresh := -1 // the same in all slots of a request
	for i := range t.slots {
		s := &t.slots[i]
		place := t.text[s.at : s.at+s.width]
		switch s.kind {
		case slotKey:
			putDigits(place, (key+s.offset)%items)
		case slotPart:
			putDigits(place, (key+s.offset)%items/pageItems)
		case slotSort:
			putDigits(place, (key+s.offset)%items%pageItems)
		case slotGroup:
			putDigits(place, rnd.IntN(groups))
		case slotText:
			copy(place, randomText(rnd, s.width))
		case slotFresh:
			if fresh < 0 {
				fresh = freshNumber()
			}
			putDigits(place, fresh)
		}
	}
}

// freshNumbers counts the numbers that were given away, in all rows: a new item
// must be new to the table that several rows share.
var freshNumbers atomic.Int64

// freshNumber returns a number of eight digits that this process has not used yet.
// Successive numbers are far apart, for a store may like keys that only grow.
func freshNumber() int {
	const space, stride = 1e8, 61803399 // without a common divisor
	return int(freshNumbers.Add(1) % space * stride % space)
}

// putDigits writes n in decimal, with leading zeros, over the whole of place.
func putDigits(place []byte, n int) {
	for i := len(place) - 1; i >= 0; i-- {
		place[i] = byte('0' + n%10)
		n /= 10
	}
}

// number is n as it stands in a template.
func number(n int) string {
	digits := strconv.Itoa(n)
	return "00000000"[:max(0, numberWidth-len(digits))] + digits
}

// noise is the text that random texts are cut from. It compresses like names
// and numbers do, not like a repeated letter.
var noise = func() string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -"
	rnd := rand.New(rand.NewPCG(7, 7))
	text := make([]byte, 1<<16)
	for i := range text {
		text[i] = letters[rnd.IntN(len(letters))]
	}
	return string(text)
}()

// randomText returns a text of n bytes without allocating one.
func randomText(rnd *rand.Rand, n int) string {
	at := rnd.IntN(len(noise) - n)
	return noise[at : at+n]
}
