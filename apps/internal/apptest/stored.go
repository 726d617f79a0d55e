package apptest

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/engine"
	"sortkey.dev/internal/evolve"
)

// A Stored is the data of a system in a directory, as "sortkey run NAME --data DIR" keeps it.
type Stored struct {
	Notes  map[string]string // what a test wrote down when it made the data
	dir    string
	name   string
	Secret string
	now    func() time.Time
	db     *engine.DB
}

const notesFile, dataFolder = "notes.json", "data"

// OpenStored opens a copy of the data in an archive, which a system of an older version wrote. Its clocks go on from when
// the data was made. An archive that does not exist is made first if the variable UPDATE is set: fill uses the
// system as people do, and writes down in Notes what a later version has to find. An archive is never made again: by then
// the older version is gone.
func OpenStored(t *testing.T, archive, name string, fill func(*Stored)) *Stored {
	t.Helper()
	if _, err := os.Stat(archive); errors.Is(err, fs.ErrNotExist) && os.Getenv("UPDATE") != "" {
		made := &Stored{Notes: map[string]string{}, dir: t.TempDir(), name: name, now: time.Now}
		made.open(t)
		fill(made)
		made.Notes["made"] = made.now().UTC().Format(time.RFC3339)
		made.close(t)
		made.write(t, archive)
	}
	s := &Stored{dir: t.TempDir(), name: name}
	s.read(t, archive)
	made, err := time.Parse(time.RFC3339, s.Notes["made"])
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	s.now = func() time.Time { return made.Add(time.Minute + time.Since(begin)) }
	s.open(t)
	return s
}

// open opens the store, and makes the secret of a new directory.
func (s *Stored) open(t *testing.T) {
	t.Helper()
	place := filepath.Join(s.dir, dataFolder)
	secretFile := filepath.Join(place, "secret")
	if err := os.MkdirAll(place, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(secretFile)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(hex.EncodeToString([]byte("the secret of the stored " + s.name)))
		err = os.WriteFile(secretFile, append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Secret = strings.TrimSpace(string(text))
	if s.db, err = engine.Open(filepath.Join(place, "db"), &engine.Options{Now: s.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() }) // closing twice is harmless
}

// close closes the store, after the system has ended.
func (s *Stored) close(t *testing.T) {
	t.Helper()
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
}

// Now returns the time of the data.
func (s *Stored) Now() time.Time { return s.now() }

// Serve serves a system on the data, which is brought to the version of the program, until stop is called or the test ends.
func (s *Stored) Serve(t *testing.T, listen func(http.Handler) *httptest.Server, open func(context.Context, apps.Config) (apps.System, error)) (site *httptest.Server, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var system apps.System
	site = listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { system.ServeHTTP(w, r) }))
	system, err := open(ctx, s.config(site.URL))
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- system.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		site.Close()
	})
	t.Cleanup(stop)
	return site, stop
}

// config returns the environment of a system on the data.
func (s *Stored) config(base string) apps.Config {
	return apps.Config{
		DynamoDB: s.db.API(), Streams: s.db.Streams(), Secret: []byte(s.Secret), PublicURL: base, LocalURL: base,
		FilesDir: filepath.Join(s.dir, dataFolder, s.name+"-files"), Now: s.now,
		Keeper: evolve.New(evolve.Options{API: s.db.API(), Designs: apps.Designs, Alone: true}),
	}
}

// NoteCookies writes down the cookies of a visitor, such as a session.
func (s *Stored) NoteCookies(t *testing.T, name, base string, client *http.Client) {
	t.Helper()
	text, err := json.Marshal(client.Jar.Cookies(parse(t, base)))
	if err != nil {
		t.Fatal(err)
	}
	s.Notes[name] = string(text)
}

// SetCookies gives a visitor the cookies that were written down.
func (s *Stored) SetCookies(t *testing.T, name, base string, client *http.Client) {
	t.Helper()
	var cookies []*http.Cookie
	if err := json.Unmarshal([]byte(s.Notes[name]), &cookies); err != nil {
		t.Fatal(err)
	}
	client.Jar.SetCookies(parse(t, base), cookies)
}

func parse(t *testing.T, base string) *url.URL {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// write writes the archive.
func (s *Stored) write(t *testing.T, archive string) {
	t.Helper()
	notes, err := json.MarshalIndent(s.Notes, "", "  ")
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(s.dir, notesFile), notes, 0o600), os.MkdirAll(filepath.Dir(archive), 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(packed)
	if err := errors.Join(files.AddFS(os.DirFS(s.dir)), files.Close(), packed.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// read unpacks the archive.
func (s *Stored) read(t *testing.T, archive string) {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatalf("%v (UPDATE=1 makes it, with the present version)", err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(packed); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := s.unpack(head, files); err != nil {
			t.Fatal(err)
		}
	}
	notes, err := os.ReadFile(filepath.Join(s.dir, notesFile))
	if err == nil {
		err = json.Unmarshal(notes, &s.Notes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *Stored) unpack(head *tar.Header, content io.Reader) error {
	at := filepath.Join(s.dir, filepath.FromSlash(head.Name))
	if head.FileInfo().IsDir() {
		return os.MkdirAll(at, 0o700)
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, text, 0o600))
}
