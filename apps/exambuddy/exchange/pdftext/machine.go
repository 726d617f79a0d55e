package pdftext

import (
	"math"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/text/unicode/norm"
)

// A matrix is an affine transformation.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the transformation that applies m first, and n after it.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// A state is the graphics state, as far as text needs it.
type state struct {
	ctm                        matrix
	font                       *font
	size, charSpace, wordSpace float64
	scale, leading, rise       float64
	text, line                 matrix
}

// A machine interprets the content of a page.
type machine struct {
	r    *reader
	page *Page
}

const (
	maxForms = 8   // nested forms
	maxStack = 100 // saved states
)

// run interprets a content stream.
func (m *machine) run(content []byte, resources types.Dict, s state, depth int) {
	l := &lexer{data: content, r: m.r}
	var stack []state
	var args []token
	for m.r.spend(1 + len(content)/bytesPerStep); m.r.step(); {
		t := l.next(0)
		if t.kind == end {
			return
		}
		if t.kind != operator {
			if len(args) < 100 {
				args = append(args, t)
			}
			continue
		}
		switch string(t.text) {
		case "q":
			if len(stack) < maxStack {
				stack = append(stack, s)
			}
		case "Q":
			if n := len(stack); n > 0 {
				s, stack = stack[n-1], stack[:n-1]
			}
		case "cm":
			if len(args) >= 6 {
				s.ctm = matrixOf(args).times(s.ctm)
			}
		case "Do":
			m.object(args, resources, s, depth)
		case "ID":
			l.inlineImage()
			m.page.Images++
		default:
			m.textOperator(string(t.text), args, resources, &s)
		}
		args, l.held = args[:0], 0
	}
}

func matrixOf(args []token) matrix {
	var out matrix
	for i := range out {
		out[i] = args[i].number
	}
	return out
}

// textOperator applies an operator of text.
func (m *machine) textOperator(op string, args []token, resources types.Dict, s *state) {
	arg := func(i int) float64 {
		if i < len(args) {
			return args[i].number
		}
		return 0
	}
	switch op {
	case "BT":
		s.text, s.line = identity, identity
	case "Tf":
		if len(args) >= 2 {
			s.font, s.size = m.r.font(string(args[0].text), resources), arg(1)
		}
	case "Tc":
		s.charSpace = arg(0)
	case "Tw":
		s.wordSpace = arg(0)
	case "Tz":
		s.scale = arg(0) / 100
	case "TL":
		s.leading = arg(0)
	case "Ts":
		s.rise = arg(0)
	case "Td":
		s.move(arg(0), arg(1))
	case "TD":
		s.leading = -arg(1)
		s.move(arg(0), arg(1))
	case "Tm":
		if len(args) >= 6 {
			s.text = matrixOf(args)
			s.line = s.text
		}
	case "T*":
		s.move(0, -s.leading)
	case "Tj":
		m.show(s, args)
	case "'":
		s.move(0, -s.leading)
		m.show(s, args)
	case "\"":
		if len(args) >= 3 {
			s.wordSpace, s.charSpace = arg(0), arg(1)
			s.move(0, -s.leading)
			m.show(s, args[2:])
		}
	case "TJ":
		if len(args) > 0 {
			m.show(s, args[len(args)-1].list)
		}
	}
}

// move moves to the start of another line.
func (s *state) move(x, y float64) {
	s.line = matrix{1, 0, 0, 1, x, y}.times(s.line)
	s.text = s.line
}

// wideGap is the part of the size of a font from which a gap separates words.
const wideGap = 0.18

// show shows strings with adjustments between them.
func (m *machine) show(s *state, list []token) {
	var p *run
	for _, t := range list {
		switch t.kind {
		case number:
			shift := -t.number / 1000 * s.size * s.scale
			s.text = matrix{1, 0, 0, 1, shift, 0}.times(s.text)
			if -t.number/1000 > wideGap && p != nil {
				m.finish(p, s)
				p = nil
			}
		case text:
			if s.font == nil {
				continue
			}
			for c := range s.font.codes(t.text) {
				if !m.r.step() {
					return
				}
				if p == nil {
					p = &run{start: *s}
				}
				m.glyph(p, s, c)
			}
		}
	}
	if p != nil {
		m.finish(p, s)
	}
}

// A run is a piece that is being shown.
type run struct {
	start state
	b     strings.Builder
}

// glyph shows one character.
func (m *machine) glyph(p *run, s *state, c code) {
	text, known := s.font.unicode(c)
	if !known {
		m.r.unknown++
	}
	m.r.spend(len(text) / bytesPerStep)
	p.b.WriteString(text)
	advance := s.font.width(c)*s.size + s.charSpace
	if c.value == 32 && c.length == 1 {
		advance += s.wordSpace
	}
	s.text = matrix{1, 0, 0, 1, advance * s.scale, 0}.times(s.text)
}

// finish adds a piece to the page.
func (m *machine) finish(p *run, s *state) {
	begin := matrix{p.start.size * p.start.scale, 0, 0, p.start.size, 0, p.start.rise}.times(p.start.text).times(p.start.ctm)
	stop := matrix{1, 0, 0, 1, 0, s.rise}.times(s.text).times(s.ctm)
	size := math.Hypot(begin[2], begin[3])
	content := norm.NFKC.String(strings.ReplaceAll(p.b.String(), "\u00ad", ""))
	if strings.TrimSpace(content) == "" || size < 0.5 || !finite(begin, stop) {
		return
	}
	if math.Abs(begin[1]) > 0.2*size || begin[0] <= 0 {
		m.page.Rotated++
		return
	}
	m.page.Pieces = append(m.page.Pieces, Piece{Text: content, X: begin[4], Y: begin[5], Width: stop[4] - begin[4], Size: size, Bold: p.start.font.bold})
}

func finite(all ...matrix) bool {
	for _, m := range all {
		for _, v := range m {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// object shows a form or counts an image.
func (m *machine) object(args []token, resources types.Dict, s state, depth int) {
	if len(args) == 0 || depth >= maxForms {
		return
	}
	objects := m.r.dict(resources["XObject"])
	target, ok := objects[string(args[0].text)]
	if !ok {
		return
	}
	switch header := m.r.dict(target); m.r.name(header["Subtype"]) {
	case "Image":
		m.page.Images++
	case "Form":
		content, err := m.r.stream(target, m.r.limits.Decode)
		if err != nil {
			return
		}
		if values := m.r.array(header["Matrix"]); len(values) == 6 {
			var form matrix
			for i, v := range values {
				form[i] = m.r.number(v)
			}
			s.ctm = form.times(s.ctm)
		}
		own := m.r.dict(header["Resources"])
		if own == nil {
			own = resources
		}
		m.run(content, own, s, depth+1)
	}
}
