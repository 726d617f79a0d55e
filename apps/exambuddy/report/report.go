// Package report writes results for people: an attempt as CSV and as a PDF report, a list of attempts
// as CSV, and a certificate. It takes values from the snapshot of an attempt and never reads a live
// question. The same values give the same bytes. The results room calls it.
//
// PDF documents use the standard fonts, which have the letters of Western and Northern Europe. Other
// Latin letters lose their accents, and characters of other scripts become question marks.
package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"sortkey.dev/apps/exambuddy/exchange/csvfile"
)

// An Attempt is the result of a sitting.
type Attempt struct {
	ID         string
	Candidate  string
	Email      string
	Project    string
	Mode       string // test or exam
	Difficulty string
	Started    time.Time
	Completed  time.Time
	Tenths     int // the score in tenths of a per cent
	PassMark   int // in tenths of a per cent; 0 if there is none
	Correct    int
	Answered   int
	Total      int
	Seconds    int
	Regraded   time.Time // zero if it was not
	Rows       []Row
}

// Passed reports whether the score reaches the pass mark.
func (a Attempt) Passed() bool { return a.Tenths >= a.PassMark }

// A Row is a question of an attempt, as it was when it was asked.
type Row struct {
	Number   int
	Text     string
	Selected string // "" if it was not answered
	Correct  string
	Seconds  int
	Right    bool
	Late     bool // the answer came after the limit and does not count
	Answered time.Time
}

// Score returns tenths of a per cent for people, such as "85.0 %".
func Score(tenths int) string { return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10) }

// CSV writes the questions of an attempt.
func CSV(w io.Writer, a Attempt) error {
	records := [][]string{{"question_number", "question_text", "selected_answer", "correct_answer", "time_spent_seconds", "is_correct", "timestamp"}}
	for _, r := range a.Rows {
		records = append(records, []string{strconv.Itoa(r.Number), r.Text, r.Selected, r.Correct, strconv.Itoa(r.Seconds), strconv.FormatBool(r.Right && !r.Late), timestamp(r.Answered)})
	}
	return writeCSV(w, records)
}

// AttemptsCSV writes a list of attempts without their questions.
func AttemptsCSV(w io.Writer, attempts []Attempt) error {
	records := [][]string{{"attempt_id", "candidate", "email", "project", "mode", "difficulty", "started_at", "completed_at", "score_percent", "correct", "answered", "total", "time_taken_seconds", "passed"}}
	for _, a := range attempts {
		records = append(records, []string{a.ID, a.Candidate, a.Email, a.Project, a.Mode, a.Difficulty, timestamp(a.Started), timestamp(a.Completed),
			fmt.Sprintf("%d.%d", a.Tenths/10, a.Tenths%10), strconv.Itoa(a.Correct), strconv.Itoa(a.Answered), strconv.Itoa(a.Total), strconv.Itoa(a.Seconds), strconv.FormatBool(a.Passed())})
	}
	return writeCSV(w, records)
}

func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// writeCSV writes records that spreadsheets read as UTF-8 and that hold no formulas.
func writeCSV(w io.Writer, records [][]string) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	for _, record := range records {
		for i, cell := range record {
			record[i] = csvfile.Guard(cell)
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}
