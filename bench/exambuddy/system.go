package main

import (
	"context"
	"errors"

	"sortkey.dev/apps/exambuddy/server"
	"sortkey.dev/bench/internal/appbench"
)

// openSystem starts ExamBuddy in this process, on a directory, as "sortkey run" does.
// It believes X-Forwarded-For, so that the load can come from many addresses.
func openSystem(ctx context.Context, below string) (*appbench.System, error) {
	s, err := appbench.Open(below, "exambuddy", nil)
	if err != nil {
		return nil, err
	}
	opened, err := s.Serve(ctx, server.Open, true, map[string]string{"EXAMBUDDY_TRUST_PROXY": "1"})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Run(ctx, opened)
	return s, nil
}
