package conformance

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// A clock is the time of one engine. It goes on by itself and can be moved forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// advance runs the step Clock {"Advance": "10m"}.
func (c *clock) advance(request string) error {
	tree, err := parseObject(request)
	if err != nil {
		return err
	}
	text, ok := tree["Advance"].(string)
	if !ok || len(tree) != 1 {
		return errors.New(`the step is written as Clock {"Advance": "10m"}`)
	}
	by, err := time.ParseDuration(text)
	if err != nil || by <= 0 {
		return fmt.Errorf("a clock cannot be advanced by %q", text)
	}
	c.ahead.Add(int64(by))
	return nil
}
