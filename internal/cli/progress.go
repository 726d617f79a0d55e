package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A progressLine says on a terminal how far something is, on one line that is written
// over. Elsewhere it says nothing: a log does not need it.
type progressLine struct {
	w     io.Writer
	on    bool
	begun time.Time
	told  time.Time
	wide  int
}

func newProgressLine(w io.Writer) *progressLine {
	return &progressLine{w: w, on: isTerminal(w), begun: time.Now()}
}

// quiet is how long something may take before its progress is worth a line, and often how
// often that line is written.
const (
	quiet = time.Second
	often = 100 * time.Millisecond
)

func (p *progressLine) show(done, total int, doing string) {
	now := time.Now()
	if !p.on || now.Sub(p.begun) < quiet || now.Sub(p.told) < often {
		return
	}
	p.told = now
	p.write(fmt.Sprintf("%d of %d  %s", done, total, doing))
}

func (p *progressLine) clear() {
	if p.wide > 0 {
		p.write("")
		fmt.Fprint(p.w, "\r")
	}
}

func (p *progressLine) write(text string) {
	fmt.Fprint(p.w, "\r"+text+strings.Repeat(" ", max(0, p.wide-len(text))))
	p.wide = len(text)
}
