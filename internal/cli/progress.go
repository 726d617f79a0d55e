package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A progressLine says how far something is: on a terminal on one line that is written
// over, elsewhere on a new line from time to time. Notices written with say do not mix
// with it. It may be used by several goroutines.
type progressLine struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	begun    time.Time
	told     time.Time
	text     string // how far it is
	wide     int    // columns of the line that is on the terminal
	end      chan struct{}
}

// quiet is the time before progress is shown, and often the interval at which it is
// updated.
const (
	quiet = time.Second
	often = 100 * time.Millisecond
)

// rarely is the interval of progress lines in a log. Tests change it, so that they do not
// depend on time.
var rarely = 10 * time.Second

func newProgressLine(w io.Writer) *progressLine {
	return &progressLine{w: w, terminal: isTerminal(w), begun: time.Now(), end: make(chan struct{})}
}

// start begins to tell what show said: every tick, even while nothing else happens.
// clear ends it.
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

// log adds a line to what is no terminal.
func (p *progressLine) log(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal && p.text != "" {
		fmt.Fprintf(p.w, "%s (after %s)\n", p.text, now.Sub(p.begun).Round(time.Second))
	}
}

// show says how far it is.
func (p *progressLine) show(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
	now := time.Now()
	if !p.terminal || now.Sub(p.begun) < quiet || now.Sub(p.told) < often {
		return
	}
	p.told = now
	p.write(text)
}

// say writes a notice on a line of its own.
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
