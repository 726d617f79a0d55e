package web

import (
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/analysis"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/webkit"
)

// analysisView holds the data of admin-item.html: one question with its statistics.
type analysisView struct {
	frame
	Form      *webkit.Form
	ID        string
	Item      *bank.Item // nil if the question is deleted
	Right     string
	Revisions []itemView
	Options   []optionRow
	Also      []question.Option // that can be accepted, too
	Chart     *webkit.BarChart
	Rules     []webkit.Option
	Outcome   *results.Outcome // of a dry run
	Least     int
}

// Ticked reports whether an answer was chosen to be accepted, too.
func (v analysisView) Ticked(id string) bool {
	return v.Form != nil && contains(v.Form.Values["also"], id)
}

// An optionRow is an answer of a question with how candidates chose it.
type optionRow struct {
	ID, Text  string
	Right     bool
	Count     int64
	Share     string
	MeanScore string // of the candidates who chose it
	Biserial  string
	Words     []webkit.Badge
}

func (h *statisticsPages) item(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	return h.showItem(w, r, me, http.StatusOK, webkit.NewForm(nil), nil)
}

func (h *statisticsPages) showItem(w http.ResponseWriter, r *http.Request, me exambuddy.Admin, status int, form *webkit.Form, outcome *results.Outcome) error {
	f, err := frameOf(r, h.bank, me, "/results")
	if err != nil {
		return err
	}
	view := analysisView{frame: f, Form: form, ID: r.PathValue("question"), Outcome: outcome, Least: results.LeastAnswers}
	item, err := h.bank.Question(r.Context(), me, f.Project.ProjectID, view.ID)
	switch {
	case err == nil:
		view.Item, view.Right = &item, question.DescribeKey(item.Question, item.Key)
	case !errors.Is(err, exambuddy.ErrNoQuestion):
		return err
	}
	all, err := h.items(r, me, f.Project.ProjectID)
	if err != nil {
		return err
	}
	for _, v := range all {
		if v.QuestionID == view.ID {
			view.Revisions = append(view.Revisions, v)
		}
	}
	if view.Item == nil && len(view.Revisions) == 0 {
		return exambuddy.ErrNoQuestion
	}
	view.options()
	view.Rules = regradeRules(view.Item)
	if slices.ContainsFunc(view.Rules, func(o webkit.Option) bool { return o.Value == results.AcceptAlso }) {
		for _, o := range item.Question.Options {
			if !contains(item.Key.Correct, o.ID) && !contains(item.Key.Also, o.ID) {
				view.Also = append(view.Also, o)
			}
		}
	}
	h.site.Render(w, r, status, "admin-item.html", view)
	return nil
}

// options fills in the answers of the newest revision.
func (v *analysisView) options() {
	if v.Item == nil || len(v.Revisions) == 0 {
		return
	}
	newest := v.Revisions[len(v.Revisions)-1]
	if newest.Revision != v.Item.Revision || len(newest.Options) == 0 {
		return
	}
	v.Chart = &webkit.BarChart{Title: "What candidates chose", Desc: "The share of first exams in which each answer was chosen.", Unit: "share", Format: "share", Max: 1}
	for i, o := range v.Item.Question.Options {
		stat := newest.Options[o.ID]
		row := optionRow{
			ID: o.ID, Text: o.Text, Right: contains(v.Item.Key.Correct, o.ID) || contains(v.Item.Key.Also, o.ID), Count: stat.Count,
			Share: webkit.Percent(stat.Share), MeanScore: "–", Biserial: "–",
		}
		if row.Text == "" {
			row.Text = "Image " + strconv.Itoa(i+1)
		}
		if !math.IsNaN(stat.MeanTotal) {
			row.MeanScore = webkit.Percent(stat.MeanTotal)
		}
		if !math.IsNaN(stat.Biserial) && newest.Answers >= results.LeastAnswers {
			row.Biserial = fixed(stat.Biserial, 2)
		}
		row.Words = optionWords(row, stat, newest.Answers)
		v.Options = append(v.Options, row)
		v.Chart.Bars = append(v.Chart.Bars, webkit.Bar{Label: row.Text, Value: stat.Share, Note: strconv.FormatInt(stat.Count, 10), Mark: row.Right})
	}
}

func optionWords(row optionRow, stat analysis.Option, answers int64) []webkit.Badge {
	var words []webkit.Badge
	if row.Right {
		words = append(words, webkit.Badge{Text: "Right", Tone: webkit.Good})
	}
	if answers < results.LeastAnswers {
		return words
	}
	switch {
	case stat.NeverChosen && !row.Right:
		words = append(words, webkit.Badge{Text: "Never chosen", Tone: webkit.Info})
	case stat.PossiblyKey:
		words = append(words, webkit.Badge{Text: "Possibly right", Tone: webkit.Bad})
	}
	return words
}

// regradeRules returns the rules that fit a question; nil is a deleted one.
func regradeRules(item *bank.Item) []webkit.Option {
	var all []webkit.Option
	if item != nil && item.Complete {
		all = append(all, webkit.Option{Value: results.NewKey, Text: "Grade again with the key as it is now"})
		if len(item.Question.Options) > 0 && len(item.Key.Correct) == 1 && item.Question.Type != question.Ordering && item.Question.Type != question.MultipleResponse {
			all = append(all, webkit.Option{Value: results.AcceptAlso, Text: "Accept another answer, too"})
		}
	}
	return append(all, webkit.Option{Value: results.FullMarks, Text: "Full marks for all"}, webkit.Option{Value: results.Drop, Text: "Drop the question"})
}

// regrade shows what a regrade changes, or starts it.
func (h *statisticsPages) regrade(w http.ResponseWriter, r *http.Request, me exambuddy.Admin) error {
	form := webkit.ReadForm(r).Label("rule", "How to regrade").Label("reason", "Reason")
	id, questionID := r.PathValue("id"), r.PathValue("question")
	change := results.Change{QuestionID: questionID, Reason: form.Text("reason", 0, exambuddy.MaxNote), Rule: form.Choice("rule", results.AcceptAlso, results.NewKey, results.FullMarks, results.Drop)}
	switch change.Rule {
	case results.NewKey:
		item, err := h.bank.Question(r.Context(), me, id, questionID)
		if err != nil {
			return err
		}
		change.Key = item.Key
	case results.AcceptAlso:
		change.Key.Also = form.Values["also"]
	}
	if !form.Valid() {
		return h.showItem(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	if form.Value("do") != "apply" {
		outcome, err := h.results.Preview(r.Context(), me, id, change)
		if failed := form.Refuse(err); failed != nil {
			return failed
		}
		if err != nil {
			return h.showItem(w, r, me, http.StatusUnprocessableEntity, form, nil)
		}
		return h.showItem(w, r, me, http.StatusOK, form, &outcome)
	}
	_, err := h.results.Regrade(r.Context(), me, id, change)
	if failed := form.Refuse(err); failed != nil {
		return failed
	}
	if err != nil {
		return h.showItem(w, r, me, http.StatusUnprocessableEntity, form, nil)
	}
	h.site.Flash(w, r, webkit.Good, "The regrade has begun. Scores follow within seconds.")
	h.site.Redirect(w, r, projectPath(id)+"/results#regrades")
	return nil
}

// ruleWords says what a regrade did.
var ruleWords = map[string]string{
	results.NewKey: "Another key", results.AcceptAlso: "Another answer accepted", results.FullMarks: "Full marks for all", results.Drop: "Dropped",
}
