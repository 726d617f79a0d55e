package jsonfile_test

import (
	"strings"
	"testing"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/drafttest"
	"sortkey.dev/apps/exambuddy/exchange/jsonfile"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

func TestRoundTripKeepsEverything(t *testing.T) {
	all := drafttest.Many(1, 160, question.Types()...)
	all[0].Question.Options[0].Image = &question.Image{File: "f", Alt: "alt"}
	all[0].Key.Also = []string{all[0].Question.Options[1].ID}
	all[3].Key.Blanks["b1"] = question.Accepted{Low: "1", High: "2", IgnoreAccents: true, IgnorePunctuation: true}
	data, err := jsonfile.Export(all)
	if err != nil {
		t.Fatal(err)
	}
	got, err := jsonfile.Import(t.Context(), data, draft.Limits{})
	if err != nil || len(got.Drafts) != len(all) || len(got.Problems) > 0 {
		t.Fatalf("%d drafts, %v, %v", len(got.Drafts), got.Problems, err)
	}
	for i, d := range got.Drafts {
		drafttest.Same(t, d, all[i])
		if d.Status() != draft.Ready || len(d.Problems) > 0 {
			t.Errorf("%s: %v", d.Status(), d.Problems)
		}
	}
	again, err := jsonfile.Export(got.Drafts)
	if err != nil || string(again) != string(data) {
		t.Error("the second export differs from the first")
	}
}

func TestFilesOfOtherPrograms(t *testing.T) {
	for source, want := range map[string]string{
		`[{"question":"Capital of Sweden?","options":["Oslo","Stockholm"],"answer":"Stockholm"}]`:                                    `single_choice ready: Capital of Sweden? ["Oslo" "*Stockholm"]`,
		`[{"question":"Capital of Sweden?","options":["Oslo","Stockholm"],"answer":"B"}]`:                                            `single_choice ready: Capital of Sweden? ["Oslo" "*Stockholm"]`,
		`{"questions":[{"question_text":"Capital?","question_type":"multiple_choice","options":["Oslo","Rome"],"correct_index":0}]}`: `single_choice ready: Capital? ["*Oslo" "Rome"]`,
		`[{"text":"Nordic?","options":["Oslo","Rome","Bergen"],"correct_indices":[0,2]}]`:                                            `multiple_response ready: Nordic? ["*Oslo" "Rome" "*Bergen"]`,
		`[{"text":"Sky is blue","answer":true}]`:                                                                                     `true_false ready: Sky is blue ["*True" "False"]`,
		`[{"text":"Capital of Norway?","answer":"Oslo"}]`:                                                                            `fill_in_blank ready: Capital of Norway? []`,
		`[{"text":"Capital?","options":["Oslo","Rome"]}]`:                                                                            `single_choice no_key: Capital? ["Oslo" "Rome"]`,
		"\ufeff[{\"text\":\"Capital?\",\r\n\"options\":[\"Malm\u00f6\",\"Rome\"],\"answer\":\"a\"}]":                                 `single_choice ready: Capital? ["*Malmö" "Rome"]`,
	} {
		got, err := jsonfile.Import(t.Context(), []byte(source), draft.Limits{})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		drafttest.Sound(t, got, err)
		if lines := strings.Join(drafttest.Summary(got), "\n"); lines != want {
			t.Errorf("%s:\n%s, want\n%s", source, lines, want)
		}
	}
}

func TestNothingIsLostSilently(t *testing.T) {
	source := `{"format":"exambuddy-questions","version":2,"author":"me","questions":[
  {"text":"One?","options":["a","b"],"answer":"z","points":3},
  {"text":7},
  "text",
  {"text":"Two?","options":[{"text":"a","colour":"red"},"b"]}
]}`
	got, err := jsonfile.Import(t.Context(), []byte(source), draft.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	drafttest.Sound(t, got, err)
	all := ""
	for _, p := range append(got.Problems, got.Drafts[0].Problems...) {
		all += p.String() + "\n"
	}
	for _, want := range []string{"version 2", "author", "points", "field answer", "line 3: This question cannot be read", "line 4:", "line 5:", "colour"} {
		if !strings.Contains(all, want) {
			t.Errorf("no problem names %q:\n%s", want, all)
		}
	}
}

func TestRefusals(t *testing.T) {
	for source, code := range map[string]string{
		"": "EMPTY_FILE", "{": "UNREADABLE_FILE", "[1,": "UNREADABLE_FILE", "7": "UNREADABLE_FILE", "[]": "NO_QUESTIONS", "{}": "NO_QUESTIONS", "[] x": "UNREADABLE_FILE",
		`{"questions":{}}`: "UNREADABLE_FILE", "[" + strings.Repeat(`{"text":"a"},`, 3) + `{"text":"b"}]`: "TOO_MANY_QUESTIONS", strings.Repeat(" ", 201): "FILE_TOO_LARGE",
		strings.Repeat("[", 150): "UNREADABLE_FILE",
	} {
		_, err := jsonfile.Import(t.Context(), []byte(source), draft.Limits{Questions: 3, Bytes: 200})
		if refused, ok := refusal.As(err); !ok || refused.CodeText() != code {
			t.Errorf("%.40q: %v, want %s", source, err, code)
		}
	}
}

func FuzzImport(f *testing.F) {
	data, _ := jsonfile.Export(drafttest.Many(2, 8, question.Types()...))
	f.Add(data)
	f.Add([]byte(`[{"question":"Capital?","options":["Oslo","Rome"],"answer":["A","B"]}]`))
	f.Add([]byte(`[{"text":"x","answer":true,"options":[1]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := jsonfile.Import(t.Context(), data, draft.Limits{})
		drafttest.Sound(t, got, err)
		if err == nil {
			if _, err := jsonfile.Export(got.Drafts); err != nil {
				t.Error(err)
			}
		}
	})
}
