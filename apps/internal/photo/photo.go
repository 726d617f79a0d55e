// Package photo prepares uploaded pictures: it decodes what a phone or a browser uploads, applies
// the orientation that the camera recorded, scales it down, and encodes it again without any
// metadata, so that no location is left in the file. Sizes are checked before pixels are allocated,
// and a few pictures at a time are decoded in the process; others wait.
//
// The package stores nothing and knows no system. The systems call it: Prepare makes the two sizes
// of a photo, Clean one picture that keeps sharp lines. It reads JPEG, PNG, WebP and the first
// picture of a GIF. A Converter reads HEIC, too, which most browsers convert before they upload.
package photo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // registers the format
	"image/jpeg"
	"image/png"
	"math"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // registers the format
)

// Limits of an uploaded picture. A picture with 16 bits per channel takes twice the memory of others.
const (
	MaxBytes      = 5 << 20
	MaxPixels     = 40_000_000
	MaxDeepPixels = MaxPixels / 2 // with 16 bits per channel
)

// Sizes of the prepared pictures: the longest side in pixels.
const (
	LargeSide = 1600
	ThumbSide = 400
)

// quality is the quality of the encoded JPEGs.
const quality = 80

// Errors of Prepare and Clean. ErrType also reports a file that is damaged, or made to take long.
var (
	ErrBytes  = fmt.Errorf("photo: the file has more than %d bytes", MaxBytes)
	ErrPixels = fmt.Errorf("photo: the picture has more than %d pixels", MaxPixels)
	ErrDepth  = fmt.Errorf("photo: the picture has 16 bits per channel and more than %d pixels", MaxDeepPixels)
	ErrType   = errors.New("photo: the file is no JPEG, PNG, WebP or GIF picture that can be read")
)

// A Prepared is a picture in the sizes that pages show, as JPEG files without metadata.
type Prepared struct {
	Large, Thumb  []byte
	Width, Height int // of Large
}

// Prepare returns the sizes of an uploaded picture. The declared type of the upload does not
// matter. Pictures are never enlarged. Prepare waits while other pictures are decoded; it fails when
// ctx ends before its turn.
func Prepare(ctx context.Context, upload []byte) (Prepared, error) {
	if len(upload) > MaxBytes {
		return Prepared{}, ErrBytes
	}
	if _, err := check(upload); err != nil { // without waiting
		return Prepared{}, err
	}
	free, err := slot(ctx)
	if err != nil {
		return Prepared{}, err
	}
	defer free()
	return prepare(upload)
}

// slots holds an element for each picture that is decoded. Two of the largest take about 320 MB.
var slots = make(chan struct{}, 2)

// slot waits until a picture may be decoded. The caller calls free after it.
func slot(ctx context.Context) (free func(), err error) {
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("photo: wait for other pictures: %w", ctx.Err())
	}
}

// prepare returns the sizes of a picture of any size in bytes. The caller has a slot.
func prepare(upload []byte) (Prepared, error) {
	picture, err := decode(upload)
	if err != nil {
		return Prepared{}, err
	}
	// Scaling from the original is the expensive step, so that the thumbnail is made from Large.
	large := scale(picture, LargeSide, draw.ApproxBiLinear)
	large = turn(large, orientation(upload))
	thumb := scale(large, ThumbSide, draw.CatmullRom)
	prepared := Prepared{Width: large.Bounds().Dx(), Height: large.Bounds().Dy()}
	if prepared.Large, err = encode(large); err != nil {
		return Prepared{}, err
	}
	if prepared.Thumb, err = encode(thumb); err != nil {
		return Prepared{}, err
	}
	return prepared, nil
}

// A Picture is a file without metadata.
type Picture struct {
	Content       []byte
	Type          string // its media type
	Width, Height int
}

