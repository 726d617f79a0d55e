package request

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sortkey.dev/engine/internal/dynamo"
)

// A Fingerprint is equal for two requests that ask for the same: the same
// actions in the same order. What they want to know of their cost does not count.
//
// It detects mistakes of the caller and defends against no attacker, so two fast hashes
// with different seeds are enough. The rest is zero.
type Fingerprint [32]byte

// The seeds of the two hashes. Fingerprints are stored, so they stay as they are.
const (
	firstSeed  = 0
	secondSeed = 0x9e3779b97f4a7c15
)

// fingerprintOf makes the fingerprint of checked actions. Every part is written
// with its length or number, so that different actions never write the same
// bytes, and maps are written in the order of their keys.
func fingerprintOf(items []dynamo.TransactWriteItem) Fingerprint {
	w := newFingerprintWriter()
	w.number(len(items))
	for i := range items {
		for _, a := range sentActions(&items[i]) {
			w.action(a)
		}
	}
	return w.sum()
}

// A fingerprintWriter writes the parts of a request into the hashes.
type fingerprintWriter struct {
	first, second xxhash.Digest
	room          []byte // for one part
}

func newFingerprintWriter() *fingerprintWriter {
	w := &fingerprintWriter{}
	w.first.ResetWithSeed(firstSeed)
	w.second.ResetWithSeed(secondSeed)
	return w
}

// sum returns the fingerprint of the parts written so far.
func (w *fingerprintWriter) sum() (f Fingerprint) {
	binary.BigEndian.PutUint64(f[:], w.first.Sum64())
	binary.BigEndian.PutUint64(f[8:], w.second.Sum64())
	return f
}

// flush hashes what is in the room.
func (w *fingerprintWriter) flush() {
	w.first.Write(w.room) // a digest does not fail
	w.second.Write(w.room)
}

func (w *fingerprintWriter) action(a sentAction) {
	w.text(a.member)
	w.text(*a.TableName)
	writePart(w, a.Subject.Item)
	w.optional(a.ConditionExpression)
	w.optional(a.UpdateExpression)
	w.number(len(a.Names))
	for _, placeholder := range sortedKeys(a.Names) {
		w.text(placeholder)
		w.text(a.Names[placeholder])
	}
	w.number(len(a.Values.ByName))
	for _, placeholder := range sortedKeys(a.Values.ByName) {
		w.text(placeholder)
		writePart(w, a.Values.ByName[placeholder])
	}
	if returnOnFailure.value(a.ReturnValuesOnConditionCheckFailure) {
		w.number(1)
	} else {
		w.number(0)
	}
}

// sortedKeys are the keys of a map in their order. Most actions have no placeholders.
func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m))
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
	w.flush()
}

// writePart writes a text or an encoded value with its length.
func writePart[T ~string | ~[]byte](w *fingerprintWriter, part T) {
	w.room = binary.AppendUvarint(w.room[:0], uint64(len(part)))
	w.room = append(w.room, part...)
	w.flush()
}
