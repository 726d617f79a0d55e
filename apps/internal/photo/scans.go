package photo

import (
	"bytes"
	"encoding/binary"
)

// maxScans is the maximum number of scans of a JPEG file. Encoders write about ten. Each scan takes the work of
// the whole picture, and can be as short as some bytes.
const maxScans = 50

// The markers of a JPEG file that matter for scans.
const (
	markerFirstRestart = 0xd0
	markerLastRestart  = 0xd7
	markerStart        = 0xd8
	markerEnd          = 0xd9
	markerScan         = 0xda
)

// scans returns the number of scans of a JPEG file; 0 for other files. It finds the markers that image/jpeg
// finds, which skips bytes between them.
func scans(file []byte) (count int) {
	if len(file) < 2 || file[0] != 0xff || file[1] != markerStart {
		return 0
	}
	for rest := file[2:]; ; {
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 {
			return count
		}
		for rest = rest[at:]; len(rest) > 0 && rest[0] == 0xff; { // a marker may have any number of them
			rest = rest[1:]
		}
		if len(rest) == 0 || rest[0] == markerEnd {
			return count
		}
		marker := rest[0]
		rest = rest[1:]
		if marker == 0 || marker >= markerFirstRestart && marker <= markerLastRestart { // a part of a scan
			continue
		}
		if marker == markerScan {
			count++
		}
		if len(rest) < 2 {
			return count
		}
		rest = rest[min(int(binary.BigEndian.Uint16(rest)), len(rest)):]
	}
}
