package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"

	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

// noWait repeats requests at once.
func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func s3Options(o files.Options) files.Options {
	o.Credentials = credentials.NewStaticCredentialsProvider(accessKey, secretKey, "")
	o.Wait = noWait
	return o
}

func openDirectory(t *testing.T, o files.Options) files.Store {
	t.Helper()
	store, err := files.Open("file://"+t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func openS3(t *testing.T, service *s3, prefix string, o files.Options) files.Store {
	t.Helper()
	store, err := files.Open("s3://"+bucket+prefix+"?region="+region+"&endpoint="+service.URL, s3Options(o))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// everyStore runs a test on all implementations.
func everyStore(t *testing.T, o files.Options, test func(t *testing.T, store files.Store)) {
	t.Run("directory", func(t *testing.T) { test(t, openDirectory(t, o)) })
	t.Run("S3", func(t *testing.T) { test(t, openS3(t, newS3(t), "", o)) })
	t.Run("S3 with a prefix", func(t *testing.T) { test(t, openS3(t, newS3(t), "/shop/files", o)) })
}

func put(t *testing.T, store files.Store, key, content string) files.Info {
	t.Helper()
	info, err := store.Put(t.Context(), key, "", strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func get(t *testing.T, store files.Store, key string) (files.Info, string) {
	t.Helper()
	object, err := store.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	content, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return object.Info, string(content)
}

const png = "\x89PNG\r\n\x1a\n and so on"

func TestAnObjectIsReadAsItWasStored(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		for key, content := range map[string]string{
			"a": "", "b/c": "x", "b/c/d.png": png, "b": strings.Repeat("a long text ", 10_000), "b/c.d-e_f": strings.Repeat("x", 512),
		} {
			stored := put(t, store, key, content)
			info, got := get(t, store, key)
			if got != content || info.Size != int64(len(content)) || info.Key != key {
				t.Errorf("%s: %d bytes, %+v", key, len(got), info)
			}
			if info.Type != stored.Type || info.ETag != stored.ETag || info.ETag == "" || info.Modified.IsZero() || stored.Key != key || stored.Size != info.Size {
				t.Errorf("%s: stored as %+v, read as %+v", key, stored, info)
			}
		}
		if info, _ := get(t, store, "b/c/d.png"); info.Type != "image/png" {
			t.Errorf("the type is %q", info.Type)
		}
	})
}

func TestAnObjectIsReplaced(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		first := put(t, store, "k", "first")
		open, err := store.Get(t.Context(), "k")
		if err != nil {
			t.Fatal(err)
		}
		defer open.Close()
		second := put(t, store, "k", png)
		if info, got := get(t, store, "k"); got != png || info.ETag != second.ETag || first.ETag == second.ETag || info.Type != "image/png" {
			t.Errorf("read %q, %+v", got, info)
		}
		// A reader of the old object gets the old content or an error, never a mixture.
		if content, err := io.ReadAll(open); err == nil && string(content) != "first" {
			t.Errorf("the open object became %q", content)
		}
	})
}

func TestMissingObjects(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		for _, key := range []string{"none", "a/b/c", "../etc/passwd", "/etc/passwd", "", "UPPER"} {
			if _, err := store.Get(t.Context(), key); !errors.Is(err, files.ErrNotFound) {
				t.Errorf("%q: %v", key, err)
			}
		}
		put(t, store, "k", "x")
		for range 2 { // what is deleted can be deleted
			if err := store.Delete(t.Context(), "k"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Get(t.Context(), "k"); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("a deleted object: %v", err)
		}
	})
}

func TestKeysAreSafe(t *testing.T) {
	part := strings.Repeat("x", 128)
	long := part + "/" + part + "/" + part + "/" + part // 515 bytes
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		for key, ok := range map[string]bool{
			"a": true, "0": true, "a.b": true, "a/b/c": true, "a..b": true, "a-_.": true, part: true, long[:files.MaxKey]: true,
			"": false, "/": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "../a": false, "a/../b": false, "a/./b": false,
			".tmp/a": false, ".hidden": false, "A": false, "a b": false, "a\x00b": false, "a\\b": false, "a=": false, "ä": false, "a?b": false, "a%2f": false,
			part + "x": false, long[:files.MaxKey+1]: false, "-a": false, "_a": false,
		} {
			_, err := store.Put(t.Context(), key, "", strings.NewReader("x"), 1)
			if (err == nil) != ok {
				t.Errorf("storing %q: %v", key, err)
			}
			if err := store.Delete(t.Context(), key); (err == nil) != ok {
				t.Errorf("deleting %q: %v", key, err)
			}
			if _, err := store.URL(t.Context(), key, files.Download{}); (err == nil) != ok {
				t.Errorf("the URL of %q: %v", key, err)
			}
		}
	})
}

