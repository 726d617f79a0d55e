package pebblekv

import (
	"errors"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// logStep is the number of bytes by which a new log grows.
const logStep = 256 << 10

// zeros fills the new part of a log.
var zeros [logStep]byte

// logFile is a log that Pebble writes from its beginning to its end, syncing after every few
// records. If every record made the file longer, every sync would have to store the new length
// beside the data, which is a write of its own to another place of the disk. So the log grows
// in steps, by zeros that the records overwrite. Pebble uses its logs again, and reads one up
// to the first place where there is no record of this log, so zeros at the end are like the
// rest of an older log. A log that is closed ends with its last record.
type logFile struct {
	vfs.File
	written int64 // by Pebble
	size    int64
	grown   bool // has zeros at its end
}

// isLog tells logs from other files.
func isLog(name string) bool { return strings.HasSuffix(name, ".log") }

// newLogFile returns a file to be written as a log. It is new, or an old log with that content.
func newLogFile(file vfs.File) *logFile {
	f := &logFile{File: file}
	if info, err := file.Stat(); err == nil {
		f.size = info.Size()
	}
	return f
}

func (f *logFile) Write(p []byte) (int, error) {
	end := f.written + int64(len(p))
	if end > f.size {
		if err := f.grow(end); err != nil {
			return 0, err
		}
	}
	n, err := f.File.Write(p)
	f.written += int64(n)
	return n, err
}

// grow writes zeros from a position on. They only save time later, so it does not matter if
// there is no room for them: there may still be some for the record.
func (f *logFile) grow(from int64) error {
	_, err := f.File.WriteAt(zeros[:], from)
	switch {
	case err == nil:
		f.size, f.grown = from+logStep, true
	case !noRoom(err):
		return err
	}
	return nil
}

// noRoom tells a disk that is full from one that is broken.
func noRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// trim cuts off the zeros that are left, which would only cost time at the next start. It may
// fail as well.
func (f *logFile) trim() {
	if file, ok := f.File.(interface{ Truncate(size int64) error }); ok && f.grown {
		_ = file.Truncate(f.written)
	}
}
