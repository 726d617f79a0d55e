package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// An execution is one runner at work on a migration. The one that has the lease decides: it changes phases and
// steps. All work on segments.
type execution struct {
	*run
	epochs    *Epochs
	ledger    ledger
	parts     []*part
	old       []*part // those of the last version, with strategy tail
	owner     string
	throttles throttleGuard
	watch     *watch // of the runner that decides
}

// errDone says that the migration is over.
var errDone = errors.New("migrate: done")

// decide does the next thing. It returns errDone at the end.
func (e *execution) decide(ctx context.Context) error {
	s, err := e.settled(ctx)
	if err != nil {
		return err
	}
	orders, err := e.ledger.orders(ctx)
	if err != nil {
		return err
	}
	e.know(ctx, s, orders)
	if err := e.overlook(ctx, s); err != nil {
		return err
	}
	m := e.migration
	switch {
	case orders.Paused != "":
		return &PausedError{orders.Paused}
	case s.Migration == "" && s.Version == m.To:
		return errDone
	case s.Migration == "" && orders.Back:
		return e.givenUp(ctx)
	case s.Migration == "" && s.Version != m.From:
		return fmt.Errorf("migrate: the tables have version %d of %s, and %s begins with version %d", s.Version, m.Design, m.ID, m.From)
	case s.Migration != "" && s.Migration != m.ID:
		return fmt.Errorf("migrate: %s is under way; end it or roll it back first", s.Migration)
	case s.Migration == "":
		return e.begin(ctx, s, orders)
	case orders.Back:
		return e.back(ctx, s)
	}
	return e.forward(ctx, s, orders)
}

// forward does the next thing on the way to the next version.
func (e *execution) forward(ctx context.Context, s access.State, orders Orders) error {
	switch s.Phase {
	case access.PhaseBefore:
		return e.enter(ctx, s, access.PhasePrepare)
	case access.PhasePrepare:
		if err := e.ledger.setWatch(ctx, watchRow{epoch: s.Epoch + 1}); err != nil {
			return err
		}
		return e.enter(ctx, s, access.PhaseWrite)
	case access.PhaseWrite:
		return e.inWrite(ctx, s, orders)
	case access.PhaseRead:
		return e.inRead(ctx, s, orders)
	}
	return e.inAfter(ctx, s)
}

// back does the next thing on the way back to the last version.
func (e *execution) back(ctx context.Context, s access.State) error {
	switch s.Phase {
	case access.PhaseBefore:
		return e.giveUp(ctx, s)
	case access.PhasePrepare:
		return e.backFromPrepare(ctx, s)
	case access.PhaseWrite:
		return e.backFromWrite(ctx, s)
	case access.PhaseRead:
		return e.backFromRead(ctx, s)
	}
	return errors.New("migrate: from phase after there is no way back; plan the change in reverse: sortkey plan")
}

// settled reads the state, restores it if it was deleted, and waits until its epoch is settled.
func (e *execution) settled(ctx context.Context) (access.State, error) {
	s, err := e.epochs.Read(ctx)
	if errors.Is(err, ErrNoState) {
		if s, err = e.epochs.Restore(ctx); errors.Is(err, ErrNoState) {
			return s, fmt.Errorf("%w: run sortkey apply with version %d first", err, e.migration.From)
		}
	}
	if err != nil {
		return s, err
	}
	e.note(s)
	return e.epochs.Wait(ctx, s)
}

// note shows the state in the status.
func (e *execution) note(s access.State) {
	e.count(func(st *Status) {
		st.Phase, st.Epoch, st.Settled = s.Phase, s.Epoch, s.Settled == s.Epoch
		if s.Migration == "" {
			st.Phase = access.PhaseBefore
		}
	})
	e.report()
}

// raise changes the state and waits until it is settled.
func (e *execution) raise(ctx context.Context, s access.State, change func(*access.State)) (access.State, error) {
	next := s
	next.Paths = maps.Clone(s.Paths)
	if next.Paths == nil {
		next.Paths = map[string]int64{}
	}
	change(&next)
	raised, err := e.epochs.Raise(ctx, s, next)
	if err != nil {
		return raised, err
	}
	e.note(raised)
	if err := e.ledger.log(ctx, e.owner, fmt.Sprintf("epoch %d, phase %s", raised.Epoch, raised.Phase)); err != nil {
		return raised, err
	}
	return e.epochs.Wait(ctx, raised)
}

