package pebblekv

import (
	"bytes"
	"encoding/binary"
	"testing"

	pebblerecord "github.com/cockroachdb/pebble/v2/record"
)

// manifestWith returns the bytes of a manifest with these records.
func manifestWith(t testing.TB, records ...[]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := pebblerecord.NewWriter(&buf)
	for _, r := range records {
		if _, err := w.WriteRecord(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// logChunk returns a chunk of log 7 with a synced offset.
func logChunk(payload string, synced uint64) []byte {
	chunk := make([]byte, logHeader, logHeader+len(payload))
	binary.LittleEndian.PutUint16(chunk[4:], uint16(len(payload)))
	chunk[6] = 9
	binary.LittleEndian.PutUint32(chunk[7:], 7)
	binary.LittleEndian.PutUint64(chunk[11:], synced)
	chunk = append(chunk, payload...)
	binary.LittleEndian.PutUint32(chunk, checksum(chunk[6:]))
	return chunk
}

func TestJournalDamage(t *testing.T) {
	large := bytes.Repeat([]byte("x"), 3*journalBlock)
	manifest := manifestWith(t, []byte("one"), large, []byte("three"))
	flipped := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 1
		return data
	}
	one, two := logChunk("one", 0), logChunk("two", 0)
	promise := logChunk("three", uint64(len(one)+1))
	log := func(chunks ...[]byte) []byte { return bytes.Join(chunks, nil) }
	seal := logChunk(string(make([]byte, 12))+"\x03"+string(rune(len(sealText)))+sealText, 0)
	for _, c := range []struct {
		name    string
		kind    journalKind
		data    []byte
		at      int
		damaged bool
	}{
		{"empty", manifestKind, nil, 0, false},
		{"intact manifest", manifestKind, manifest, len(manifest), false},
		{"manifest damaged at the start", manifestKind, flipped(manifest, 0), 0, true},
		{"manifest damaged in a later block", manifestKind, flipped(manifest, journalBlock+100), journalBlock, true},
		{"manifest with a torn end", manifestKind, manifest[:len(manifest)-2], len(manifest) - 12, false},
		{"intact log", logKind(7), log(one, two), len(one) + len(two), false},
		{"log of another number", logKind(8), log(one, two), 0, false},
		{"log damaged without a promise", logKind(7), log(one, flipped(two, 20), logChunk("three", 0)), len(one), false},
		{"log damaged below a promise", logKind(7), log(one, flipped(two, 20), promise), len(one), true},
		{"log damaged below a seal", logKind(7), log(flipped(one, 5), two, seal), 0, true},
		{"log damaged below a promise before zeros", logKind(7), log(one, flipped(two, 20), promise, zeros[:]), len(one), true},
		{"log damaged below a promise of zeros", logKind(7), log(one, flipped(two, 20), logChunk(string(zeros[:20<<10]), uint64(len(one)+1))), len(one), true},
		{"intact log before zeros", logKind(7), log(one, two, zeros[:]), len(one) + len(two), false},
		{"zeros below a promise", logKind(7), log(one, make([]byte, len(two)), promise), len(one), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if at, damaged := c.kind.damage(c.data); at != c.at || damaged != c.damaged {
				t.Errorf("damage at %d: %t, want %d: %t", at, damaged, c.at, c.damaged)
			}
		})
	}
}

// FuzzJournalDamage checks arbitrary data: damage must end, stay within the data, and find no
// damage before the first bad chunk.
func FuzzJournalDamage(f *testing.F) {
	f.Add(manifestWith(f, []byte("one"), []byte("two")), uint32(0), false)
	f.Add(append(logChunk("one", 0), logChunk("two", 30)...), uint32(7), true)
	f.Add(make([]byte, 100), uint32(7), true)
	f.Fuzz(func(t *testing.T, data []byte, number uint32, isLog bool) {
		kind := journalKind{isLog, number}
		at, _ := kind.damage(data)
		if at < 0 || at > len(data) {
			t.Fatalf("damage at %d of %d bytes", at, len(data))
		}
		if again, damaged := kind.damage(data[:at]); again != at || damaged {
			t.Errorf("the intact part of %d bytes is damaged at %d: %t", at, again, damaged)
		}
	})
}
