// Package qrcode draws QR codes of links: as an SVG image for pages, and module by module for other
// formats, such as PDF. It reads none. The web pages of systems and their reports call it.
package qrcode

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quiet is the width of the empty border of an image, in modules. The standard demands four.
const quiet = 4

// A Code is a square of dark and light modules, without the border that readers need around it.
type Code struct{ code *qr.Code }

// New returns the code of a text, such as a link. The error says that the text is too long. A
// seventh of the code may be damaged and it can still be read.
func New(text string) (Code, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return Code{}, fmt.Errorf("draw a QR code: %w", err)
	}
	return Code{code}, nil
}

// Size returns the number of modules of a side.
func (c Code) Size() int { return c.code.Size }

// Dark reports whether the module in a column and a row is dark; both count from 0 at the top left.
func (c Code) Dark(column, row int) bool { return c.code.Black(column, row) }

// SVG returns the code as an SVG image with its border, black on white in every theme.
func (c Code) SVG() string {
	var path strings.Builder
	for row := range c.Size() {
		for column := range c.Size() {
			if c.Dark(column, row) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", column+quiet, row+quiet)
			}
		}
	}
	side := c.Size() + 2*quiet
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><rect width="%d" height="%d" fill="#fff"/><path d="%s"/></svg>`, side, side, side, side, &path)
}
