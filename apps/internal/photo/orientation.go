package photo

import (
	"bytes"
	"encoding/binary"
	"image"
)

// tagOrientation is the number of the orientation in the metadata.
const tagOrientation = 0x0112

// orientation returns the orientation that the camera recorded in a JPEG file, 1 to 8; 1 if there
// is none, or if the metadata is damaged.
func orientation(file []byte) int {
	if len(file) < 4 || file[0] != 0xff || file[1] != 0xd8 {
		return 1
	}
	for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, length := rest[1], int(binary.BigEndian.Uint16(rest[2:]))
		if marker == 0xda || length < 2 || len(rest) < 2+length { // the picture begins
			return 1
		}
		segment := rest[4 : 2+length]
		if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); marker == 0xe1 && ok {
			return tiffOrientation(tiff)
		}
		rest = rest[2+length:]
	}
	return 1
}

// tiffOrientation finds the orientation in the first directory of a TIFF block.
func tiffOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(tiff[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == tagOrientation {
			if value := order.Uint16(entries[8:]); value >= 1 && value <= 8 {
				return int(value)
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

// turn returns a picture as it was seen when it was taken.
func turn(picture *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 {
		return picture
	}
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	width, height := w, h
	if orientation >= 5 {
		width, height = h, w
	}
	turned := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			fromX, fromY := source(orientation, x, y, w, h)
			copy(turned.Pix[turned.PixOffset(x, y):][:4], picture.Pix[picture.PixOffset(fromX, fromY):][:4])
		}
	}
	return turned
}

// source returns the pixel of the recorded picture, which has the size w and h, that is at x and
// y of the upright picture.
func source(orientation, x, y, w, h int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	default:
		return w - 1 - y, x
	}
}