// enter changes the phase. What a step had begun in the last phase begins anew when the phase is entered again.
func (e *execution) enter(ctx context.Context, s access.State, phase access.Phase) error {
	if err := e.ledger.setProgress(ctx, progress{}); err != nil {
		return err
	}
	_, err := e.raise(ctx, s, func(next *access.State) {
		next.Phase = phase
		if phase == access.PhaseRead {
			for _, path := range e.migration.Opens {
				next.Paths[path] = s.Epoch + 1
			}
		}
	})
	return err
}

// begin starts the migration: older code than that of the next version is fenced.
func (e *execution) begin(ctx context.Context, s access.State, orders Orders) error {
	if err := e.hold(orders, "deploy", fmt.Sprintf("run code of version %d everywhere first", e.migration.To)); err != nil {
		return err
	}
	if err := e.tables(ctx, "expand"); err != nil {
		return err
	}
	if err := e.ledger.setProgress(ctx, progress{}); err != nil {
		return err
	}
	_, err := e.raise(ctx, s, func(next *access.State) {
		next.Migration, next.Phase, next.Least, next.Lease = e.migration.ID, access.PhaseBefore, e.migration.To, e.options.lease()
		for _, path := range e.migration.Closes {
			next.Paths[path] = s.Epoch + 1
		}
	})
	return err
}

// hold returns a HeldError for a step that waits for people.
func (e *execution) hold(orders Orders, step, why string) error {
	if !e.migration.waits(orders, step) {
		return nil
	}
	return &HeldError{Step: step, Why: why}
}

// tables adds or removes tables and indexes, which the caller does.
func (e *execution) tables(ctx context.Context, step string) error {
	if e.options.Tables == nil {
		return nil
	}
	e.count(func(s *Status) { s.Step, s.Part = step, "" })
	e.report()
	if err := e.options.Tables(ctx, step); err != nil {
		return fmt.Errorf("migrate: %s: %w", step, err)
	}
	return nil
}

// inWrite fills and verifies the parts. Each step begins in an epoch that is settled and ends with another one, so
// that no request of a step is under way in the next.
func (e *execution) inWrite(ctx context.Context, s access.State, orders Orders) error {
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	if p.Step == "" {
		p = progress{Step: stepFill}
	}
	if p.Step == stepDenied {
		return e.denied(ctx, s, p)
	}
	if p.Step == stepVerified {
		if p.Epoch != s.Epoch { // the epoch was raised since
			return e.ledger.setProgress(ctx, progress{Step: stepVerify, Epoch: s.Epoch})
		}
		if err := e.hold(orders, "read", e.whyRead()); err != nil {
			return err
		}
		return e.toRead(ctx, s, p)
	}
	result, err := e.work(ctx, &p, s)
	if err != nil {
		return err
	}
	switch {
	case p.Step == stepVerify && result.Differing == 0:
		if err := e.noteVerified(ctx, s); err != nil {
			return err
		}
		return e.ledger.setProgress(ctx, progress{Step: stepVerified, Epoch: s.Epoch, Attempt: p.Attempt, At: e.now()})
	case p.Step == stepVerify:
		return e.after(ctx, s, stepRepair)
	}
	return e.after(ctx, s, stepVerify)
}

const stepVerified = "verified"

// noteVerified tells programs that all items have their new parts.
func (e *execution) noteVerified(ctx context.Context, s access.State) error {
	var changed error
	_, err := e.try(ctx, e.free, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		err := e.epochs.verified(ctx, s)
		if errors.Is(err, ErrChanged) {
			changed, err = err, nil
		}
		return nil, err
	})
	return errors.Join(changed, err)
}

