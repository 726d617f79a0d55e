package gift_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/exchange/gift"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

func TestRoundTrip(t *testing.T) {
	all := drafttest.Many(1, 300, question.SingleChoice, question.TrueFalse, question.MultipleResponse, question.FillInBlank, question.Matching)
	for i, d := range all {
		// GIFT has no white space but spaces inside of answers.
		for _, list := range [][]question.Option{d.Question.Options, d.Question.Targets} {
			for j := range list {
				list[j].Text = strings.ReplaceAll(list[j].Text, "\t", " ")
			}
		}
		for id, a := range d.Key.Blanks {
			for j := range a.Texts {
				a.Texts[j] = strings.ReplaceAll(a.Texts[j], "\t", " ")
			}
			all[i].Key.Blanks[id] = a
		}
		all[i].Question.Text = strings.ReplaceAll(d.Question.Text, " __ ", " ____ ")
		if d.Question.Type == question.Matching {
			all[i] = inUse(d)
		}
	}
	data, problems := gift.Export(all)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got, err := gift.Import(t.Context(), data, draft.Limits{})
	if err != nil || len(got.Drafts) != len(all) || len(got.Problems) > 0 {
		t.Fatalf("%d drafts of %d, %v, %v", len(got.Drafts), len(all), got.Problems, err)
	}
	for i, d := range got.Drafts {
		drafttest.Same(t, d, all[i])
		if d.Status() != draft.Ready || len(d.Problems) > 0 {
			t.Errorf("%s: %v", d.Status(), d.Problems)
		}
	}
}

// inUse returns a matching whose targets are in the order of their options, which is their order in
// a file.
func inUse(d draft.Draft) draft.Draft {
	var first, rest []question.Option
	for _, o := range d.Question.Options {
		for _, target := range d.Question.Targets {
			if target.ID == d.Key.Pairs[o.ID] {
				first = append(first, target)
			}
		}
	}
	for _, target := range d.Question.Targets {
		used := false
		for _, id := range d.Key.Pairs {
			used = used || id == target.ID
		}
		if !used {
			rest = append(rest, target)
		}
	}
	d.Question.Targets = append(first, rest...)
	return d
}

func TestMoodleExamples(t *testing.T) {
	for name, v := range map[string]struct{ source, want string }{
		"choice":        {"// a comment\n::Q1:: Who's buried in Grant's tomb? {=Grant ~no one #no ~Napoleon}", `single_choice ready: Who's buried in Grant's tomb? ["*Grant" "no one" "Napoleon"]`},
		"lines":         {"Who is it?\n{\n =Grant\n\n ~Napoleon\n ~Churchill\n}\n", `single_choice ready: Who is it? ["*Grant" "Napoleon" "Churchill"]`},
		"several":       {"Two of them? {~%50%Grant ~%50%Ella ~%-50%Bob}", `multiple_response ready: Two of them? ["*Grant" "*Ella" "Bob"]`},
		"true":          {"Sun rises.{TRUE#no#yes}", `true_false ready: Sun rises. ["*True" "False"]`},
		"false":         {"Sun rises.{F}", `true_false ready: Sun rises. ["True" "*False"]`},
		"short":         {"Two plus two is {=four =4}.", `fill_in_blank ready: Two plus two is ____. []`},
		"drop-down":     {"A {=flock ~herd} of geese.", `fill_in_blank ready: A ____ of geese. []`},
		"number":        {"Pi? {#3.14:0.01}", `fill_in_blank ready: Pi? []`},
		"range":         {"Pi? {#3.13..3.15####About 3.14}", `fill_in_blank ready: Pi? []`},
		"numbers":       {"Born? {#=1822:0 =%50%1822:2}", `fill_in_blank ready: Born? []`},
		"matching":      {"Match. {=cat -> cat food =dog -> dog food = -> hay}", `matching ready: Match. ["cat" "dog"]`},
		"escapes":       {`What is \{\=\}\: \~\#\\? {=\=a\nb ~b}`, `single_choice ready: What is {=}: ~#\? ["*=a b" "b"]`},
		"html":          {"[html]<p>Is <b>x</b> &lt; y?</p>{T}", `true_false ready: Is x < y? ["*True" "False"]`},
		"two in a file": {"One?{T}\n\nTwo?{F}\n", "true_false ready: One? [\"*True\" \"False\"]\ntrue_false ready: Two? [\"True\" \"*False\"]"},
		"CRLF and 1252": {"\xc4r det s\xe5?{T}\r\n\r\nTv\xe5?{F}\r\n", "true_false ready: Är det så? [\"*True\" \"False\"]\ntrue_false ready: Två? [\"True\" \"*False\"]"},
	} {
		got, err := gift.Import(t.Context(), []byte(v.source), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, v.want)
		}
	}
}

