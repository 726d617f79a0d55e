package images_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddytest"
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/photo"
	"sortkey.dev/apps/internal/refusal"
)

// drawing returns a PNG with a comment of the program that made it, and with more bytes at its end.
func drawing(t *testing.T, width, more int) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, width, 10))); err != nil {
		t.Fatal(err)
	}
	const comment = "tEXtComment\x00drawn at home"
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(comment)-4))
	chunk = append(chunk, comment...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(comment)))
	const header = 8 + 25 // the signature and the chunk IHDR
	whole := append(append(bytes.Clone(file.Bytes()[:header]), chunk...), file.Bytes()[header:]...)
	return append(whole, make([]byte, more)...)
}

func TestAnImageIsKeptWithoutItsMetadata(t *testing.T) {
	w := exambuddytest.Open(t)
	id, err := w.Images.Add(t.Context(), w.Admin(t, "ada"), drawing(t, 10, 0))
	if err != nil {
		t.Fatal(err)
	}
	name, content, err := w.Images.Get(t.Context(), id)
	if err != nil || name != id+".png" || bytes.Contains(content, []byte("at home")) {
		t.Errorf("%s with %q (%v)", name, content, err)
	}
	if picture, err := png.Decode(bytes.NewReader(content)); err != nil || picture.Bounds().Dx() != 10 {
		t.Errorf("the kept image: %v", err)
	}
}

func TestAPhotoIsKeptAsAPhoto(t *testing.T) {
	w := exambuddytest.Open(t)
	var upload bytes.Buffer
	if err := jpeg.Encode(&upload, image.NewGray(image.Rect(0, 0, 4000, 20)), nil); err != nil {
		t.Fatal(err)
	}
	id, err := w.Images.Add(t.Context(), w.Admin(t, "ada"), upload.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	name, content, err := w.Images.Get(t.Context(), id)
	if err != nil || name != id+".jpg" {
		t.Fatalf("%s (%v)", name, err)
	}
	if config, err := jpeg.DecodeConfig(bytes.NewReader(content)); err != nil || config.Width != photo.LargeSide {
		t.Errorf("%+v (%v)", config, err)
	}
}

// deep returns the header of a PNG with 16 bits per channel.
func deep(pixels uint32) []byte {
	header := binary.BigEndian.AppendUint32([]byte("IHDR"), pixels)
	header = append(header, 0, 0, 0, 1, 16, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(header))
}

func TestSizesAndFormats(t *testing.T) {
	w := exambuddytest.Open(t)
	ada := w.Admin(t, "ada")
	small := len(drawing(t, 10, 0))
	for name, test := range map[string]struct {
		upload []byte
		want   error
	}{
		"as large as it may be":  {drawing(t, 10, images.MaxBytes-small), nil},
		"larger":                 {drawing(t, 10, images.MaxBytes-small+1), images.ErrTooLarge},
		"more pixels":            {drawing(t, photo.MaxPixels/10+1, 0), images.ErrFormat},
		"16 bits per channel":    {deep(photo.MaxDeepPixels + 1), images.ErrDepth},
		"no image":               {[]byte("<svg/>"), images.ErrFormat},
		"a part of an image":     {drawing(t, 10, 0)[:small-20], images.ErrFormat},
		"nothing":                {nil, images.ErrFormat},
		"a web page as an image": {append([]byte("\x89PNG\r\n\x1a\n"), "<script>"...), images.ErrFormat},
	} {
		id, err := w.Images.Add(t.Context(), ada, test.upload)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := w.Images.Get(t.Context(), id); test.want == nil && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestImagesAreLimitedByAdmin(t *testing.T) {
	w := exambuddytest.Open(t)
	ada, bob := w.Admin(t, "ada"), w.Admin(t, "bob")
	upload := drawing(t, 1, 0)
	for i := range exambuddy.MaxImages - 1 { // to find out that a file is no image takes time, too
		if _, err := w.Images.Add(t.Context(), ada, []byte("no image")); !errors.Is(err, images.ErrFormat) {
			t.Fatalf("image %d: %v", i+1, err)
		}
	}
	if _, err := w.Images.Add(t.Context(), ada, upload); err != nil {
		t.Fatalf("the last image: %v", err)
	}
	_, err := w.Images.Add(t.Context(), ada, upload)
	refused, ok := refusal.As(err, refusal.TooMany)
	if !ok || !strings.HasPrefix(refused.Message, "You have uploaded 500 images within a day, and cannot upload more now. This image was not stored. Try again in ") {
		t.Fatalf("the image after the last one: %v", err)
	}
	if _, err := w.Images.Add(t.Context(), bob, upload); err != nil {
		t.Errorf("another admin: %v", err)
	}
	w.At(refused.Wait + time.Second)
	if _, err := w.Images.Add(t.Context(), ada, upload); err != nil {
		t.Errorf("after the wait that the refusal states: %v", err)
	}
}

func TestAnImportStoresAnImageOnce(t *testing.T) {
	w := exambuddytest.Open(t)
	seen := map[string]bool{}
	for _, name := range []string{"a.png", "a.png", "b.png"} {
		id, err := w.Images.AddImported(t.Context(), "d1", name, drawing(t, 10, 0))
		if err != nil {
			t.Fatal(err)
		}
		seen[id] = true
	}
	stored := 0
	for _, err := range w.Files.List(t.Context(), "images/") {
		if err != nil {
			t.Fatal(err)
		}
		stored++
	}
	if len(seen) != 2 || stored != 2 {
		t.Errorf("two images have %d ids and %d files", len(seen), stored)
	}
}

func TestOnlyIDsAreKeys(t *testing.T) {
	for _, id := range []string{"", "f1", "../uploads/f000000000000000", "f000000000000000/..", strings.Repeat("f", 41)} {
		if _, err := images.Key(id); !errors.Is(err, files.ErrNotFound) {
			t.Errorf("%q is a key", id)
		}
	}
	if key, err := images.Key(exambuddy.NewFileID()); err != nil || !strings.HasPrefix(key, "images/f") {
		t.Errorf("%q (%v)", key, err)
	}
}
