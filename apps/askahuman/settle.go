package askahuman

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"sortkey.dev/access"
)

// How often something is tried that others keep changing, and how long a try waits at
// most before the next. The database's client has tried each write several times by then.
const (
	settleTries = 8
	settlePause = 40 * time.Millisecond
)

// untilSettled calls try until it is done. A try asks for another one by again, with or
// without an error; an error that says that others were in the way does so by itself. A
// try reads what it needs anew. After the last one its error stands.
func (s *Service) untilSettled(ctx context.Context, try func() (again bool, err error)) error {
	for n := 1; ; n++ {
		again, err := try()
		if !again && !access.Contended(err) {
			return err
		}
		if n == settleTries {
			if err == nil {
				err = errUnsettled
			}
			return err
		}
		if err == nil {
			continue
		}
		if stopped := pause(ctx, rand.N(settlePause)); stopped != nil {
			return errors.Join(stopped, err)
		}
	}
}

var errUnsettled = errors.New("askahuman: others changed the same thing again and again")

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// changedMeanwhile reports whether a write was refused because an item of a kind is not as
// it was when it was read.
func changedMeanwhile[T any](err error) bool {
	var unmet *access.ConditionError[T]
	return errors.As(err, &unmet)
}
