package layout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/exchange/layout"
	"sortkey.dev/apps/internal/refusal"
)

// lines makes lines of a text. An empty line makes a gap, and | separates cells.
func lines(text string) []layout.Line {
	var all []layout.Line
	gap := false
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			gap = true
			continue
		}
		l := layout.Line{Text: line, Page: 1, Number: i + 1, Gap: gap}
		if strings.Contains(line, "|") {
			l.Cells = strings.Split(line, "|")
		}
		l.Text, l.Marked = strings.CutPrefix(l.Text, "!!")
		gap = false
		all = append(all, l)
	}
	return all
}

func parse(text string) (*draft.Result, error) {
	out := draft.NewBuilder(draft.Limits{})
	if err := layout.Parse(context.Background(), lines(text), out); err != nil {
		return nil, err
	}
	return out.Result()
}

func TestLayouts(t *testing.T) {
	for name, v := range map[string]struct{ source, want string }{
		"Q1) without key": {"Q1) What is DNS?\nA) A name system\nB) A disk\nQ2) What is IP?\nA) A protocol\nB) A port\n",
			"single_choice no_key: What is DNS? [\"A name system\" \"A disk\"]\nsingle_choice no_key: What is IP? [\"A protocol\" \"A port\"]"},
		"1. and [A] and Answer": {"1. What is DNS?\n[A] A name\nsystem\n[B] A disk\nAnswer: B\n2. What is IP?\n[A] A protocol\n[B] A port\nCorrect: [A]\n",
			"single_choice ready: What is DNS? [\"A name system\" \"*A disk\"]\nsingle_choice ready: What is IP? [\"*A protocol\" \"A port\"]"},
		"check marks":        {"1. Which one?\nA) one\nB) two ✓\nC) three\n2. And here?\nA. one\n✔ B. two\n", "single_choice ready: Which one? [\"one\" \"*two\" \"three\"]\nsingle_choice ready: And here? [\"one\" \"*two\"]"},
		"several answers":    {"1. Which are even?\nA. 2\nB. 3\nC. 4\nAnswer: A, C\n", `multiple_response ready: Which are even? ["*2" "3" "*4"]`},
		"asks for several":   {"1. Select all that apply:\nA. 2\nB. 3\n", `multiple_response no_key: Select all that apply: ["2" "3"]`},
		"key at the end":     {"1. First question?\nA) x\nB) y\n2. Second question?\nA) x\nB) y\n3. Third one here?\nA) x\nB) y\n\nAnswer Key\n1. B 2. A 3. B\n", "single_choice ready: First question? [\"x\" \"*y\"]\nsingle_choice ready: Second question? [\"*x\" \"y\"]\nsingle_choice ready: Third one here? [\"x\" \"*y\"]"},
		"key in lines":       {"1. First question?\nA) x\nB) y\n2. Second question?\nA) x\nB) y\nC) z\nAnswers:\nQuestion  Answer\n1  B\n2) A, C\n", "single_choice ready: First question? [\"x\" \"*y\"]\nmultiple_response ready: Second question? [\"*x\" \"y\" \"*z\"]"},
		"key without title":  {"1. First question?\nA) x\nB) y\n2. Second question?\nA) x\nB) y\n3. Third one here?\nA) x\nB) y\n\n1-B, 2-A, 3-A\n", "single_choice ready: First question? [\"x\" \"*y\"]\nsingle_choice ready: Second question? [\"*x\" \"y\"]\nsingle_choice ready: Third one here? [\"*x\" \"y\"]"},
		"table":              {"Q#|Question|Options|Answer\n1|What is DNS?|A) A name B) A disk C) A port|A\n2|What is|A) a thing|B\n|an IP?|B) a number|\n", "single_choice ready: What is DNS? [\"*A name\" \"A disk\" \"A port\"]\nsingle_choice ready: What is an IP? [\"a thing\" \"*a number\"]"},
		"table of texts":     {"Question|Options|Answer\nWhat colour is grass?|red; green; blue|green\n", `single_choice ready: What colour is grass? ["red" "*green" "blue"]`},
		"true or false":      {"1. The sky is blue.\nAnswer: True\n2. Fire is cold.\nA) True\nB) False\nAns: B\n", "true_false ready: The sky is blue. [\"*True\" \"False\"]\ntrue_false ready: Fire is cold. [\"True\" \"*False\"]"},
		"blank":              {"1. The capital of Norway is ______.\nAnswer: Oslo\n", `fill_in_blank ready: The capital of Norway is ____. []`},
		"order":              {"1. Arrange the steps in the correct order.\nA. boil\nB. pour\nC. drink\nAnswer: A, B, C\n", `ordering ready: Arrange the steps in the correct order. ["*boil" "*pour" "*drink"]`},
		"options in a line":  {"1. Which one is it? A) one B) two C) three\nAnswer: C\n2. And this?\nA) one   B) two   C) three   D) four\nAnswer: d\n", "single_choice ready: Which one is it? [\"one\" \"two\" \"*three\"]\nsingle_choice ready: And this? [\"one\" \"two\" \"three\" \"*four\"]"},
		"list in a question": {"1. Consider these:\n1. first\n2. second\nWhich is right?\nA) one\nB) two\nAnswer: A\n2. Next question?\nA) one\nB) two\nAnswer: B\n", "single_choice ready: Consider these: 1. first 2. second Which is right? [\"*one\" \"two\"]\nsingle_choice ready: Next question? [\"one\" \"*two\"]"},
		"without numbers":    {"Chapter one\n\nWhat is DNS?\nA) A name\nB) A disk\nAnswer: A\n\nWhat is IP?\nA) A protocol\nB) A port\nAnswer: B\n", "single_choice ready: What is DNS? [\"*A name\" \"A disk\"]\nsingle_choice ready: What is IP? [\"A protocol\" \"*A port\"]"},
		"Question 1 of 2":    {"Question 1 of 2\nWhat is DNS?\na) A name\nb) A disk\nCorrect answer: b\nExplanation: It is\na name.\nQuestion 2 of 2:\nWhat is IP?\na) x\nb) y\nanswer is: a\n", "single_choice ready: What is DNS? [\"A name\" \"*A disk\"]\nsingle_choice ready: What is IP? [\"*x\" \"y\"]"},
		"boxes":              {"1. Which one?\n☐ one\n☑ two\n☐ three\n", `single_choice ready: Which one? ["one" "*two" "three"]`},
		"highlighted":        {"1. Which one?\nA) one\n!!B) two\nC) three\n", `single_choice ready: Which one? ["one" "*two" "three"]`},
		"answer as text":     {"1. Which one?\nA) Oslo\nB) Rome\nAnswer: Rome.\n2. Which two?\nA) Oslo\nB) Rome\nAnswer: B) Rome\n", "single_choice ready: Which one? [\"Oslo\" \"*Rome\"]\nmultiple_response unsure: Which two? [\"Oslo\" \"*Rome\"]"},
		"scenario":           {"1. Scenario: A firm has ten servers. They fail each day. What should it do first?\nA) Buy more\nB) Look at logs\nAnswer: B\n", `scenario ready: What should it do first? ["Buy more" "*Look at logs"]`},
		"Swedish":            {"1. Vad heter huvudstaden?\nA. Malmö\nB. Stockholm\nRätt svar: B\nFörklaring: Så är det.\n", `single_choice ready: Vad heter huvudstaden? ["Malmö" "*Stockholm"]`},
		"six options":        {"1. Which letter?\nA. a1\nB. b1\nC. c1\nD. d1\nE. e1\nF. f1\nAnswer: F\n", `single_choice ready: Which letter? ["a1" "b1" "c1" "d1" "e1" "*f1"]`},
		"bad answer":         {"1. Which one?\nA) one\nB) two\nAnswer: E\n", `single_choice no_key: Which one? ["one" "two"]`},
	} {
		got, err := parse(v.source)
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v %v", name, err, got.Problems)
		} else if text := strings.Join(drafttest.Summary(got), "\n"); text != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, text, v.want)
		}
	}
}

