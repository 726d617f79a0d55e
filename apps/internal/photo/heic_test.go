package photo_test

import (
	"errors"
	"image"
	"image/jpeg"
	"os"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/photo"
)

// convertVariable makes the test program a converter: it writes a picture, or fails if that is its value.
const convertVariable = "SORTKEY_TEST_CONVERTER"

// TestMain runs the tests, or the converter of a test.
func TestMain(m *testing.M) {
	switch os.Getenv(convertVariable) {
	case "":
		os.Exit(m.Run())
	case "fail":
		os.Exit(1)
	case "silent":
		os.Exit(0)
	}
	content, err := os.ReadFile(os.Args[1])
	if err != nil || !photo.IsHEIC(content) || !strings.HasSuffix(os.Args[2], ".jpg") {
		os.Exit(2)
	}
	file, err := os.Create(os.Args[2])
	if err != nil {
		os.Exit(2)
	}
	if err := errors.Join(jpeg.Encode(file, image.NewRGBA(image.Rect(0, 0, 64, 48)), nil), file.Close()); err != nil {
		os.Exit(2)
	}
	os.Exit(0)
}

// heic is the beginning of a HEIC file.
var heic = []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")

func TestHEICWithoutAConverter(t *testing.T) {
	var none *photo.Converter
	if _, err := none.Prepare(t.Context(), heic); !errors.Is(err, photo.ErrHEIC) {
		t.Errorf("HEIC: %v", err)
	}
	if _, err := none.Prepare(t.Context(), []byte("\x00\x00\x00\x18ftypisom\x00\x00\x00\x00")); !errors.Is(err, photo.ErrType) {
		t.Errorf("a film: %v", err)
	}
}

func TestHEICWithAConverter(t *testing.T) {
	converter, err := photo.NewConverter(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(convertVariable, "1")
	prepared, err := converter.Prepare(t.Context(), heic)
	if err != nil || prepared.Width != 64 || prepared.Height != 48 || len(prepared.Thumb) == 0 {
		t.Errorf("%d × %d, %v", prepared.Width, prepared.Height, err)
	}
	largest := append(append([]byte{}, heic...), make([]byte, photo.MaxBytes-len(heic))...)
	if _, err := converter.Prepare(t.Context(), largest); err != nil {
		t.Errorf("%d bytes: %v", len(largest), err)
	}
	if _, err := converter.Prepare(t.Context(), append(largest, 0)); !errors.Is(err, photo.ErrBytes) {
		t.Errorf("%d bytes: %v", len(largest)+1, err)
	}
	for _, broken := range []string{"fail", "silent"} {
		t.Setenv(convertVariable, broken)
		if _, err := converter.Prepare(t.Context(), heic); !errors.Is(err, photo.ErrType) {
			t.Errorf("a converter that does %q: %v", broken, err)
		}
	}
}

func TestAConverterThatIsMissing(t *testing.T) {
	if _, err := photo.NewConverter("no-such-command-of-sortkey"); err == nil {
		t.Error("it is found")
	}
}
