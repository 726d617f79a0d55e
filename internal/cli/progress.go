package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A progressLine shows progress: on a terminal on one line that is
// overwritten, elsewhere on a new line from time to time. Notices printed with say do not mix
// with it. It is safe for concurrent use.
type progressLine struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	begun    time.Time
	shown    time.Time
	text     string // the progress
	wide     int    // columns of the current line on the terminal
	end      chan struct{}
}

// quiet is the delay before progress is shown, and often the interval of its
// updates.
const (
	quiet = time.Second
	often = 100 * time.Millisecond
)

// logInterval is the interval of progress lines in a log. Tests change it, so that they do not
// depend on time.
var logInterval = 10 * time.Second

func newProgressLine(w io.Writer) *progressLine {
	return &progressLine{w: w, terminal: isTerminal(w), begun: time.Now(), end: make(chan struct{})}
}

// start starts to log the progress at every tick, even without a call of show.
// clear stops it.
func (p *progressLine) start(tick <-chan time.Time) {
	go func() {
		for {
			select {
			case <-p.end:
				return
			case now := <-tick:
				p.log(now)
			}
		}
	}()
}

// log prints the progress on a new line, unless the output is a terminal.
func (p *progressLine) log(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal && p.text != "" {
		fmt.Fprintf(p.w, "%s (after %s)\n", p.text, now.Sub(p.begun).Round(time.Second))
	}
}

// show sets the progress.
func (p *progressLine) show(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
	now := time.Now()
	if !p.terminal || now.Sub(p.begun) < quiet || now.Sub(p.shown) < often {
		return
	}
	p.shown = now
	p.write(text)
}

// say prints a notice on its own line.
func (p *progressLine) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	fmt.Fprintf(p.w, format+"\n", args...)
}

// clear removes the line. Only say prints afterwards.
func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.end:
	default:
		close(p.end)
	}
	p.text = ""
	p.wipe()
}

func (p *progressLine) wipe() {
	if p.wide > 0 {
		p.write("")
		fmt.Fprint(p.w, "\r")
	}
}

func (p *progressLine) write(text string) {
	fmt.Fprint(p.w, "\r"+text+strings.Repeat(" ", max(0, p.wide-len(text))))
	p.wide = len(text)
}
