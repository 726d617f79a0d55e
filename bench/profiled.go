package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"sortkey.dev/engine"
)

// profiledCommand, as the first argument, makes this program a server like
// sortkey serve that writes profiles when it ends. sortkey itself has no
// such switch.
const profiledCommand = "profiled-server"

func serveProfiled(args []string) (err error) {
	flags := flag.NewFlagSet(profiledCommand, flag.ContinueOnError)
	data := flags.String("data", "", "")
	policy := flags.String("sync", "", "")
	profile := flags.String("profile", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sync := engine.SyncEveryCommit
	if *policy == "relaxed" {
		sync = engine.SyncRelaxed
	}
	db, err := engine.Open(*data, engineOptions(sync, 0))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	stop, err := profileTo(*profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return listenAndServe(true, db)
}

// startProfiled starts this program as a server. Its profiles are
// named after the section and how it syncs.
func (p serverProgram) startProfiled(data, policy string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	section := filepath.Base(filepath.Dir(data))
	name := filepath.Join(p.profiles, section+"-server-"+policy)
	return startChild(self, profiledCommand, "-data", data, "-sync", policy, "-profile", name)
}
