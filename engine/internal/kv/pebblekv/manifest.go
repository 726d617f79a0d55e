package pebblekv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
)

// checkManifest refuses a manifest with damage in the middle. Pebble takes the first bad
// record for the end of the file, since a crash may tear the last one; it would open the
// store as it was back then and delete every table that came later. So before it gets the
// chance: if anything intact follows the first bad chunk, it is not the end.
func checkManifest(disk vfs.FS, dir string) error {
	desc, err := pebble.Peek(dir, disk)
	if err != nil {
		return describe(err)
	}
	if !desc.Exists {
		return nil
	}
	file, err := disk.Open(desc.ManifestFilename)
	if err != nil {
		return fmt.Errorf("%w: %w", kv.ErrCorrupt, err)
	}
	data, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("read %s: %w", desc.ManifestFilename, err)
	}
	bad := intactPrefix(data)
	for at := bad + 1; at < len(data); at++ {
		if chunkLen(data, at) > 0 {
			return fmt.Errorf("%w: %s is damaged at byte %d", kv.ErrCorrupt, desc.ManifestFilename, bad)
		}
	}
	return nil
}

// The format of the manifest: blocks of 32 KiB hold chunks, which never cross a block's
// end; what is too small for a chunk header at the end of a block is zero.
const (
	manifestBlock = 32 << 10
	chunkHeader   = 7 // checksum, 4 bytes; payload length, 2 bytes; kind, 1 byte
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// intactPrefix returns where the first bad chunk starts, or len(data) if there is none.
func intactPrefix(data []byte) int {
	at := 0
	for at < len(data) {
		if left := manifestBlock - at%manifestBlock; left < chunkHeader {
			at += left
			continue
		}
		n := chunkLen(data, at)
		if n == 0 {
			return at
		}
		at += n
	}
	return len(data)
}

// chunkLen returns the length of the intact chunk at data[at:], or 0 if there is none.
func chunkLen(data []byte, at int) int {
	block := data[at:min(len(data), at-at%manifestBlock+manifestBlock)]
	if len(block) < chunkHeader {
		return 0
	}
	n := chunkHeader + int(binary.LittleEndian.Uint16(block[4:]))
	kind := block[6]
	if n > len(block) || kind < 1 || kind > 4 {
		return 0
	}
	sum := crc32.Checksum(block[6:n], castagnoli)
	if binary.LittleEndian.Uint32(block) != (sum>>15|sum<<17)+0xa282ead8 {
		return 0
	}
	return n
}
