package pdftext_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/pdftext"
)

// pdf returns a document of one page. objects follow the page, from number 5 on. pageExtra may name
// other contents than the stream.
func pdf(content []byte, filter, pageExtra string, objects ...string) []byte {
	var out bytes.Buffer
	var offsets []int
	add := func(body string) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	out.WriteString("%PDF-1.7\n")
	add("<</Type/Catalog/Pages 2 0 R>>")
	add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	if !strings.Contains(pageExtra, "/Contents") {
		pageExtra += "/Contents 4 0 R"
	}
	add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>" + pageExtra + ">>")
	add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", filter, len(content), content))
	if len(objects) == 0 {
		objects = []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	}
	for _, o := range objects {
		add(o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes()
}

func read(t *testing.T, data []byte) pdftext.Page {
	t.Helper()
	doc, err := pdftext.Read(context.Background(), data, pdftext.Limits{})
	if err != nil || len(doc.Pages) != 1 {
		t.Fatalf("%+v, %v", doc, err)
	}
	return doc.Pages[0]
}

func TestTextOperators(t *testing.T) {
	for content, want := range map[string]string{
		"BT /F 10 Tf 100 700 Td (Hello) Tj ET":                                          "[Hello@100,700]",
		"BT /F 10 Tf 1 0 0 1 100 700 Tm (a\\(b\\)\\345) Tj 0 -12 TD (c) Tj T* (d) ' ET": "[a(b)å@100,700 c@100,688 d@100,664]",
		"BT /F 10 Tf 100 700 Td [(A) -500 (B) 20 (C)] TJ ET":                            "[A@100,700 BC@112,700]",
		"2 0 0 2 10 10 cm BT /F 10 Tf 50 50 Td <48 69> Tj ET":                           "[Hi@110,110]",
		"q 1 0 0 1 50 0 cm Q BT /F 10 Tf 5 5 Td (x) Tj ET":                              "[x@5,5]",
		"BT /F 10 Tf 0 1 -1 0 5 5 Tm (sideways) Tj ET":                                  "[]",
		"BI /W 1 /H 1 ID xx(y)Tj EI BT /F 10 Tf 5 5 Td (z) Tj ET":                       "[z@5,5]",
		"BT /F 10 Tf 5 5 Td (unfinished":                                                "[]",
		"]] >> ) } BT /F 10 Tf 5 5 Td (z) Tj":                                           "[z@5,5]",
	} {
		var got []string
		for _, p := range read(t, pdf([]byte(content), "", "")).Pieces {
			got = append(got, fmt.Sprintf("%s@%.0f,%.0f", p.Text, p.X, p.Y))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", content, got, want)
		}
	}
}

func TestWidthsAreThoseOfTheFont(t *testing.T) {
	pieces := read(t, pdf([]byte("BT /F 10 Tf 0 0 Td (Hello) Tj ET"), "", "")).Pieces
	if want := (722 + 556 + 222 + 222 + 556) / 100.0; math.Abs(pieces[0].Width-want) > 0.001 {
		t.Errorf("the width is %f, want %f", pieces[0].Width, want)
	}
	pieces = read(t, pdf([]byte("BT /F 10 Tf 0 0 Td (AB) Tj ET"), "", "", "<</Type/Font/Subtype/TrueType/BaseFont/X-Bold/FirstChar 65/LastChar 66/Widths[300 400]/Encoding<</Differences[65/Aring/uni0141]>>>>")).Pieces
	if p := pieces[0]; p.Text != "ÅŁ" || math.Abs(p.Width-7) > 0.001 || !p.Bold {
		t.Errorf("got %+v", p)
	}
}

func TestRotatedPage(t *testing.T) {
	page := read(t, pdf([]byte("BT /F 10 Tf 0 1 -1 0 300 100 Tm (up) Tj ET"), "", "/Rotate 90"))
	if len(page.Pieces) != 1 || page.Width != 800 || math.Abs(page.Pieces[0].X-100) > 0.01 || math.Abs(page.Pieces[0].Y-300) > 0.01 {
		t.Errorf("got %+v", page)
	}
}

func TestFormsThatShowThemselvesEnd(t *testing.T) {
	form := "/X Do /X Do /X Do /X Do /X Do /X Do /X Do /X Do /X Do "
	data := pdf([]byte("/X Do"), "", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		fmt.Sprintf("<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</X 6 0 R>>>>/Length %d>>\nstream\n%s\nendstream", len(form), form))
	_, err := pdftext.Read(context.Background(), data, pdftext.Limits{Steps: 10_000})
	if !errors.Is(err, pdftext.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestDecodedContentIsBounded(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	chunk := []byte(strings.Repeat(" ", 1<<20))
	for range 64 {
		_, _ = z.Write(chunk)
	}
	z.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	page := read(t, pdf(packed.Bytes(), "/Filter/FlateDecode", ""))
	runtime.ReadMemStats(&after)
	if page.Problem == "" {
		t.Error("a stream of 64 MiB was decoded")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 150<<20 {
		t.Errorf("it took %d MiB", used>>20)
	}
}

func FuzzContent(f *testing.F) {
	for _, seed := range []string{"BT /F 10 Tf 100 700 Td (Hello) Tj ET", "q 1 0 0 1 0 0 cm /X Do Q", "BT [(a) -300 <4142>] TJ T* ' \" ET", "BI ID EI", "<</a[1 2(]>>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if bytes.Contains(content, []byte("endstream")) || bytes.Contains(content, []byte("endobj")) {
			return
		}
		if _, err := pdftext.Read(context.Background(), pdf(content, "", ""), pdftext.Limits{}); err != nil && !errors.Is(err, pdftext.ErrDamaged) {
			t.Error(err)
		}
	})
}
