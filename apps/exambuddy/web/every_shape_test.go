package web

import (
	"testing"

	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/accountpages"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest/shapes"
)

func TestEveryPageInEveryShape(t *testing.T) {
	options := SiteOptions(true)
	options.More = []webkit.Pages{operator.Templates, accountpages.Templates}
	shapes.Check(t, options,
		shapes.Unique("Draft.Position", "Review.Position"),
		shapes.Field("Question.Text", "What is ___?"), shapes.Field("itemView.Text", "What is it?"), shapes.Field("regradeRow.Text", "What is it?"),
		shapes.Repair(func(option *question.Option) {
			if option.Text == "" && option.Image == nil {
				option.Text = "An answer"
			}
		}),
		shapes.Repair(func(view *examView) {
			if len(view.Modes) == 0 && view.Closed == "" { // there is nothing to start
				view.Closed = "You have taken it as often as it can be taken."
			}
		}),
		shapes.Repair(func(view *editorView) {
			for i := range view.Rows {
				view.Rows[i] = i
			}
			for i := range view.Spare {
				view.Spare[i] = len(view.Rows) + i
			}
			if view.Form == nil { // the editor always has one
				view.Form = webkit.NewForm(nil)
			}
		}))
}
