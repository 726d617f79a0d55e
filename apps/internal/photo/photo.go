// Package photo prepares uploaded pictures: it decodes what a phone or a browser uploads, applies
// the orientation that the camera recorded, scales it down, and encodes it again without any
// metadata, so that no location is left in the file. Sizes are checked before pixels are allocated.
//
// The package stores nothing and knows no system. The systems call it: Prepare makes the two sizes
// of a photo, Clean one picture that keeps sharp lines. It reads JPEG, PNG, WebP and the first
// picture of a GIF. A Converter reads HEIC, too, which most browsers convert before they upload.
package photo

import (
	"bytes"
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

// Limits of an uploaded picture.
const (
	MaxBytes  = 5 << 20
	MaxPixels = 40_000_000
)

// Sizes of the prepared pictures: the longest side in pixels.
const (
	LargeSide = 1600
	ThumbSide = 400
)

// quality is the quality of the encoded JPEGs.
const quality = 80

// Errors of Prepare. ErrType also reports a file that is damaged.
var (
	ErrBytes  = fmt.Errorf("photo: the file has more than %d bytes", MaxBytes)
	ErrPixels = fmt.Errorf("photo: the picture has more than %d pixels", MaxPixels)
	ErrType   = errors.New("photo: the file is no JPEG, PNG, WebP or GIF picture that can be read")
)

// A Prepared is a picture in the sizes that pages show, as JPEG files without metadata.
type Prepared struct {
	Large, Thumb  []byte
	Width, Height int // of Large
}

// Prepare returns the sizes of an uploaded picture. The declared type of the upload does not
// matter. Pictures are never enlarged.
func Prepare(upload []byte) (Prepared, error) {
	if len(upload) > MaxBytes {
		return Prepared{}, ErrBytes
	}
	return prepare(upload)
}

// prepare returns the sizes of a picture of any size in bytes.
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
// transparent parts.
func Clean(upload []byte) (Picture, error) {
	if len(upload) > MaxBytes {
		return Picture{}, ErrBytes
	}
	picture, err := decode(upload)
	if err != nil {
		return Picture{}, err
	}
	_, format, err := image.DecodeConfig(bytes.NewReader(upload))
	if err != nil {
		return Picture{}, ErrType
	}
	if format == "png" || format == "gif" {
		drawing := resize(picture, LargeSide, draw.CatmullRom, color.Transparent)
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

// decode checks the number of pixels by the header of a picture, and decodes it.
func decode(upload []byte) (image.Image, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(upload))
	switch {
	case err != nil:
		return nil, ErrType
	case config.Width <= 0 || config.Height <= 0:
		return nil, ErrType
	case int64(config.Width)*int64(config.Height) > MaxPixels:
		return nil, ErrPixels
	}
	picture, _, err := image.Decode(bytes.NewReader(upload))
	if err != nil {
		return nil, ErrType
	}
	return picture, nil
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
