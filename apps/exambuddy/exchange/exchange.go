// Package exchange imports and exports questions in the formats that people have: CSV, JSON, GIFT,
// Aiken, QTI 2.1 and Word documents. It picks the parser; the parsers are in packages of their own. It
// stores nothing: an import gives drafts that an admin reviews. PDF documents are imported by package
// pdfimport, which needs a context and links a larger library. The question bank calls it.
package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/aiken"
	"sortkey.dev/apps/exambuddy/exchange/archive"
	"sortkey.dev/apps/exambuddy/exchange/csvfile"
	"sortkey.dev/apps/exambuddy/exchange/docx"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/gift"
	"sortkey.dev/apps/exambuddy/exchange/jsonfile"
	"sortkey.dev/apps/exambuddy/exchange/qti"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
	"sortkey.dev/apps/internal/refusal"
)

// A Format is a file format.
type Format string

// The formats.
const (
	CSV   Format = "csv"
	JSON  Format = "json"
	GIFT  Format = "gift"
	Aiken Format = "aiken"
	QTI   Format = "qti"
	DOCX  Format = "docx" // import only
	PDF   Format = "pdf"  // import only, by package pdfimport
)

// Exports lists the formats of exports.
func Exports() []Format { return []Format{JSON, CSV, GIFT, Aiken, QTI} }

// files maps each format of an export to the ending of a file name and the media type.
var files = map[Format][2]string{
	CSV: {".csv", "text/csv; charset=utf-8"}, JSON: {".json", "application/json"}, GIFT: {".gift.txt", "text/plain; charset=utf-8"},
	Aiken: {".aiken.txt", "text/plain; charset=utf-8"}, QTI: {".qti.zip", "application/zip"},
}

// File returns the ending of a file name and the media type of an export.
func (f Format) File() (ending, mediaType string) { return files[f][0], files[f][1] }

// Detect returns the format of a file by its content, and by its name where the content fits several;
// "" if it is none.
func Detect(name string, data []byte) Format {
	head := data[:min(len(data), 4096)]
	if bytes.HasPrefix(head, []byte("%PDF")) {
		return PDF
	}
	if archive.IsZip(data) {
		if p, err := archive.Open(data, draft.Limits{}); err == nil && docx.Is(p) {
			return DOCX
		}
		return QTI
	}
	if bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")) {
		return DOCX // of the old format, which its importer refuses with a reason
	}
	if bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return ""
	}
	return detectText(strings.ToLower(path.Base(name)), data)
}

// detectText returns the format of a text file.
func detectText(name string, data []byte) Format {
	text, _ := textfile.Decode(data[:min(len(data), 64<<10)])
	trimmed := strings.TrimSpace(text)
	switch ending := path.Ext(name); {
	case strings.HasPrefix(trimmed, "<"):
		return QTI
	case ending == ".json" || strings.HasPrefix(trimmed, "{") && ending != ".gift" && ending != ".txt" || strings.HasPrefix(trimmed, "[{"):
		return JSON
	case ending == ".csv" || ending == ".tsv":
		return CSV
	case ending == ".gift" || strings.Contains(name, ".gift."):
		return GIFT
	case strings.Contains(strings.ToUpper(text), "\nANSWER:"):
		return Aiken
	case strings.Contains(text, "{") && strings.Contains(text, "}"):
		return GIFT
	case trimmed != "" && strings.ContainsAny(strings.SplitN(trimmed, "\n", 2)[0], ",;\t"):
		return CSV
	}
	return ""
}

// Import parses a file within the time limit. The error is a *refusal.Error if the file cannot be used. If it holds no
// question, there is a result as well, with the problems.
func Import(ctx context.Context, format Format, data []byte, limits draft.Limits) (*draft.Result, error) {
	limits = limits.WithDefaults()
	timed, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()
	result, err := parse(timed, format, data, limits)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("import a file of the format %s: %w", format, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return nil, refusal.New(refusal.Invalid, "TOO_COMPLEX", "Reading the file takes longer than %s. Split it into several files.", limits.Timeout)
	}
	return result, err
}

// parse calls the parser of a format.
func parse(ctx context.Context, format Format, data []byte, limits draft.Limits) (*draft.Result, error) {
	switch format {
	case CSV:
		return csvfile.Import(ctx, data, limits)
	case JSON:
		return jsonfile.Import(ctx, data, limits)
	case GIFT:
		return gift.Import(ctx, data, limits)
	case Aiken:
		return aiken.Import(ctx, data, limits)
	case QTI:
		return qti.Import(ctx, data, limits)
	case DOCX:
		return docx.Import(ctx, data, limits)
	}
	return nil, refusal.OfField(refusal.Field{Name: "format", Constraint: "allowed", Allowed: []string{"csv", "json", "gift", "aiken", "qti", "docx", "pdf"}},
		"This file is in no format that can be imported. Use PDF, DOCX, CSV, JSON, GIFT, Aiken or QTI 2.1.")
}

// Export writes questions, and reports everything that the format cannot hold. images returns stored
// images for formats that hold them; it may be nil.
func Export(format Format, items []draft.Draft, images qti.Files) ([]byte, []draft.Problem, error) {
	switch format {
	case CSV:
		return csvfile.Export(items)
	case JSON:
		data, err := jsonfile.Export(items)
		return data, nil, err
	case GIFT:
		data, problems := gift.Export(items)
		return data, problems, nil
	case Aiken:
		data, problems := aiken.Export(items)
		return data, problems, nil
	case QTI:
		return qti.Export(items, images)
	}
	return nil, nil, refusal.OfField(refusal.Field{Name: "format", Constraint: "allowed", Allowed: []string{"json", "csv", "gift", "aiken", "qti"}}, "Questions cannot be exported in this format.")
}