// Clean returns an uploaded picture without metadata, with at most LargeSide pixels on its longest
// side. A photo becomes a JPEG; a PNG or a GIF, which may be a drawing, becomes a PNG and keeps its
// transparent parts. Clean waits as Prepare does.
func Clean(ctx context.Context, upload []byte) (Picture, error) {
	if len(upload) > MaxBytes {
		return Picture{}, ErrBytes
	}
	format, err := check(upload)
	if err != nil {
		return Picture{}, err
	}
	free, err := slot(ctx)
	if err != nil {
		return Picture{}, err
	}
	defer free()
	picture, err := decode(upload)
	if err != nil {
		return Picture{}, err
	}
	if format == "png" || format == "gif" {
		drawing := sharp(picture)
		var buffer bytes.Buffer
		if err := png.Encode(&buffer, drawing); err != nil {
			return Picture{}, fmt.Errorf("photo: encode: %w", err)
		}
		return Picture{buffer.Bytes(), "image/png", drawing.Bounds().Dx(), drawing.Bounds().Dy()}, nil
	}
	upright := turn(scale(picture, LargeSide, draw.ApproxBiLinear), orientation(upload))
	content, err := encode(upright)
	return Picture{content, "image/jpeg", upright.Bounds().Dx(), upright.Bounds().Dy()}, err
}

// check returns the format of a picture, or why it is refused, by its header.
func check(upload []byte) (format string, err error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(upload))
	if err != nil || config.Width <= 0 || config.Height <= 0 {
		return "", ErrType
	}
	switch pixels := int64(config.Width) * int64(config.Height); {
	case pixels > MaxPixels:
		return "", ErrPixels
	case pixels > MaxDeepPixels && deep(config.ColorModel):
		return "", ErrDepth
	}
	if scans(upload) > maxScans {
		return "", ErrType
	}
	return format, nil
}

// deep reports whether a channel has 16 bits.
func deep(model color.Model) bool {
	return model == color.Gray16Model || model == color.RGBA64Model || model == color.NRGBA64Model
}

// decode checks the size of a picture by its header, and decodes it.
func decode(upload []byte) (image.Image, error) {
	if _, err := check(upload); err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(upload))
	if err != nil {
		return nil, ErrType
	}
	return picture, nil
}

// sharp returns a drawing whose longest side has at most LargeSide pixels, with its transparent parts.
// The interpolation that keeps lines sharp takes 32 bytes for each pixel of a column it reads, so that a
// much larger drawing is made smaller without it first.
func sharp(picture image.Image) *image.RGBA {
	if size := picture.Bounds().Size(); max(size.X, size.Y) > 2*LargeSide {
		picture = resize(picture, 2*LargeSide, draw.ApproxBiLinear, color.Transparent)
	}
	return resize(picture, LargeSide, draw.CatmullRom, color.Transparent)
}

// scale returns a picture whose longest side has at most the given length, on a white ground.
func scale(picture image.Image, side int, with draw.Interpolator) *image.RGBA {
	return resize(picture, side, with, color.White)
}

// resize returns a picture whose longest side has at most the given length, on a ground.
func resize(picture image.Image, side int, with draw.Interpolator, ground color.Color) *image.RGBA {
	width, height := picture.Bounds().Dx(), picture.Bounds().Dy()
	if longest := max(width, height); longest > side {
		ratio := float64(side) / float64(longest)
		width = max(int(math.Round(float64(width)*ratio)), 1)
		height = max(int(math.Round(float64(height)*ratio)), 1)
	}
	result := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(result, result.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	if width == picture.Bounds().Dx() && height == picture.Bounds().Dy() {
		draw.Draw(result, result.Bounds(), picture, picture.Bounds().Min, draw.Over)
	} else {
		with.Scale(result, result.Bounds(), picture, picture.Bounds(), draw.Over, nil)
	}
	return result
}

func encode(picture image.Image) ([]byte, error) {
	var buffer bytes.Buffer
	if err := jpeg.Encode(&buffer, picture, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("photo: encode: %w", err)
	}
	return buffer.Bytes(), nil
}
