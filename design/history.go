package design

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sortkey.dev/design/internal/history"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/migrate"
	"sortkey.dev/design/internal/model"
)

// A History is the versions of a design, in the folder migrations beside it.
type History struct {
	design   *Design
	fsys     fs.FS // that of the design
	history  *history.History
	problems []history.Problem
	apart    map[string]bool // the names of used designs that have histories of their own
}

// ErrNoHistory says that a design has no history.
var ErrNoHistory = errors.New("the design has no history")

// History returns the history of the design, or ErrNoHistory. Any other error is about reading
// files; Check reports those that are not as they were written.
func (d *Design) History() (*History, error) {
	folder, files, err := d.historyFolder()
	if err != nil {
		return nil, err
	}
	h, problems, err := history.Read(files, folder)
	switch {
	case err != nil:
		return nil, err
	case h == nil, d.model != nil && h.Design() != "" && h.Design() != d.model.Name: // of another design in the folder
		return nil, ErrNoHistory
	}
	apart, err := d.usesWithHistory()
	return &History{design: d, fsys: d.fsys, history: h, problems: problems, apart: apart}, err
}

// usesWithHistory returns the names of the used designs that have histories of their own.
func (d *Design) usesWithHistory() (map[string]bool, error) {
	apart := map[string]bool{}
	if d.model == nil {
		return apart, nil
	}
	for _, u := range d.model.Uses {
		used := &Design{path: filepath.FromSlash(u.File), fsys: d.fsys}
		folder, files, err := used.historyFolder()
		if errors.Is(err, ErrNoHistory) {
			continue
		}
		if err != nil {
			return nil, err
		}
		h, _, err := history.Read(files, folder)
		if err != nil {
			return nil, err
		}
		apart[u.Design.Name] = h != nil && h.Design() == u.Design.Name
	}
	return apart, nil
}

// own returns a version without the used designs that have histories of their own: the history of a design is about the tables
// that it declares.
func (h *History) own(m *model.Design) *model.Design {
	alone := *m
	alone.Uses = slices.DeleteFunc(slices.Clone(m.Uses), func(u *model.Use) bool { return h.apart[u.Design.Name] })
	return &alone
}

// historyFolder returns the folder of the history, as users write it, and its files.
func (d *Design) historyFolder() (string, fs.FS, error) {
	if d.fsys != nil {
		folder := history.FolderOf(d.path, false)
		files, err := fs.Sub(d.fsys, folder)
		return folder, files, err
	}
	info, err := os.Stat(d.path)
	if err != nil { // the design was read from no file
		return "", nil, ErrNoHistory
	}
	folder := history.FolderOf(d.path, info.IsDir())
	return folder, os.DirFS(filepath.FromSlash(folder)), nil
}

// Last returns the number of the last version, and its name: 0007-task-titles.
func (h *History) Last() (int, string) {
	last := h.history.Last()
	return last.Number, last.ID()
}

// Version returns the design as it was in a version, and the tags of the part of it that the version
// is; none if the version is all of it.
func (h *History) Version(number int) (*Design, []string, error) {
	v, err := h.history.Version(number)
	if err != nil {
		return nil, nil, err
	}
	if len(v.Sources) == 0 {
		return nil, nil, fmt.Errorf("the design of version %s is missing", v.ID())
	}
	return parse(h.fsys, v.Sources[0].Name, v.Sources), v.Tags, nil
}

// A HistoryFile is a file to write into the folder of a history, or one to remove if it has no text.
type HistoryFile struct {
	Path string
	Text []byte
}

// Baseline returns the files with which a history of the design begins: the design as it is, with
// tags only the part of it that has them. It returns a BrokenError for a design with errors.
func (d *Design) Baseline(name string, tags []string) ([]HistoryFile, error) {
	if _, err := d.sound(tags); err != nil {
		return nil, err
	}
	if _, err := d.History(); err == nil {
		return nil, errors.New("the design has a history already")
	} else if !errors.Is(err, ErrNoHistory) {
		return nil, err
	}
	if folder, files, err := d.historyFolder(); err == nil {
		if h, _, err := history.Read(files, folder); err == nil && h != nil {
			return nil, fmt.Errorf("%s holds the history of the design %s: keep designs with a history in folders of their own", folder, h.Design())
		}
	}
	return d.addVersion(nil, name, tags, nil)
}

// addVersion returns the files of a new version of the design.
func (d *Design) addVersion(before *history.History, name string, tags []string, migration []byte) ([]HistoryFile, error) {
	if _, err := d.sound(tags); err != nil {
		return nil, err
	}
	folder, _, err := d.historyFolder()
	if err != nil {
		return nil, errors.New("a design without a file has no history")
	}
	own, used := d.ownSources()
	files, _, err := before.Add(history.Addition{Name: name, Design: filepath.Base(d.path), Tags: tags, Sources: own, Used: used, Migration: migration})
	if err != nil {
		return nil, err
	}
	return placed(folder, files), nil
}

// AcceptEdits returns the file of checksums for a history in whose last migration people changed what is theirs. The error
// says which other file was changed.
func (d *Design) AcceptEdits() ([]HistoryFile, error) {
	h, err := d.History()
	if err != nil {
		return nil, err
	}
	last := h.history.Last()
	for _, p := range h.problems {
		if p.Forked || filepath.Base(p.File) != last.MigrationFile() {
			return nil, fmt.Errorf("%s: %s; only the last migration may be changed", p.File, p.Message)
		}
	}
	if last.Migration == nil {
		return nil, errors.New("the history has no migration yet")
	}
	if _, err := migrate.ReadSettings(last.MigrationFile(), last.Migration); err != nil {
		return nil, err
	}
	folder, _, err := d.historyFolder()
	if err != nil {
		return nil, err
	}
	return placed(folder, []history.File{h.history.Edited()}), nil
}

// Settle returns the files of a history whose last migration says that all tables are past it.
func (d *Design) Settle() ([]HistoryFile, error) {
	h, err := d.History()
	if err != nil {
		return nil, err
	}
	if err := h.damaged(); err != nil {
		return nil, err
	}
	switch first, err := h.firstUnsettled(); {
	case err != nil:
		return nil, err
	case first == 0:
		return nil, errors.New("nothing to settle: no migration of the history is under way")
	}
	last := h.history.Last()
	folder, _, err := d.historyFolder()
	if err != nil {
		return nil, err
	}
	return placed(folder, h.history.WithMigration(migrate.Settle(last.Migration))), nil
}

// without returns the history without a version that is planned again, its name, and the files that remove it.
func (h *History) without(id string) (*history.History, string, []history.File, error) {
	for _, v := range h.history.Versions {
		if v.ID() == id {
			rest, gone := h.history.Without(v)
			return rest, v.Name, gone, nil
		}
	}
	return nil, "", nil, fmt.Errorf("the history has no version %s", id)
}

// placed returns files with their paths.
func placed(folder string, files []history.File) []HistoryFile {
	all := make([]HistoryFile, len(files))
	for i, f := range files {
		all[i] = HistoryFile{Path: filepath.Join(filepath.FromSlash(folder), f.Name), Text: f.Text}
	}
	return all
}

// ownSources returns the files of the design, and those of the designs that it uses.
func (d *Design) ownSources() (own, used []loader.Source) {
	paths, err := loader.Paths(d.path)
	if d.fsys != nil || err != nil {
		paths = []string{d.path}
	}
	for _, source := range d.sources {
		if slices.Contains(paths, source.Name) {
			own = append(own, source)
		} else {
			used = append(used, source)
		}
	}
	return own, used
}
