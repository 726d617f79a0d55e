package pebblekv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// checkJournals rejects a manifest or a log with damage in the middle. Pebble treats a bad
// record as the end of the file, since a crash may tear the last one. A damaged manifest
// would restore an old state of the store, and delete every later table; a
// damaged log would lose the commits after the damage. So before Pebble opens them,
// checkJournals looks for a proof that the bad record was valid once.
func checkJournals(disk vfs.FS, dir string) error {
	desc, err := pebble.Peek(dir, disk)
	if err != nil {
		return describeOpen(err)
	}
	if desc.Exists {
		if err := checkJournal(disk, desc.ManifestFilename, manifestKind); err != nil {
			return err
		}
	}
	names, err := disk.List(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		number, err := strconv.ParseUint(strings.TrimSuffix(name, ".log"), 10, 64)
		if err != nil || !strings.HasSuffix(name, ".log") {
			continue
		}
		// The format stores the lower half of the number.
		if err := checkJournal(disk, disk.PathJoin(dir, name), logKind(uint32(number))); err != nil {
			return err
		}
	}
	return nil
}

func checkJournal(disk vfs.FS, path string, kind journalKind) error {
	file, err := disk.Open(path)
	if err != nil {
		return describeOpen(err)
	}
	data, err := readWhole(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if at, damaged := kind.damage(data); damaged {
		return fmt.Errorf("%w: %s is damaged at byte %d", kv.ErrCorrupt, path, at)
	}
	return nil
}

// readWhole reads a file that nobody writes into memory of its size.
func readWhole(file vfs.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(file, data)
	return data, err
}

// The format of both: blocks of 32 KiB hold chunks, which never cross a block's end. A
// chunk is a checksum (4 bytes), the length of its payload (2), its type (1), and in a log
// the number of the log (4), since log files are reused and may end in chunks of an
// older one, and the offset (8) up to which the log was synced when the chunk was written.
const (
	journalBlock = 32 << 10

	manifestHeader = 7
	oldLogHeader   = 11 // without the offset; Pebble starts every new store with such a log
	logHeader      = 19
)

// journalKind says what to expect in a file.
type journalKind struct {
	isLog  bool
	number uint32 // of the log
}

var manifestKind = journalKind{}

func logKind(number uint32) journalKind { return journalKind{true, number} }

// damage returns the offset of the first bad chunk, and whether it is damaged: a later chunk is
// intact, and in a log says that the bad one had been synced. Without that a
// later chunk proves nothing, because disks reorder unsynced writes.
//
// Pebble's synced offset is a lower bound, and a low one on a busy log. The seal makes up for it
// if the store was closed; after a crash, damage in the last part of a log can look like
// a torn end.
func (k journalKind) damage(data []byte) (at int, damaged bool) {
	bad := k.intactPrefix(data)
	end := withoutZeros(data) // no chunk begins in zeros
	for at := bad + 1; at < end; at++ {
		n, synced := k.chunk(data, at)
		if n > 0 && (!k.isLog || synced > uint64(bad) || isSeal(data[at:at+n])) {
			return bad, true
		}
	}
	return bad, false
}

// withoutZeros returns an offset from which on data has only zeros. It finds them in steps: a log
// that was not closed ends with many.
func withoutZeros(data []byte) int {
	const step = 4 << 10
	end := len(data)
	for end >= step && bytes.Equal(data[end-step:end], zeros[:step]) {
		end -= step
	}
	return end
}

// sealText is the last record that Close writes to the log, after all others have been
// synced. Pebble keeps such records and ignores them.
const sealText = "sortkey: closed, all before this is synced"

// isSeal reports whether a chunk of a log is the seal.
func isSeal(chunk []byte) bool {
	const batchHeader, entryHeader = 12, 2
	if len(chunk) != logHeader+batchHeader+entryHeader+len(sealText) {
		return false
	}
	entries := binary.LittleEndian.Uint32(chunk[logHeader+8:])
	return entries == 0 && string(chunk[len(chunk)-len(sealText):]) == sealText
}

// intactPrefix returns the offset of the first bad chunk, or len(data) if there is none.
func (k journalKind) intactPrefix(data []byte) int {
	smallest := manifestHeader
	if k.isLog {
		smallest = logHeader
	}
	at := 0
	for at < len(data) {
		n, _ := k.chunk(data, at)
		if left := journalBlock - at%journalBlock; n == 0 && left < smallest {
			n = left // the padding at the end of a block
		}
		if n == 0 {
			return at
		}
		at += n
	}
	return len(data)
}

// chunk returns the length of the intact chunk at data[at:], or 0 if there is none, and its
// synced offset.
func (k journalKind) chunk(data []byte, at int) (n int, synced uint64) {
	block := data[at:min(len(data), at-at%journalBlock+journalBlock)]
	if len(block) < manifestHeader {
		return 0, 0
	}
	header := k.header(block[6])
	if header == 0 || len(block) < header || header > manifestHeader && binary.LittleEndian.Uint32(block[7:]) != k.number {
		return 0, 0
	}
	n = header + int(binary.LittleEndian.Uint16(block[4:]))
	if n > len(block) || binary.LittleEndian.Uint32(block) != checksum(block[6:n]) {
		return 0, 0
	}
	if header == logHeader {
		synced = binary.LittleEndian.Uint64(block[11:])
	}
	return n, synced
}

// header returns the length of the header of a chunk of this type, or 0 if the type is
// invalid in the file.
func (k journalKind) header(chunkType byte) int {
	switch {
	case !k.isLog && chunkType >= 1 && chunkType <= 4:
		return manifestHeader
	case k.isLog && chunkType >= 5 && chunkType <= 8:
		return oldLogHeader
	case k.isLog && chunkType >= 9 && chunkType <= 12:
		return logHeader
	}
	return 0
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns Pebble's checksum: a rotated and shifted CRC-32C.
func checksum(b []byte) uint32 {
	sum := crc32.Checksum(b, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}
