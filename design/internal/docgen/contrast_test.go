package docgen

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// A colour of the style sheet, in the OKLCH space.
type oklch struct{ l, c, h float64 }

var token = regexp.MustCompile(`--([a-z0-9-]+): light-dark\(oklch\(([0-9. ]+)\), oklch\(([0-9. ]+)\)\);`)

// tokens returns the colours of the style sheet by name, light and dark.
func tokens(t *testing.T) (light, dark map[string]oklch) {
	t.Helper()
	style, err := files.ReadFile("templates/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark = map[string]oklch{}, map[string]oklch{}
	for _, m := range token.FindAllStringSubmatch(string(style), -1) {
		light[m[1]], dark[m[1]] = parse(t, m[2]), parse(t, m[3])
	}
	return light, dark
}

func parse(t *testing.T, s string) oklch {
	t.Helper()
	var c oklch
	if _, err := fmt.Sscan(strings.TrimSpace(s), &c.l, &c.c, &c.h); err != nil {
		t.Fatalf("the colour %q: %v", s, err)
	}
	return c
}

// luminance returns the relative luminance of WCAG. Components outside the gamut are clipped,
// as browsers do.
func (c oklch) luminance() float64 {
	h := c.h * math.Pi / 180
	a, b := c.c*math.Cos(h), c.c*math.Sin(h)
	l := math.Pow(c.l+0.3963377774*a+0.2158037573*b, 3)
	m := math.Pow(c.l-0.1055613458*a-0.0638541728*b, 3)
	s := math.Pow(c.l-0.0894841775*a-1.2914855480*b, 3)
	red := 4.0767416621*l - 3.3077115913*m + 0.2309699292*s
	green := -1.2684380046*l + 2.6097574011*m - 0.3413193965*s
	blue := -0.0041960863*l - 0.7034186147*m + 1.7076147010*s
	clip := func(x float64) float64 { return min(1, max(0, x)) }
	return 0.2126*clip(red) + 0.7152*clip(green) + 0.0722*clip(blue)
}

func contrast(a, b oklch) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextHasEnoughContrast(t *testing.T) {
	light, dark := tokens(t)
	if len(light) < 25 {
		t.Fatalf("only %d colours were found in the style sheet", len(light))
	}
	for scheme, colours := range map[string]map[string]oklch{"light": light, "dark": dark} {
		check := func(text, ground string, least float64) {
			t.Helper()
			a, okA := colours[text]
			b, okB := colours[ground]
			if !okA || !okB {
				t.Fatalf("there is no colour %s or %s", text, ground)
			}
			if got := contrast(a, b); got < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, below %.1f", scheme, text, ground, got, least)
			}
		}
		for _, text := range []string{"text", "muted", "accent", "good", "warn", "bad", "info"} {
			for _, ground := range []string{"bg", "surface", "raised"} {
				check(text, ground, 4.5)
			}
		}
		check("accent-text", "accent", 4.5)
		for i := range palette {
			entity := fmt.Sprintf("e%x", i)
			check("text", entity, 7)
			check("muted", entity, 4.5)
		}
		for _, mark := range []string{"fill", "second", "third", "fourth", "rest", "bad"} {
			check(mark, "surface", 3)
		}
	}
}

// White on black has the maximum contrast, 21.
func TestContrastMatchesWCAG(t *testing.T) {
	if got := contrast(oklch{1, 0, 0}, oklch{0, 0, 0}); math.Abs(got-21) > 0.01 {
		t.Errorf("white on black has a contrast of %.3f, want 21", got)
	}
}
