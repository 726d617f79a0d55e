package pdftext_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/pdftext"
)

const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

// stream returns an object that is a stream.
func stream(header, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", header, len(content), content)
}

// form returns a form.
func form(content string) string {
	return stream("/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<<>>", content)
}

// composite returns a font with a map of characters as object 6 and with widths.
func composite(widths string) string {
	return "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W[" + widths + "]>>]>>"
}

func deflate(content string) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write([]byte(content))
	z.Close()
	return packed.Bytes()
}

// TestWorkIsCounted reads documents with a limit that they fit, and with one that they exceed.
func TestWorkIsCounted(t *testing.T) {
	show := []byte("BT /F 10 Tf (ab) Tj ET")
	kilobyte := bytes.Repeat([]byte(" "), 1000)
	for name, v := range map[string]struct {
		data     []byte
		fits     pdftext.Limits
		exceeded pdftext.Limits
	}{
		"tokens of a list":          {pdf([]byte("["+strings.Repeat(")", 5000)), "", ""), pdftext.Limits{Steps: 5200}, pdftext.Limits{Steps: 4900}},
		"tokens of a dictionary":    {pdf([]byte("<<"+strings.Repeat("/a ", 5000)), "", ""), pdftext.Limits{Steps: 5400}, pdftext.Limits{Steps: 4900}},
		"tokens of nested lists":    {pdf([]byte(strings.Repeat("[[1]]", 1000)), "", ""), pdftext.Limits{Steps: 3200}, pdftext.Limits{Steps: 2900}},
		"bytes without a token":     {pdf(bytes.Repeat(kilobyte, 64), "", ""), pdftext.Limits{Steps: 1100}, pdftext.Limits{Steps: 900}},
		"a stream used 10 times":    {pdf(kilobyte, "", "/Contents["+strings.Repeat("4 0 R ", 10)+"]"), pdftext.Limits{Total: 10_000}, pdftext.Limits{Total: 9999}},
		"a deflated stream":         {pdf(deflate(string(bytes.Repeat(kilobyte, 10))), "/Filter/FlateDecode", ""), pdftext.Limits{Total: 10_100}, pdftext.Limits{Total: 9999}},
		"a filter before the last":  {pdf(deflate(string(bytes.Repeat(kilobyte, 10))+">"), "/Filter[/FlateDecode/ASCIIHexDecode]", ""), pdftext.Limits{Total: 10_100}, pdftext.Limits{Total: 9999}},
		"a form shown 10 times":     {pdf([]byte(strings.Repeat("/X Do ", 10)), "", "", helvetica, form(string(kilobyte))), pdftext.Limits{Total: 10_100}, pdftext.Limits{Total: 9999}},
		"a stream damaged 10 times": {pdf(deflate(string(kilobyte))[:8], "/Filter/FlateDecode", "/Contents["+strings.Repeat("4 0 R ", 10)+"]"), pdftext.Limits{}, pdftext.Limits{Total: 79}},
		"widths of a range":         {pdf(show, "", "", composite("0 5000 500"), stream("", "")), pdftext.Limits{Steps: 5200}, pdftext.Limits{Steps: 4900}},
		"widths of a list":          {pdf(show, "", "", composite("0["+strings.Repeat("5 ", 5000)+"]"), stream("", "")), pdftext.Limits{Steps: 5200}, pdftext.Limits{Steps: 4900}},
		"characters of a long text": {pdf([]byte("BT /F 10 Tf <"+strings.Repeat("0001", 1000)+"> Tj ET"), "", "", composite(""), stream("", "<0001> <"+strings.Repeat("0041", 64)+"> endbfchar")), pdftext.Limits{Steps: 2200}, pdftext.Limits{Steps: 1900}},
	} {
		if _, err := pdftext.Read(t.Context(), v.data, v.fits); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := pdftext.Read(t.Context(), v.data, v.exceeded); !errors.Is(err, pdftext.ErrTooLarge) {
			t.Errorf("%s: %v, want %v", name, err, pdftext.ErrTooLarge)
		}
	}
}

func TestOperandsOfAnOperatorAreBounded(t *testing.T) {
	const most = 1000
	for name, make := range map[string]func(n int) []byte{
		"one list": func(n int) []byte { return pdf([]byte("["+strings.Repeat("1 ", n)+"] TJ"), "", "") },
		"lists in a list": func(n int) []byte {
			return pdf([]byte("["+strings.Repeat("[1]", n/2)+strings.Repeat("1 ", n%2)+"] TJ"), "", "")
		},
		"several lists": func(n int) []byte { return pdf([]byte("[1][1]["+strings.Repeat("1 ", n-2)+"] TJ"), "", "") },
		"a character map": func(n int) []byte {
			return pdf([]byte("/F 10 Tf"), "", "", composite(""), stream("", strings.Repeat("1 ", n)+"endbfchar"))
		},
		"after operators":  func(n int) []byte { return pdf([]byte("[1 1] TJ [1 1] TJ ["+strings.Repeat("1 ", n)+"] TJ"), "", "") },
		"after dictionary": func(n int) []byte { return pdf([]byte("<</a 1>> ["+strings.Repeat("1 ", n-2)+"] TJ"), "", "") },
	} {
		if _, err := pdftext.Read(t.Context(), make(most), pdftext.Limits{Operands: most}); err != nil {
			t.Errorf("%s with %d tokens: %v", name, most, err)
		}
		if _, err := pdftext.Read(t.Context(), make(most+1), pdftext.Limits{Operands: most}); !errors.Is(err, pdftext.ErrTooLarge) {
			t.Errorf("%s with %d tokens: %v", name, most+1, err)
		}
	}
}

