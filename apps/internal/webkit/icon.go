package webkit

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
)

// A Mark is one shape of a system's icon on a square of 100 by 100, drawn in white, or cut
// out of what was drawn before it.
type Mark struct {
	circle  bool
	x, y    float64
	w, h, r float64
	points  []float64
	cut     bool
}

// Circle returns a disk around (x, y).
func Circle(x, y, radius float64) Mark { return Mark{circle: true, x: x, y: y, r: radius} }

// Rect returns a rectangle with round corners; (x, y) is its upper left one.
func Rect(x, y, width, height, radius float64) Mark {
	return Mark{x: x, y: y, w: width, h: height, r: radius}
}

// Polygon returns a shape with corners x1, y1, x2, y2, ...
func Polygon(corners ...float64) Mark {
	return Mark{points: corners[:len(corners)/2*2]}
}

// Cut returns the shape cut out.
func (m Mark) Cut() Mark { m.cut = true; return m }

// outline is the form of the ground an icon stands on.
type outline int

const (
	round outline = iota // a rounded square on nothing
	full                 // the whole square; devices cut it as they like
)

// accents maps accents to sRGB colours, for places without OKLCH: close to those of the
// light stylesheet.
var accents = map[Accent]color.NRGBA{
	Violet: {0x6d, 0x3f, 0xc4, 0xff},
	Teal:   {0x00, 0x6f, 0x6c, 0xff},
	Blue:   {0x1f, 0x5f, 0xc4, 0xff},
	Green:  {0x1c, 0x72, 0x3a, 0xff},
	Slate:  {0x47, 0x55, 0x69, 0xff},
}

func accentHex(a Accent) string {
	c := accents[a]
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

func sorted(list []string) []string { slices.Sort(list); return list }

// drawSVG returns an icon as SVG.
func drawSVG(marks []Mark, accent Accent, shape outline) []byte {
	var out strings.Builder
	radius := 0.0
	if shape == round {
		radius = 22
	}
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="%g" fill="%s"/>`, radius, accentHex(accent))
	for _, m := range marks {
		fill := "#fff"
		if m.cut {
			fill = accentHex(accent)
		}
		out.WriteString(m.element(`fill="` + fill + `"`))
	}
	out.WriteString("</svg>")
	return []byte(out.String())
}

// drawPNG returns an icon as PNG. Each dot is the mean of several samples, so that edges are
// smooth.
func drawPNG(marks []Mark, accent Accent, shape outline, size int) ([]byte, error) {
	const samples = 3
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	ground := accents[accent]
	step := 100 / float64(size*samples)
	for y := range size {
		for x := range size {
			inside, white := 0, 0
			for i := range samples * samples {
				px := (float64(x*samples+i%samples) + 0.5) * step
				py := (float64(y*samples+i/samples) + 0.5) * step
				if shape == round && !(Rect(0, 0, 100, 100, 22)).covers(px, py) {
					continue
				}
				inside++
				if isWhite(marks, px, py) {
					white++
				}
			}
			picture.SetNRGBA(x, y, blend(ground, white, inside, samples*samples))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("drawing an icon of %d: %w", size, err)
	}
	return out.Bytes(), nil
}

func blend(ground color.NRGBA, white, inside, all int) color.NRGBA {
	if inside == 0 {
		return color.NRGBA{}
	}
	mix := func(c uint8) uint8 { return uint8((int(c)*(inside-white) + 255*white) / inside) }
	return color.NRGBA{mix(ground.R), mix(ground.G), mix(ground.B), uint8(255 * inside / all)}
}

func isWhite(marks []Mark, x, y float64) bool {
	white := false
	for _, m := range marks {
		if m.covers(x, y) {
			white = !m.cut
		}
	}
	return white
}

func (m Mark) covers(x, y float64) bool {
	switch {
	case m.circle:
		return math.Hypot(x-m.x, y-m.y) <= m.r
	case m.points != nil:
		return m.encloses(x, y)
	}
	dx := max(m.x+m.r-x, 0, x-(m.x+m.w-m.r))
	dy := max(m.y+m.r-y, 0, y-(m.y+m.h-m.r))
	if m.r == 0 {
		return dx == 0 && dy == 0
	}
	return math.Hypot(dx, dy) <= m.r
}

// encloses counts how often a line to the left crosses the polygon.
func (m Mark) encloses(x, y float64) bool {
	inside := false
	n := len(m.points) / 2
	for i := range n {
		j := (i + 1) % n
		x1, y1, x2, y2 := m.points[2*i], m.points[2*i+1], m.points[2*j], m.points[2*j+1]
		if (y1 > y) != (y2 > y) && x < (x2-x1)*(y-y1)/(y2-y1)+x1 {
			inside = !inside
		}
	}
	return inside
}
