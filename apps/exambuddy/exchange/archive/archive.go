// Package archive reads zip packages of strangers: QTI packages and Word documents. It bounds the
// number of files and the bytes that are unpacked, and writes nothing to disk. The parsers of package
// exchange call it.
package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/internal/refusal"
)

// IsZip reports whether data begins like a zip file.
func IsZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// A Package is an open zip file.
type Package struct {
	files map[string]*zip.File
	names []string
	left  int64 // bytes that may still be unpacked
}

// Open reads the table of contents.
func Open(data []byte, limits draft.Limits) (*Package, error) {
	limits = limits.WithDefaults()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, draft.Unreadable("The file is damaged: it is not a complete zip file.")
	}
	if len(r.File) > limits.Entries {
		return nil, refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The package has %d files. At most %d are accepted.", len(r.File), limits.Entries)
	}
	p := &Package{files: map[string]*zip.File{}, left: limits.Unpacked}
	for _, f := range r.File {
		name := Clean(f.Name)
		if f.Flags&1 != 0 {
			return nil, refusal.New(refusal.Invalid, "ENCRYPTED_FILE", "The package is encrypted. Save it without a password.")
		}
		if _, twice := p.files[name]; !twice && !strings.HasSuffix(f.Name, "/") {
			p.names = append(p.names, name)
			p.files[name] = f
		}
	}
	slices.Sort(p.names)
	return p, nil
}

// Clean returns a name in a package without "..", a leading slash or backslashes.
func Clean(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names returns the names of all files, sorted.
func (p *Package) Names() []string { return p.names }

// Has reports whether there is a file.
func (p *Package) Has(name string) bool { return p.files[Clean(name)] != nil }

// Read unpacks a file.
func (p *Package) Read(name string) ([]byte, error) {
	f := p.files[Clean(name)]
	if f == nil {
		return nil, draft.Unreadable("The package has no file %s.", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, draft.Unreadable("The file %s in the package cannot be unpacked.", name)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, p.left+1))
	p.left -= int64(len(data))
	if p.left < 0 {
		return nil, refusal.New(refusal.TooLarge, "FILE_TOO_LARGE", "The package unpacks to more than is accepted.")
	}
	if err != nil {
		return nil, draft.Unreadable("The file %s in the package is damaged: %v.", name, fmt.Sprint(err))
	}
	return data, nil
}
