package main

import (
	"context"
	"errors"

	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/bench/internal/appbench"
)

// openSystem starts Ask-a-Human in this process, on a directory, as "sortkey run" does.
// It believes X-Forwarded-For, so that the load can come from many addresses.
func openSystem(ctx context.Context, below string) (*appbench.System, error) {
	s, err := appbench.Open(below, "askahuman", nil)
	if err != nil {
		return nil, err
	}
	opened, err := s.Serve(ctx, server.Open, false, map[string]string{"ASK_A_HUMAN_TRUST_PROXY": "1"})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Run(ctx, opened)
	return s, nil
}
