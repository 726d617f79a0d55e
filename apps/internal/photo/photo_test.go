package photo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"sortkey.dev/apps/internal/photo"
)

// corner colours: top left, top right, bottom left, bottom right.
var corners = [4]color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}}

// quarters returns a picture with a colour in each quarter.
func quarters(w, h int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			picture.SetRGBA(x, y, corners[2*(2*y/h)+2*x/w])
		}
	}
	return picture
}

func encodeJPEG(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodePNG(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withMetadata adds an Exif segment with an orientation and a text where a camera writes the
// location.
func withMetadata(file []byte, order binary.ByteOrder, orientation uint16) []byte {
	tiff := []byte("II*\x00")
	if order == binary.BigEndian {
		tiff = []byte("MM\x00*")
	}
	put32 := func(v uint32) {
		var four [4]byte
		order.PutUint32(four[:], v)
		tiff = append(tiff, four[:]...)
	}
	put16 := func(v uint16) {
		var two [2]byte
		order.PutUint16(two[:], v)
		tiff = append(tiff, two[:]...)
	}
	put32(8)
	put16(2)
	put16(0x010f) // maker
	put16(2)
	put32(4)
	put32(0)
	put16(0x0112)
	put16(3)
	put32(1)
	put16(orientation)
	put16(0)
	put32(0)
	tiff = append(tiff, "GPS 52.2297 21.0122"...)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	result := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))...)
	result = append(result, segment...)
	return append(result, file[2:]...)
}

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// sees checks the colours of the quarters of a picture.
func sees(t *testing.T, picture image.Image, want [4]color.RGBA) {
	t.Helper()
	b := picture.Bounds()
	for i, c := range want {
		x, y := b.Dx()/4+i%2*b.Dx()/2, b.Dy()/4+i/2*b.Dy()/2
		r, g, bl, _ := picture.At(x, y).RGBA()
		if diff(r>>8, uint32(c.R))+diff(g>>8, uint32(c.G))+diff(bl>>8, uint32(c.B)) > 60 {
			t.Errorf("quarter %d is %d %d %d, want %v", i, r>>8, g>>8, bl>>8, c)
		}
	}
}

func diff(a, b uint32) uint32 { return max(a, b) - min(a, b) }

func TestSizes(t *testing.T) {
	for _, test := range []struct{ w, h, large, thumb int }{
		{2000, 1000, 1600, 400}, {300, 200, 300, 300}, {100, 1700, 1600, 400}, {1600, 1600, 1600, 400},
	} {
		got, err := photo.Prepare(t.Context(), encodePNG(t, quarters(test.w, test.h)))
		if err != nil {
			t.Fatal(err)
		}
		large, thumb := decode(t, got.Large), decode(t, got.Thumb)
		if l, s := large.Bounds(), thumb.Bounds(); max(l.Dx(), l.Dy()) != test.large || max(s.Dx(), s.Dy()) != test.thumb || l.Dx() != got.Width || l.Dy() != got.Height {
			t.Errorf("%d x %d becomes %v and %v", test.w, test.h, l, s)
		}
		sees(t, large, corners)
		sees(t, thumb, corners)
	}
}

func TestOrientationIsAppliedAndMetadataRemoved(t *testing.T) {
	r, g, b, y := corners[0], corners[1], corners[2], corners[3]
	want := map[uint16][4]color.RGBA{
		1: {r, g, b, y}, 2: {g, r, y, b}, 3: {y, b, g, r}, 4: {b, y, r, g},
		5: {r, b, g, y}, 6: {b, r, y, g}, 7: {y, g, b, r}, 8: {g, y, r, b}, 9: {r, g, b, y},
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for orientation, quarter := range want {
			upload := withMetadata(encodeJPEG(t, quarters(64, 32)), order, orientation)
			got, err := photo.Prepare(t.Context(), upload)
			if err != nil {
				t.Fatal(err)
			}
			if turned := orientation >= 5 && orientation <= 8; (got.Height > got.Width) != turned {
				t.Errorf("orientation %d becomes %d x %d", orientation, got.Width, got.Height)
			}
			sees(t, decode(t, got.Large), quarter)
			for _, file := range [][]byte{got.Large, got.Thumb} {
				if bytes.Contains(file, []byte("Exif")) || bytes.Contains(file, []byte("GPS")) {
					t.Error("metadata is left")
				}
			}
		}
	}
}

