package pdfimport_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/exchange/pdfimport"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/effort"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t *testing.T, name string) *draft.Result {
	t.Helper()
	got, err := pdfimport.Import(context.Background(), file(t, name), pdfimport.Options{})
	drafttest.Sound(t, got, err)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return got
}

// summary returns one draft as a line.
func summary(got *draft.Result, i int) string { return drafttest.Summary(got)[i] }

func TestAnswerLinesOfChromium(t *testing.T) {
	got := read(t, "chromium-lines.pdf")
	if len(got.Drafts) != 50 || got.Count(draft.Ready) != 50 {
		t.Fatalf("%d drafts, %d ready", len(got.Drafts), got.Count(draft.Ready))
	}
	for i, d := range got.Drafts {
		n := i + 1
		want := fmt.Sprintf("Question number %d: which of the following statements about efficient fluid flow is correct in case %d of the long list?", n, n)
		if d.Question.Text != want || len(d.Question.Options) != 4 || d.Question.Options[3].Text != fmt.Sprintf("the fourth choice of %d", n) {
			t.Errorf("question %d is %s", n, summary(got, i))
		}
		if several := d.Question.Type == question.MultipleResponse; several != (n%5 == 0) {
			t.Errorf("question %d has the type %s", n, d.Question.Type)
		}
	}
	if last := got.Drafts[49].Place.Page; last < 5 {
		t.Errorf("the last question is on page %d", last)
	}
}

func TestColumnsAndKeyOfChromium(t *testing.T) {
	got := read(t, "chromium-columns.pdf")
	if len(got.Drafts) != 24 || got.Count(draft.Ready) != 24 {
		t.Fatalf("%d drafts, %d ready: %v", len(got.Drafts), got.Count(draft.Ready), got.Problems)
	}
	for i, d := range got.Drafts {
		n := i + 1
		right := []int{n % 3}
		want, key := draft.Choice(fmt.Sprintf("Which layer of the model carries packet number %d across networks?", n), []string{fmt.Sprintf("Layer one of %d", n), fmt.Sprintf("Layer two of %d", n), fmt.Sprintf("Layer three of %d", n)}, right)
		drafttest.Same(t, d, draft.Draft{Question: want, Key: key})
		if !strings.Contains(d.Reason, "answer key") {
			t.Errorf("the reason is %q", d.Reason)
		}
	}
}

func TestTableOfChromium(t *testing.T) {
	got := read(t, "chromium-table.pdf")
	if len(got.Drafts) != 30 || got.Count(draft.Ready) != 30 {
		t.Fatalf("%d drafts, %d ready: %v\n%s", len(got.Drafts), got.Count(draft.Ready), got.Problems, strings.Join(drafttest.Summary(got), "\n"))
	}
	for i, d := range got.Drafts {
		n := i + 1
		want, key := draft.Choice(fmt.Sprintf("Vilken ort ligger längst norrut i uppgift %d, enligt kartan över Sverige?", n),
			[]string{fmt.Sprintf("Malmö %d", n), fmt.Sprintf("Umeå %d", n), fmt.Sprintf("Örebro %d", n), fmt.Sprintf("Łódź ✓ %d", n)}, []int{n % 4})
		drafttest.Same(t, d, draft.Draft{Question: want, Key: key})
	}
}

func TestMissingKeysOfFPDF(t *testing.T) {
	for _, name := range []string{"fpdf-q1.pdf", "owner-password.pdf"} {
		got := read(t, name)
		if len(got.Drafts) != 35 || got.Count(draft.NoKey) != 35 {
			t.Fatalf("%s: %d drafts, %d without a key", name, len(got.Drafts), got.Count(draft.NoKey))
		}
		for i, d := range got.Drafts {
			want := fmt.Sprintf("What does the abbreviation in exercise %d stand for, according to the glossary at the end of the course book by Åström & Øye?", i+1)
			if d.Question.Text != want || len(d.Question.Options) != 4 {
				t.Errorf("question %d is %s", i+1, summary(got, i))
			}
		}
		all := ""
		for _, p := range got.Problems {
			all += p.Text + "\n"
		}
		if !strings.Contains(all, "Course 101") || !strings.Contains(all, "Page 1 of") || strings.Contains(all, "exercise") {
			t.Errorf("the problems are %q", all)
		}
	}
}

