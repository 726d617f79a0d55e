package web

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sortkey.dev/apps/homeops/load"
)

var (
	inPage = regexp.MustCompile(`\.(?:T|Count) "([^"]+)"`)
	inCode = regexp.MustCompile(`"((?:nav|day|effort|start|chat|week|log|promises|preferences|house|words|settings|habits)\.[A-Za-z]+)"`)
	verbs  = regexp.MustCompile(`%[a-z]`)
)

// used returns the keys that pages and code ask for.
func used(t *testing.T) map[string]bool {
	t.Helper()
	keys := make(map[string]bool)
	collect := func(text string, pattern *regexp.Regexp) {
		for _, match := range pattern.FindAllStringSubmatch(text, -1) {
			if !strings.HasSuffix(match[1], ".html") {
				keys[match[1]] = true
			}
		}
	}
	for _, dir := range []string{"pages", "parts"} {
		names, err := fs.Glob(embedded, dir+"/*.html")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := embedded.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			collect(string(text), inPage)
		}
	}
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "catalogue.go" && !strings.HasSuffix(name, "_test.go") {
			collect(string(text), inCode)
		}
	}
	for _, trend := range []load.Trend{load.Lighter, load.Same, load.Heavier, load.First} {
		keys["week.trend."+string(trend)], keys["week.short."+string(trend)] = true, true
	}
	for _, band := range []load.Band{load.Even, load.Mixed, load.Uneven, load.NotEnough} {
		keys["week.band."+string(band)] = true
	}
	for _, status := range []string{"fulfilled", "expired"} {
		keys["promises."+status] = true
	}
	return keys
}

func TestTheCatalogueIsComplete(t *testing.T) {
	keys := used(t)
	if len(keys) < 100 {
		t.Fatalf("only %d keys were found in pages and code", len(keys))
	}
	for key := range keys {
		if _, ok := catalogue()[key]; !ok {
			t.Errorf("a page asks for %q, which is missing", key)
		}
	}
	for key, w := range catalogue() {
		if w.en == "" || w.sv == "" {
			t.Errorf("%s is missing in a language: %+v", key, w)
		}
		if !slices.Equal(verbs.FindAllString(w.en, -1), verbs.FindAllString(w.sv, -1)) {
			t.Errorf("%s takes other values in the other language: %+v", key, w)
		}
		if !keys[strings.TrimSuffix(key, ".one")] && !strings.HasPrefix(key, "month.") && !strings.HasPrefix(key, "refusal.") {
			t.Errorf("no page shows %s", key)
		}
	}
}

// sentence finds the English words of package webkit that its code shows.
var sentence = regexp.MustCompile(`(?:f\.say\(|translate\(r, |(?:Title|Text)(?::| =)\s+|text :?= )"([^"]+)"|\$\.T "([^"]+)"|\{\{\.T "([^"]+)"`)

// TestTheWordsOfTheFrameAreTranslated: what package webkit says of a form or on an error page is
// Swedish on Swedish pages.
func TestTheWordsOfTheFrameAreTranslated(t *testing.T) {
	found := 0
	for _, name := range []string{"form.go", "problem.go", "refuse.go", "request.go", "cookie.go", "templates/page.html", "templates/pages/error.html"} {
		text, err := os.ReadFile("../../internal/webkit/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range sentence.FindAllStringSubmatch(string(text), -1) {
			english := match[1] + match[2] + match[3]
			found++
			if _, ok := shell[english]; !ok {
				t.Errorf("%s says %q, which is missing in Swedish", name, english)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d sentences were found", found)
	}
	for english, swedish := range shell {
		if !slices.Equal(verbs.FindAllString(english, -1), verbs.FindAllString(swedish, -1)) {
			t.Errorf("%q takes other values in Swedish: %q", english, swedish)
		}
	}
}

// refused finds the codes and the values of refusals in the code of the domain.
var refused = regexp.MustCompile(`refusal\.(?:New\(refusal\.\w+, "([A-Z_]+)"|OfField\(refusal\.Field\{Name: "([a-z_]+)"|OutOfRange\("([a-z_]+)")`)

// TestRefusalsAreTranslated: whatever the domain refuses, a Swedish page says it in Swedish.
func TestRefusalsAreTranslated(t *testing.T) {
	found := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile("../" + path)
		for _, match := range refused.FindAllStringSubmatch(string(text), -1) {
			key := "refusal." + match[1]
			if match[1] == "" {
				key = "refusal.field." + match[2] + match[3]
			}
			found++
			if _, ok := catalogue()[key]; !ok {
				t.Errorf("%s refuses with %s, which is missing", path, key)
			}
		}
		return err
	})
	if err != nil || found < 15 {
		t.Errorf("%d refusals were found (%v)", found, err)
	}
}
