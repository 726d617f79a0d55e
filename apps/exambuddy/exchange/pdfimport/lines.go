package pdfimport

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/layout"
	"sortkey.dev/apps/exambuddy/exchange/pdftext"
	"sortkey.dev/internal/lazyregexp"
)

// A row holds the pieces of a page on one baseline.
type row struct {
	y, size  float64
	segments []segment // from left to right
}

// A segment is a part of a row without a wide gap.
type segment struct {
	text   string
	x, end float64
	size   float64
	bold   bool
}

const (
	cellGap = 0.8 // of the size of a font: from here on a gap separates cells
	wordGap = 0.12
)

// rows groups the pieces of a page by their baselines, from the top.
func rows(pieces []pdftext.Piece) []row {
	pieces = slices.Clone(pieces)
	slices.SortStableFunc(pieces, func(a, b pdftext.Piece) int {
		switch {
		case a.Y > b.Y:
			return -1
		case a.Y < b.Y:
			return 1
		}
		return 0
	})
	var all []row
	for start := 0; start < len(pieces); {
		end := start + 1
		for end < len(pieces) && pieces[start].Y-pieces[end].Y < 0.45*math.Min(pieces[start].Size, pieces[end].Size) {
			end++
		}
		line := pieces[start:end]
		slices.SortStableFunc(line, func(a, b pdftext.Piece) int {
			switch {
			case a.X < b.X:
				return -1
			case a.X > b.X:
				return 1
			}
			return 0
		})
		all = append(all, row{y: line[0].Y, size: line[0].Size, segments: segments(line)})
		start = end
	}
	return all
}

// segments joins pieces, with a space where the gap is that of words.
func segments(line []pdftext.Piece) []segment {
	var all []segment
	var texts []string // of the last segment
	finish := func() {
		if n := len(all); n > 0 {
			all[n-1].text = strings.TrimSpace(strings.Join(texts, ""))
		}
	}
	for _, p := range line {
		n := len(all)
		if n == 0 || p.X-all[n-1].end > cellGap*p.Size {
			finish()
			texts = []string{p.Text}
			all = append(all, segment{x: p.X, end: p.X + p.Width, size: p.Size, bold: p.Bold})
			continue
		}
		last := &all[n-1]
		if p.X-last.end > wordGap*p.Size && !strings.HasSuffix(texts[len(texts)-1], " ") && !strings.HasPrefix(p.Text, " ") {
			texts = append(texts, " ")
		}
		texts = append(texts, p.Text)
		last.end = math.Max(last.end, p.X+p.Width)
		last.bold = last.bold && p.Bold
	}
	finish()
	return all
}

// textLines returns the lines of a document in reading order, and the headers and footers.
func textLines(doc *pdftext.Document) (lines, removed []layout.Line) {
	pages := make([][]row, len(doc.Pages))
	for i, page := range doc.Pages {
		pages[i] = rows(page.Pieces)
	}
	removed = removeMargins(pages, doc)
	var t tables
	for i, page := range doc.Pages {
		number := 0
		for _, block := range columns(pages[i], &t) {
			before := math.NaN()
			usual := usualDistance(block)
			for _, r := range block {
				number++
				l := t.line(r)
				l.Page, l.Number = page.Number, number
				l.Gap = !math.IsNaN(before) && before-r.y > 1.35*usual
				before = r.y
				lines = append(lines, l)
			}
		}
	}
	return lines, removed
}

