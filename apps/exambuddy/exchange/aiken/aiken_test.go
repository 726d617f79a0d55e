package aiken_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/aiken"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

func TestRoundTrip(t *testing.T) {
	var all []draft.Draft
	for _, d := range drafttest.Many(1, 200, question.SingleChoice, question.TrueFalse) {
		d.Question.Tags, d.Question.Difficulty, d.Question.TimeLimit, d.Key.Explanation = nil, "", 0, ""
		d.Question.Text = strings.ReplaceAll(d.Question.Text, "\t", " ")
		if strings.HasPrefix(d.Question.Text, "A. ") || strings.HasPrefix(d.Question.Text, "ANSWER") {
			d.Question.Text = "So: " + d.Question.Text
		}
		for i := range d.Question.Options {
			d.Question.Options[i].Text = strings.ReplaceAll(d.Question.Options[i].Text, "\t", " ")
		}
		all = append(all, d)
	}
	data, problems := aiken.Export(all)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got, err := aiken.Import(t.Context(), data, draft.Limits{})
	if err != nil || len(got.Drafts) != len(all) || len(got.Problems) > 0 {
		t.Fatalf("%d drafts of %d, %v, %v", len(got.Drafts), len(all), got.Problems, err)
	}
	for i, d := range got.Drafts {
		drafttest.Same(t, d, all[i])
	}
}

func TestAwkwardFiles(t *testing.T) {
	for name, v := range map[string]struct{ source, want string }{
		"CRLF, BOM":     {"\ufeffWhat is it?\r\nA. one\r\nB. two\r\nANSWER: B\r\n\r\n", `single_choice ready: What is it? ["one" "*two"]`},
		"parentheses":   {"What is it?\na) one\nb) two\nanswer: a", `single_choice ready: What is it? ["*one" "two"]`},
		"empty lines":   {"What is it?\n\nA. one\n\nB. two\n\nANSWER: B\n", `single_choice ready: What is it? ["one" "*two"]`},
		"two lines":     {"What\nis it?\nA. one\nand more\nB. two\nANSWER: A\n", "single_choice ready: What\nis it? [\"*one and more\" \"two\"]"},
		"two answers":   {"What is it?\nA. one\nB. two\nC. three\nANSWER: A, C\n", `multiple_response ready: What is it? ["*one" "two" "*three"]`},
		"no answer":     {"What is it?\nA. one\nB. two\n\nNext?\nA. x\nB. y\nANSWER: B\n", "single_choice no_key: What is it? [\"one\" \"two\"]\nsingle_choice ready: Next? [\"x\" \"*y\"]"},
		"bad answer":    {"What is it?\nA. one\nB. two\nANSWER: Z\n", `single_choice no_key: What is it? ["one" "two"]`},
		"Windows-1252":  {"Smak?\nA. s\xf6t\nB. \x93sur\x94\nANSWER: A\n", `single_choice ready: Smak? ["*söt" "“sur”"]`},
		"all above":     {"What?\nA. one\nB. two\nC. All of the above\nANSWER: C\n", `single_choice ready: What? ["one" "two" "*All of the above"]`},
		"true or false": {"Go is fun.\nA. True\nB. False\nANSWER: A\n", `true_false ready: Go is fun. ["*True" "False"]`},
	} {
		got, err := aiken.Import(t.Context(), []byte(v.source), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, v.want)
		}
	}
}

func TestTextWithoutOptionsIsReported(t *testing.T) {
	got, err := aiken.Import(t.Context(), []byte("Chapter 1\n\nWhat?\nA. one\nB. two\nANSWER: B\n\nThe end\n"), draft.Limits{})
	if err != nil || len(got.Drafts) != 1 || len(got.Problems) != 2 || got.Problems[0].Text != "Chapter 1" || got.Problems[1].Place.Line != 8 {
		t.Errorf("%+v, %v", got, err)
	}
	if d := got.Drafts[0]; d.Place.Line != 3 || d.Question.Text != "What?" {
		t.Errorf("got %+v", d)
	}
}

func TestExportReportsLosses(t *testing.T) {
	all := drafttest.Many(3, 8, question.Types()...)
	all[0].Question.Tags = []string{"x"}
	all[1].Key = question.Key{}
	_, problems := aiken.Export(all)
	if len(problems) != 8 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
}

func TestRefusals(t *testing.T) {
	one := "Q?\nA. a\nB. b\nANSWER: A\n\n"
	for source, code := range map[string]string{
		"": "EMPTY_FILE", "only text": "NO_QUESTIONS", strings.Repeat(one, 4): "TOO_MANY_QUESTIONS", strings.Repeat("x", 201): "FILE_TOO_LARGE",
	} {
		_, err := aiken.Import(t.Context(), []byte(source), draft.Limits{Questions: 3, Bytes: 200})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != code {
			t.Errorf("%.40q: %v, want %s", source, err, code)
		}
	}
}

func FuzzImport(f *testing.F) {
	for _, seed := range []string{"What?\nA. one\nB. two\nANSWER: B\n", "A. x\nANSWER: A", "What?\r\n\r\na) b\nANSWER: A, B"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := aiken.Import(t.Context(), []byte(text), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err == nil {
			aiken.Export(got.Drafts)
		}
	})
}
