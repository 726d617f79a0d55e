package webkit_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/webkit"
)

func TestFieldsSayWhatIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		sent string
		read func(f *webkit.Form) any
		want any
		says string
	}{
		"text":                {" hello\r\nyou ", func(f *webkit.Form) any { return f.Text("x", 1, 20) }, "hello\nyou", ""},
		"empty":               {"  ", func(f *webkit.Form) any { return f.Text("x", 1, 20) }, "", "Fill this in."},
		"empty is fine":       {"", func(f *webkit.Form) any { return f.Text("x", 0, 20) }, "", ""},
		"short":               {"hi", func(f *webkit.Form) any { return f.Text("x", 10, 20) }, "hi", "Write 8 more characters."},
		"long, in characters": {"ääää", func(f *webkit.Form) any { return f.Text("x", 0, 3) }, "ääää", "Write at most 3 characters; these are 4."},
		"no text":             {"\xff", func(f *webkit.Form) any { return f.Text("x", 0, 3) }, "\xff", "This holds characters that cannot be stored."},
		"two lines":           {"a\nb", func(f *webkit.Form) any { return f.Line("x", 0, 9) }, "a\nb", "Write this on one line."},
		"number":              {" 7 ", func(f *webkit.Form) any { return f.Int("x", 1, 9) }, 7, ""},
		"number too large":    {"1000", func(f *webkit.Form) any { return f.Int("x", -5, 999) }, 0, "Write a whole number from −5 to 999."},
		"no number":           {"7e1", func(f *webkit.Form) any { return f.Int("x", 1, 99) }, 0, "Write a whole number from 1 to 99."},
		"choice":              {"b", func(f *webkit.Form) any { return f.Choice("x", "a", "b") }, "b", ""},
		"invented choice":     {"c", func(f *webkit.Form) any { return f.Choice("x", "a", "b") }, "", "Choose one of these."},
		"no choice needed":    {"", func(f *webkit.Form) any { return f.OptionalChoice("x", "a", "b") }, "", ""},
		"flag":                {"on", func(f *webkit.Form) any { return f.Flag("x") }, true, ""},
		"no flag":             {"0", func(f *webkit.Form) any { return f.Flag("x") }, false, ""},
		"money":               {"12,5", func(f *webkit.Form) any { return f.Cents("x", 0, 9999) }, int64(1250), ""},
		"whole money":         {"12", func(f *webkit.Form) any { return f.Cents("x", 0, 9999) }, int64(1200), ""},
		"too exact":           {"1.234", func(f *webkit.Form) any { return f.Cents("x", 0, 9999) }, int64(0), "Write an amount from 0.00 to 99.99."},
		"negative money":      {"-1", func(f *webkit.Form) any { return f.Cents("x", 0, 9999) }, int64(0), "Write an amount from 0.00 to 99.99."},
		"date":                {"2026-03-01", func(f *webkit.Form) any { return f.Time("x", time.UTC) }, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), ""},
		"no date":             {"March", func(f *webkit.Form) any { return f.Time("x", time.UTC) }, time.Time{}, "Write a date such as 2026-03-21."},
	} {
		t.Run(name, func(t *testing.T) {
			form := webkit.NewForm(formValues("x", test.sent))
			if diff := cmp.Diff(test.want, test.read(form)); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if got := form.Error("x"); got != test.says {
				t.Errorf("it says %q, want %q", got, test.says)
			}
			if form.Valid() != (test.says == "") {
				t.Errorf("Valid is %v", form.Valid())
			}
		})
	}
}

func TestSeveralChoices(t *testing.T) {
	form := webkit.NewForm(formValues("x", "b", "x", "a", "x", "b"))
	if diff := cmp.Diff([]string{"b", "a"}, form.Choices("x", 1, 2, "a", "b", "c")); diff != "" || !form.Valid() {
		t.Errorf("(-want +got):\n%s %v", diff, form.Errors())
	}
	form.Choices("x", 3, 3, "a", "b")
	form.Label("x", "Your colours")
	form.Fail("pickup_time", "Choose a time in the future.")
	form.Fail("x", "a second word on the same field")
	want := []webkit.FieldError{{Name: "x", Label: "Your colours", Sentence: "Choose at least 3."}, {Name: "pickup_time", Sentence: "Choose a time in the future."}}
	if diff := cmp.Diff(want, form.Errors()); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestUploadsAreReadLikeForms(t *testing.T) {
	body := "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA chair\r\n--b--\r\n"
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	if got := webkit.ReadForm(r).Text("title", 1, 20); got != "A chair" {
		t.Errorf("the title is %q", got)
	}
	r = httptest.NewRequest(http.MethodGet, "/?q=chair", nil)
	if got := webkit.ReadForm(r).Text("q", 1, 20); got != "chair" {
		t.Errorf("the search is %q", got)
	}
}

func FuzzForm(f *testing.F) {
	f.Add("x=1&x=2", "12,50")
	f.Add("%zz", "-0")
	f.Add("x=\x00", "999999999999.99")
	f.Fuzz(func(t *testing.T, body, field string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		form := webkit.ReadForm(r)
		if form.Values == nil {
			form.Values = url.Values{}
		}
		form.Values.Set("y", field)
		text := form.Text("y", 1, 10)
		if form.Error("y") == "" && (text == "" || len([]rune(text)) > 10) {
			t.Errorf("%q was taken", text)
		}
		cents := webkit.NewForm(form.Values)
		if got := cents.Cents("y", 5, 5000); cents.Valid() && (got < 5 || got > 5000) {
			t.Errorf("%q is %d cents", field, got)
		}
		form.Int("x", 0, 9)
		form.Choices("x", 0, 2, "1", "2")
		form.Time("y", time.UTC)
		form.Errors()
	})
}

func FuzzCookies(f *testing.F) {
	f.Add("theme=dark; tz=Europe%2FStockholm; flash=x.y.z", "/")
	f.Add("tz=../../etc/passwd", "//evil.example")
	f.Add("form=..; flash=W10..", "/\\evil")
	options := galleryOptions(f)
	site, err := webkit.New(options)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, cookies, back string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Cookie"] = []string{cookies}
		site.Theme(r)
		site.Zone(r)
		if _, ok := site.Cookie(r, "flash"); ok {
			t.Error("a cookie that was not signed is taken")
		}
		if to := webkit.LocalPath(back); !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
			t.Errorf("%q leads away to %q", back, to)
		}
		w := httptest.NewRecorder()
		site.NotFound(w, r)
		if w.Code != http.StatusNotFound {
			t.Errorf("the answer is %d", w.Code)
		}
	})
}

func TestTheKeyOfAFormIsThatOfItsSecondSending(t *testing.T) {
	key := func(path, body string) string {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return webkit.ReadForm(r).Key()
	}
	first := key("/message", "csrf=nonce.sum&text=Hello&to=Anna")
	if first == "" || key("/message", "to=Anna&text=Hello&csrf=nonce.sum") != first {
		t.Error("a second sending has another key")
	}
	for what, other := range map[string]string{
		"another page": key("/message", "csrf=other.sum&text=Hello&to=Anna"), "other values": key("/message", "csrf=nonce.sum&text=Hi&to=Anna"),
		"another path": key("/reply", "csrf=nonce.sum&text=Hello&to=Anna"), "no token": key("/message", "text=Hello&to=Anna"),
	} {
		if other == first {
			t.Errorf("%s: the same key", what)
		}
	}
	if got := key("/message", "text=Hello"); got != "" {
		t.Errorf("without a token: %q", got)
	}
}