func TestCheckMarksOfGopdf(t *testing.T) {
	got := read(t, "gopdf-marks.pdf")
	if len(got.Drafts) != 20 || got.Count(draft.Ready) != 20 {
		t.Fatalf("%d drafts, %d ready: %v", len(got.Drafts), got.Count(draft.Ready), got.Problems)
	}
	for i, d := range got.Drafts {
		n := i + 1
		want, key := draft.Choice(fmt.Sprintf("Jakie jest miasto numer %d: Łódź, Проект, Ærø?", n), []string{fmt.Sprintf("pierwsze %d", n), fmt.Sprintf("drugie %d", n), fmt.Sprintf("trzecie %d", n)}, []int{n % 3})
		drafttest.Same(t, d, draft.Draft{Question: want, Key: key})
	}
}

func TestOutcomes(t *testing.T) {
	for name, v := range map[string]struct {
		data    []byte
		options pdfimport.Options
		code    string
	}{
		"nothing":            {nil, pdfimport.Options{}, "EMPTY_FILE"},
		"another format":     {[]byte("\x89PNG\r\n\x1a\n"), pdfimport.Options{}, "NOT_A_PDF"},
		"garbage":            {[]byte("%PDF-1.7\n" + strings.Repeat("x", 500)), pdfimport.Options{}, "UNREADABLE_FILE"},
		"truncated":          {file(t, "truncated.pdf"), pdfimport.Options{}, "UNREADABLE_FILE"},
		"encrypted":          {file(t, "encrypted.pdf"), pdfimport.Options{}, "ENCRYPTED_FILE"},
		"scanned":            {file(t, "scanned.pdf"), pdfimport.Options{}, "SCANNED_DOCUMENT"},
		"blank":              {file(t, "blank.pdf"), pdfimport.Options{}, "NO_TEXT"},
		"too large":          {file(t, "blank.pdf"), pdfimport.Options{Bytes: 100}, "FILE_TOO_LARGE"},
		"too many pages":     {file(t, "chromium-lines.pdf"), pdfimport.Options{Pages: 4}, "TOO_COMPLEX"},
		"too many questions": {file(t, "chromium-lines.pdf"), pdfimport.Options{Questions: 49}, "TOO_MANY_QUESTIONS"},
		"too slow":           {file(t, "chromium-lines.pdf"), pdfimport.Options{Timeout: time.Nanosecond}, "TOO_COMPLEX"},
	} {
		_, err := pdfimport.Import(context.Background(), v.data, v.options)
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != v.code || refused.Message == "" {
			t.Errorf("%s: %v, want %s", name, err, v.code)
		}
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	data := file(t, "chromium-columns.pdf")
	if _, err := pdfimport.Import(context.Background(), data, pdfimport.Options{Questions: 24, Bytes: len(data)}); err != nil {
		t.Error(err)
	}
}

func TestCancelledImportFails(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := pdfimport.Import(ctx, file(t, "fpdf-q1.pdf"), pdfimport.Options{})
	if _, refused := refusal.As(err); err == nil || refused {
		t.Errorf("got %v", err)
	}
}

// Damaged documents end with a result or a refusal, and never with a panic.
func TestDamagedDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"fpdf-q1.pdf", "gopdf-marks.pdf", "chromium-columns.pdf"} {
		whole := file(t, name)
		for range effort.Rounds(25) {
			data := append([]byte(nil), whole...)
			for range 1 + r.IntN(20) {
				data[10+r.IntN(len(data)-10)] = byte(r.IntN(256))
			}
			got, err := pdfimport.Import(context.Background(), data, pdfimport.Options{})
			if _, ok := refusal.As(err); err != nil && !ok {
				t.Errorf("%s: %v", name, err)
			}
			drafttest.Sound(t, got, err)
		}
	}
}

func FuzzImport(f *testing.F) {
	for _, name := range []string{"fpdf-q1.pdf", "blank.pdf", "scanned.pdf"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := pdfimport.Import(context.Background(), data, pdfimport.Options{Timeout: 5 * time.Second})
		drafttest.Sound(t, got, err)
	})
}
