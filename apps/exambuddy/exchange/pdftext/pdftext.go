// Package pdftext reads the text of PDF documents with its positions. It opens documents with pdfcpu,
// which decrypts and decodes, and interprets the content of pages itself: pdfcpu has no text API. It
// does not recognise characters in images. Package pdfimport calls it; tests of reports read their
// text with it.
package pdftext

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// pdfcpu must not make a directory for its configuration in the user's home.
func init() { model.ConfigPath = "disable" }

// The outcomes of documents that cannot be read.
var (
	ErrEncrypted = errors.New("the document is encrypted")
	ErrDamaged   = errors.New("the document is damaged")
	ErrTooLarge  = errors.New("the document has too many pages or too much content")
)

// A Document holds the pages of a document.
type Document struct {
	Pages    []Page
	Producer string
	Unknown  int // characters whose fonts do not say which letters they are
}

// A Page holds the text of a page.
type Page struct {
	Number        int // from 1
	Width, Height float64
	Pieces        []Piece
	Images        int
	Rotated       int    // pieces of text that are not horizontal, and were left out
	Problem       string // why the page could not be read; "" if it was
}

// A Piece is a run of characters on a baseline. The origin is the lower left corner of the page; the
// unit is a point.
type Piece struct {
	Text        string
	X, Y, Width float64
	Size        float64
	Bold        bool
}

// Limits bound the work on a document. Zero values mean the default.
type Limits struct {
	Pages    int   // 300
	Decode   int64 // decoded bytes of a stream, and of the content of a page; 32 MiB
	Total    int64 // bytes that are decoded in all, with those of a stream that is used again; 256 MiB
	Steps    int   // operators, operands and characters of all pages; 5 million
	Operands int   // of one operator, with the tokens in lists; 200,000
}

func (l Limits) withDefaults() Limits {
	l.Pages = cmp.Or(l.Pages, 300)
	l.Decode = cmp.Or(l.Decode, 32<<20)
	l.Total = cmp.Or(l.Total, 256<<20)
	l.Operands = cmp.Or(l.Operands, 200_000)
	l.Steps = cmp.Or(l.Steps, 5_000_000)
	return l
}

// Read reads a document. It returns when ctx ends, even if the document keeps the library busy. The
// work that is left ends before the next stream is decoded.
func Read(ctx context.Context, data []byte, limits Limits) (*Document, error) {
	type outcome struct {
		doc *Document
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o = outcome{nil, fmt.Errorf("%w: %v", ErrDamaged, r)}
			}
			done <- o
		}()
		o.doc, o.err = read(ctx, data, limits.withDefaults())
	}()
	select {
	case o := <-done:
		return o.doc, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func read(ctx context.Context, data []byte, limits Limits) (*Document, error) {
	conf := model.NewDefaultConfiguration()
	conf.Offline, conf.ValidationMode = true, model.ValidationRelaxed
	conf.Limits.MaxDecodeBytes, conf.Limits.MaxStreamBytes = objectStreamLimit(data, limits), int64(len(data))+1
	conf.Limits.MaxObjectCount, conf.Limits.MaxXRefEntries, conf.Limits.MaxObjectStreamCount = 500_000, 500_000, 100_000
	pdf, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(data), conf)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, pdfcpu.ErrWrongPassword) || errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature) || errors.Is(err, pdfcpu.ErrPermissionDenied):
		return nil, ErrEncrypted
	case errors.Is(err, filter.ErrDecodeLimitExceeded):
		return nil, fmt.Errorf("%w: %w", ErrTooLarge, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := pdf.EnsurePageCount(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if pdf.PageCount > limits.Pages {
		return nil, fmt.Errorf("%w: %d pages", ErrTooLarge, pdf.PageCount)
	}
	doc := &Document{Producer: producer(pdf)}
	r := &reader{ctx: ctx, pdf: pdf, limits: limits, fonts: map[string]*font{}, broken: map[int]error{}}
	for number := 1; number <= pdf.PageCount; number++ {
		page := r.page(number)
		if r.failed != nil {
			return nil, r.failed
		}
		doc.Pages = append(doc.Pages, page)
	}
	doc.Unknown = r.unknown
	return doc, nil
}

// producer returns the name of the program that made the document.
func producer(pdf *model.Context) string {
	if pdf.Info == nil {
		return ""
	}
	info, err := pdf.DereferenceDict(*pdf.Info)
	if err != nil || info == nil {
		return ""
	}
	text, err := pdf.DereferenceText(info["Producer"])
	if err != nil {
		return ""
	}
	return text
}

// page reads a page. A page that cannot be read has a problem.
func (r *reader) page(number int) Page {
	page := Page{Number: number, Width: 612, Height: 792}
	if !r.alive() {
		return page
	}
	dict, _, attrs, err := r.pdf.PageDict(number, false)
	if err != nil || dict == nil {
		page.Problem = "The page is damaged."
		return page
	}
	content, ok := r.contents(dict["Contents"])
	if !ok {
		page.Problem = "The content of the page cannot be decoded."
	}
	base := identity
	if box := attrs.MediaBox; box != nil {
		page.Width, page.Height = box.Width(), box.Height()
		base = matrix{1, 0, 0, 1, -box.LL.X, -box.LL.Y}
	}
	switch ((attrs.Rotate % 360) + 360) % 360 {
	case 90:
		base = base.times(matrix{0, -1, 1, 0, 0, page.Width})
		page.Width, page.Height = page.Height, page.Width
	case 180:
		base = base.times(matrix{-1, 0, 0, -1, page.Width, page.Height})
	case 270:
		base = base.times(matrix{0, 1, -1, 0, page.Height, 0})
		page.Width, page.Height = page.Height, page.Width
	}
	resources := attrs.Resources
	if own := r.dict(dict["Resources"]); own != nil {
		resources = own
	}
	m := machine{r: r, page: &page}
	m.run(content, resources, state{ctm: base, scale: 1}, 0)
	return page
}

// dict dereferences a dictionary; nil if it is none.
func (r *reader) dict(o types.Object) types.Dict {
	if o == nil {
		return nil
	}
	resolved, err := r.resolve(o)
	if err != nil {
		return nil
	}
	switch d := resolved.(type) {
	case types.Dict:
		return d
	case types.StreamDict:
		return d.Dict
	}
	return nil
}

// array dereferences an array; nil if it is none.
func (r *reader) array(o types.Object) types.Array {
	if o == nil {
		return nil
	}
	resolved, err := r.resolve(o)
	if err != nil {
		return nil
	}
	a, _ := resolved.(types.Array)
	return a
}

// number dereferences a number; 0 if it is none.
func (r *reader) number(o types.Object) float64 {
	n, _ := r.maybeNumber(o)
	return n
}

func (r *reader) maybeNumber(o types.Object) (float64, bool) {
	resolved, err := r.resolve(o)
	if err != nil {
		return 0, false
	}
	switch n := resolved.(type) {
	case types.Integer:
		return float64(n), true
	case types.Float:
		return float64(n), true
	}
	return 0, false
}

// name dereferences a name; "" if it is none.
func (r *reader) name(o types.Object) string {
	resolved, err := r.resolve(o)
	if err != nil {
		return ""
	}
	n, _ := resolved.(types.Name)
	return string(n)
}
