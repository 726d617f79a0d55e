//go:build !linux && !darwin && !windows

package clock

import "time"

// sinceBoot reports that no clock counts the time that the machine slept.
func sinceBoot() (time.Duration, bool) { return 0, false }
