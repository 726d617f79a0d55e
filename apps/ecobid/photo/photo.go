// Package photo prepares the pictures of items: it decodes what a phone or a browser uploads,
// applies the orientation that the camera recorded, scales it down, and encodes it again as a
// JPEG without any metadata, so that no location is left in the file. Sizes are checked before
// pixels are allocated.
//
// The package stores nothing. Package listings calls it. It reads JPEG, PNG and WebP; HEIC is not
// read, because browsers convert it before they upload.
package photo

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // registers the format
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
	ErrType   = errors.New("photo: the file is no JPEG, PNG or WebP picture that can be read")
)

// A Prepared is a picture in the sizes that pages show, as JPEG files without metadata.
type Prepared struct {
	Large, Thumb  []byte
	Width, Height int // of Large
}

// Prepare returns the sizes of an uploaded picture. The declared type of the upload does not
// matter. Pictures are never enlarged.
func Prepare(upload []byte) (Prepared, error) {
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

// decode checks the size of a picture by its header, and decodes it.
func decode(upload []byte) (image.Image, error) {
	if len(upload) > MaxBytes {
		return nil, ErrBytes
	}
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
	width, height := picture.Bounds().Dx(), picture.Bounds().Dy()
	if longest := max(width, height); longest > side {
		ratio := float64(side) / float64(longest)
		width = max(int(math.Round(float64(width)*ratio)), 1)
		height = max(int(math.Round(float64(height)*ratio)), 1)
	}
	result := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(result, result.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
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
