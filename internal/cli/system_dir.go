package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// The directory of a system holds the directory of its database, the file of its secret, and the files
// that keepIn names.
const (
	databaseDir = "db"
	secretFile  = "secret"
	filesSuffix = "-files"
	demoSuffix  = "-demo.json"
)

// databaseStamp is the file by which the engine recognises the directory of a database.
const databaseStamp = "SORTKEY"

// isSystem reports whether a directory was made by run or demo.
func isSystem(dir string) bool {
	_, noSecret := os.Stat(filepath.Join(dir, secretFile))
	info, err := os.Stat(filepath.Join(dir, databaseDir))
	return noSecret == nil && err == nil && info.IsDir()
}

// isDatabase reports whether a directory holds a database, and not those of a system or of namespaces.
func isDatabase(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, databaseStamp))
	return err == nil
}

// directoryOfSystem returns the error of serve for the directory of a system.
func directoryOfSystem(dir string) error {
	inside := filepath.Join(dir, databaseDir)
	return advise(fmt.Errorf("%s is the directory of a system, and its database is in %s", dir, inside),
		"Stop the system, then serve its database: sortkey serve --data "+inside)
}

// checkSystemDir rejects a directory that run and demo must not write to: a database of serve, or one
// with other files. A directory that does not exist, is empty, or was used by a system is accepted.
func checkSystemDir(dir string) error {
	if isDatabase(filepath.Join(dir, databaseDir)) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return cannotCreate(dir, "--data", err)
	case err != nil:
		return advise(fmt.Errorf("cannot read %s: %w", dir, bare(err)), "--data must be a directory that the current user can read and write.")
	case isDatabase(dir):
		return databaseOfServe(dir)
	}
	for _, entry := range entries {
		if !ofSystem(entry.Name()) {
			return advise(fmt.Errorf("%s is not empty and holds no system: it holds %q", dir, entry.Name()),
				"--data must be a directory that sortkey run or demo created, or an empty or new one.")
		}
	}
	return nil
}

// databaseOfServe returns the error of run and demo for the directory of a database.
func databaseOfServe(dir string) error {
	next := "Give --data another directory, or serve this one: sortkey serve --data " + dir
	if parent := filepath.Dir(filepath.Clean(dir)); isSystem(parent) {
		next = "It belongs to the system in " + parent + ": use --data " + parent
	}
	return advise(fmt.Errorf("%s is a database, and a system keeps files beside its database", dir), next)
}

// ofSystem reports whether a name can be in the directory of a system whose database does not exist
// yet, or was removed. lost+found is in the root of a new file system.
func ofSystem(name string) bool {
	return name == databaseDir || name == secretFile || name == "lost+found" || strings.HasPrefix(name, secretTemporary) ||
		strings.HasSuffix(name, filesSuffix) || strings.HasSuffix(name, demoSuffix)
}
