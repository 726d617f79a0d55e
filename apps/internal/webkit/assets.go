package webkit

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed kit
var kitFiles embed.FS

const assetPath = "/assets/"

// An assetStore holds every asset of a site under one address that changes with any of them, so
// that browsers may cache all for ever and modules find each other by relative names:
// /assets/<version>/kit/live.js, /assets/<version>/app/board.js.
type assetStore struct {
	version string
	files   map[string]asset
}

type asset struct {
	kind  string
	plain []byte
	// gzipped compresses the content when it is first asked for; nil if that would not be smaller.
	gzipped func() []byte
}

// kitAssets are the assets of the kit, which all sites of a process share.
var kitAssets = sync.OnceValues(func() (map[string]asset, error) { return readAssets(kitFiles, "kit", "kit/") })

// newAssetStore returns the kit's assets and those of sources, of which later ones replace
// earlier ones of the same name.
func newAssetStore(sources ...fs.FS) (*assetStore, error) {
	kit, err := kitAssets()
	if err != nil {
		return nil, err
	}
	store := &assetStore{files: maps.Clone(kit)}
	for _, files := range sources {
		if _, err := fs.Stat(files, "assets"); err != nil {
			continue // it has none
		}
		own, err := readAssets(files, "assets", "app/")
		if err != nil {
			return nil, err
		}
		maps.Copy(store.files, own)
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(store.files)) {
		fmt.Fprintf(hash, "%s %d\n", name, len(store.files[name].plain))
		hash.Write(store.files[name].plain)
	}
	store.version = hex.EncodeToString(hash.Sum(nil)[:6])
	return store, nil
}

// readAssets reads the assets of a folder, by their names with a prefix.
func readAssets(files fs.FS, folder, prefix string) (map[string]asset, error) {
	assets := make(map[string]asset)
	err := fs.WalkDir(files, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		assets[prefix+strings.TrimPrefix(name, folder+"/")] = newAsset(name, content)
		return nil
	})
	return assets, err
}

// assetKinds maps extensions to media types that not every machine knows.
var assetKinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".woff2": "font/woff2", ".webmanifest": "application/manifest+json", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
}

func newAsset(name string, content []byte) asset {
	kind, ok := assetKinds[path.Ext(name)]
	if !ok {
		if kind = mime.TypeByExtension(path.Ext(name)); kind == "" {
			kind = "application/octet-stream"
		}
	}
	return asset{kind: kind, plain: content, gzipped: sync.OnceValue(func() []byte {
		if !compressible(kind) {
			return nil
		}
		if small := compress(content, gzip.BestCompression); len(small) < len(content)*9/10 {
			return small
		}
		return nil
	})}
}

func compressible(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.Contains(kind, "json") || strings.Contains(kind, "svg") || strings.Contains(kind, "xml")
}

func compress(content []byte, level int) []byte {
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, level)
	if err != nil { // only for levels that do not exist
		return content
	}
	_, _ = writer.Write(content) // a bytes.Buffer takes everything
	_ = writer.Close()
	return out.Bytes()
}

// url returns the address of an asset. A name that does not exist is a mistake in a template.
func (a *assetStore) url(name string) (string, error) {
	if _, ok := a.files[name]; !ok {
		return "", fmt.Errorf("webkit: there is no asset %q", name)
	}
	return assetPath + a.version + "/" + name, nil
}

func (a *assetStore) has(name string) bool { _, ok := a.files[name]; return ok }

// serve serves a request below assetPath and reports whether the asset exists. A request for an
// old version gets the current content, which must not be cached.
func (a *assetStore) serve(w http.ResponseWriter, r *http.Request) bool {
	version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, assetPath), "/")
	file, ok := a.files[name]
	if !ok {
		return false
	}
	cache := "no-cache"
	if version == a.version {
		cache = "public, max-age=31536000, immutable"
	}
	file.serve(w, r, cache, a.version)
	return true
}

// serve responds with a file. Its version is its ETag.
func (f asset) serve(w http.ResponseWriter, r *http.Request, cache, version string) {
	header := w.Header()
	header.Set("Cache-Control", cache)
	header.Set("Vary", "Accept-Encoding")
	etag := `W/"` + version + `"`
	header.Set("ETag", etag)
	if slices.Contains(strings.Split(strings.ReplaceAll(r.Header.Get("If-None-Match"), " ", ""), ","), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", f.kind)
	body := f.plain
	if acceptsGzip(r) {
		if small := f.gzipped(); small != nil {
			body = small
			header.Set("Content-Encoding", "gzip")
		}
	}
	writeBody(w, r, http.StatusOK, body)
}

// writeCompressed writes a text, smaller where the browser understands it.
func writeCompressed(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Add("Vary", "Accept-Encoding")
	if len(body) > 1400 && acceptsGzip(r) { // a smaller one fits in one packet anyway
		body = compress(body, gzip.BestSpeed)
		w.Header().Set("Content-Encoding", "gzip")
	}
	writeBody(w, r, status, body)
}

func writeBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a disconnected client does not matter
	}
}

// acceptsGzip reports whether Accept-Encoding allows gzip.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if coding = strings.TrimSpace(coding); !strings.EqualFold(coding, "gzip") && coding != "*" {
			continue
		}
		quality, isQuality := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
		if !isQuality {
			return true
		}
		q, err := strconv.ParseFloat(quality, 64)
		return err == nil && q > 0
	}
	return false
}

// serveOwn serves the site's own files.
func (s *Site) serveOwn(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if strings.HasPrefix(r.URL.Path, assetPath) {
		return s.assets.serve(w, r)
	}
	return s.serveApp(w, r)
}
