package exchange_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

func TestExportsAreDetectedAndImported(t *testing.T) {
	all := drafttest.Many(1, 10, question.SingleChoice)
	for _, format := range exchange.Exports() {
		data, _, err := exchange.Export(format, all, nil)
		if err != nil {
			t.Fatal(err)
		}
		ending, media := format.File()
		if ending == "" || media == "" {
			t.Errorf("%s has no ending or media type", format)
		}
		if got := exchange.Detect("questions"+ending, data); got != format {
			t.Errorf("an export as %s is detected as %q", format, got)
		}
		got, err := exchange.Import(t.Context(), format, data, draft.Limits{})
		if err != nil || len(got.Drafts) != len(all) {
			t.Errorf("%s: %v, %v", format, got, err)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, v := range []struct {
		name, data string
		format     exchange.Format
	}{
		{"a.pdf", "%PDF-1.7", exchange.PDF}, {"a.txt", "%PDF-1.7", exchange.PDF}, {"a.pdf", "\x89PNG\r\n\x1a\n\x00", ""},
		{"a.txt", "What?\nA. x\nB. y\nANSWER: B", exchange.Aiken}, {"a.txt", "What? {=x ~y}", exchange.GIFT}, {"a.txt", "text;A;B\nx;y;z", exchange.CSV},
		{"a.xml", "<?xml?><assessmentItem/>", exchange.QTI}, {"a.doc", "\xd0\xcf\x11\xe0", exchange.DOCX}, {"a", `[{"text":1}]`, exchange.JSON}, {"a.txt", "hello", ""}, {"a", "", ""},
	} {
		if got := exchange.Detect(v.name, []byte(v.data)); got != v.format {
			t.Errorf("%s %q is %q, want %q", v.name, v.data, got, v.format)
		}
	}
}

// files returns a file of each format that Import takes.
func files(t *testing.T) map[exchange.Format][]byte {
	t.Helper()
	all := map[exchange.Format][]byte{}
	for _, format := range exchange.Exports() {
		data, _, err := exchange.Export(format, drafttest.Many(1, 10, question.SingleChoice), nil)
		if err != nil {
			t.Fatal(err)
		}
		all[format] = data
	}
	var word bytes.Buffer
	z := zip.NewWriter(&word)
	w, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write([]byte("<document><body><p><r><t>1. What?</t></r></p></body></document>"))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	all[exchange.DOCX] = word.Bytes()
	return all
}

func TestImportsEndInTime(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for format, data := range files(t) {
		_, err := exchange.Import(t.Context(), format, data, draft.Limits{Timeout: time.Nanosecond})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != "TOO_COMPLEX" {
			t.Errorf("%s after its time: %v", format, err)
		}
		if _, err := exchange.Import(ended, format, data, draft.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after a cancellation: %v", format, err)
		}
	}
}

func TestUnknownFormatsAreRefused(t *testing.T) {
	if _, err := exchange.Import(t.Context(), "odt", []byte("x"), draft.Limits{}); err == nil {
		t.Error("odt is imported")
	}
	_, _, err := exchange.Export(exchange.DOCX, nil, nil)
	if _, ok := refusal.As(err, refusal.Invalid); !ok {
		t.Errorf("got %v", err)
	}
}