// toRead lets readers use the new parts, if the verification is not too old and nothing was seen since that contradicts it.
func (e *execution) toRead(ctx context.Context, s access.State, p progress) error {
	again, err := e.watch.contradicts(ctx)
	if err != nil {
		return err
	}
	if age := e.now().Sub(p.At); again || age > e.options.fresh() || age < -e.options.fresh() { // or the clock was set
		return e.ledger.setProgress(ctx, progress{Step: stepVerify, Epoch: s.Epoch, Attempt: p.Attempt + 1})
	}
	if e.tails() {
		return e.after(ctx, s, stepDenied)
	}
	return e.enter(ctx, s, access.PhaseRead)
}

// whyRead says what the operator has to know before readers use the new parts.
func (e *execution) whyRead() string {
	if e.tails() {
		return "the parts are filled and verified. Deny the writes of all programs that do not know the migration, then resume; " +
			"in phase read they may write again, as version " + strconv.Itoa(e.migration.To) + " does and not as before"
	}
	return "the parts are filled and verified; readers use them next"
}

// after raises the epoch at the end of a step and begins the next one in it.
func (e *execution) after(ctx context.Context, s access.State, step string) error {
	s, err := e.raise(ctx, s, func(*access.State) {})
	if err != nil {
		return err
	}
	return e.ledger.setProgress(ctx, progress{Step: step, Epoch: s.Epoch})
}

// work does a step for all parts, and returns the sums.
func (e *execution) work(ctx context.Context, p *progress, s access.State) (Result, error) {
	if p.Epoch != s.Epoch { // another epoch: what was done in the last one may have missed something
		*p = progress{Step: p.Step, Epoch: s.Epoch}
		if err := e.ledger.setProgress(ctx, *p); err != nil {
			return Result{}, err
		}
		if err := e.ledger.forgetConflicts(ctx); err != nil {
			return Result{}, err
		}
	}
	var total Result
	for _, part := range e.inOrder(p.Step) {
		r, err := e.step(ctx, p.Step, part, e.place(*p), e.options.segments())
		if many, is := errors.AsType[*tooManyConflicts](err); is {
			r, err = Result{Conflicting: many.n}, nil
		}
		if err != nil {
			return total, err
		}
		if part.To != "" && (p.Step == stepVerify || p.Step == stepRepair) {
			found, err := e.compare(ctx, p.Step, part, e.place(*p), e.options.segments(), r.Seen)
			if err != nil {
				return total, err
			}
			r.add(found)
		}
		most, attempt := e.migration.Conflicts, p.Attempt+1
		if part.Unique != nil && r.Conflicting > 0 { // two items with one value have one row: readers could not use it
			again, err := e.recheck(ctx, p.Step, part)
			if err != nil {
				return total, err
			}
			r.Conflicting, most, attempt = again.Conflicting, 0, p.Attempt
			r.Differing += again.Differing
		}
		total.add(r)
		if r.Conflicting > most && p.Step != stepRemove { // the way back is open, whatever lies there
			if err := e.ledger.setProgress(ctx, progress{Step: p.Step, Epoch: p.Epoch, Attempt: attempt}); err != nil {
				return total, err
			}
			return total, &ConflictsError{Part: part.Name, Conflicts: r.Conflicting, Most: most}
		}
	}
	return total, nil
}

// inOrder returns the parts in the order in which a step goes through them: what is made of other parts comes after them, and is
// removed before them.
func (e *execution) inOrder(step string) []*part {
	if step != stepRemove {
		return e.parts
	}
	all := slices.Clone(e.parts)
	slices.Reverse(all)
	return all
}

func (e *execution) place(p progress) place {
	return place{control: e.epochs.Control, prefix: e.ledger.pk, owner: e.owner, epoch: p.Epoch, attempt: p.Attempt}
}

// inRead ends the old paths and then the old parts, after a hold.
func (e *execution) inRead(ctx context.Context, s access.State, orders Orders) error {
	if err := e.hold(orders, "after", "readers use the new parts; from here on there is no way back"); err != nil {
		return err
	}
	if e.open(s, e.migration.Closes) {
		_, err := e.raise(ctx, s, func(next *access.State) { e.close(next, e.migration.Closes) })
		return err
	}
	if err := e.sure(ctx, s); err != nil {
		return err
	}
	e.watch.stop() // writers stop to keep the old parts, and what the new ones are made of
	return e.enter(ctx, s, access.PhaseAfter)
}

