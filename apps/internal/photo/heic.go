package photo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// ErrHEIC reports a HEIC picture and no Converter for it.
var ErrHEIC = errors.New("photo: the file is a HEIC picture, which is read with a converter only")

// convertTimeout bounds a conversion.
const convertTimeout = 20 * time.Second

// maxConverted bounds the size of a converted picture in bytes.
const maxConverted = 64 << 20

// heicBrands are the brands of files with HEVC pictures.
var heicBrands = []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}

// IsHEIC reports whether a file is a HEIC picture, by its first bytes.
func IsHEIC(upload []byte) bool {
	return len(upload) >= 12 && string(upload[4:8]) == "ftyp" && slices.Contains(heicBrands, string(upload[8:12]))
}

// A Converter prepares HEIC pictures, too, by a command of the machine such as heif-convert. The
// program contains no decoder, because HEVC is patented. A nil Converter reads no HEIC.
type Converter struct{ path string }

// NewConverter returns a converter that runs a command with two arguments: the HEIC file to read, and the
// JPEG file to write. The error is not nil if there is no such command.
func NewConverter(command string) (*Converter, error) {
	path, err := exec.LookPath(command)
	if err != nil {
		return nil, fmt.Errorf("photo: find the converter: %w", err)
	}
	return &Converter{path}, nil
}

// Prepare prepares a picture as the function Prepare does. The error is ErrHEIC for a HEIC picture without
// a converter, and ErrType if the converter cannot read it.
func (c *Converter) Prepare(ctx context.Context, upload []byte) (Prepared, error) {
	switch {
	case !IsHEIC(upload):
		return Prepare(ctx, upload)
	case c == nil:
		return Prepared{}, ErrHEIC
	case len(upload) > MaxBytes:
		return Prepared{}, ErrBytes
	}
	free, err := slot(ctx) // the command decodes the picture, too
	if err != nil {
		return Prepared{}, err
	}
	defer free()
	converted, err := c.convert(ctx, upload)
	if err != nil {
		return Prepared{}, err
	}
	return prepare(converted)
}

// convert runs the command in a directory of its own.
func (c *Converter) convert(ctx context.Context, upload []byte) (converted []byte, err error) {
	directory, err := os.MkdirTemp("", "sortkey-photo-")
	if err != nil {
		return nil, fmt.Errorf("photo: convert: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	from, to := filepath.Join(directory, "photo.heic"), filepath.Join(directory, "photo.jpg")
	if err := os.WriteFile(from, upload, 0o600); err != nil {
		return nil, fmt.Errorf("photo: convert: %w", err)
	}
	ctx, stop := context.WithTimeout(ctx, convertTimeout)
	defer stop()
	command := exec.CommandContext(ctx, c.path, from, to)
	command.Dir = directory
	if err := command.Run(); err != nil {
		if _, refused := errors.AsType[*exec.ExitError](err); refused && ctx.Err() == nil {
			return nil, ErrType
		}
		return nil, fmt.Errorf("photo: convert: %w", err)
	}
	info, err := os.Stat(to)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, ErrType
	case err != nil:
		return nil, fmt.Errorf("photo: convert: %w", err)
	case info.Size() > maxConverted:
		return nil, ErrPixels
	}
	if converted, err = os.ReadFile(to); err != nil {
		return nil, fmt.Errorf("photo: convert: %w", err)
	}
	return converted, nil
}
