package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sortkey.dev/access/provision"
	"sortkey.dev/apps/ecobid/ecobiddb"
	"sortkey.dev/apps/ecobid/server"
	"sortkey.dev/bench/internal/appbench"
	"sortkey.dev/engine"
)

// openSystem fills a new directory with items and serves it. Background work does not run: it would follow
// the changes that filled the city.
func openSystem(ctx context.Context, cfg config) (*appbench.System, error) {
	// A crash may take the items, which are made up.
	s, err := appbench.Open(cfg.Data, "ecobid", &engine.Options{Sync: engine.SyncRelaxed})
	if err != nil {
		return nil, err
	}
	if err := serve(ctx, cfg, s); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func serve(ctx context.Context, cfg config, s *appbench.System) error {
	if _, err := provision.Apply(ctx, s.DB.API(), ecobiddb.Tables(), provision.Options{Poll: time.Millisecond}); err != nil {
		return err
	}
	if err := fill(ctx, cfg, s.DB); err != nil {
		return fmt.Errorf("fill the city: %w", err)
	}
	// Each search has an address of its own.
	_, err := s.Serve(ctx, server.Open, true, map[string]string{"ECOBID_TRUST_PROXY": "1", "ECOBID_FILES": filepath.Join(s.Directory, "files")})
	return err
}
