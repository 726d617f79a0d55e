package webkit

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"reflect"
	"time"
)

// funcs returns the functions of templates. A system may add its own with Options.Funcs.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"ui":        s.ui,
		"asset":     s.Asset,
		"kit":       func(name string) (string, error) { return s.assets.url("kit/" + name) },
		"hasAsset":  func(name string) bool { return s.assets.has("app/" + name) },
		"number":    formatNumber,
		"decimal":   func(n float64, places int) string { return Decimal(n, places) },
		"percent":   Percent,
		"money":     func(cents int64, currency string) string { return Money(cents, currency) },
		"bytes":     Bytes,
		"duration":  Duration,
		"clock":     Clock,
		"plural":    pluralOf,
		"ago":       s.ago,
		"day":       func(at time.Time) string { return at.Format("2 Jan 2006") },
		"initials":  Initials,
		"options":   optionsOf,
		"links":     linksOf,
		"list":      func(items ...any) []any { return items },
		"dict":      dict,
		"json":      toJSON,
		"query":     withQuery,
		"cut":       Cut,
		"timerText": s.timerText,
		"glyph":     glyph,
		"motif":     func() template.HTML { return s.options.Face.motif() },
		"add":       func(a, b int) int { return a + b },
		"hue":       hue,
		"iso":       func(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") },
	}
}

// ago returns a time as a person says it, which a script keeps true, with the exact time on
// hover.
func (s *Site) ago(at time.Time) template.HTML {
	if at.IsZero() {
		return "–"
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s" data-relative>%s</time>`,
		at.UTC().Format(time.RFC3339), template.HTMLEscapeString(Exact(at.UTC())), template.HTMLEscapeString(Relative(at, s.options.Now()))))
}

func formatNumber(n any) (string, error) {
	v := reflect.ValueOf(n)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return Number(v.Int()), nil
	case v.CanUint():
		return Number(v.Uint()), nil
	case v.CanFloat():
		return Decimal(v.Float(), 2), nil
	}
	return "", fmt.Errorf("webkit: %T is no number", n)
}

// pluralOf returns a number with its noun: plural 2 "answer" "answers".
func pluralOf(n any, one, many string) (string, error) {
	text, err := formatNumber(n)
	if err != nil {
		return "", err
	}
	if text == "1" {
		return "1 " + one, nil
	}
	return text + " " + many, nil
}

// optionsOf makes options of values and texts in turn.
func optionsOf(pairs ...string) ([]Option, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("webkit: %d values and texts are no pairs", len(pairs))
	}
	var list []Option
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, Option{Value: pairs[i], Text: pairs[i+1]})
	}
	return list, nil
}

// linksOf makes links of addresses and texts in turn.
func linksOf(pairs ...string) ([]Link, error) {
	options, err := optionsOf(pairs...)
	var list []Link
	for _, o := range options {
		list = append(list, Link{Href: o.Value, Text: o.Text})
	}
	return list, err
}

func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("webkit: %d names and values are no pairs", len(pairs))
	}
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

func toJSON(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// withQuery returns an address with one parameter of its query set; "" takes it away.
func withQuery(address, name, value string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set(name, value)
	if value == "" {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// Cut returns the beginning of a text of at most max characters, at a word's end if one is
// near.
func Cut(text string, max int) string {
	runes := []rune(text)
	if len(runes) <= max {
		return text
	}
	end := max - 1
	for i := end; i > end-20 && i > 0; i-- {
		if runes[i] == ' ' {
			end = i
			break
		}
	}
	return string(runes[:end]) + "…"
}