// sure verifies the parts again if the watch has missed something, or an operator went on after a violation. In phase read nothing
// is repaired: readers use the parts.
func (e *execution) sure(ctx context.Context, s access.State) error {
	if e.tails() {
		return nil
	}
	again, err := e.watch.contradicts(ctx)
	if err != nil || !again {
		return err
	}
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	p = progress{Step: stepVerify, Epoch: s.Epoch, Attempt: p.Attempt + 1}
	if err := e.ledger.setProgress(ctx, p); err != nil {
		return err
	}
	result, err := e.work(ctx, &p, s)
	if err != nil || result.Differing == 0 {
		return err
	}
	return errors.Join(&DifferError{Phase: s.Phase, Differing: result.Differing}, e.ledger.doubt(ctx))
}

// open reports whether one of the paths is served.
func (e *execution) open(s access.State, paths []string) bool {
	for _, path := range paths {
		if s.Paths[path] != 0 {
			return true
		}
	}
	return false
}

func (e *execution) close(s *access.State, paths []string) {
	for _, path := range paths {
		delete(s.Paths, path)
	}
}

// inAfter removes what only the last version stored, and ends the migration.
func (e *execution) inAfter(ctx context.Context, s access.State) error {
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	if p.Step == stepCleaned && p.Epoch == s.Epoch {
		_, err := e.raise(ctx, s, func(next *access.State) {
			next.Version, next.Migration, next.Phase, next.Least, next.Lease = e.migration.To, "", access.PhaseBefore, e.migration.To, e.options.peace()
		})
		return err
	}
	if err := e.tables(ctx, "contract"); err != nil {
		return err
	}
	p.Step = stepClean
	if _, err := e.work(ctx, &p, s); err != nil {
		return err
	}
	return e.after(ctx, s, stepCleaned)
}

const stepCleaned = "cleaned"

// backFromWrite ends the new paths, and then readers and writers leave the new parts.
func (e *execution) backFromWrite(ctx context.Context, s access.State) error {
	if e.open(s, e.migration.Opens) {
		_, err := e.raise(ctx, s, func(next *access.State) { e.close(next, e.migration.Opens) })
		return err
	}
	e.watch.stop() // writers begin to take the new parts away
	return e.enter(ctx, s, access.PhasePrepare)
}

// backFromPrepare removes the new parts, until a pass finds none.
func (e *execution) backFromPrepare(ctx context.Context, s access.State) error {
	p, err := e.ledger.progress(ctx)
	if err != nil {
		return err
	}
	p.Step = stepRemove
	result, err := e.work(ctx, &p, s)
	if err != nil {
		return err
	}
	if result.Changed > 0 {
		return e.after(ctx, s, stepRemove)
	}
	return e.enter(ctx, s, access.PhaseBefore)
}

// giveUp ends a migration that went back.
func (e *execution) giveUp(ctx context.Context, s access.State) error {
	_, err := e.raise(ctx, s, func(next *access.State) {
		next.Migration, next.Least, next.Lease = "", e.migration.From, e.options.peace()
		e.close(next, e.migration.Closes)
	})
	return err
}

// givenUp ends a run that went back. It stays so until an operator resumes at step deploy: another runner must not begin the
// migration again.
func (e *execution) givenUp(ctx context.Context) error {
	if err := e.tables(ctx, "withdraw"); err != nil {
		return err
	}
	return errDone
}

// A ConflictsError says that items cannot get their part.
type ConflictsError struct {
	Part            string
	Conflicts, Most int64
}

func (e *ConflictsError) Error() string {
	return fmt.Sprintf("migrate: %d items cannot get their part %s, and the run stops above %d: sortkey migrate conflicts lists them", e.Conflicts, e.Part, e.Most)
}

// A DifferError says that items do not have their parts in a phase in which nothing is repaired.
type DifferError struct {
	Phase     access.Phase
	Differing int64
}

func (e *DifferError) Error() string {
	return fmt.Sprintf("migrate: %d items do not have their part in phase %s, in which nothing is repaired: go back, and begin again", e.Differing, e.Phase)
}

func (r *Result) add(other Result) {
	r.Seen += other.Seen
	r.Changed += other.Changed
	r.Differing += other.Differing
	r.Conflicting += other.Conflicting
}