func TestExplanation(t *testing.T) {
	got, err := parse("Question 1\nWhat is DNS?\na) A name\nb) A disk\nCorrect answer: b\nExplanation: It is\na name.\n")
	if err != nil || got.Drafts[0].Key.Explanation != "It is a name." {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestProblems(t *testing.T) {
	const ok = "1. Which one?\nA) one\nB) two\nAnswer: A\n"
	for source, want := range map[string]string{
		"A heading\n\n" + ok: "line 1: This text belongs to no question.",
		ok + "2. And what now?\n3. Next one?\nA) x\nB) y\n":   "line 5: This question has neither options nor an answer.",
		ok + "4. Next one?\nA) x\nB) y\n":                     "The number before question 4 is missing",
		ok + "Answer key\n1. B\n":                             "The question says A and the answer key says B",
		ok + "Answer key\n1. A 7. B\n":                        "an answer for question 7",
		"1. Which one?\nA) one\nB) two\nKey:\n1 A\n1 B\n":     "names both A and B",
		"1. Which one?\nA) one\nB) two\nAnswer: it depends\n": "names no option",
		"1. Which one is right?\nAnswer: B\n":                 "no options were found",
		"1. Select all that apply.\nA) x\nB) y\nAnswer: A\n":  "asks for several answers, and one was found",
		ok + ok:                          "The same question is at",
		"1. W?\nA) x\nB) y\nAnswer: A\n": "very short",
	} {
		got, err := parse(source)
		drafttest.Sound(t, got, err)
		all := ""
		for _, p := range got.Problems {
			all += p.String() + "\n"
		}
		for _, d := range got.Drafts {
			for _, p := range d.Problems {
				all += p.String() + "\n"
			}
		}
		if !strings.Contains(all, want) {
			t.Errorf("%q: no problem says %q:\n%s", source, want, all)
		}
	}
}

// Every word of a document must be in a draft, in a key, or in a problem.
func TestNoWordIsLost(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 30; i++ {
		fmt.Fprintf(&b, "Heading%d\n\n%d. Question w%d\nmore v%d?\nA) one o%d\nB) two t%d\ncontinued c%d\n", i, i, i, i, i, i, i)
		if i%3 > 0 {
			fmt.Fprintf(&b, "Answer: %c\n", 'A'+i%2)
		}
	}
	got, err := parse(b.String())
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%+v", got.Drafts)
	for _, p := range got.Problems {
		all += p.Text + "\n"
	}
	for _, word := range strings.Fields(b.String()) {
		if strings.ContainsAny(word, "0123456789") && !strings.HasSuffix(word, ".") && !strings.Contains(all, word) {
			t.Errorf("%q is lost", word)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"1. What?\nA) x\nB) y\nAnswer: B", "Q#|Question|Options|Answer\n1|a|A) x B) y|A", "Q1) a\n☐ b\nAnswers:\n1 A 2 B", "Scenario: a. b?\nA. x\n\nB. y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		drafttest.Sound(t, got, err)
	})
}

// An ending context ends after a number of checks.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestParseChecksTheContextForEachLine(t *testing.T) {
	plain := lines(strings.Repeat("text\n", 100))
	rows := []layout.Line{{Cells: []string{"Question", "Answer"}}}
	for range 100 {
		rows = append(rows, layout.Line{Cells: []string{"more", ""}})
	}
	for name, all := range map[string][]layout.Line{"lines": plain, "rows of a table": rows} {
		ctx := &ending{t.Context(), 50}
		if err := layout.Parse(ctx, all, draft.NewBuilder(draft.Limits{})); !errors.Is(err, context.Canceled) || ctx.left < -3 {
			t.Errorf("%s: %v, %d checks are left", name, err, ctx.left)
		}
	}
}

func TestTextOfADocumentIsBounded(t *testing.T) {
	const most = 4 << 20
	half := layout.Line{Text: strings.Repeat(" ", most/2)}
	for size, code := range map[int]string{most: "", most + 1: "TOO_COMPLEX"} {
		all := []layout.Line{half, {Text: strings.Repeat(" ", size-most/2)}}
		refused, _ := refusal.As(layout.Parse(t.Context(), all, draft.NewBuilder(draft.Limits{})))
		if got := refused != nil && refused.CodeText() == code; got != (code != "") {
			t.Errorf("%d bytes: %v", size, refused)
		}
	}
}