// usualDistance returns a low quartile of the distances between rows.
func usualDistance(block []row) float64 {
	var all []float64
	for i := 1; i < len(block); i++ {
		if d := block[i-1].y - block[i].y; d > 0 {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return math.Inf(1)
	}
	slices.Sort(all)
	return all[len(all)/4]
}

var (
	pageNumber = lazyregexp.New(`(?i)^(?:page|sida|seite|side)?\s*[-–]?\s*\d{1,4}\s*[-–]?(?:\s*(?:of|av|von|/)\s*\d{1,4})?$`)
	digits     = lazyregexp.New(`\d+`)
)

const margin = 3 // rows at the top and at the bottom that can be headers and footers

// removeMargins removes page numbers, and rows that most pages have at the same height.
func removeMargins(pages [][]row, doc *pdftext.Document) []layout.Line {
	type key struct {
		text string
		y    int
	}
	// The number of the page is the only part of a header that may differ.
	of := func(r row, page int) key {
		text := digits.ReplaceAllStringFunc(rowText(r), func(n string) string {
			if n == strconv.Itoa(page) {
				return "#"
			}
			return n
		})
		return key{text, int(r.y / 4)}
	}
	counts := map[key]int{}
	for p, page := range pages {
		seen := map[key]bool{}
		for i, r := range page {
			if (i < margin || i >= len(page)-margin) && !seen[of(r, doc.Pages[p].Number)] {
				seen[of(r, doc.Pages[p].Number)] = true
				counts[of(r, doc.Pages[p].Number)]++
			}
		}
	}
	var removed []layout.Line
	reported := map[string]bool{}
	for p, page := range pages {
		var kept []row
		for i, r := range page {
			edge := i < margin || i >= len(page)-margin
			outer := i == 0 || i == len(page)-1
			text := rowText(r)
			same := counts[of(r, doc.Pages[p].Number)]
			repeated := same > 1 && same*2 >= len(pages) && (r.y < 0.12*doc.Pages[p].Height || r.y > 0.88*doc.Pages[p].Height)
			if edge && repeated || outer && pageNumber.MatchString(text) && len(page) > 1 {
				if k := of(r, doc.Pages[p].Number).text; !reported[k] {
					reported[k] = true
					removed = append(removed, layout.Line{Page: doc.Pages[p].Number, Text: text})
				}
				continue
			}
			kept = append(kept, r)
		}
		pages[p] = kept
	}
	return removed
}

func rowText(r row) string {
	var texts []string
	for _, s := range r.segments {
		texts = append(texts, s.text)
	}
	return strings.Join(texts, "  ")
}

// columns returns the rows of a page in reading order, as blocks: the whole page, or the columns
// between rows that go across.
func columns(page []row, t *tables) [][]row {
	gutter, ok := findGutter(page)
	if !ok || slices.ContainsFunc(page, func(r row) bool { return headerCells(r) != nil }) || t.header != nil {
		return [][]row{page}
	}
	var all [][]row
	var left, right []row
	flush := func() {
		all = append(all, left, right)
		left, right = nil, nil
	}
	for _, r := range page {
		l, rr := r, r
		l.segments, rr.segments = nil, nil
		across := false
		for _, s := range r.segments {
			switch {
			case s.end <= gutter:
				l.segments = append(l.segments, s)
			case s.x >= gutter:
				rr.segments = append(rr.segments, s)
			default:
				across = true
			}
		}
		if across {
			flush()
			all = append(all, []row{r})
			continue
		}
		if len(l.segments) > 0 {
			left = append(left, l)
		}
		if len(rr.segments) > 0 {
			right = append(right, rr)
		}
	}
	flush()
	return slices.DeleteFunc(all, func(b []row) bool { return len(b) == 0 })
}

// findGutter finds the space between two columns near the middle of the text.
func findGutter(page []row) (float64, bool) {
	if len(page) < 6 {
		return 0, false
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range page {
		for _, s := range r.segments {
			low, high = math.Min(low, s.x), math.Max(high, s.end)
		}
	}
	best, bestCrossing := 0.0, len(page)
	for i := 35; i <= 65; i++ {
		at := low + (high-low)*float64(i)/100
		crossing := 0
		for _, r := range page {
			if slices.ContainsFunc(r.segments, func(s segment) bool { return s.x < at && s.end > at }) {
				crossing++
			}
		}
		if crossing < bestCrossing {
			best, bestCrossing = at, crossing
		}
	}
	leftRows, rightRows, starts := 0, 0, map[int]int{}
	for _, r := range page {
		hasLeft, hasRight := false, false
		for _, s := range r.segments {
			if s.end <= best {
				hasLeft = true
			} else if s.x >= best && !hasRight {
				hasRight = true
				starts[int(s.x/8)]++
			}
		}
		if hasLeft {
			leftRows++
		}
		if hasRight {
			rightRows++
		}
	}
	aligned := 0
	for _, n := range starts {
		aligned = max(aligned, n)
	}
	ok := bestCrossing*5 <= len(page) && leftRows >= 4 && rightRows >= 4 && rightRows*4 >= len(page) && aligned*3 >= rightRows
	return best, ok
}

// tables knows the columns of the table that is being read.
type tables struct{ header []segment }

// headerCells returns the cells of the first row of a table of questions; nil if it is none.
func headerCells(r row) []segment {
	if len(r.segments) < 2 || len(r.segments) > 8 {
		return nil
	}
	var cells []string
	for _, s := range r.segments {
		cells = append(cells, s.text)
	}
	if !layout.IsTableHeader(cells) {
		return nil
	}
	return r.segments
}

// line makes a line of a row.
func (t *tables) line(r row) layout.Line {
	l := layout.Line{Text: rowText(r), Bold: true}
	for _, s := range r.segments {
		l.Bold = l.Bold && s.bold
	}
	if header := headerCells(r); header != nil {
		t.header = header
	}
	if t.header == nil {
		return l
	}
	cells := make([]string, len(t.header))
	for _, s := range r.segments {
		first, across := t.column(s)
		if across {
			t.header = nil
			return l
		}
		cells[first] = strings.TrimSpace(cells[first] + "  " + s.text)
	}
	l.Cells = cells
	return l
}

// column returns the column of a segment, and whether the segment goes across several.
func (t *tables) column(s segment) (int, bool) {
	best, distance, overlapping := 0, math.Inf(1), 0
	for i, h := range t.header {
		d := math.Max(h.x-s.end, s.x-h.end)
		if d < 0 {
			overlapping++
		}
		if d < distance {
			best, distance = i, d
		}
	}
	return best, overlapping > 1
}
