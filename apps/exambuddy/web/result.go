package web

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"slices"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/webkit"
)

// resultPages serves the results of a candidate.
type resultPages struct {
	results *results.Service
	bank    *bank.Service
	site    *webkit.Site
}

func (h *resultPages) pages() map[string]candidatePage {
	return map[string]candidatePage{
		"GET /history":                  h.history,
		"GET /results/{id}":             h.result,
		"GET /results/{id}/answers.csv": h.resultCSV,
		"GET /results/{id}/report.pdf":  h.resultPDF,
	}
}

// resultView holds the data of result.html.
type resultView struct {
	Attempt results.Attempt
	Rows    []resultRow // nil while the answers are hidden
	Hidden  bool
	Topics  *webkit.BarChart
	Weak    []string
	Again   []string // ids of the questions that were not right
	Retry   bool     // the exam can be practised
	Award   bool     // there is a certificate for it
	Partly  int      // questions that earned a part of a mark
	Reveal  string   // when the answers are shown, if that is known
	Admin   bool     // shown to an admin
}

// A resultRow is a question of a result, with the right answer.
type resultRow struct {
	results.Review
	Asked asked
	Chose string
	Right string
}

// resultRows returns the questions of a result for people.
func resultRows(reviews []results.Review) []resultRow {
	rows := make([]resultRow, len(reviews))
	for i, review := range reviews {
		rows[i] = resultRow{
			Review: review, Asked: ask(review.Question, review.Given, true),
			Chose: question.Describe(review.Question, review.Given), Right: question.DescribeKey(review.Question, review.Key),
		}
	}
	return rows
}

// result shows an attempt, with the answers if the exam shows them.
func (h *resultPages) result(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	attempt, reviews, err := h.results.Review(r.Context(), me, r.PathValue("id"))
	hidden := errors.Is(err, exambuddy.ErrHidden)
	if hidden {
		attempt, err = h.results.Own(r.Context(), me, r.PathValue("id"))
	}
	if err != nil {
		return err
	}
	view := resultView{Attempt: attempt, Rows: resultRows(reviews), Partly: partly(reviews), Hidden: hidden}
	if hidden {
		if view.Reveal, err = h.reveal(r, attempt); err != nil {
			return err
		}
	}
	view.Topics, view.Weak = topics(reviews)
	for _, row := range reviews {
		if !row.Correct && !row.Dropped {
			view.Again = append(view.Again, row.ID)
		}
	}
	if view.Award, err = h.results.Certifies(r.Context(), attempt); err != nil {
		return err
	}
	if project, err := h.bank.Published(r.Context(), attempt.ProjectID); err == nil {
		view.Retry = project.Rules.Practice
	}
	h.site.Render(w, r, http.StatusOK, "result.html", view)
	return nil
}

// reveal says when the answers of an attempt are shown; "" if that is never.
func (h *resultPages) reveal(r *http.Request, attempt results.Attempt) (string, error) {
	reveal, err := h.results.Reveal(r.Context(), attempt)
	switch {
	case err != nil || reveal.At == nil:
		return "", err
	case reveal.Sitting:
		return "Other candidates still sit this exam. The answers are shown when the last of them has handed in.", nil
	}
	return "They are shown from " + webkit.Exact(reveal.At.In(h.site.Zone(r))) + " on, or later if a candidate with extra time still sits the exam.", nil
}

// partly returns the number of questions that earned a part of a mark.
func partly(reviews []results.Review) int {
	n := 0
	for _, row := range reviews {
		if !row.Correct && row.Mark > 0 && !row.Dropped {
			n++
		}
	}
	return n
}

// topics returns the share of right answers by tag, and the two weakest tags.
func topics(reviews []results.Review) (*webkit.BarChart, []string) {
	type count struct{ all, right int }
	counts := map[string]count{}
	for _, row := range reviews {
		for _, tag := range row.Tags {
			c := counts[tag]
			c.all++
			if row.Correct {
				c.right++
			}
			counts[tag] = c
		}
	}
	if len(counts) == 0 {
		return nil, nil
	}
	chart := &webkit.BarChart{Title: "Right answers by topic", Desc: "The share of right answers in each topic, the weakest first.", Unit: "share", Format: "share", Max: 1}
	for tag, c := range counts {
		chart.Bars = append(chart.Bars, webkit.Bar{Label: tag, Value: float64(c.right) / float64(c.all), Note: webkit.Number(c.right) + " of " + webkit.Number(c.all)})
	}
	slices.SortFunc(chart.Bars, func(a, b webkit.Bar) int {
		switch {
		case a.Value != b.Value:
			return cmp.Compare(a.Value, b.Value)
		case a.Label < b.Label:
			return -1
		}
		return 1
	})
	var weak []string
	for _, bar := range chart.Bars {
		if bar.Value < 1 && len(weak) < 2 {
			weak = append(weak, bar.Label)
		}
	}
	return chart, weak
}

// historyView holds the data of history.html.
type historyView struct {
	Attempts []results.Attempt
	Pager    webkit.Pager
	First    bool
}

func (h *resultPages) history(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	cursor := r.URL.Query().Get("cursor")
	page, err := h.results.History(r.Context(), me, exambuddy.HistoryPage, cursor)
	if err != nil {
		return err
	}
	view := historyView{Attempts: page.Items, First: cursor == ""}
	if page.Next != "" {
		view.Pager = webkit.Pager{Next: "/history?cursor=" + page.Next, More: true}
	}
	h.site.Render(w, r, http.StatusOK, "history.html", view)
	return nil
}

func (h *resultPages) resultCSV(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	return h.download(w, r, me, report.CSV, "text/csv; charset=utf-8", ".csv")
}

func (h *resultPages) resultPDF(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	return h.download(w, r, me, report.PDF, "application/pdf", ".pdf")
}

// download writes a result as a file.
func (h *resultPages) download(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate, write func(io.Writer, report.Attempt) error, mediaType, ending string) error {
	attempt, reviews, err := h.results.Review(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	return sendFile(w, mediaType, attempt.ProjectTitle+ending, func(to io.Writer) error { return write(to, results.Reported(attempt, reviews)) })
}

// sendFile writes a file that is made whole before anything is sent.
func sendFile(w http.ResponseWriter, mediaType, name string, write func(io.Writer) error) error {
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", files.Disposition("attachment", name))
	_, err := content.WriteTo(w)
	return err
}
