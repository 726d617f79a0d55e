package pdftext

import (
	"fmt"
	"iter"
	"strings"

	corefont "github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// A font maps the codes of strings to characters and widths.
type font struct {
	composite bool
	bold      bool
	lengths   map[int]bool      // lengths of codes in bytes
	toUnicode map[uint32]string // by code
	encoding  [256]string       // of a simple font
	widths    map[uint32]float64
	missing   float64 // the width of other codes
	core      string  // the name of a standard font without widths
}

// A code is a character code of a string.
type code struct {
	value  uint32
	length int
}

// font returns a font of the resources.
func (r *reader) font(name string, resources types.Dict) *font {
	fonts := r.dict(resources["Font"])
	target := fonts[name]
	key := fmt.Sprint(target)
	if !r.spend(len(key)/bytesPerStep) || !r.alive() {
		return nil
	}
	if f, ok := r.fonts[key]; ok && target != nil {
		return f
	}
	f := r.loadFont(r.dict(target))
	if target != nil && len(r.fonts) < 1000 {
		r.fonts[key] = f
	}
	return f
}

func (r *reader) loadFont(d types.Dict) *font {
	f := &font{toUnicode: map[uint32]string{}, widths: map[uint32]float64{}, lengths: map[int]bool{}, missing: 0.5}
	base := r.name(d["BaseFont"])
	if i := strings.IndexByte(base, '+'); i == 6 {
		base = base[7:]
	}
	lower := strings.ToLower(base)
	f.bold = strings.Contains(lower, "bold") || strings.Contains(lower, "black") || strings.Contains(lower, "heavy") || strings.HasSuffix(lower, "-bd")
	f.composite = r.name(d["Subtype"]) == "Type0"
	if content, err := r.stream(d["ToUnicode"], r.limits.Decode); err == nil {
		f.parseMap(content, r)
	}
	if f.composite {
		r.compositeWidths(f, d)
		if len(f.lengths) == 0 {
			f.lengths[2] = true
		}
		return f
	}
	f.lengths = map[int]bool{1: true}
	r.simpleEncoding(f, d, base)
	r.simpleWidths(f, d, base)
	return f
}

// compositeWidths reads /W and /DW.
func (r *reader) compositeWidths(f *font, d types.Dict) {
	f.missing = 1
	descendants := r.array(d["DescendantFonts"])
	if len(descendants) == 0 {
		return
	}
	inner := r.dict(descendants[0])
	if dw, ok := r.maybeNumber(inner["DW"]); ok {
		f.missing = dw / 1000
	}
	w := r.array(inner["W"])
	for i := 0; i+1 < len(w) && r.step(); {
		first := uint32(max(r.number(w[i]), 0))
		if values := r.array(w[i+1]); values != nil {
			for j, v := range values {
				if c := first + uint32(j); c <= maxCode && r.step() {
					f.widths[c] = r.number(v) / 1000
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		last, width := uint32(max(r.number(w[i+1]), 0)), r.number(w[i+2])/1000
		for c := first; c <= min(last, maxCode) && r.step(); c++ {
			f.widths[c] = width
		}
		i += 3
	}
}

// simpleWidths reads /Widths, or takes those of a standard font.
func (r *reader) simpleWidths(f *font, d types.Dict, base string) {
	scale := 1.0 / 1000
	if m := r.array(d["FontMatrix"]); len(m) == 6 && r.name(d["Subtype"]) == "Type3" {
		scale = r.number(m[0])
	}
	if descriptor := r.dict(d["FontDescriptor"]); descriptor != nil {
		if missing, ok := r.maybeNumber(descriptor["MissingWidth"]); ok && missing > 0 {
			f.missing = missing * scale
		}
	}
	first := uint32(max(r.number(d["FirstChar"]), 0))
	for i, v := range r.array(d["Widths"]) {
		if i > 255 {
			break
		}
		f.widths[first+uint32(i)] = r.number(v) * scale
	}
	if len(f.widths) == 0 {
		f.core = coreName(base)
	}
}

// coreName returns the standard font that a font without widths stands for.
func coreName(base string) string {
	if corefont.IsCoreFont(base) {
		return base
	}
	lower := strings.ToLower(base)
	bold, italic := strings.Contains(lower, "bold"), strings.Contains(lower, "italic") || strings.Contains(lower, "oblique")
	family, slanted := "Helvetica", "Oblique"
	switch {
	case strings.Contains(lower, "courier") || strings.Contains(lower, "mono"):
		family = "Courier"
	case strings.Contains(lower, "times") || strings.Contains(lower, "serif"):
		family, slanted = "Times", "Italic"
	}
	switch {
	case bold && italic:
		return family + "-Bold" + slanted
	case bold:
		return family + "-Bold"
	case italic:
		return family + "-" + slanted
	case family == "Times":
		return "Times-Roman"
	}
	return family
}

// simpleEncoding fills the characters of a simple font.
func (r *reader) simpleEncoding(f *font, d types.Dict, base string) {
	resolved, err := r.resolve(d["Encoding"])
	if err != nil {
		resolved = nil
	}
	var differences types.Array
	encoding := ""
	switch e := resolved.(type) {
	case types.Name:
		encoding = string(e)
	case types.Dict:
		encoding, differences = r.name(e["BaseEncoding"]), r.array(e["Differences"])
	}
	f.encoding = baseEncoding(encoding, base)
	at := 0
	for _, entry := range differences {
		if !r.step() {
			return
		}
		resolved, err := r.resolve(entry)
		if err != nil {
			continue
		}
		switch v := resolved.(type) {
		case types.Integer:
			at = int(v)
		case types.Name:
			if at >= 0 && at < 256 {
				f.encoding[at] = glyphText(string(v))
			}
			at++
		}
	}
}

// codes splits a string into codes. It keeps no list of them: a string may have millions.
func (f *font) codes(data []byte) iter.Seq[code] {
	length := 1
	if f.composite && (f.lengths[2] || !f.lengths[1]) {
		length = 2
	}
	return func(yield func(code) bool) {
		for ; len(data) >= length; data = data[length:] {
			value := uint32(data[0])
			if length == 2 {
				value = value<<8 | uint32(data[1])
			}
			if !yield(code{value, length}) {
				return
			}
		}
	}
}

// unicode returns the text of a code, and whether it is known.
func (f *font) unicode(c code) (string, bool) {
	if text, ok := f.toUnicode[c.value]; ok {
		return text, true
	}
	if !f.composite && c.value < 256 && f.encoding[c.value] != "" {
		return f.encoding[c.value], true
	}
	if c.value == 32 || c.value == 0 {
		return " ", true
	}
	return "\ufffd", false
}

// width returns the width of a code, for a font of the size 1.
func (f *font) width(c code) float64 {
	if w, ok := f.widths[c.value]; ok {
		return w
	}
	if f.core != "" && c.value < 256 {
		for _, r := range f.encoding[c.value] {
			if w, err := corefont.CharWidth(f.core, r); err == nil {
				return float64(w) / 1000
			}
		}
	}
	return f.missing
}
