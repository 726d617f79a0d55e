package files

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	// objectSuffix ends the names of objects. No key contains it, so an object a can be beside
	// an object a/b, whose directory is a.
	objectSuffix = "="
	// temporary is the directory of objects that are being written. No key begins with a dot.
	temporary = ".tmp"
)

// A directory is a store in the file system. Objects are written to a temporary file, flushed to
// the disk and renamed, so a crash leaves the old object or the new one. Behind its content, a
// file contains a trailer with the type.
type directory struct {
	root    *os.Root
	options Options
}

func openDirectory(name string, options Options) (*directory, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, fmt.Errorf("files: make the directory: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("files: open the directory: %w", err)
	}
	if err := root.Mkdir(temporary, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("files: make the directory: %w", err)
	}
	d := &directory{root: root, options: options}
	return d, d.removeOld(time.Now().Add(-abandoned))
}

// abandoned is the age of temporary files that a crash has left.
const abandoned = 24 * time.Hour

// removeOld removes temporary files that were written before a time.
func (d *directory) removeOld(before time.Time) error {
	entries, err := fs.ReadDir(d.root.FS(), temporary)
	if err != nil {
		return fmt.Errorf("files: read the directory: %w", err)
	}
	for _, entry := range entries {
		stat, err := entry.Info()
		if err == nil && stat.ModTime().Before(before) {
			_ = d.root.Remove(temporary + "/" + entry.Name()) // another process may do the same
		}
	}
	return nil
}

// A trailer is the last part of a file: this as JSON, then its length in four bytes.
type trailer struct {
	Type string `json:"type"`
	ETag string `json:"etag"`
}

const lengthSize = 4

func (t trailer) encode() []byte {
	text, err := json.Marshal(t)
	if err != nil { // two strings
		panic(err)
	}
	return binary.BigEndian.AppendUint32(text, uint32(len(text)))
}

// Put writes an object.
func (d *directory) Put(ctx context.Context, key, contentType string, r io.Reader, size int64) (Info, error) {
	if err := cmp.Or(checkKey(key), d.options.checkSize(size)); err != nil {
		return Info{}, err
	}
	kind, content, err := sniff(exactly(r, size), contentType)
	if err != nil {
		return Info{}, fmt.Errorf("files: read the content: %w", err)
	}
	name := temporary + "/" + rand.Text()
	etag, err := d.write(ctx, name, kind, content)
	if err == nil {
		err = d.publish(name, key)
	}
	if err != nil {
		_ = d.root.Remove(name) // the error that matters is the first
		return Info{}, fmt.Errorf("files: store %s: %w", key, err)
	}
	return Info{Key: key, Type: kind, Size: size, ETag: etag, Modified: d.modified(key)}, nil
}

// write writes a temporary file and flushes it to the disk.
func (d *directory) write(ctx context.Context, name, kind string, content io.Reader) (etag string, err error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(f, sum), &contextReader{ctx, content}); err != nil {
		return "", err
	}
	etag = etagOf(sum)
	if _, err := f.Write(trailer{Type: kind, ETag: etag}.encode()); err != nil {
		return "", err
	}
	return etag, f.Sync()
}

func etagOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:16]) }

// publish renames a temporary file to the name of its key, and flushes the directories.
func (d *directory) publish(name, key string) error {
	parent := path.Dir(key)
	if err := d.root.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if err := d.root.Rename(name, key+objectSuffix); err != nil {
		return err
	}
	for ; ; parent = path.Dir(parent) {
		if err := d.syncDirectory(parent); err != nil || parent == "." {
			return err
		}
	}
}

func (d *directory) syncDirectory(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *directory) modified(key string) time.Time {
	stat, err := d.root.Stat(key + objectSuffix)
	if err != nil { // deleted meanwhile
		return time.Time{}
	}
	return stat.ModTime().UTC()
}

// Get opens an object.
func (d *directory) Get(_ context.Context, key string) (*Object, error) {
	if checkKey(key) != nil {
		return nil, ErrNotFound
	}
	f, err := d.root.Open(key + objectSuffix)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNotFound
	case err != nil:
		return nil, fmt.Errorf("files: open %s: %w", key, err)
	}
	info, err := readTrailer(f)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("files: read %s: %w", key, err)
	}
	info.Key = key
	return &Object{Info: info, ReadSeekCloser: section{io.NewSectionReader(f, 0, info.Size), f}}, nil
}

// section is the content of a file without its trailer.
type section struct {
	*io.SectionReader
	io.Closer
}

// readTrailer reads the description of an object from its file.
func readTrailer(f *os.File) (Info, error) {
	stat, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	var length [lengthSize]byte
	if _, err := f.ReadAt(length[:], stat.Size()-lengthSize); err != nil {
		return Info{}, errDamaged
	}
	size := stat.Size() - lengthSize - int64(binary.BigEndian.Uint32(length[:]))
	if size < 0 {
		return Info{}, errDamaged
	}
	text := make([]byte, stat.Size()-lengthSize-size)
	if _, err := f.ReadAt(text, size); err != nil {
		return Info{}, errDamaged
	}
	var t trailer
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&t); err != nil {
		return Info{}, errDamaged
	}
	return Info{Type: t.Type, Size: size, ETag: t.ETag, Modified: stat.ModTime().UTC()}, nil
}

var errDamaged = errors.New("the file is damaged")

// Delete removes an object. Directories stay, because another process may be writing there.
func (d *directory) Delete(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	err := d.root.Remove(key + objectSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = d.syncDirectory(path.Dir(key))
	}
	if err != nil {
		return fmt.Errorf("files: delete %s: %w", key, err)
	}
	return nil
}

// List reads the names of all objects with a prefix before it returns the first, because the
// order of a file system's names is not that of keys.
func (d *directory) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		keys, err := d.keys(ctx, prefix)
		if err != nil {
			yield(Info{}, fmt.Errorf("files: list %s: %w", prefix, err))
			return
		}
		for _, key := range keys {
			object, err := d.Get(ctx, key)
			if errors.Is(err, ErrNotFound) { // deleted meanwhile
				continue
			}
			if err != nil {
				yield(Info{}, err)
				return
			}
			_ = object.Close() // nothing was written
			object.Info.Type = ""
			if !yield(object.Info, nil) {
				return
			}
		}
	}
}

// keys returns the sorted keys with a prefix.
func (d *directory) keys(ctx context.Context, prefix string) ([]string, error) {
	if err := checkPrefix(prefix); err != nil {
		return nil, err
	}
	top := "."
	if i := strings.LastIndexByte(prefix, '/'); i > 0 {
		top = prefix[:i]
	}
	var keys []string
	err := fs.WalkDir(d.root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // there is no such directory, or no longer
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && name == temporary:
			return fs.SkipDir
		}
		if key, ok := strings.CutSuffix(name, objectSuffix); ok && !entry.IsDir() && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
		return nil
	})
	slices.Sort(keys)
	return keys, err
}

// URL returns "": the directory has no web server of its own.
func (d *directory) URL(_ context.Context, key string, _ Download) (string, error) {
	return "", checkKey(key)
}

// A contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
