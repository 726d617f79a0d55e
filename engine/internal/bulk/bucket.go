package bulk

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"sortkey.dev/engine/internal/dynamo"
)

// A bucket is a folder whose files are objects. Symbolic links cannot leave it.
type bucket struct {
	*os.Root
	name string
}

func openBucket(dir, name string) (*bucket, error) {
	root, err := os.OpenRoot(filepath.Join(dir, name))
	if err != nil {
		return nil, failed("S3NoSuchBucket", "The folder of the bucket %s cannot be opened: %v", name, err)
	}
	return &bucket{root, name}, nil
}

// maxObjects is the maximum number of objects of an operation.
const maxObjects = 50_000

// objects lists the objects whose names begin with a prefix, sorted, and the sum of their sizes.
func (b *bucket) objects(prefix string) (names []string, size int64, err error) {
	err = fs.WalkDir(b.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(name, prefix) {
			return err
		}
		info, err := b.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		names = append(names, name)
		size += info.Size()
		return nil
	})
	slices.Sort(names)
	switch {
	case err != nil:
		return nil, 0, failed("S3ReadError", "The bucket %s cannot be listed: %v", b.name, err)
	case len(names) == 0:
		return nil, 0, failed("S3NoSuchKey", "The bucket %s has no object whose name begins with %q.", b.name, prefix)
	case len(names) > maxObjects:
		return nil, 0, failed("LimitExceeded", "The bucket %s has %d objects to read, and an operation reads %d.", b.name, len(names), maxObjects)
	}
	return names, size, nil
}

// lines reads the lines of an object.
type lines struct {
	object string
	number int
	reader *bufio.Reader
	close  []func() error
}

// open opens an object. It calls count with the number of bytes of every read.
func (b *bucket) open(object, compression string, count func(int)) (*lines, error) {
	file, err := b.Open(object)
	if err != nil {
		return nil, failed("S3ReadError", "The object %s cannot be opened: %v", object, err)
	}
	l := &lines{object: object, close: []func() error{file.Close}}
	var r io.Reader = counted{file, count}
	switch compression {
	case "GZIP":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, errors.Join(failed("S3ReadError", "The object %s is not compressed with GZIP: %v", object, err), l.Close())
		}
		r = z
	case "ZSTD":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, errors.Join(err, l.Close())
		}
		l.close = append(l.close, func() error { z.Close(); return nil })
		r = z
	}
	l.reader = bufio.NewReaderSize(r, 64<<10)
	return l, nil
}

// Close closes the object.
func (l *lines) Close() (err error) {
	for _, c := range slices.Backward(l.close) {
		err = errors.Join(err, c())
	}
	return err
}

// maxLine is the maximum length of a line: no item needs more.
const maxLine = dynamo.MaxRequestSize

// next returns the next nonempty line, or io.EOF after the last one.
func (l *lines) next() (line, error) {
	for {
		raw, err := l.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return line{}, failed("S3ReadError", "The object %s cannot be read after line %d: %v", l.object, l.number, err)
		}
		if len(raw) == 0 && err != nil {
			return line{}, io.EOF
		}
		l.number++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		next := line{object: l.object, number: l.number, raw: raw}
		if len(raw) > maxLine {
			next.raw, next.err = raw[:256], dynamo.Errorf(dynamo.Serialization, "The line is longer than %d bytes", maxLine)
			return next, nil
		}
		next.read()
		return next, nil
	}
}

// readLine reads up to a newline. It truncates a line that is too long to a little more than the limit.
func (l *lines) readLine() (raw []byte, err error) {
	for {
		part, err := l.reader.ReadSlice('\n')
		if len(raw) <= maxLine {
			raw = append(raw, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return raw, err
		}
	}
}

// counted reports the bytes that are read.
type counted struct {
	io.Reader
	count func(int)
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.count(n)
	return n, err
}