func TestTextOfACodeIsBounded(t *testing.T) {
	for _, m := range []string{"<0001> <%s> endbfchar", "<0001> <0002> <%s> endbfrange", "<0001> <0001> [<%s>] endbfrange"} {
		letters := strings.Repeat("0041", 1000)
		page := read(t, pdf([]byte("BT /F 10 Tf <0001> Tj ET"), "", "", composite(""), stream("", fmt.Sprintf(m, letters))))
		if len(page.Pieces) != 1 || len(page.Pieces[0].Text) > 100 {
			t.Errorf("%s: %d pieces", m, len(page.Pieces))
		}
	}
}

func TestPageStopsAtTheStreamThatIsTooLarge(t *testing.T) {
	data := pdf([]byte("BT /F 10 Tf 5 5 Td (first) Tj ET"), "", "/Contents[4 0 R 6 0 R 4 0 R 6 0 R]", helvetica, stream("/Filter/FlateDecode", string(deflate(strings.Repeat(" ", 2000)))))
	doc, err := pdftext.Read(t.Context(), data, pdftext.Limits{Decode: 1000})
	if err != nil || doc.Pages[0].Problem == "" || len(doc.Pages[0].Pieces) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// An ending context ends after a number of checks, and counts them. It never closes Done, so that Read
// returns when its work ends.
type ending struct {
	context.Context
	checks, after int
}

func (e *ending) Err() error {
	if e.checks++; e.checks > e.after {
		return context.Canceled
	}
	return nil
}

func TestNoStreamIsDecodedAfterTheContextEnds(t *testing.T) {
	const never = 1 << 30
	contents := func(n int) []byte { return pdf([]byte(" "), "", "/Contents["+strings.Repeat("4 0 R ", n)+"]") }
	forms := func(n int) []byte {
		return pdf([]byte(strings.Repeat("/X Do ", n)), "", "", helvetica, form(" "))
	}
	for name, data := range map[string]func(n int) []byte{"contents": contents, "forms": forms} {
		few, many := &ending{t.Context(), 0, never}, &ending{t.Context(), 0, never}
		for ctx, n := range map[*ending]int{few: 1, many: 51} {
			if _, err := pdftext.Read(ctx, data(n), pdftext.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		if many.checks < few.checks+50 {
			t.Errorf("%s: %d checks for 1 stream, %d for 51", name, few.checks, many.checks)
		}
		ends := &ending{t.Context(), 0, few.checks}
		if _, err := pdftext.Read(ends, data(51), pdftext.Limits{}); !errors.Is(err, context.Canceled) || ends.checks > ends.after+2 {
			t.Errorf("%s: %v, %d checks after the end", name, err, ends.checks-ends.after)
		}
	}
}

// objectStreams returns a document whose page names its content in an object stream. There are others,
// each with a size in bytes.
func objectStreams(count, size int) []byte {
	var out, table bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	add := func(body string) {
		_ = binary.Write(&table, binary.BigEndian, []uint16{1, uint16(out.Len())})
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", table.Len()/4, body)
	}
	last := 6 + count // the object in the last object stream
	add("<</Type/Catalog/Pages 2 0 R>>")
	add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 5 0 R>>>>/Contents %d 0 R>>", last))
	add(stream("", "BT /F 10 Tf 5 5 Td (first) Tj ET"))
	add(helvetica)
	for range count {
		head := fmt.Sprintf("%d 0 ", last)
		content := head + "[4 0 R]"
		add(stream(fmt.Sprintf("/Type/Obj#53tm/N 1/First %d/Filter/FlateDecode", len(head)), string(deflate(content+strings.Repeat(" ", size-len(content))))))
	}
	_ = binary.Write(&table, binary.BigEndian, []uint16{2, uint16(last - 1)})
	start := out.Len()
	_ = binary.Write(&table, binary.BigEndian, []uint16{1, uint16(start)})
	var rows bytes.Buffer
	rows.Write(make([]byte, 5)) // object 0
	for at := 0; at < table.Len(); at += 4 {
		rows.Write(append(bytes.Clone(table.Bytes()[at+1:at+4]), 0, 0))
	}
	fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", last+1,
		stream(fmt.Sprintf("/Type/XRef/Size %d/W[1 2 2]/Root 1 0 R", last+2), rows.String()), start)
	return out.Bytes()
}

func TestObjectStreamsShareTheLimit(t *testing.T) {
	data := objectStreams(10, 1000)
	doc, err := pdftext.Read(t.Context(), data, pdftext.Limits{Total: 10_000})
	if err != nil || len(doc.Pages[0].Pieces) != 1 {
		t.Errorf("%+v, %v", doc, err)
	}
	if _, err := pdftext.Read(t.Context(), data, pdftext.Limits{Total: 9990}); !errors.Is(err, pdftext.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
