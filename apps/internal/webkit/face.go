package webkit

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// A Face is the appearance of one system in the family: a visitor knows at a glance which system
// it is.
type Face struct {
	Accent Accent
	Mark   []Mark // for the header and the icons
	// Motif is the content of an SVG of 200 by 120, drawn with the classes soft, strong, paper,
	// ink, line and light, which have colours for both themes. It is shown where a list is empty.
	Motif template.HTML
}

// The faces of the systems.
var (
	// AskAHuman is a speech bubble.
	AskAHuman = Face{
		Accent: Violet,
		Mark: []Mark{
			Rect(17, 22, 66, 46, 16), Polygon(32, 60, 32, 86, 58, 64),
			Circle(34, 45, 5.5).Cut(), Circle(50, 45, 5.5).Cut(), Circle(66, 45, 5.5).Cut(),
		},
		Motif: `<ellipse class="soft" cx="100" cy="66" rx="92" ry="50"/>` +
			`<path class="paper" d="M36 22h76a14 14 0 0 1 14 14v24a14 14 0 0 1-14 14H66L46 92V74H36a14 14 0 0 1-14-14V36a14 14 0 0 1 14-14z"/>` +
			`<path class="line" d="M42 42h60M42 56h38"/>` +
			`<path class="strong" d="M106 52h56a12 12 0 0 1 12 12v20a12 12 0 0 1-12 12h-4v14l-16-14h-36a12 12 0 0 1-12-12V64a12 12 0 0 1 12-12z"/>` +
			`<path class="light" d="M120 74l10 10 20-20"/>`,
	}
	// HomeOps is a house.
	HomeOps = Face{
		Accent: Teal,
		Mark:   []Mark{Polygon(50, 16, 88, 50, 77, 50, 77, 82, 23, 82, 23, 50, 12, 50), Polygon(36, 60, 42, 54, 48, 60, 62, 45, 68, 51, 48, 72).Cut()},
		Motif: `<ellipse class="soft" cx="100" cy="70" rx="92" ry="46"/>` +
			`<path class="paper" d="M62 54v48h76V54"/><path class="strong" d="M100 14l58 46-8 9-50-40-50 40-8-9z"/>` +
			`<path class="paper" d="M90 102V76h20v26z"/><circle class="strong" cx="105" cy="90" r="2.500"/>` +
			`<path class="line" d="M30 104h140"/><path class="ink" d="M152 104V88m0 0c-8 0-10-6-10-12 6 0 10 4 10 12zm0-4c0-8 4-12 10-12 0 6-2 12-10 12z"/><path class="ink" d="M48 104V92"/><circle class="strong" cx="48" cy="86" r="9"/>`,
	}
	// ExamBuddy is a sheet with a tick.
	ExamBuddy = Face{
		Accent: Blue,
		Mark: []Mark{
			Rect(24, 14, 52, 72, 9), Rect(34, 26, 32, 6, 3).Cut(), Rect(34, 39, 22, 6, 3).Cut(),
			Polygon(35, 64, 40.5, 58.500, 47, 65, 60, 51, 65.5, 56.500, 47, 76).Cut(),
		},
		Motif: `<ellipse class="soft" cx="100" cy="66" rx="92" ry="50"/>` +
			`<path class="paper" d="M70 10h52l16 16v84H70z"/><path class="paper" d="M122 10v16h16"/>` +
			`<path class="line" d="M98 44h26M98 64h26M98 84h18"/><path class="ink" d="M78 44l5 5 8-9M78 64l5 5 8-9M78 84l5 5 8-9"/>` +
			`<path class="strong" d="M150 96l26-52 12 6-26 52-14 8z"/><path class="light" d="M156 96l24-46"/>`,
	}
	// EcoBid is a leaf.
	EcoBid = Face{
		Accent: Green,
		Mark:   []Mark{leaf(20, 80, 84, 16, 23), Polygon(14, 83, 62, 35, 65.5, 38.500, 17.500, 86.500).Cut(), Polygon(11, 82.500, 22, 71.500, 28, 77.500, 17, 88.500)},
		Motif: `<ellipse class="soft" cx="100" cy="68" rx="92" ry="48"/>` +
			`<path class="strong" d="M74 88C62 44 92 16 150 14c2 50-24 82-76 74z"/><path class="light" d="M82 80c14-20 30-34 48-46"/><path class="ink" d="M80 82c-8 8-14 16-18 26"/>` +
			`<path class="paper" d="M118 72h44a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6h-44l-16-19z"/><circle class="strong" cx="118" cy="91" r="4"/><path class="line" d="M132 86h24M132 97h16"/>`,
	}
)

// leaf returns a leaf between two points whose sides bulge to a width.
func leaf(x1, y1, x2, y2, width float64) Mark {
	const steps = 16
	dx, dy := x2-x1, y2-y1
	length := math.Hypot(dx, dy)
	var corners []float64
	for side := range 2 {
		for i := range steps {
			along := float64(i) / steps
			if side == 1 {
				along = 1 - along
			}
			off := width * math.Sin(math.Pi*along) * (1 - 2*float64(side))
			x, y := x1+dx*along-dy/length*off, y1+dy*along+dx/length*off
			corners = append(corners, math.Round(x*10)/10, math.Round(y*10)/10)
		}
	}
	return Polygon(corners...)
}

// motif returns the drawing of an empty list; "" without a face.
func (f *Face) motif() template.HTML {
	if f == nil || f.Motif == "" {
		return ""
	}
	return `<svg class="motif" viewBox="0 0 200 120" width="200" height="120" aria-hidden="true" focusable="false">` + f.Motif + `</svg>`
}

// drawMark returns an icon for a page, whose colours follow the theme.
func drawMark(marks []Mark) template.HTML {
	if len(marks) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(`<svg class="brand-mark" viewBox="0 0 100 100" width="28" height="28" aria-hidden="true" focusable="false"><rect class="mark-ground" width="100" height="100" rx="22"/>`)
	for _, m := range marks {
		class := "mark-shape"
		if m.cut {
			class = "mark-ground"
		}
		out.WriteString(m.element(`class="` + class + `"`))
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// element returns the SVG element of a shape, with further attributes.
func (m Mark) element(attributes string) string {
	switch {
	case m.circle:
		return fmt.Sprintf(`<circle cx="%g" cy="%g" r="%g" %s/>`, m.x, m.y, m.r, attributes)
	case m.points != nil:
		texts := make([]string, len(m.points))
		for i, p := range m.points {
			texts[i] = fmt.Sprintf("%g", p)
		}
		return `<polygon points="` + strings.Join(texts, " ") + `" ` + attributes + `/>`
	}
	return fmt.Sprintf(`<rect x="%g" y="%g" width="%g" height="%g" rx="%g" %s/>`, m.x, m.y, m.w, m.h, m.r, attributes)
}

// SVG returns the mark of the face as a picture of its own, in its accent.
func (f Face) SVG() []byte { return drawSVG(f.Mark, f.Accent, round) }
