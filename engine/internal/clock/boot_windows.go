package clock

import (
	"time"

	"golang.org/x/sys/windows"
)

// sinceBoot returns the time since the machine was started, including the time it slept.
func sinceBoot() (time.Duration, bool) { return windows.DurationSinceBoot(), true }
