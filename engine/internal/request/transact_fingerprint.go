package request

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// A Fingerprint is equal for two requests that ask for the same: the same
// actions in the same order. What they want to know of their cost does not count.
type Fingerprint [sha256.Size]byte

// fingerprintOf makes the fingerprint of checked actions. Every part is written
// with its length or number, so that different actions never write the same
// bytes, and maps are written in the order of their keys.
func fingerprintOf(items []dynamo.TransactWriteItem) (f Fingerprint) {
	w := fingerprintWriter{hash: sha256.New()}
	w.number(len(items))
	for i := range items {
		for _, a := range sentActions(&items[i]) {
			w.action(a)
		}
	}
	w.hash.Sum(f[:0])
	return f
}

// A fingerprintWriter writes the parts of a request into a hash.
type fingerprintWriter struct {
	hash hash.Hash
	room []byte // for one part
}

func (w *fingerprintWriter) action(a sentAction) {
	w.text(a.member)
	w.text(*a.TableName)
	writePart(w, a.Subject.Item)
	w.optional(a.ConditionExpression)
	w.optional(a.UpdateExpression)
	w.number(len(a.Names))
	for _, placeholder := range slices.Sorted(maps.Keys(a.Names)) {
		w.text(placeholder)
		w.text(a.Names[placeholder])
	}
	w.number(len(a.Values.ByName))
	for _, placeholder := range slices.Sorted(maps.Keys(a.Values.ByName)) {
		w.text(placeholder)
		writePart(w, a.Values.ByName[placeholder])
	}
	if returnOnFailure.value(a.ReturnValuesOnConditionCheckFailure) {
		w.number(1)
	} else {
		w.number(0)
	}
}

// optional writes a text that may not have been sent.
func (w *fingerprintWriter) optional(text *string) {
	if text == nil {
		w.number(0)
		return
	}
	w.number(1)
	w.text(*text)
}

func (w *fingerprintWriter) text(text string) { writePart(w, text) }

func (w *fingerprintWriter) number(n int) {
	w.room = binary.AppendUvarint(w.room[:0], uint64(n))
	w.hash.Write(w.room)
}

// writePart writes a text or an encoded value with its length.
func writePart[T ~string | ~[]byte](w *fingerprintWriter, part T) {
	w.room = binary.AppendUvarint(w.room[:0], uint64(len(part)))
	w.room = append(w.room, part...)
	w.hash.Write(w.room)
}
