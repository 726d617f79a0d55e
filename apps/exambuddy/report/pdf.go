package report

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/unicode/norm"

	"sortkey.dev/apps/internal/qrcode"
)

const (
	family  = "Helvetica"
	dates   = "2006-01-02 15:04 MST"
	page    = 210.0 // mm
	border  = 18.0
	content = page - 2*border
)

// document returns an empty document whose bytes depend on nothing but its content.
func document(title string, at time.Time, orientation string) *fpdf.Fpdf {
	p := fpdf.New(orientation, "mm", "A4", "")
	p.SetCreationDate(at)
	p.SetModificationDate(at)
	p.SetCatalogSort(true)
	p.SetProducer("ExamBuddy", false)
	p.SetTitle(title, true)
	p.SetMargins(border, border, border)
	p.SetAutoPageBreak(true, 20)
	return p
}

// latin returns a text in Windows-1252, the encoding of the standard fonts. Letters that it lacks lose
// their accents; other characters become question marks.
func latin(text string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		if c, ok := byte1252(r); ok {
			b.WriteByte(c)
			continue
		}
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
			continue
		}
		written := false
		for _, part := range norm.NFKD.String(string(r)) {
			if unicode.Is(unicode.Mn, part) {
				continue
			}
			c, ok := byte1252(part)
			if !ok {
				c = '?'
			}
			b.WriteByte(c)
			written = true
		}
		if !written {
			b.WriteByte('?')
		}
	}
	return b.String()
}

// plainLetters holds letters that do not decompose.
var plainLetters = map[rune]string{'Ł': "L", 'ł': "l", 'Đ': "D", 'đ': "d", 'Ħ': "H", 'ħ': "h", 'ı': "i", '✓': "x", '✔': "x", '−': "-", '→': "->", '≤': "<=", '≥': ">="}

// high holds the characters of Windows-1252 from 0x80 to 0x9f.
const high = "€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ"

func byte1252(r rune) (byte, bool) {
	switch {
	case r == '\t':
		return ' ', true
	case r == '\n' || r >= 0x20 && r < 0x7f || r >= 0xa0 && r <= 0xff:
		return byte(r), true
	case r < 0x80:
		return 0, false
	}
	i := 0
	for _, h := range high {
		if h == r {
			return byte(0x80 + i), true
		}
		i++
	}
	return 0, false
}

// PDF writes the report of an attempt: a summary, and every question with both answers.
func PDF(w io.Writer, a Attempt) error {
	p := document("Result: "+a.Project, a.Completed, "P")
	p.AliasNbPages("")
	p.SetFooterFunc(func() {
		p.SetY(-14)
		p.SetFont(family, "", 8)
		p.SetTextColor(90, 90, 90)
		p.CellFormat(0, 6, latin(fmt.Sprintf("%s - %s - page %d of {nb}", a.Candidate, a.Project, p.PageNo())), "", 0, "C", false, 0, "")
		p.SetTextColor(0, 0, 0)
	})
	p.AddPage()
	p.SetFont(family, "B", 18)
	p.MultiCell(0, 9, latin(a.Project), "", "L", false)
	p.Ln(2)
	for _, line := range summary(a) {
		p.SetFont(family, "B", 10)
		p.CellFormat(38, 6, latin(line[0]), "", 0, "L", false, 0, "")
		p.SetFont(family, "", 10)
		p.MultiCell(0, 6, latin(line[1]), "", "L", false)
	}
	p.Ln(4)
	for _, r := range a.Rows {
		question(p, r)
	}
	return output(w, p)
}

func output(w io.Writer, p *fpdf.Fpdf) error {
	if err := p.Output(w); err != nil {
		return fmt.Errorf("write PDF: %w", err)
	}
	return nil
}

