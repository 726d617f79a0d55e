package csvfile_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/csvfile"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

func TestRoundTrip(t *testing.T) {
	all := drafttest.Many(1, 400, question.Types()...)
	dropDown := question.Question{Type: question.FillInBlank, Text: "A __ of __", Blanks: []question.Blank{{ID: "b1", Choices: []question.Option{{Text: "flock|herd"}, {Text: "pack"}}}, {ID: "b2"}}}
	question.Identify(&dropDown)
	all = append(all, draft.Draft{Question: dropDown, Key: question.Key{Blanks: map[string]question.Accepted{
		"b1": {Texts: []string{dropDown.Blanks[0].Choices[0].ID}}, "b2": {Texts: []string{"1..2", `a\b`}, Low: "3", High: "4.5"}}}})
	data, problems, err := csvfile.Export(all)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	got, err := csvfile.Import(t.Context(), data, draft.Limits{})
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

func TestFormulasAreNeutralised(t *testing.T) {
	d := draft.Draft{Place: draft.Place{Line: 1}}
	d.Question, d.Key = draft.Choice("=HYPERLINK(1)", []string{"+1", "-1", "@a", "'=x"}, []int{0})
	data, _, err := csvfile.Export([]draft.Draft{d})
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range strings.Split(strings.Split(string(data), "\r\n")[1], ",") {
		if strings.ContainsRune("=+-@\t", rune((cell + "x")[0])) {
			t.Errorf("the cell %q is a formula", cell)
		}
	}
	got, err := csvfile.Import(t.Context(), data, draft.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	drafttest.Same(t, got.Drafts[0], d)
}

func TestExportReportsLosses(t *testing.T) {
	d := draft.Draft{}
	d.Question, d.Key = draft.Choice("Which?", []string{"a", "b"}, []int{0})
	d.Question.Options[0].Image = &question.Image{File: "f"}
	d.Key.Also = []string{d.Question.Options[1].ID}
	d.Key.ExplanationImages = []question.Image{{File: "f"}}
	_, problems, err := csvfile.Export([]draft.Draft{d})
	if err != nil || len(problems) != 3 {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestFilesOfSpreadsheets(t *testing.T) {
	for name, v := range map[string]struct{ source, want string }{
		"semicolons, BOM, CRLF": {"\ufeffFråga;A;B;C;Rätt svar\r\n\"Vad heter \"\"huvudstaden\"\"; egentligen?\";Malmö;Stockholm;Lund;B\r\n;;;;\r\n",
			`single_choice ready: Vad heter "huvudstaden"; egentligen? ["Malmö" "*Stockholm" "Lund"]`},
		"Windows-1252": {"Question,Option 1,Option 2,Answer\nSm\xf6rg\xe5sbord \x93\xc5\x94?,\xe5,\xe4,2\n", `single_choice ready: Smörgåsbord “Å”? ["å" "*ä"]`},
		"UTF-16":       {utf16("question\tA\tB\tanswer\nÖl?\tja\tnej\tA\n"), `single_choice ready: Öl? ["*ja" "nej"]`},
		"sep line":     {"sep=;\nquestion;A;B;answer\nQ one?;x, y;z;a\n", `single_choice ready: Q one? ["*x, y" "z"]`},
		"text answer":  {"text,option_1,option_2,correct\nWhich?,left,right,Right\n", `single_choice ready: Which? ["left" "*right"]`},
		"two answers":  {"text,option_1,option_2,option_3,correct\nWhich?,a,b,c,\"A, C\"\n", `multiple_response ready: Which? ["*a" "b" "*c"]`},
		"true":         {"text,correct\nSky is blue.,TRUE\n", `true_false ready: Sky is blue. ["*True" "False"]`},
		"no key":       {"text,option_1,option_2,correct\nWhich?,a,b,\n", `single_choice no_key: Which? ["a" "b"]`},
		"bad key":      {"text,option_1,option_2,correct\nWhich?,a,b,Q\n", `single_choice no_key: Which? ["a" "b"]`},
		"line in cell": {"text,option_1,option_2,correct\n\"Which\none?\",a,b,1\n", "single_choice ready: Which\none? [\"*a\" \"b\"]"},
		"bare quotes":  {"text,option_1,option_2,correct\nA 5\" disk?,a,b,1\n", `single_choice ready: A 5" disk? ["*a" "b"]`},
		"duplicate":    {"text,option_1,option_2,correct\nWhich?,a,b,1\nWHICH?,a,b,2\n", "single_choice ready: Which? [\"*a\" \"b\"]\nsingle_choice duplicate: WHICH? [\"a\" \"*b\"]"},
		"two keys":     {"type,text,option_1,option_2,correct\nmultiple_choice,Which?,a,b,\"A,B\"\n", `single_choice no_key: Which? ["*a" "*b"]`},
	} {
		got, err := csvfile.Import(t.Context(), []byte(v.source), draft.Limits{})
		drafttest.Sound(t, got, err)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if lines := strings.Join(drafttest.Summary(got), "\n"); lines != v.want {
			t.Errorf("%s:\n%s, want\n%s", name, lines, v.want)
		}
	}
}

func utf16(text string) string {
	out := "\xff\xfe"
	for _, r := range text {
		out += string([]byte{byte(r), byte(r >> 8)})
	}
	return out
}

func TestProblemsHaveLines(t *testing.T) {
	got, err := csvfile.Import(t.Context(), []byte("text,option_1,option_2,correct,colour,time\nOne?,a,b,1,red,soon\nTwo?,a,b,1,,,over\n"), draft.Limits{})
	drafttest.Sound(t, got, err)
	all := ""
	for _, p := range got.Problems {
		all += p.String() + p.Text + "\n"
	}
	for _, d := range got.Drafts {
		for _, p := range d.Problems {
			all += p.String() + p.Text + "\n"
		}
	}
	for _, want := range []string{`line 1: The column "colour"`, "line 2: Cells", "red", "line 2: The time limit", "line 3: Cells", "over"} {
		if !strings.Contains(all, want) {
			t.Errorf("no problem says %q:\n%s", want, all)
		}
	}
}

func TestRefusals(t *testing.T) {
	for source, code := range map[string]string{
		"": "EMPTY_FILE", "a,b\n1,2\n": "UNREADABLE_FILE", "text,question\n1,2": "UNREADABLE_FILE", "text\n": "NO_QUESTIONS", "sep=x\ntext": "UNREADABLE_FILE",
		"text\na\nb\nc\nd\n": "TOO_MANY_QUESTIONS", strings.Repeat("x,", 101) + "text\n": "FILE_TOO_LARGE", strings.Repeat(",", 101) + "text": "UNREADABLE_FILE",
	} {
		_, err := csvfile.Import(t.Context(), []byte(source), draft.Limits{Questions: 3, Bytes: 200})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != code {
			t.Errorf("%.40q: %v, want %s", source, err, code)
		}
	}
}

func FuzzImport(f *testing.F) {
	data, _, _ := csvfile.Export(drafttest.Many(2, 8, question.Types()...))
	f.Add(data)
	f.Add([]byte("question;A;B;answer\n\"x\";a;b;A, B\n"))
	f.Add([]byte("type,text,option_1,match_1,correct\nmatching,x,a,b,A1\nhotspot,y,a @ 1,,A\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := csvfile.Import(t.Context(), data, draft.Limits{})
		drafttest.Sound(t, got, err)
		if err == nil {
			if _, _, err := csvfile.Export(got.Drafts); err != nil {
				t.Error(err)
			}
		}
	})
}
