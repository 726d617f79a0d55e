package request

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/cespare/xxhash/v2"

	"sortkey.dev/engine/internal/dynamo"
)

// A Fingerprint is equal for two requests with the same actions in the same order. The
// requested capacity details do not count.
//
// It detects mistakes of the caller and does not resist attacks, so two fast hashes
// with different seeds are enough. The rest is zero.
type Fingerprint [32]byte

// The seeds of the two hashes. Fingerprints are stored, so the seeds must not change.
const (
	firstSeed  = 0
	secondSeed = 0x9e3779b97f4a7c15
)

// fingerprintOf returns the fingerprint of checked actions. Every part is written
// with its length or number, so that different actions never write the same
// bytes, and maps are written in the order of their keys.
func fingerprintOf(items []dynamo.TransactWriteItem) Fingerprint {
	w := newFingerprintWriter()
	w.number(len(items))
	for i := range items {
		sent := sentActions(&items[i])
		for _, a := range sent.all() {
			w.action(a)
		}
	}
	return w.sum()
}

// A fingerprintWriter writes the parts of a request into the hashes.
type fingerprintWriter struct {
	first, second xxhash.Digest
	room          [binary.MaxVarintLen64]byte // for a number
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

func (w *fingerprintWriter) action(a sentAction) {
	w.text(a.member)
	w.text(*a.TableName)
	w.value(a.Subject.Item)
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
		w.value(a.Values.ByName[placeholder])
	}
	if returnOnFailure.value(a.ReturnValuesOnConditionCheckFailure) {
		w.number(1)
	} else {
		w.number(0)
	}
}

// sortedKeys returns the keys of a map, sorted. Most actions have no placeholders.
func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}

// optional writes an optional text.
func (w *fingerprintWriter) optional(text *string) {
	if text == nil {
		w.number(0)
		return
	}
	w.number(1)
	w.text(*text)
}

// text writes a text with its length.
func (w *fingerprintWriter) text(text string) {
	w.number(len(text))
	w.first.WriteString(text)
	w.second.WriteString(text)
}

func (w *fingerprintWriter) number(n int) {
	text := binary.AppendUvarint(w.room[:0], uint64(n))
	w.first.Write(text) // a digest never fails
	w.second.Write(text)
}

// value writes an encoded value or item with its length.
func (w *fingerprintWriter) value(value []byte) {
	w.number(len(value))
	w.first.Write(value)
	w.second.Write(value)
}
