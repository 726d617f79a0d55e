package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"sortkey.dev/engine"
	"sortkey.dev/internal/namespaces"
)

// openEngine opens the engine that the flags of serve describe.
func openEngine(cfg serveConfig, logger *slog.Logger) (database, error) {
	if err := cfg.checkFolders(); err != nil {
		return nil, err
	}
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
	case errors.Is(err, engine.ErrForeign) && isSystem(cfg.data):
		return nil, directoryOfSystem(cfg.data)
	}
	return nil, adviseOpen(cfg.data, err)
}

// storeMemory returns the memory of the store; 0 if the data is in memory, or if there are as many stores as
// namespaces come.
func (c serveConfig) storeMemory() int64 {
	if c.data == "" || c.namespaces > 0 {
		return 0
	}
	return (&engine.Options{CacheBytes: int64(c.cache)}).StoreMemory()
}

// checkFolders rejects folders of serve that would only fail in a later request. It makes the folder of
// --kinesis-dir, as the engine does for the first destination.
func (c serveConfig) checkFolders() error {
	if err := c.checkBulkDir(); err != nil || c.kinesisDir == "" {
		return err
	}
	if err := os.MkdirAll(c.kinesisDir, 0o755); err != nil {
		return cannotCreate(c.kinesisDir, "--kinesis-dir", err)
	}
	trial, err := os.CreateTemp(c.kinesisDir, ".sortkey-*")
	if err != nil {
		return cannotCreate(filepath.Join(c.kinesisDir, "*.jsonl"), "--kinesis-dir", err)
	}
	return errors.Join(trial.Close(), os.Remove(trial.Name()))
}

func (c serveConfig) checkBulkDir() error {
	if c.bulkDir == "" {
		return nil
	}
	info, err := os.Stat(c.bulkDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return advise(fmt.Errorf("%s does not exist", c.bulkDir), "The folders in --bulk-dir are the buckets. Create it first: mkdir -p "+c.bulkDir)
	case err != nil:
		return advise(fmt.Errorf("cannot open %s: %w", c.bulkDir, bare(err)), "--bulk-dir must be a directory that the current user can read.")
	case !info.IsDir():
		return advise(fmt.Errorf("%s is a file", c.bulkDir), "--bulk-dir must be a directory: the folders in it are the buckets.")
	}
	return nil
}

// openNamespaces prepares databases below the directory of the flags.
func openNamespaces(cfg serveConfig, logger *slog.Logger) (database, error) {
	if err := checkNamespacesDir(cfg.data); err != nil {
		return nil, err
	}
	front := cfg
	front.data = ""
	db, err := openEngine(front, logger)
	if err != nil {
		return nil, err
	}
	return namespaces.New(namespaces.Options{
		Region: cmp.Or(cfg.region, "us-east-1"), Most: cfg.namespaces, Front: db, Log: logger,
		Open: func(name namespaces.Name) (namespaces.Database, error) { return openEngine(cfg.of(name), logger) },
	}), nil
}

// checkNamespacesDir rejects a directory that cannot hold the databases of namespaces.
func checkNamespacesDir(dir string) error {
	if dir == "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(dir, databaseStamp))
	switch {
	case err == nil:
		return advise(fmt.Errorf("%s holds one database, and with --namespaces it would hold several", dir),
			"Give --data another directory, or leave --namespaces out.")
	case errors.Is(err, syscall.ENOTDIR):
		return cannotCreate(dir, "--data", err)
	case isSystem(dir):
		return directoryOfSystem(dir)
	}
	return nil
}

// of returns the flags for one namespace.
func (c serveConfig) of(name namespaces.Name) serveConfig {
	c.region = name.Region
	if c.data != "" {
		c.data = filepath.Join(c.data, name.Dir())
	}
	if c.kinesisDir != "" { // a file of records has one writer
		c.kinesisDir = filepath.Join(c.kinesisDir, name.Dir())
	}
	return c
}

// adviseOpen adds the next step to the error of a directory that the engine cannot open. The
// engine's error names the directory and the problem.
func adviseOpen(dir string, err error) error {
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
	case errors.Is(err, syscall.EROFS):
		return advise(err, "It is mounted read-only: choose another place for --data.")
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return cannotCreate(dir, "--data", err)
	case errors.Is(err, syscall.ENOSPC):
		return advise(err, "Make room, and run the same command again.")
	default:
		return advise(err, "--data must be a directory that sortkey created, or an empty or new one.")
	}
}