func TestTransparentPictureGetsAWhiteGround(t *testing.T) {
	got, err := photo.Prepare(t.Context(), encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 10, 10))))
	if err != nil {
		t.Fatal(err)
	}
	white := color.RGBA{255, 255, 255, 255}
	sees(t, decode(t, got.Large), [4]color.RGBA{white, white, white, white})
}

func TestCleanKeepsDrawingsAndRemovesMetadata(t *testing.T) {
	got, err := photo.Clean(t.Context(), withMetadata(encodeJPEG(t, quarters(64, 32)), binary.BigEndian, 6))
	if err != nil || got.Type != "image/jpeg" || got.Width != 32 || got.Height != 64 || bytes.Contains(got.Content, []byte("Exif")) {
		t.Errorf("a photo becomes %s, %d x %d: %v", got.Type, got.Width, got.Height, err)
	}
	drawing := image.NewNRGBA(image.Rect(0, 0, 2000, 10))
	drawing.SetNRGBA(1999, 9, color.NRGBA{255, 0, 0, 255})
	if got, err = photo.Clean(t.Context(), encodePNG(t, drawing)); err != nil || got.Type != "image/png" || got.Width != 1600 {
		t.Fatalf("a drawing becomes %s, %d wide: %v", got.Type, got.Width, err)
	}
	if _, _, _, alpha := decode(t, got.Content).At(0, 0).RGBA(); alpha != 0 {
		t.Error("a transparent part is filled")
	}
	var animation bytes.Buffer
	if err := gif.Encode(&animation, quarters(8, 8), nil); err != nil {
		t.Fatal(err)
	}
	if got, err = photo.Clean(t.Context(), animation.Bytes()); err != nil || got.Type != "image/png" {
		t.Errorf("a GIF becomes %s: %v", got.Type, err)
	}
	sees(t, decode(t, got.Content), corners)
	if _, err := photo.Clean(t.Context(), claim(60_000, 60_000)); !errors.Is(err, photo.ErrPixels) {
		t.Errorf("a bomb: %v", err)
	}
}

// claim returns the header of a PNG that claims a size.
func claim(w, h uint32) []byte { return claimDeep(w, h, 8, 2) }

// claimDeep returns the header of a PNG that claims a size, a number of bits per channel and a type of
// colour: 0 is grey, 2 is RGB, 6 is RGB with transparency.
func claimDeep(w, h uint32, bits, kind byte) []byte {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, w)
	header = binary.BigEndian.AppendUint32(header, h)
	header = append(header, bits, kind, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(header))
}

