package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"time"
)

var fixed = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// picture returns a small grey image.
func picture() *bytes.Buffer {
	m := image.NewGray(image.Rect(0, 0, 40, 50))
	for i := range m.Pix {
		m.Pix[i] = color.Gray{Y: uint8(i)}.Y
	}
	var out bytes.Buffer
	check(png.Encode(&out, m))
	return &out
}
