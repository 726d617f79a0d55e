package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/internal/evolve"
)

// keeping returns how data of older versions is brought to the version of this program.
func (c runConfig) keeping(of store, logger *slog.Logger, progress func(evolve.Progress)) evolve.Options {
	return evolve.Options{
		API: of.dynamodb, Designs: apps.Designs, Resume: c.resume, AcceptShape: c.accept, Log: logger, Progress: progress,
		Alone: c.endpoint == "" && !c.aws, // no other process can open the directory
		Timing: func(ctx context.Context, table string, row access.StateRow) (settle, lease time.Duration, err error) {
			return timing(ctx, of.dynamodb, c.endpoint, table, row, c.late)
		},
	}
}

// A dataProgress shows how far the data of a system is on its way to the version of this program.
type dataProgress struct {
	tell   *progressLine
	out    io.Writer
	asJSON bool
	page   *starting // nil: none is served
}

// tellProgress shows one status: on the terminal, as a JSON line, and on the page of the system that is starting.
func (e dataProgress) tellProgress(p evolve.Progress) {
	text := fmt.Sprintf("%s: version %d to %d: %s", p.Design, p.From, p.To, p.Status)
	if e.page != nil {
		e.page.show(p, text)
	}
	switch {
	case e.asJSON:
		_ = json.NewEncoder(e.out).Encode(evolvingEvent(p)) // an announcement that cannot be written ends the program
	case p.Done:
		e.tell.show("")
	default:
		e.tell.show(text)
	}
}

// An evolvingLine is a status as a JSON line.
type evolvingLine struct {
	Event     string  `json:"event"` // evolving, or evolved at the end
	Design    string  `json:"design"`
	Migration string  `json:"migration"`
	From      int     `json:"from"`
	To        int     `json:"to"`
	Phase     string  `json:"phase,omitempty"`
	Step      string  `json:"step,omitempty"`
	Part      string  `json:"part,omitempty"`
	Segments  int     `json:"segments,omitempty"`
	Done      int     `json:"done,omitempty"`
	Seen      int64   `json:"seen,omitempty"`
	Changed   int64   `json:"changed,omitempty"`
	Conflicts int64   `json:"conflicts,omitempty"`
	Reads     float64 `json:"readUnits,omitempty"`
	Writes    float64 `json:"writeUnits,omitempty"`
}

func evolvingEvent(p evolve.Progress) evolvingLine {
	line := evolvingLine{Event: "evolving", Design: p.Design, Migration: p.Migration, From: p.From, To: p.To}
	if p.Done {
		line.Event = "evolved"
		return line
	}
	line.Phase, line.Step, line.Part, line.Segments, line.Done = p.Phase.String(), p.Step, p.Part, p.Segments, p.Status.Done
	line.Seen, line.Changed, line.Conflicts, line.Reads, line.Writes = p.Seen, p.Changed, p.Conflicts, p.Reads, p.Writes
	return line
}

// dataFailure adds the next step to the error about data of another version.
func (c runConfig) dataFailure(kind apps.Kind, err error) error {
	again := "sortkey run " + kind.Name
	for _, f := range [][2]string{{"--data", c.data}, {"--endpoint", c.endpoint}, {"--region", c.region}, {"--table-prefix", c.prefix}} {
		if f[1] != "" {
			again += " " + f[0] + " " + f[1]
		}
	}
	if c.aws {
		again += " --aws"
	}
	if _, newer := errors.AsType[*evolve.NewerError](err); newer {
		return advise(err, "Nothing was changed. Use the newer sortkey that wrote it, or a copy of the data from before.")
	}
	if _, conflicts := errors.AsType[*evolve.ConflictsError](err); conflicts {
		return advise(err, "Mend these items with the version of sortkey that wrote them, then start this one again.")
	}
	if waits, ok := errors.AsType[*evolve.WaitsError](err); ok {
		before := "Stop the processes of version " + fmt.Sprint(waits.Version) + " first."
		if c.endpoint == "" && !c.aws {
			before = "Something is deleted for good at the end: keep a copy of " + c.data + "."
		}
		return advise(err, before, "Then: "+again+" --resume")
	}
	return err
}
