package listings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/refusal"
)

// PhotoKey returns the key of a photo in the store of files.
func PhotoKey(fileID string) string { return "photos/" + strings.ToLower(fileID) + ".jpg" }

// ThumbKey returns the key of the small size of a photo.
func ThumbKey(fileID string) string { return "photos/" + strings.ToLower(fileID) + "-thumb.jpg" }

// Upload prepares and stores a photo of a person. A photo that no item uses within a day is
// deleted.
func (s *Service) Upload(ctx context.Context, userID string, content []byte) (ecobiddb.Upload, error) {
	if err := s.env.Allow(ctx, ecobid.LimitUploads, userID); err != nil { // before the work of decoding
		return ecobiddb.Upload{}, err
	}
	prepared, err := s.env.Photos.Prepare(ctx, content)
	switch {
	case errors.Is(err, photo.ErrBytes):
		return ecobiddb.Upload{}, refusal.OfField(refusal.Field{Name: "photo", Constraint: "length"}, "A photo has at most %d MB.", photo.MaxBytes>>20)
	case errors.Is(err, photo.ErrPixels):
		return ecobiddb.Upload{}, refusal.OfField(refusal.Field{Name: "photo", Constraint: "range"}, "A photo has at most %d megapixels.", photo.MaxPixels/1_000_000)
	case errors.Is(err, photo.ErrDepth):
		return ecobiddb.Upload{}, refusal.OfField(refusal.Field{Name: "photo", Constraint: "range"}, "A photo with 16 bits per channel has at most %d megapixels. Save it with 8 bits per channel.", photo.MaxDeepPixels/1_000_000)
	case errors.Is(err, photo.ErrHEIC):
		return ecobiddb.Upload{}, refusal.OfField(refusal.Field{Name: "photo", Constraint: "type"}, "This server does not read HEIC pictures. Send a JPEG, PNG or WebP picture. An operator switches HEIC on with a converter: ECOBID_HEIC=heif-convert.")
	case errors.Is(err, photo.ErrType):
		return ecobiddb.Upload{}, refusal.OfField(refusal.Field{Name: "photo", Constraint: "type"}, "Send a JPEG, PNG or WebP picture.")
	case err != nil:
		return ecobiddb.Upload{}, err
	}
	now := s.env.Now()
	upload := ecobiddb.Upload{UploadID: access.NewULID(now), UserID: userID, Width: int64(prepared.Width), Height: int64(prepared.Height), CreatedAt: now}
	for key, file := range map[string][]byte{PhotoKey(upload.UploadID): prepared.Large, ThumbKey(upload.UploadID): prepared.Thumb} {
		if _, err := s.env.Files.Put(ctx, key, "image/jpeg", bytes.NewReader(file), int64(len(file))); err != nil {
			return ecobiddb.Upload{}, fmt.Errorf("store a photo: %w", err)
		}
	}
	tx := s.env.DB.Tx()
	tx.CreateUpload(upload)
	if err := s.env.Timer(tx, jobForgetUpload, upload.UploadID, now.Add(ecobid.KeepUnused), upload.UploadID); err != nil {
		return ecobiddb.Upload{}, err
	}
	if err := tx.Commit(ctx); err != nil {
		return ecobiddb.Upload{}, fmt.Errorf("record a photo: %w", err)
	}
	return upload, nil
}

// OpenPhoto opens a photo, or its small size. The caller closes it. Photos contain no metadata, and
// their ids are not listed anywhere but with their items.
func (s *Service) OpenPhoto(ctx context.Context, fileID string, small bool) (*files.Object, error) {
	if _, err := access.TimeOfID(fileID); err != nil {
		return nil, files.ErrNotFound
	}
	key := PhotoKey(fileID)
	if small {
		key = ThumbKey(fileID)
	}
	return s.env.Files.Get(ctx, key)
}

// repeated reports whether an id stands twice in a list.
func repeated(ids []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(ids)))) < len(ids)
}

// usePhotos sets the photos of an item, and adds to a transaction that they belong to it and that those it had before
// are forgotten.
func (s *Service) usePhotos(ctx context.Context, tx *ecobiddb.Tx, item *ecobiddb.Item, ids []string) error {
	before := item.Photos
	item.Photos, item.PhotoCount, item.Thumbnail = []ecobiddb.Photo{}, int64(len(ids)), nil
	for _, id := range ids {
		upload, err := s.env.DB.GetUpload(ctx, id)
		if err != nil {
			var key *access.KeyError
			if errors.As(err, &key) {
				return ecobid.ErrNoPhoto
			}
			return ecobid.Instead(err, ecobid.ErrNoPhoto)
		}
		item.Photos = append(item.Photos, ecobiddb.Photo{FileID: id, Width: upload.Width, Height: upload.Height})
		tx.UseUpload(upload.Key(), ecobiddb.UseUploadParams{ItemID: item.ItemID, UserID: item.UserID})
	}
	if len(ids) > 0 {
		item.Thumbnail = &ids[0]
	}
	return s.forgetDropped(tx, before, *item)
}

// forgetDropped adds to a transaction that the photos that an item no longer uses are deleted after a day, unless it
// uses them again by then.
func (s *Service) forgetDropped(tx *ecobiddb.Tx, before []ecobiddb.Photo, item ecobiddb.Item) error {
	for _, photo := range before {
		if slices.ContainsFunc(item.Photos, func(p ecobiddb.Photo) bool { return p.FileID == photo.FileID }) {
			continue
		}
		id := photo.FileID + "-" + strconv.FormatInt(item.UpdatedAt.UnixMilli(), 10) // the upload has a job of its own
		if err := s.env.Timer(tx, jobForgetUpload, id, item.UpdatedAt.Add(ecobid.KeepUnused), photo.FileID); err != nil {
			return err
		}
	}
	return nil
}

// DeletePhotos deletes the photos of an item at once. It can be repeated.
func (s *Service) DeletePhotos(ctx context.Context, item ecobiddb.Item) error {
	for _, photo := range item.Photos {
		if err := s.deletePhoto(ctx, photo.FileID); err != nil {
			return err
		}
	}
	return nil
}

// runForgetUpload deletes a photo that no item uses.
func (s *Service) runForgetUpload(ctx context.Context, job jobs.Job) error {
	id, err := jobs.Payload[string](job)
	if err != nil {
		return err
	}
	upload, err := s.env.DB.GetUpload(ctx, id)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return err
	case upload.ItemID != nil:
		item, err := s.env.DB.GetItem(ctx, *upload.ItemID)
		if err != nil && !errors.Is(err, access.ErrNotFound) {
			return err
		}
		for _, p := range item.Photos {
			if p.FileID == id {
				return nil
			}
		}
	}
	return s.deletePhoto(ctx, id)
}

// deletePhoto deletes the files of a photo and its record, in this order: a failure in between
// is repeated.
func (s *Service) deletePhoto(ctx context.Context, id string) error {
	for _, key := range []string{PhotoKey(id), ThumbKey(id)} {
		if err := s.env.Files.Delete(ctx, key); err != nil {
			return fmt.Errorf("delete a photo: %w", err)
		}
	}
	if err := s.env.DB.DeleteUpload(ctx, ecobiddb.UploadKey{UploadID: id}); err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("delete the record of a photo: %w", err)
	}
	return nil
}
