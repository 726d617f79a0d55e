package jsonapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Name string `json:"name"`
}

type sample struct {
	Prompt string            `json:"prompt"`
	Count  *int              `json:"count"`
	Tags   []string          `json:"tags"`
	On     bool              `json:"on"`
	Inner  inner             `json:"inner"`
	Many   []inner           `json:"many"`
	Later  []json.RawMessage `json:"later"`
	Named  map[string]inner  `json:"named"`
	//lint:ignore U1000 callers must not set it
	ignored string // has no name in JSON, so callers cannot set it
}

func TestWhatABodyMayBe(t *testing.T) {
	three := 3
	for body, want := range map[string]sample{
		`{}`:                                 {},
		` {"prompt":"é"} `:                   {Prompt: "é"},
		`{"count":3,"on":true}`:              {Count: &three, On: true},
		`{"count":null,"tags":null}`:         {},
		`{"tags":["a","b"]}`:                 {Tags: []string{"a", "b"}},
		`{"inner":{"name":"n"}}`:             {Inner: inner{"n"}},
		`{"named":{"any":{"name":"n"}}}`:     {Named: map[string]inner{"any": {"n"}}},
		`{"many":[{"name":"n"},{}]}`:         {Many: []inner{{"n"}, {}}},
		`{"later":[{"any":1},null,[[[2]]]]}`: {Later: []json.RawMessage{json.RawMessage(`{"any":1}`), json.RawMessage(`null`), json.RawMessage(`[[[2]]]`)}},
	} {
		var got sample
		if err := Decode([]byte(body), &got); err != nil {
			t.Errorf("%s: %v", body, err)
		} else if diff := cmp.Diff(want, got, cmp.AllowUnexported(sample{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestWhatABodyMayNotBe(t *testing.T) {
	for _, test := range []struct {
		body    string
		details FieldDetails
		message string // a part of it
	}{
		{``, FieldDetails{Field: "", Constraint: "required"}, "missing"},
		{" \n", FieldDetails{Field: "", Constraint: "required"}, "missing"},
		{`{"prompt":"x"`, FieldDetails{Field: "", Constraint: "syntax"}, "(byte 13)"},
		{`{"prompt":"x"} x`, FieldDetails{Field: "", Constraint: "syntax"}, "after top-level value"},
		{`{"prompt":"x"}{}`, FieldDetails{Field: "", Constraint: "syntax"}, "after top-level value"},
		{"{\"prompt\":\"\xff\"}", FieldDetails{Field: "", Constraint: "format"}, "UTF-8"},
		{`{"named":[]}`, FieldDetails{Field: "named", Constraint: "type"}, "an object, not a list"},
		{`{"named":{"a":{},"a":{}}}`, FieldDetails{Field: "named.a", Constraint: "duplicate"}, "twice"},
		{`{"named":{"a":{"nam":"n"}}}`, FieldDetails{Field: "named.a.nam", Constraint: "unknown", Suggestion: "named.a.name"}, "did you mean"},
		{`null`, FieldDetails{Field: "", Constraint: "type"}, "The body has to be an object, not null."},
		{`[]`, FieldDetails{Field: "", Constraint: "type"}, "The body has to be an object, not a list."},
		{`"x"`, FieldDetails{Field: "", Constraint: "type"}, "not a text"},
		{`{"promt":"x"}`, FieldDetails{Field: "promt", Constraint: "unknown", Suggestion: "prompt"}, `did you mean "prompt"?`},
		{`{"Prompt":"x"}`, FieldDetails{Field: "Prompt", Constraint: "unknown", Suggestion: "prompt"}, `did you mean "prompt"?`},
		{`{"ignored":"x"}`, FieldDetails{Field: "ignored", Constraint: "unknown"}, `There is no field "ignored".`},
		{`{"` + strings.Repeat("p", 60000) + `":1}`, FieldDetails{Field: strings.Repeat("p", 40) + "…", Constraint: "unknown"}, "There is no field"},
		{`{"prompt":"x","prompt":"y"}`, FieldDetails{Field: "prompt", Constraint: "duplicate"}, "twice"},
		{`{"prompt":1}`, FieldDetails{Field: "prompt", Constraint: "type"}, "prompt has to be a text, not a number."},
		{`{"prompt":{"a":1}}`, FieldDetails{Field: "prompt", Constraint: "type"}, "not an object"},
		{`{"count":"3"}`, FieldDetails{Field: "count", Constraint: "type"}, "count has to be a whole number, not a text."},
		{`{"count":3.0}`, FieldDetails{Field: "count", Constraint: "type"}, "without a point"},
		{`{"count":1e2}`, FieldDetails{Field: "count", Constraint: "type"}, "without a point"},
		{`{"count":99999999999999999999}`, FieldDetails{Field: "count", Constraint: "range"}, "makes sense"},
		{`{"on":"yes"}`, FieldDetails{Field: "on", Constraint: "type"}, "true or false"},
		{`{"tags":"a"}`, FieldDetails{Field: "tags", Constraint: "type"}, "a list"},
		{`{"tags":["a",null]}`, FieldDetails{Field: "tags[1]", Constraint: "type"}, "not null"},
		{`{"inner":{"nam":"n"}}`, FieldDetails{Field: "inner.nam", Constraint: "unknown", Suggestion: "inner.name"}, ""},
		{`{"many":[{},{"name":true}]}`, FieldDetails{Field: "many[1].name", Constraint: "type"}, "not true or false"},
		{strings.Repeat(`{"inner":`, 20000) + strings.Repeat(`}`, 20000), FieldDetails{Field: "", Constraint: "syntax"}, "depth"},
	} {
		short := test.body[:min(len(test.body), 40)]
		err := Decode([]byte(test.body), &sample{})
		refused, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%s: got %v, want a refusal", short, err)
			continue
		}
		if diff := cmp.Diff(any(test.details), refused.Details); diff != "" || refused.Code != CodeValidation || refused.Status != http.StatusBadRequest {
			t.Errorf("%s: %v (-want +got):\n%s", short, refused, diff)
		}
		if !strings.Contains(refused.Message, test.message) {
			t.Errorf("%s: the message is %q, want one with %q", short, refused.Message, test.message)
		}
	}
}

func TestTheKindOfABody(t *testing.T) {
	for media, status := range map[string]int{
		"": 0, "application/json": 0, "application/json; charset=utf-8": 0, "application/merge-patch+json": 0,
		"text/plain": http.StatusUnsupportedMediaType, "application/x-www-form-urlencoded": http.StatusUnsupportedMediaType, ";": http.StatusUnsupportedMediaType,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(`{}`))
		r.Header.Set("Content-Type", media)
		err := Read(r, &sample{})
		refused, _ := errors.AsType[*Error](err)
		if status == 0 && err != nil || status != 0 && (refused == nil || refused.Status != status) {
			t.Errorf("%q: got %v, want the status %d", media, err, status)
		}
	}
}

// FuzzDecode: accepted bodies decode as encoding/json decodes them, and nothing that it
// would refuse or overlook; what is refused says why.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"prompt":"x","count":3,"tags":["a"],"on":true,"inner":{"name":"n"},"many":[{}],"later":[1]}`,
		`{"PROMPT":"x"}`, `{"prompt":"\ud800"}`, `{"count":1e2}`, `[{}]`, `{"a":`, `null`, "\xff", `{"count":-0}`, `{"later":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got sample
		err := Decode(body, &got)
		if err != nil {
			refused, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("%q fails with %v", body, err)
			}
			if details, ok := refused.Details.(FieldDetails); !ok || details.Constraint == "" || refused.Message == "" {
				t.Fatalf("%q is refused without a reason: %+v", body, refused)
			}
			return
		}
		var want sample
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&want); err != nil {
			t.Fatalf("%q is taken, but encoding/json says %v", body, err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%q: got %+v, want %+v", body, got, want)
		}
	})
}
