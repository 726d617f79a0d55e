// Package pdfimport imports questions from PDF documents: text with positions becomes lines, lines
// become drafts with their page, reason and confidence. It removes headers and footers, reads columns
// one after the other and finds the cells of tables. Scanned documents are refused: it recognises no
// characters in images. The question bank calls it, in a background job.
package pdfimport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
	"unicode"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/layout"
	"sortkey.dev/apps/exambuddy/exchange/pdftext"
	"sortkey.dev/apps/internal/refusal"
)

// Options bound an import. Zero values mean the default.
type Options struct {
	Bytes     int           // of the file; 10 MiB
	Questions int           // 200
	Pages     int           // 300
	Timeout   time.Duration // of the whole import; 20 s
}

func (o Options) withDefaults() Options {
	o.Bytes = cmp.Or(o.Bytes, 10<<20)
	o.Questions = cmp.Or(o.Questions, 200)
	o.Pages = cmp.Or(o.Pages, 300)
	o.Timeout = cmp.Or(o.Timeout, 20*time.Second)
	return o
}

// leastLetters is the number of letters below which a document with images is a scan.
const leastLetters = 20

// Import reads a document. The error is a *refusal.Error if the document cannot be used; its code is
// EMPTY_FILE, FILE_TOO_LARGE, NOT_A_PDF, UNREADABLE_FILE, ENCRYPTED_FILE, TOO_COMPLEX,
// SCANNED_DOCUMENT, NO_TEXT, UNREADABLE_TEXT, TOO_MANY_QUESTIONS or NO_QUESTIONS. With NO_QUESTIONS
// there is a result as well, with the problems.
func Import(ctx context.Context, data []byte, options Options) (*draft.Result, error) {
	options = options.withDefaults()
	limits := draft.Limits{Bytes: options.Bytes, Questions: options.Questions}
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	if !bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-")) {
		return nil, refusal.New(refusal.Invalid, "NOT_A_PDF", "The file is not a PDF document, whatever its name says.")
	}
	timed, cancel := context.WithTimeout(ctx, options.Timeout)
	defer cancel()
	doc, err := pdftext.Read(timed, data, pdftext.Limits{Pages: options.Pages})
	if err != nil {
		return nil, outcome(ctx, err, options)
	}
	if err := usable(doc); err != nil {
		return nil, err
	}
	out := draft.NewBuilder(limits)
	for _, page := range doc.Pages {
		place := draft.Place{Page: page.Number}
		switch {
		case page.Problem != "":
			out.Report(place, "Compare the drafts with the document.", "%s", page.Problem)
		case len(page.Pieces) == 0 && page.Images > 0:
			out.Report(place, "Type the questions of this page.", "The page is an image without text.")
		case page.Images > 0:
			out.Report(place, "Add the images that belong to questions in the editor.", "The page has images, which were not imported.")
		}
		if page.Rotated > 0 {
			out.Report(place, "Compare the drafts with the page.", "The page has text that is not horizontal. It was left out.")
		}
	}
	lines, removed := textLines(doc)
	for _, r := range removed {
		out.Problem(draft.Problem{Place: draft.Place{Page: r.Page}, Message: "Headers and footers were left out.", Advice: "Nothing needs to be done if this is none of your questions.", Text: r.Text})
	}
	if err := layout.Parse(timed, lines, out); err != nil {
		return nil, outcome(ctx, err, options)
	}
	return out.Result()
}

// outcome returns the refusal of a document that cannot be read.
func outcome(ctx context.Context, err error, options Options) error {
	refused, ok := refusal.As(err)
	switch {
	case ok:
		return refused
	case ctx.Err() != nil:
		return fmt.Errorf("import a PDF document: %w", ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return refusal.New(refusal.Invalid, "TOO_COMPLEX", "Reading the document takes longer than %s. Print it to a new PDF and import that.", options.Timeout)
	case errors.Is(err, pdftext.ErrEncrypted):
		return refusal.New(refusal.Invalid, "ENCRYPTED_FILE", "The document is protected by a password. Save it without one and import it again.")
	case errors.Is(err, pdftext.ErrTooLarge):
		return refusal.New(refusal.TooLarge, "TOO_COMPLEX", "The document has more than %d pages or too much content. Split it.", options.Pages)
	}
	return refusal.New(refusal.Invalid, "UNREADABLE_FILE", "The document is damaged and cannot be read. Open it in a viewer and print it to a new PDF.")
}

// usable returns the refusal of a document without text.
func usable(doc *pdftext.Document) error {
	letters, images := 0, 0
	for _, page := range doc.Pages {
		images += page.Images
		for _, piece := range page.Pieces {
			for _, r := range piece.Text {
				if unicode.IsLetter(r) {
					letters++
				}
			}
		}
	}
	switch {
	case letters < leastLetters && images > 0:
		return refusal.New(refusal.Invalid, "SCANNED_DOCUMENT", "The document holds images of pages and no text. Run text recognition (OCR) on it first.")
	case doc.Unknown > letters:
		return refusal.New(refusal.Invalid, "UNREADABLE_TEXT", "The fonts of the document do not say which letters they show. Print it to a new PDF from the program that made it.")
	case letters == 0:
		return refusal.New(refusal.Invalid, "NO_TEXT", "The document holds no text.")
	}
	return nil
}
