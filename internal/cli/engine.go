package cli

import (
	"errors"
	"io/fs"
	"log/slog"

	"sortkey.dev/engine"
)

// openEngine opens the engine that the flags of serve describe.
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
	return nil, adviseOpen(err)
}

// adviseOpen adds the next step to the error of a directory that the engine cannot open. The
// engine's error names the directory and the problem.
func adviseOpen(err error) error {
	switch {
	case errors.Is(err, engine.ErrLocked):
		return advise(err, "One process at a time can use a directory.")
	case errors.Is(err, engine.ErrFormat):
		return advise(err, "Use the version of sortkey that wrote it, or a newer one.")
	case errors.Is(err, engine.ErrForeign):
		return advise(err, "--data must be a directory that sortkey created, or an empty or new one.",
			"One that was made with --namespaces is opened with --namespaces only.")
	case errors.Is(err, fs.ErrPermission):
		return advise(err, "--data must be a directory that the current user can write.")
	default:
		return advise(err, "--data must be a directory that sortkey created, or an empty or new one.")
	}
}