// summary returns the names and values at the top of a report.
func summary(a Attempt) [][2]string {
	all := [][2]string{
		{"Candidate", strings.TrimSpace(a.Candidate + "  " + a.Email)},
		{"Date", a.Completed.Format(dates)},
		{"Score", fmt.Sprintf("%s (%d of %d correct, %d answered)", Score(a.Tenths), a.Correct, a.Total, a.Answered)},
	}
	if a.PassMark > 0 {
		outcome := "not passed"
		if a.Passed() {
			outcome = "passed"
		}
		all = append(all, [2]string{"Outcome", fmt.Sprintf("%s, pass mark %s", outcome, Score(a.PassMark))})
	}
	all = append(all, [2]string{"Time", fmt.Sprintf("%d:%02d min", a.Seconds/60, a.Seconds%60)}, [2]string{"Mode", strings.TrimSuffix(a.Mode+", "+a.Difficulty, ", ")})
	if !a.Regraded.IsZero() {
		all = append(all, [2]string{"Regraded", a.Regraded.Format(dates)})
	}
	return all
}

// question writes a question of a report. It is not divided between pages if it fits on one.
func question(p *fpdf.Fpdf, r Row) {
	selected := r.Selected
	if selected == "" {
		selected = "not answered"
	}
	outcome := "wrong"
	switch {
	case r.Late:
		outcome = "too late"
	case r.Right:
		outcome = "right"
	}
	p.SetFont(family, "", 10)
	height := 5.0 * float64(2+len(p.SplitText(latin(r.Text), content-12))+len(p.SplitText(latin(selected), content-34))+len(p.SplitText(latin(r.Correct), content-34)))
	if _, full := p.GetPageSize(); p.GetY()+height > full-20 && height < full-60 {
		p.AddPage()
	}
	p.SetFont(family, "B", 10)
	p.CellFormat(12, 5, fmt.Sprintf("%d.", r.Number), "", 0, "L", false, 0, "")
	p.MultiCell(0, 5, latin(r.Text), "", "L", false)
	for _, line := range [][2]string{{"Answer", selected}, {"Correct", r.Correct}, {"Outcome", fmt.Sprintf("%s, %d s", outcome, r.Seconds)}} {
		p.SetX(border + 12)
		p.SetFont(family, "", 9)
		p.SetTextColor(90, 90, 90)
		p.CellFormat(22, 5, line[0], "", 0, "L", false, 0, "")
		p.SetTextColor(0, 0, 0)
		p.MultiCell(0, 5, latin(line[1]), "", "L", false)
	}
	p.Ln(2)
}

// A Certificate says that a candidate passed an exam.
type Certificate struct {
	ID        string
	Candidate string
	Project   string
	Issuer    string
	Tenths    int
	Date      time.Time
	URL       string // where anyone can verify it; "" for none
}

// PDF writes the certificate on one page.
func (c Certificate) PDF(w io.Writer) error {
	p := document("Certificate: "+c.Project, c.Date, "L")
	p.SetAutoPageBreak(false, 0)
	p.AddPage()
	width, height := p.GetPageSize()
	p.SetLineWidth(1.2)
	p.SetDrawColor(40, 60, 110)
	p.Rect(10, 10, width-20, height-20, "D")
	line := func(y float64, style string, size float64, text string) {
		p.SetXY(30, y)
		p.SetFont(family, style, size)
		p.MultiCell(width-60, size*0.5, latin(text), "", "C", false)
	}
	line(32, "B", 30, "Certificate")
	line(58, "", 14, "This certifies that")
	line(70, "B", 26, c.Candidate)
	line(94, "", 14, "passed the exam")
	line(106, "B", 20, c.Project)
	line(132, "", 13, fmt.Sprintf("with %s on %s", Score(c.Tenths), c.Date.Format("2 January 2006")))
	line(160, "", 12, c.Issuer)
	line(height-24, "", 9, "Certificate "+c.ID)
	if c.URL != "" {
		line(height-19, "", 9, c.URL)
		if err := code(p, c.URL, width-52, height-52, 34); err != nil {
			return err
		}
	}
	return output(w, p)
}

// code draws a QR code as squares.
func code(p *fpdf.Fpdf, text string, x, y, size float64) error {
	drawn, err := qrcode.New(text)
	if err != nil {
		return err
	}
	p.SetFillColor(0, 0, 0)
	unit := size / float64(drawn.Size())
	for row := range drawn.Size() {
		for column := range drawn.Size() {
			if drawn.Dark(column, row) {
				p.Rect(x+float64(column)*unit, y+float64(row)*unit, unit, unit, "F")
			}
		}
	}
	return nil
}
