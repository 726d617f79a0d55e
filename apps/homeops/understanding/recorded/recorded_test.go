package recorded_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/recorded"
	"sortkey.dev/apps/homeops/understanding/rules"
)

func TestRecordedAnswersAreTheSame(t *testing.T) {
	var file bytes.Buffer
	recorder := recorded.NewRecorder(rules.New(), &file)
	m := understanding.Message{SentAt: time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC), Locale: understanding.Swedish}
	answers := map[string]understanding.Meaning{}
	for _, text := range []string{"jag har diskat", "jag tar tvätten imorgon", "hej", "har nån diskat?"} {
		m.Text = text
		meaning, err := recorder.Classify(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		meaning.Classifier = "recorded"
		answers[text] = meaning
	}
	c, err := recorded.Load(&file)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range answers {
		m.Text = text
		if got, err := c.Classify(t.Context(), m); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	m.Locale = understanding.English
	if _, err := c.Classify(t.Context(), m); !errors.Is(err, recorded.ErrNotRecorded) {
		t.Errorf("another locale: %v", err)
	}
}

func TestLoadRejectsBrokenFiles(t *testing.T) {
	if _, err := recorded.Load(strings.NewReader("{\"text\":\"x\"}\n{")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v, want one about line 2", err)
	}
}
