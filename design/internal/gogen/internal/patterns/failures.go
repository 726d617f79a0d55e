package patterns

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/naming"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// failed collects the entities of a call by how their conditions can fail.
type failed struct{ missing, existing, required, locked, taken, states []string }

func addOnce(list *[]string, text string) {
	if !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// failures says which errors mean that a condition did not hold.
func (m *Method) failures() string {
	var f failed
	for _, w := range m.Call.Writes {
		f.add(m, w)
	}
	var all []string
	say := func(format string, list []string) {
		if len(list) > 0 {
			all = append(all, fmt.Sprintf(format, orListed(list)))
		}
	}
	say("access.ErrNotFound if the %s does not exist", f.missing)
	say("access.ErrNotFound if the %s with this version was deleted", m.putLocked())
	say("access.ErrExists if the %s exists", f.existing)
	say("access.ErrRequired if a requirement on %s fails", f.required)
	all = append(all, f.taken...)
	say("*access.VersionError if another write changed the %s", f.locked)
	say("%s if a condition fails", f.states)
	misstep := m.misstep()
	if slices.ContainsFunc(m.Call.Writes, func(w *program.WriteStep) bool { return len(w.Patches()) > 0 }) {
		misstep = joinedWith(misstep, "access.ErrNothingGiven if all values to change are nil")
	}
	switch {
	case len(all) == 0 && misstep == "":
		return ""
	case m.Call.Transaction() && misstep != "":
		return naming.Sentence("Errors in an *access.TxError: "+strings.Join(all, "; ")) + " Before anything is sent: " + naming.Sentence(misstep)
	case m.Call.Transaction():
		return naming.Sentence("Errors in an *access.TxError: " + strings.Join(all, "; "))
	case misstep != "":
		all = append(all, misstep)
	}
	return naming.Sentence("Errors: " + strings.Join(all, "; "))
}

// add notes how the conditions of one write can fail.
func (f *failed) add(m *Method, w *program.WriteStep) {
	e := m.KeyedBy(w).Entity
	switch {
	case w.Guard != nil && w.Operation == resolve.PutItem:
		addOnce(&f.taken, fmt.Sprintf("*access.TakenError if another %s has this %s", e.Name, naming.Listed(naming.Attributes(w.Guard.Attributes))))
	case w.Guard != nil:
	case w.Requirement != nil:
		addOnce(&f.required, e.Name)
		if w.Locked() {
			addOnce(&f.locked, e.Name)
		}
	default:
		f.addItem(m, w, e)
	}
}

func (f *failed) addItem(m *Method, w *program.WriteStep, e *model.Entity) {
	switch expects := w.Expects(); {
	case expects == resolve.Present, expects != resolve.Absent && w.Step.Verb == model.Delete && len(w.Statement.Condition) > 0:
		addOnce(&f.missing, e.Name)
	case expects == resolve.Absent:
		addOnce(&f.existing, e.Name)
	}
	if w.Locked() {
		addOnce(&f.locked, e.Name)
	}
	if len(w.Checks) > 0 || slices.ContainsFunc(w.Step.Edits, (*model.Edit).Bounded) || slices.ContainsFunc(w.Step.Entries, (*model.EntryChange).Bounded) {
		addOnce(&f.states, fmt.Sprintf("*access.ConditionError[%s]", m.Package.Items.Names.Entities[e]))
	}
}

// joinedWith returns two lists of errors as one.
func joinedWith(list, more string) string {
	if list == "" {
		return more
	}
	return list + "; " + more
}

// misstep says which error refuses changes of state, and returns "" if none does.
func (m *Method) misstep() string {
	for _, w := range m.Call.Writes {
		for _, t := range w.Transitions() {
			return fmt.Sprintf("*access.LifecycleError if the lifecycle of %s has no such step", t.Attribute.Name)
		}
	}
	return ""
}
