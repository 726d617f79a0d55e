package cli

import (
	"log/slog"

	"sortkey.dev/engine"
)

// openEngine opens the engine the flags of serve describe.
func openEngine(cfg serveConfig, logger *slog.Logger) (database, error) {
	policy := engine.SyncEveryCommit
	if cfg.sync.value == "relaxed" {
		policy = engine.SyncRelaxed
	}
	wording := engine.WordingCurrent
	if cfg.wording.value == "older" {
		wording = engine.WordingOlder
	}
	db, err := engine.Open(cfg.data, &engine.Options{
		Logger:     logger,
		Sync:       policy,
		CacheBytes: int64(cfg.cache),
		Region:     cfg.region,
		Account:    cfg.account,

		AllowOrigin:    cfg.allowOrigin,
		Wording:        wording,
		ExpiryInterval: cfg.expiryInterval,
		BulkDir:        cfg.bulkDir,
		KinesisDir:     cfg.kinesisDir,
	})
	switch {
	case err == nil:
		return db, nil
	case cfg.data == "":
		return nil, err
	}
	// The engine's error names the directory and what is wrong with it.
	return nil, advise(err, "One process at a time can use a directory.",
		"--data wants one that sortkey made, an empty or a new one.")
}
