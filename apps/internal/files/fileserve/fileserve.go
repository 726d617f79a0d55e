// Package fileserve serves the objects of a files.Store to browsers: whole or in ranges, with
// caching, and so that no object can run scripts in the name of the system. Objects of types that
// are not known to be harmless are downloaded, never shown. It does not decide who may read an
// object; the systems' pages do, in Find.
package fileserve

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"path"

	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

// A File names the object that a request asks for.
type File struct {
	Key  string
	Name string // for the person who saves it; "" for the last part of the key
	// Cache is the Cache-Control header; "private, no-cache" by default: browsers keep the object
	// and ask whether it has changed.
	Cache    string
	Download bool // never show it in place
	// Viewer shows a PDF in the browser's own viewer, also in a frame of the same site. Other types
	// are not affected.
	Viewer bool
}

// The policies of objects. Browsers show no PDF in a sandbox; their viewers keep the scripts of a PDF
// away from the site.
const (
	objectPolicy = "default-src 'none'; sandbox"
	viewerPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)

// A Handler serves the objects of a store.
type Handler struct {
	Store files.Store
	// Find returns the object that a request asks for, or an error if there is none or the caller
	// may not read it.
	Find func(r *http.Request) (File, error)
	// Fail answers with an error; by default with 404 for refusals and 500 for failures.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
	Log  *slog.Logger // of failures, if Fail is nil
}

// ServeHTTP answers GET and HEAD.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	file, err := h.Find(r)
	if err == nil {
		err = Serve(w, r, h.Store, file)
	}
	switch {
	case err == nil:
	case h.Fail != nil:
		h.Fail(w, r, err)
	default:
		h.fail(w, err)
	}
}

func (h *Handler) fail(w http.ResponseWriter, err error) {
	if refused, ok := errors.AsType[*refusal.Error](err); ok {
		http.Error(w, refused.Message, http.StatusNotFound)
		return
	}
	if h.Log != nil {
		h.Log.Error("file cannot be served", slog.Any("error", err))
	}
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}

// Serve writes an object. If it returns an error, it has written nothing.
func Serve(w http.ResponseWriter, r *http.Request, store files.Store, file File) error {
	object, err := store.Get(r.Context(), file.Key)
	if err != nil {
		return err
	}
	defer object.Close()
	disposition, policy := "attachment", objectPolicy
	viewer := file.Viewer && object.Type == "application/pdf"
	if (files.Inline(object.Type) || viewer) && !file.Download {
		disposition = "inline"
	}
	if viewer {
		policy = viewerPolicy
	}
	header := w.Header()
	header.Set("Content-Type", object.Type)
	if object.Type == "text/plain" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	header.Set("Content-Disposition", files.Disposition(disposition, cmp.Or(file.Name, path.Base(file.Key))))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", cmp.Or(file.Cache, "private, no-cache"))
	if object.ETag != "" {
		header.Set("ETag", `"`+object.ETag+`"`)
	}
	http.ServeContent(w, r, "", object.Modified, object)
	return nil
}