func TestObjectsAreListedByPrefix(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		keys := []string{"a", "a-b", "a.b", "a/b", "a/b/c", "a/bc", "a0", "b"} // in their order
		for i := len(keys) - 1; i >= 0; i-- {
			put(t, store, keys[i], keys[i])
		}
		for prefix, want := range map[string]string{
			"": "a a-b a.b a/b a/b/c a/bc a0 b", "a/": "a/b a/b/c a/bc", "a": "a a-b a.b a/b a/b/c a/bc a0", "a/b": "a/b a/b/c a/bc", "a/b/": "a/b/c", "none": "", "none/": "", "none/x": "",
		} {
			var got []string
			for info, err := range store.List(t.Context(), prefix) {
				if err != nil {
					t.Fatal(err)
				}
				if info.Size != int64(len(info.Key)) || info.ETag == "" || info.Modified.IsZero() || info.Type != "" {
					t.Errorf("listed as %+v", info)
				}
				got = append(got, info.Key)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("with prefix %q: %q, want %q", prefix, got, want)
			}
		}
		for info := range store.List(t.Context(), "") { // a list can be left
			if info.Key != "a" {
				t.Errorf("the first key is %q", info.Key)
			}
			break
		}
		for _, prefix := range []string{"../", "/", "A"} {
			for _, err := range store.List(t.Context(), prefix) {
				if err == nil {
					t.Errorf("prefix %q is accepted", prefix)
				}
			}
		}
	})
}

func TestSizesAreLimited(t *testing.T) {
	everyStore(t, files.Options{MaxSize: 1000}, func(t *testing.T, store files.Store) {
		for size, ok := range map[int]bool{0: true, 999: true, 1000: true, 1001: false, -1: false} {
			_, err := store.Put(t.Context(), "k", "", bytes.NewReader(make([]byte, max(size, 0))), int64(size))
			refused, isRefusal := errors.AsType[*refusal.Error](err)
			if (err == nil) != ok || size > 1000 && (!isRefusal || refused.Kind != refusal.TooLarge) {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
	})
}

func TestContentHasItsAnnouncedSize(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		for _, test := range []struct{ real, announced int }{{0, 1}, {1, 0}, {5, 4}, {4, 5}, {5000, 4999}, {4999, 5000}, {512, 511}, {512, 513}} {
			put(t, store, "k", "before")
			_, err := store.Put(t.Context(), "k", "", strings.NewReader(strings.Repeat("x", test.real)), int64(test.announced))
			if !errors.Is(err, files.ErrSize) {
				t.Errorf("%d bytes announced as %d: %v", test.real, test.announced, err)
			}
			if _, got := get(t, store, "k"); got != "before" {
				t.Errorf("%d bytes announced as %d: stored %d bytes", test.real, test.announced, len(got))
			}
		}
		failing := io.MultiReader(strings.NewReader(strings.Repeat("x", 600)), &brokenReader{})
		if _, err := store.Put(t.Context(), "other", "", failing, 1000); err == nil {
			t.Error("a reader that fails is stored")
		}
		if _, err := store.Get(t.Context(), "other"); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("a part of an object is stored: %v", err)
		}
	})
}

type brokenReader struct{}

func (*brokenReader) Read([]byte) (int, error) { return 0, errors.New("the line is cut") }

func TestObjectsAreReadFromAnywhere(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		put(t, store, "k", "0123456789")
		object, err := store.Get(t.Context(), "k")
		if err != nil {
			t.Fatal(err)
		}
		defer object.Close()
		for _, step := range []struct {
			offset int64
			whence int
			want   string
		}{{0, io.SeekStart, "012"}, {2, io.SeekCurrent, "567"}, {-1, io.SeekEnd, "9"}, {3, io.SeekStart, "345"}, {10, io.SeekStart, ""}, {0, io.SeekStart, "012"}} {
			if _, err := object.Seek(step.offset, step.whence); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, 3)
			n, err := io.ReadFull(object, got)
			if string(got[:n]) != step.want || err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("after a seek to %d from %d: %q (%v), want %q", step.offset, step.whence, got[:n], err, step.want)
			}
		}
		if _, err := object.Seek(-1, io.SeekStart); err == nil {
			t.Error("there is something before the start")
		}
	})
}

func TestManyWritersAndReaders(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		contents := map[string]bool{}
		for i := range 4 {
			contents[strings.Repeat(fmt.Sprint(i), 100_000)] = true
		}
		put(t, store, "k", strings.Repeat("0", 100_000))
		var all sync.WaitGroup
		for content := range contents {
			all.Go(func() {
				for range 5 {
					if _, err := store.Put(t.Context(), "k", "", strings.NewReader(content), int64(len(content))); err != nil {
						t.Error(err)
					}
				}
			})
			all.Go(func() {
				for range 5 {
					object, err := store.Get(t.Context(), "k")
					if err != nil {
						t.Error(err)
						continue
					}
					got, err := io.ReadAll(object)
					if err == nil && !contents[string(got)] { // S3 refuses to read what was replaced meanwhile
						t.Errorf("read a mixture of %d bytes", len(got))
					}
					_ = object.Close()
				}
			})
		}
		all.Wait()
	})
}

func TestACancelledContextEndsCalls(t *testing.T) {
	everyStore(t, files.Options{}, func(t *testing.T, store files.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := store.Put(ctx, "k", "", strings.NewReader("x"), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("put: %v", err)
		}
		for _, err := range store.List(ctx, "") {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("list: %v", err)
			}
		}
		if _, err := store.Get(t.Context(), "k"); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("get: %v", err)
		}
	})
}
