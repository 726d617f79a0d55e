package web

import (
	"encoding/json"
	"io"
	"net/http"

	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/privacy"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/files/fileserve"
)

// myData returns the handler that writes everything about the signed-in person as a file.
func myData(service *privacy.Service) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		me, err := caller(r)
		if err != nil {
			return err
		}
		data, err := service.Export(r.Context(), me)
		if err != nil {
			return err
		}
		return sendFile(w, "application/json", "exambuddy.json", func(to io.Writer) error {
			encoder := json.NewEncoder(to)
			encoder.SetIndent("", "  ")
			return encoder.Encode(data)
		})
	}
}

// image returns the handler that serves an image of a question. Its id cannot be guessed.
func image(store files.Store) func(w http.ResponseWriter, r *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		key, err := images.Key(r.PathValue("file"))
		if err != nil {
			return err
		}
		return fileserve.Serve(w, r, store, fileserve.File{Key: key, Cache: "private, max-age=86400"})
	}
}
