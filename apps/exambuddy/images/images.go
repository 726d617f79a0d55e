// Package images keeps the images of questions: without the metadata of cameras, under ids that
// cannot be guessed, and never changed. Admins add them one by one, and imports add those of a
// file.
//
// It stores files and writes no item but the count of an admin's images. A question names its
// images by their ids.
package images

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// MaxBytes is the maximum size of an uploaded image.
const MaxBytes = photo.MaxBytes

// Errors of Add.
var (
	ErrTooLarge = &refusal.Error{Kind: refusal.TooLarge, Code: "FILE_TOO_LARGE", Message: "An image has at most 5 MB.", Fields: []refusal.Field{{Name: "file", Constraint: "length"}}}
	ErrFormat   = &refusal.Error{Kind: refusal.Invalid, Code: "VALIDATION_ERROR", Message: "The image must be a PNG, JPEG, GIF or WebP of at most 40 megapixels.", Fields: []refusal.Field{{Name: "file", Constraint: "format"}}}
	ErrDepth    = &refusal.Error{Kind: refusal.Invalid, Code: "VALIDATION_ERROR", Message: "An image with 16 bits per channel has at most 20 megapixels. Save it with 8 bits per channel.", Fields: []refusal.Field{{Name: "file", Constraint: "format"}}}
)

// A Service keeps images. It is safe for concurrent use.
type Service struct {
	env   *exambuddy.Env
	files files.Store
}

// New returns the service.
func New(env *exambuddy.Env, store files.Store) *Service { return &Service{env, store} }

// added limits the images of an admin: each takes time to read, even if it is none, and is kept.
var added = limits.Limit{Name: "images", Most: exambuddy.MaxImages, Window: 24 * time.Hour}

// Add stores the image of an admin, and returns its id.
func (s *Service) Add(ctx context.Context, admin exambuddy.Admin, upload []byte) (id string, err error) {
	if len(upload) > MaxBytes {
		return "", ErrTooLarge
	}
	if _, err := s.env.Limits.Allow(ctx, added, admin.ID); err != nil {
		return "", exambuddy.TooMany(err, "You have uploaded %d images within a day, and cannot upload more now. This image was not stored.", added.Most)
	}
	id = exambuddy.NewFileID()
	return id, s.store(ctx, id, upload)
}

// AddImported stores an image of an imported document, and returns its id. It depends on the
// document and the name, so that a second run of the import stores no second copy.
func (s *Service) AddImported(ctx context.Context, documentID, name string, upload []byte) (id string, err error) {
	sum := sha256.Sum256([]byte(documentID + "/" + name))
	id = "f" + hex.EncodeToString(sum[:16])
	return id, s.store(ctx, id, upload)
}

func (s *Service) store(ctx context.Context, id string, upload []byte) error {
	picture, err := photo.Clean(ctx, upload)
	switch {
	case errors.Is(err, photo.ErrBytes):
		return ErrTooLarge
	case errors.Is(err, photo.ErrDepth):
		return ErrDepth
	case errors.Is(err, photo.ErrPixels), errors.Is(err, photo.ErrType):
		return ErrFormat
	case err != nil:
		return err
	}
	if _, err = s.files.Put(ctx, folder+id, picture.Type, bytes.NewReader(picture.Content), int64(len(picture.Content))); err != nil {
		return fmt.Errorf("store an image: %w", err)
	}
	return nil
}

// Get returns an image with a name for its file.
func (s *Service) Get(ctx context.Context, id string) (name string, content []byte, err error) {
	key, err := Key(id)
	if err != nil {
		return "", nil, err
	}
	object, err := s.files.Get(ctx, key)
	if err != nil {
		return "", nil, err
	}
	content, err = io.ReadAll(object)
	ending := ".jpg"
	if object.Type == "image/png" {
		ending = ".png"
	}
	return id + ending, content, errors.Join(err, object.Close())
}

const folder = "images/"

var idForm = lazyregexp.New(`^[A-Za-z0-9_-]{16,40}$`)

// Key returns the key of the file of an image; files.ErrNotFound for what cannot be an id.
func Key(id string) (string, error) {
	if !idForm.MatchString(id) {
		return "", files.ErrNotFound
	}
	return folder + id, nil
}