func TestRefused(t *testing.T) {
	fine := encodeJPEG(t, quarters(64, 32))
	for name, test := range map[string]struct {
		upload []byte
		want   error
	}{
		"nothing":         {nil, photo.ErrType},
		"text":            {[]byte("<svg onload=alert(1)>"), photo.ErrType},
		"half a GIF":      {[]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"), photo.ErrType},
		"half a file":     {fine[:len(fine)/2], photo.ErrType},
		"a bomb":          {claim(60_000, 60_000), photo.ErrPixels},
		"one pixel more":  {claim(photo.MaxPixels+1, 1), photo.ErrPixels},
		"just the header": {claim(photo.MaxPixels, 1), photo.ErrType},
		"6 MB":            {append(bytes.Clone(fine), make([]byte, 6<<20)...), photo.ErrBytes},
		"one byte more":   {append(bytes.Clone(fine), make([]byte, photo.MaxBytes-len(fine)+1)...), photo.ErrBytes},
	} {
		if _, err := photo.Prepare(t.Context(), test.upload); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if _, err := photo.Prepare(t.Context(), append(fine, make([]byte, photo.MaxBytes-len(fine))...)); err != nil {
		t.Errorf("as large as allowed: %v", err)
	}
}

// A picture of which only the header exists is refused as damaged after its size is accepted.
func TestPicturesWith16BitsAreSmaller(t *testing.T) {
	for _, kind := range []byte{0, 2, 6} {
		for _, test := range []struct {
			bits   byte
			pixels uint32
			want   error
		}{
			{8, photo.MaxPixels, photo.ErrType}, {8, photo.MaxPixels + 1, photo.ErrPixels},
			{16, photo.MaxDeepPixels, photo.ErrType}, {16, photo.MaxDeepPixels + 1, photo.ErrDepth}, {16, photo.MaxPixels + 1, photo.ErrPixels},
		} {
			upload := claimDeep(test.pixels, 1, test.bits, kind)
			if _, err := photo.Prepare(t.Context(), upload); !errors.Is(err, test.want) {
				t.Errorf("Prepare of %d pixels with %d bits: %v, want %v", test.pixels, test.bits, err, test.want)
			}
			if _, err := photo.Clean(t.Context(), upload); !errors.Is(err, test.want) {
				t.Errorf("Clean of %d pixels with %d bits: %v, want %v", test.pixels, test.bits, err, test.want)
			}
		}
	}
}

func TestPicturesWaitForEachOther(t *testing.T) {
	fine, ended := encodeJPEG(t, quarters(8, 8)), canceled(t)
	converter, err := photo.NewConverter(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func(ctx context.Context, upload []byte) error{
		"Prepare": func(ctx context.Context, upload []byte) error { _, err := photo.Prepare(ctx, upload); return err },
		"Clean":   func(ctx context.Context, upload []byte) error { _, err := photo.Clean(ctx, upload); return err },
		"HEIC":    func(ctx context.Context, _ []byte) error { _, err := converter.Prepare(ctx, heic); return err },
	}
	release := photo.TakeSlots()
	for name, call := range calls {
		if err := call(ended, fine); !errors.Is(err, context.Canceled) {
			t.Errorf("%s while others are decoded: %v", name, err)
		}
	}
	if _, err := photo.Prepare(ended, claim(60_000, 60_000)); !errors.Is(err, photo.ErrPixels) {
		t.Errorf("a picture that is refused waits: %v", err)
	}
	release()
	t.Setenv(convertVariable, "1")
	for name, call := range calls {
		for range 3 { // each call frees its slot
			if err := call(t.Context(), fine); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func canceled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// A drawing of one column must not take 32 bytes for each of its pixels.
func TestLongDrawingsTakeLittleMemory(t *testing.T) {
	const height = 1_000_000
	upload := encodePNG(t, image.NewGray(image.Rect(0, 0, 1, height)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := photo.Clean(t.Context(), upload)
	runtime.ReadMemStats(&after)
	if err != nil || got.Width != 1 || got.Height != photo.LargeSide {
		t.Fatalf("%d x %d: %v", got.Width, got.Height, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*height {
		t.Errorf("it takes %d bytes", used)
	}
}

// TestDamagedFilesDoNotPanic changes random bytes of a file with metadata.
func TestDamagedFilesDoNotPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	file := withMetadata(encodeJPEG(t, quarters(16, 16)), binary.BigEndian, 6)
	for range 3000 {
		damaged := bytes.Clone(file)
		for range 1 + r.IntN(6) {
			damaged[r.IntN(min(len(damaged), 80))] = byte(r.IntN(256))
		}
		if _, err := photo.Prepare(t.Context(), damaged); err != nil && !errors.Is(err, photo.ErrType) && !errors.Is(err, photo.ErrPixels) {
			t.Fatal(err)
		}
	}
}