func TestKeysOfTexts(t *testing.T) {
	for source, want := range map[string]question.Accepted{
		"Pi? {#3.14:0.01}":     {Low: "3.13", High: "3.15"},
		"Pi? {#3..4}":          {Low: "3", High: "4"},
		"Pi? {#3}":             {Low: "3", High: "3"},
		"Pi? {=a ~%50%}":       {},
		"Two? {=four =%100%4}": {Texts: []string{"four", "4"}},
	} {
		got, err := gift.Import(t.Context(), []byte(source), draft.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		a := got.Drafts[0].Key.Blanks["b1"]
		if a.Low != want.Low || a.High != want.High || strings.Join(a.Texts, "|") != strings.Join(want.Texts, "|") {
			t.Errorf("%s: %+v, want %+v", source, a, want)
		}
	}
}

func TestExplanationsTagsAndCategories(t *testing.T) {
	got, err := gift.Import(t.Context(), []byte("$CATEGORY: top/Networks\n\n// question: 1 [id:q7] [tag:tcp] [tag:ip]\n// exambuddy: difficulty=hard time_limit=30\n::T:: Which? {=a#good ~b#bad ####In general}"), draft.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d := got.Drafts[0]
	if strings.Join(d.Question.Tags, ",") != "tcp,ip,Networks" || d.ID != "q7" || d.Title != "T" || d.Question.Difficulty != question.Hard || d.Question.TimeLimit != 30 {
		t.Errorf("got %+v", d)
	}
	if d.Key.Explanation != "In general\na: good\nb: bad" {
		t.Errorf("the explanation is %q", d.Key.Explanation)
	}
}

func TestProblems(t *testing.T) {
	for source, want := range map[string]string{
		"Ok?{T}\n\nWrite about it. {}":            "line 3: Essays",
		"Ok?{T}\n\nJust a description.":           "line 3: This text has no answers",
		"Ok?{T}\n\nOpen {=a ~b":                   "line 3: The closing brace",
		"Ok?{T}\n\nTwo {=a} groups {=b}":          "line 3: The question has several groups",
		"Ok?{T}\n\nWhat {nothing}":                "line 3: The answers between the braces",
		"Which? {=a ~%50%b ~c}":                   "earns a part of the mark",
		"Which? {~%50%a ~%50%b ~c}":               "Wrong answers cost nothing",
		"Which? {=a =%50%b}":                      "earns a part of the mark",
		"Which? {#=1..2 =3..4}":                   "Only one range",
		"Which? {#about 3}":                       "not a number",
		"[html]See <img src\\=\"x.png\"> {=a ~b}": "HTML were removed",
		"Which? {~a ~b}":                          "Mark the correct answer",
		"Which? {=a}\n\nwhich? {=b}":              "with another answer",
	} {
		got, err := gift.Import(t.Context(), []byte(source), draft.Limits{})
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

func TestExportReportsLosses(t *testing.T) {
	all := drafttest.Many(3, 8, question.Types()...)
	all[0].Question.Images = []question.Image{{File: "f"}}
	all[1].Key = question.Key{}
	_, problems := gift.Export(all)
	if len(problems) < 5 { // image, key, ordering, hotspot, scenario
		t.Errorf("got %v", problems)
	}
}

func TestRefusals(t *testing.T) {
	for source, code := range map[string]string{
		"": "EMPTY_FILE", "// only a comment": "NO_QUESTIONS", "a{T}\n\nb{T}\n\nc{T}\n\nd{T}": "TOO_MANY_QUESTIONS", strings.Repeat("x", 201): "FILE_TOO_LARGE",
	} {
		_, err := gift.Import(t.Context(), []byte(source), draft.Limits{Questions: 3, Bytes: 200})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != code {
			t.Errorf("%.40q: %v, want %s", source, err, code)
		}
	}
}

func FuzzImport(f *testing.F) {
	data, _ := gift.Export(drafttest.Many(2, 8, question.Types()...))
	f.Add(string(data))
	for _, seed := range []string{"::Q1:: Who? {=Grant ~no one #no}", "Pi {#3.14:0.01 =1..2} is", "a {T#b#c####d}", "x {=a -> b =c -> d}", "\\{ {\\} }", "{}", "$CATEGORY: a\n[html]x{=a}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := gift.Import(t.Context(), []byte(text), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err == nil {
			gift.Export(got.Drafts)
		}
	})
}
