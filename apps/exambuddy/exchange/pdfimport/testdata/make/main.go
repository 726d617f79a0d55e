// Command make writes the PDF documents of this folder that Chromium does not write.
package main

import (
	"fmt"
	"os"

	"codeberg.org/go-pdf/fpdf"
	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/signintech/gopdf"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	standard()
	embedded()
	blank()
	scanned()
	conf := model.NewAESConfiguration("secret", "owner", 256)
	check(api.EncryptFile("fpdf-q1.pdf", "encrypted.pdf", conf))
	owner := model.NewAESConfiguration("", "owner", 256)
	owner.Permissions = model.PermissionsAll
	check(api.EncryptFile("fpdf-q1.pdf", "owner-password.pdf", owner))
	whole, err := os.ReadFile("fpdf-q1.pdf")
	check(err)
	check(os.WriteFile("truncated.pdf", whole[:len(whole)/2], 0o644))
}

// standard writes "Q1)" questions without a key in a standard font, with headers and footers.
func standard() {
	p := fpdf.New("P", "mm", "A4", "")
	p.SetCreationDate(fixed)
	p.SetModificationDate(fixed)
	p.SetHeaderFunc(func() {
		p.SetFont("Helvetica", "I", 9)
		p.CellFormat(0, 8, "Course 101 - confidential", "", 1, "L", false, 0, "")
	})
	p.SetFooterFunc(func() {
		p.SetY(-15)
		p.SetFont("Helvetica", "", 9)
		p.CellFormat(0, 8, fmt.Sprintf("Page %d of {nb}", p.PageNo()), "", 0, "C", false, 0, "")
	})
	p.AliasNbPages("")
	p.AddPage()
	tr := p.UnicodeTranslatorFromDescriptor("")
	for i := 1; i <= 35; i++ {
		p.SetFont("Times", "", 12)
		p.MultiCell(0, 6, tr(fmt.Sprintf("Q%d) What does the abbreviation in exercise %d stand for, according to the glossary at the end of the course book by Åström & Øye?", i, i)), "", "L", false)
		for _, o := range []string{"A", "B", "C", "D"} {
			p.MultiCell(0, 6, tr(fmt.Sprintf("%s) meaning %s of number %d", o, o, i)), "", "L", false)
		}
	}
	check(p.OutputFileAndClose("fpdf-q1.pdf"))
}

// embedded writes questions with check marks in an embedded font.
func embedded() {
	p := gopdf.GoPdf{}
	p.Start(gopdf.Config{PageSize: *gopdf.PageSizeA4})
	check(p.AddTTFFont("sans", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
	check(p.SetFont("sans", "", 11))
	y := 900.0
	line := func(x float64, text string) {
		if y > 780 {
			p.AddPage()
			y = 50
		}
		p.SetXY(x, y)
		check(p.Cell(nil, text))
		y += 16
	}
	for i := 1; i <= 20; i++ {
		line(50, fmt.Sprintf("%d. Jakie jest miasto numer %d: Łódź, Проект, Ærø?", i, i))
		for n, o := range []string{"pierwsze", "drugie", "trzecie"} {
			mark := ""
			if n == i%3 {
				mark = " ✓"
			}
			line(70, fmt.Sprintf("%c) %s %d%s", 'A'+n, o, i, mark))
		}
		y += 8
	}
	check(p.WritePdf("gopdf-marks.pdf"))
}

func blank() {
	p := fpdf.New("P", "mm", "A4", "")
	p.SetCreationDate(fixed)
	p.SetModificationDate(fixed)
	p.AddPage()
	check(p.OutputFileAndClose("blank.pdf"))
}

func scanned() {
	p := fpdf.New("P", "mm", "A4", "")
	p.SetCreationDate(fixed)
	p.SetModificationDate(fixed)
	p.RegisterImageOptionsReader("scan", fpdf.ImageOptions{ImageType: "PNG"}, picture())
	for range 2 {
		p.AddPage()
		p.Image("scan", 10, 10, 190, 0, false, "PNG", 0, "")
	}
	check(p.OutputFileAndClose("scanned.pdf"))
}
