package operator

import (
	"fmt"
	"net/http"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

// dataView holds the data of operator-data.html.
type dataView struct {
	Bar
	Designs []designView
}

// A designView is where the data of one design stands.
type designView struct {
	Name      string
	Badge     webkit.Badge
	Text      string // what that means, and what to do
	Version   string // of the data
	Program   string // versions that the program knows
	Migration string // under way or next; ""
	Phases    []phaseView
	Parts     []webkit.Progress
	Conflicts []apps.DataConflict
	More      int // conflicts that are not listed
}

// A phaseView is a phase of the migration that is under way.
type phaseView struct {
	Name string
	Done bool
	Now  bool
}

func (f *Frame) data(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	view := dataView{Bar: f.machineBar(r, "Data")}
	for _, data := range f.o.Data {
		stand, err := data.Stand(r.Context())
		if err != nil {
			return err
		}
		view.Designs = append(view.Designs, designViewOf(stand))
	}
	f.site.Render(w, r, http.StatusOK, "operator-data.html", view)
	return nil
}

func designViewOf(s *apps.DataStand) designView {
	view := designView{
		Name: s.Design, Version: versionText(s.Versions, s.Version), Program: versionText(s.Versions, s.Program),
		Migration: s.Migration, Conflicts: s.Conflicts, More: s.More,
	}
	view.Badge, view.Text = standing(s)
	if !s.Under {
		return view
	}
	for phase := access.PhaseBefore; phase <= access.PhaseAfter; phase++ {
		view.Phases = append(view.Phases, phaseView{Name: phase.String(), Done: phase < s.Phase, Now: phase == s.Phase})
	}
	for _, part := range s.Parts {
		view.Parts = append(view.Parts, webkit.Progress{
			Label: s.Step + " " + part.Name, Value: float64(part.Done), Max: float64(max(part.Segments, 1)),
			Text: fmt.Sprintf("%s items read, %s written", webkit.Number(part.Seen), webkit.Number(part.Changed)),
		})
	}
	return view
}

// versionText returns a version with its name: 7 task-titles.
func versionText(versions []string, number int) string {
	if number < 1 || number > len(versions) {
		return fmt.Sprint(number)
	}
	_, name, _ := strings.Cut(versions[number-1], "-")
	return fmt.Sprintf("%d, %s", number, name)
}

// standing returns the state of data as a badge, and what it means.
func standing(s *apps.DataStand) (webkit.Badge, string) {
	switch {
	case s.Version > s.Program || s.Version == s.Program && s.Under:
		return webkit.Badge{Text: "Newer than this program", Tone: webkit.Bad, Icon: "error"},
			"Another process has a newer version. Update this one: it may not use the data any more."
	case s.Version == s.Program:
		return webkit.Badge{Text: "Up to date", Tone: webkit.Good, Icon: "check"}, "The data has the version of this program."
	case len(s.Conflicts) > 0:
		return webkit.Badge{Text: "Conflicts", Tone: webkit.Bad, Icon: "error"},
			"Some items cannot be brought to the next version. Until they are mended the migration does not go on; everything keeps working."
	case s.Paused != "":
		return webkit.Badge{Text: "Paused", Tone: webkit.Warn, Icon: "warn"}, "Paused: " + s.Paused + ". sortkey migrate resume lets it go on."
	case s.Back:
		return webkit.Badge{Text: "Going back", Tone: webkit.Warn, Icon: "warn"}, "The migration is taken back to the version before."
	case s.Waits != "":
		return webkit.Badge{Text: "Waits for you", Tone: webkit.Warn, Icon: "clock"},
			"It waits: " + s.Waits + ". Then start one process with --resume, or run sortkey migrate resume."
	case s.Under && !s.Settled:
		return webkit.Badge{Text: "Under way", Tone: webkit.Info, Icon: "clock"}, "It waits until no request of the phase before is under way. Everything keeps working."
	case s.Under:
		return webkit.Badge{Text: "Under way", Tone: webkit.Info, Icon: "clock"}, "The data is brought to the next version. Everything keeps working."
	}
	return webkit.Badge{Text: "Older than this program", Tone: webkit.Info, Icon: "clock"}, "The migration to the next version has not begun."
}
