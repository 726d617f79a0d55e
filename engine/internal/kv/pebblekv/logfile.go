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

// logFile is a log that Pebble writes sequentially, syncing after every few
// records. If every record made the file longer, every sync would have to store the new length
// besides the data, which is another write elsewhere on the disk. So the log grows
// in steps, by zeros that the records overwrite. Pebble reuses its logs, and reads one up
// to the first position without a record of this log, so zeros at the end are like the
// rest of an older log. A closed log ends with its last record.
type logFile struct {
	vfs.File
	written int64 // by Pebble
	size    int64
	grown   bool // has trailing zeros
}

// isLog reports whether a file is a log.
func isLog(name string) bool { return strings.HasSuffix(name, ".log") }

// newLogFile returns a file to be written as a log. The file is new, or an old log that is reused.
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

// grow writes zeros from a position on. They only save time later, so a full disk is not an
// error: the record may still fit.
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

// noRoom reports whether an error means that the disk is full.
func noRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// trim truncates trailing zeros, which would only cost time at the next start. It may also
// fail.
func (f *logFile) trim() {
	if file, ok := f.File.(interface{ Truncate(size int64) error }); ok && f.grown {
		_ = file.Truncate(f.written)
	}
}
