package qrcode_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/qrcode"
)

// finder is the pattern in three corners of every code.
const finder = `#######
#.....#
#.###.#
#.###.#
#.###.#
#.....#
#######`

func TestALinkHasItsFinderPatterns(t *testing.T) {
	code, err := qrcode.New("https://ecobid.example/pickups/01K9ZX5Y0000000000000000?code=ABCDEF")
	if err != nil {
		t.Fatal(err)
	}
	last := code.Size() - 7
	for _, corner := range [][2]int{{0, 0}, {last, 0}, {0, last}} {
		var rows []string
		for row := range 7 {
			line := ""
			for column := range 7 {
				line += map[bool]string{true: "#", false: "."}[code.Dark(corner[0]+column, corner[1]+row)]
			}
			rows = append(rows, line)
		}
		if got := strings.Join(rows, "\n"); got != finder {
			t.Errorf("the corner at %v is\n%s", corner, got)
		}
	}
	if code.Size()%4 != 1 {
		t.Errorf("a side has %d modules", code.Size())
	}
}

func TestTheImageHasABorderAndEveryDarkModule(t *testing.T) {
	code, err := qrcode.New("https://example.org")
	if err != nil {
		t.Fatal(err)
	}
	var image struct {
		ViewBox string `xml:"viewBox,attr"`
		Path    struct {
			D string `xml:"d,attr"`
		} `xml:"path"`
	}
	if err := xml.Unmarshal([]byte(code.SVG()), &image); err != nil {
		t.Fatal(err)
	}
	side := code.Size() + 8
	if want := fmt.Sprintf("0 0 %d %d", side, side); image.ViewBox != want {
		t.Errorf("the view box is %q, want %q", image.ViewBox, want)
	}
	for row := range code.Size() {
		for column := range code.Size() {
			if drawn := strings.Contains(image.Path.D, fmt.Sprintf("M%d %dh", column+4, row+4)); drawn != code.Dark(column, row) {
				t.Errorf("the module at %d, %d: drawn is %v", column, row, drawn)
			}
		}
	}
}

func TestATextThatIsTooLong(t *testing.T) {
	if _, err := qrcode.New(strings.Repeat("x", 2331)); err != nil {
		t.Errorf("2331 characters: %v", err)
	}
	if _, err := qrcode.New(strings.Repeat("x", 2332)); err == nil {
		t.Error("2332 characters fit")
	}
}
