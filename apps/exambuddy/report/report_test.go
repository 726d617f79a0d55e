package report_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/exambuddy/exchange/pdftext"
	"sortkey.dev/apps/exambuddy/report"
)

var noon = time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)

func attempt(n int) report.Attempt {
	a := report.Attempt{ID: "01J", Candidate: "Åsa Øye", Email: "asa@x.se", Project: "Nätverk & säkerhet", Mode: "exam", Difficulty: "hard", Started: noon.Add(-time.Hour), Completed: noon,
		Tenths: 850, PassMark: 700, Correct: 17, Answered: 19, Total: n, Seconds: 605}
	for i := range n {
		a.Rows = append(a.Rows, report.Row{Number: i + 1, Text: fmt.Sprintf("Frågan nummer %d: vad är “rätt” för en €-kund i Łódź?", i+1), Selected: "=Ja; nej", Correct: "Ærlig", Seconds: 31, Right: i%2 == 0, Late: i == 3, Answered: noon})
	}
	a.Rows[1].Selected = ""
	return a
}

// text returns the lines of a PDF document, by page.
func text(t *testing.T, data []byte) []string {
	t.Helper()
	doc, err := pdftext.Read(context.Background(), data, pdftext.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, page := range doc.Pages {
		sort.SliceStable(page.Pieces, func(i, j int) bool {
			a, b := page.Pieces[i], page.Pieces[j]
			return a.Y > b.Y+1 || a.Y > b.Y-1 && a.X < b.X
		})
		lines, y := "", 0.0
		for i, p := range page.Pieces {
			if i > 0 && y-p.Y > 1 {
				lines += "\n"
			} else if i > 0 {
				lines += " "
			}
			lines += p.Text
			y = p.Y
		}
		pages = append(pages, lines)
	}
	return pages
}

func TestReport(t *testing.T) {
	var first, second bytes.Buffer
	if err := report.PDF(&first, attempt(50)); err != nil {
		t.Fatal(err)
	}
	if err := report.PDF(&second, attempt(50)); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two reports of the same attempt differ", err)
	}
	pages := text(t, first.Bytes())
	const head = `Nätverk & säkerhet
Candidate Åsa Øye  asa@x.se
Date 2026-02-28 12:00 UTC
Score 85.0 % (17 of 50 correct, 19 answered)
Outcome passed, pass mark 70.0 %
Time 10:05 min
Mode exam, hard
1. Frågan nummer 1: vad är “rätt” för en €-kund i Lódz?
Answer =Ja; nej
Correct Ærlig
Outcome right, 31 s
2. Frågan nummer 2: vad är “rätt” för en €-kund i Lódz?
Answer not answered`
	if !strings.HasPrefix(pages[0], head) {
		t.Errorf("the report begins\n%s", pages[0])
	}
	all := strings.Join(pages, "\n")
	for i := 1; i <= 50; i++ {
		if !strings.Contains(all, fmt.Sprintf("\n%d. Frågan nummer %d:", i, i)) {
			t.Errorf("question %d is missing", i)
		}
	}
	for i, page := range pages {
		if !strings.HasSuffix(page, fmt.Sprintf("page %d of %d", i+1, len(pages))) {
			t.Errorf("page %d has no number: …%s", i+1, page[len(page)-60:])
		}
	}
	if !strings.Contains(all, "too late, 31 s") {
		t.Error("a late answer is not marked")
	}
}

func TestReportOfAwkwardTexts(t *testing.T) {
	a := attempt(2)
	a.Candidate, a.Regraded, a.PassMark = "Проект 試験", noon, 860
	a.Rows[0].Text = strings.Repeat("lång text utan slut ", 400)
	a.Rows[1].Text = strings.Repeat("x", 2000)
	var out bytes.Buffer
	if err := report.PDF(&out, a); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(text(t, out.Bytes()), "\n")
	if !strings.Contains(all, "??????") || !strings.Contains(all, "not passed") || !strings.Contains(all, "Regraded 2026-02-28") {
		t.Errorf("got %.600s", all)
	}
}

func TestCertificate(t *testing.T) {
	c := report.Certificate{ID: "C-01J", Candidate: "Åsa Øye", Project: "Nätverk", Issuer: "Højskolen", Tenths: 905, Date: noon, URL: "https://exam.example/c/01J"}
	var first, second bytes.Buffer
	if err := c.PDF(&first); err != nil {
		t.Fatal(err)
	}
	if err := c.PDF(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two certificates differ", err)
	}
	pages := text(t, first.Bytes())
	const want = "Certificate\nThis certifies that\nÅsa Øye\npassed the exam\nNätverk\nwith 90.5 % on 28 February 2026\nHøjskolen\nCertificate C-01J\nhttps://exam.example/c/01J"
	if len(pages) != 1 || pages[0] != want {
		t.Errorf("got %q", pages)
	}
	c.URL = ""
	var plain bytes.Buffer
	if err := c.PDF(&plain); err != nil || plain.Len() >= first.Len() {
		t.Error("a certificate without an address has a code", err)
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := report.CSV(&out, attempt(5)); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\ufeff"))).ReadAll()
	if err != nil || len(records) != 6 {
		t.Fatal(records, err)
	}
	if got := fmt.Sprint(records[0]); got != "[question_number question_text selected_answer correct_answer time_spent_seconds is_correct timestamp]" {
		t.Errorf("the header is %s", got)
	}
	if r := records[1]; r[2] != "'=Ja; nej" || r[4] != "31" || r[5] != "true" || r[6] != "2026-02-28T12:00:00Z" {
		t.Errorf("got %q", r)
	}
}

func TestAttemptsCSV(t *testing.T) {
	failed := attempt(2)
	failed.Tenths, failed.Completed, failed.Candidate = 333, time.Time{}, "@cmd"
	var out bytes.Buffer
	if err := report.AttemptsCSV(&out, []report.Attempt{attempt(2), failed}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\r\n")
	if lines[1] != `01J,Åsa Øye,asa@x.se,Nätverk & säkerhet,exam,hard,2026-02-28T11:00:00Z,2026-02-28T12:00:00Z,85.0,17,19,2,605,true` || !strings.HasPrefix(lines[2], "01J,'@cmd,") || !strings.HasSuffix(lines[2], ",33.3,17,19,2,605,false") {
		t.Errorf("got %q", lines)
	}
}
