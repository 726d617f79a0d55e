package photo_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/internal/photo"
)

// progressive returns a gray progressive JPEG of a size with a number of scans, all of which but the first say
// of every block that it has no more detail: they take some bytes, and the work of the whole picture.
func progressive(side uint16, scans int) []byte {
	var file bytes.Buffer
	segment := func(marker byte, content ...byte) {
		file.Write([]byte{0xff, marker})
		file.Write(binary.BigEndian.AppendUint16(nil, uint16(len(content)+2)))
		file.Write(content)
	}
	file.Write([]byte{0xff, 0xd8})
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, side), side)
	segment(0xc2, append(size, 1, 1, 0x11, 0)...)
	one := append([]byte{1}, make([]byte, 15)...)                // one code, of one bit
	segment(0xc4, append(append([]byte{0x00}, one...), 0)...)    // the same brightness as before
	segment(0xc4, append(append([]byte{0x10}, one...), 0xe0)...) // nothing in many blocks
	blocks := (int(side) + 7) / 8 * ((int(side) + 7) / 8)
	segment(0xda, 1, 1, 0, 0, 0, 0)
	file.Write(make([]byte, (blocks+7)/8))
	for range scans - 1 {
		segment(0xda, 1, 1, 0, 1, 63, 0)
		const run = 1 << 14
		// A run has a bit for its code and 14 for what exceeds 1<<14 blocks, all of them 0.
		file.Write(make([]byte, (15*((blocks+run-1)/run)+7)/8))
	}
	file.Write([]byte{0xff, 0xd9})
	return file.Bytes()
}

// TestAPictureOfManyScansIsRefused prepares a file of 26 KB that took seven seconds to decode, and files at
// the limit.
func TestAPictureOfManyScansIsRefused(t *testing.T) {
	begin := time.Now()
	if _, err := photo.Prepare(t.Context(), progressive(3000, 300)); !errors.Is(err, photo.ErrType) {
		t.Errorf("got %v after %s", err, time.Since(begin))
	}
	most := progressive(100, 50)
	if _, err := photo.Prepare(t.Context(), most); err != nil {
		t.Errorf("a picture of 50 scans: %v", err)
	}
	if _, err := photo.Clean(t.Context(), progressive(100, 51)); !errors.Is(err, photo.ErrType) {
		t.Errorf("a picture of 51 scans: %v", err)
	}
	// The small picture in the metadata has scans of its own.
	preview := append([]byte{0xff, 0xe1, 0x10, 0x00}, bytes.Repeat([]byte{0xff, 0xda}, 0x7ff)...)
	if _, err := photo.Prepare(t.Context(), slices.Concat(most[:2], preview, most[2:])); err != nil {
		t.Errorf("with a small picture in the metadata: %v", err)
	}
}
