package api

import (
	"fmt"
	"io"
	"net/http"
	"strconv"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/listings"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
	"sortkey.dev/apps/internal/refusal"
)

// photos stores and serves photos.
type photos struct {
	listings *listings.Service
}

func (h *photos) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.HandleRaw(contract.UploadPhoto, c.member, h.upload),
		openapi.HandleRaw(contract.GetPhoto, c.anyone, h.photo),
	}
}

// upload stores the body of a request as a photo.
func (h *photos) upload(w http.ResponseWriter, r *http.Request, c *call, _ operation.With[operation.Content]) error {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return refusal.New(refusal.TooLarge, "", "A photo has at most 5 MB.")
	}
	stored, err := h.listings.Upload(r.Context(), c.user(), content)
	if err != nil {
		return err
	}
	return jsonapi.Write(w, http.StatusCreated, contract.Uploaded{ID: stored.UploadID, URL: photoURL(stored.UploadID), ThumbnailURL: thumbURL(stored.UploadID), Width: stored.Width, Height: stored.Height})
}

// photo serves a photo. Photos never change.
func (h *photos) photo(w http.ResponseWriter, r *http.Request, _ *http.Request, in contract.PhotoOf) error {
	object, err := h.listings.OpenPhoto(r.Context(), in.ID, in.Size == "small")
	if err != nil {
		return err
	}
	defer object.Close()
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Content-Length", strconv.FormatInt(object.Size, 10))
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.Method != http.MethodHead {
		if _, err := io.Copy(w, object); err != nil {
			return fmt.Errorf("send a photo: %w", err)
		}
	}
	return nil
}
