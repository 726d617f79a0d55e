package evolve_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"sortkey.dev/access"
	"sortkey.dev/engine"
	"sortkey.dev/internal/evolve"
)

// childVariable names the variable with the directories of a child: that of the data and that of the designs.
const childVariable = "SORTKEY_TEST_EVOLVE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child brings a directory to the newest version, and prints a line for each status.
func child(dir string) error {
	db, err := engine.Open(dir+"/data", nil)
	if err != nil {
		return err
	}
	k := evolve.New(evolve.Options{
		API: db.API(), Designs: os.DirFS(dir + "/designs"), Alone: true,
		Progress: func(p evolve.Progress) { fmt.Println(p.Phase, p.Step, p.Done) },
	})
	if _, err := k.Keep(context.Background(), access.NewClient(db.API(), access.Design{Name: "Notes"}, access.WithTablePrefix("p-")), nil); err != nil {
		return err
	}
	return db.Close()
}

// TestKilledAnywhere kills the process that brings a directory to the next version after each few lines of its progress, and
// lets the next one go on.
func TestKilledAnywhere(t *testing.T) {
	versions := histories(t, notes1, notes2)
	const n = 200
	for lines, whole := 1, false; !whole && !t.Failed(); lines += 9 {
		dir := t.TempDir()
		if err := os.CopyFS(dir+"/designs", versions[1]); err != nil {
			t.Fatal(err)
		}
		db := open(t, dir+"/data")
		if _, _, err := keep(t, versions[0], evolve.Options{API: db.API(), Alone: true}); err != nil {
			t.Fatal(err)
		}
		write(t, db.API(), n)
		db.Close()
		whole = killedAfter(t, dir, lines)
		db = open(t, dir+"/data")
		if _, _, err := keep(t, versions[1], evolve.Options{API: db.API(), Alone: true}); err != nil {
			t.Fatalf("killed after %d lines: %v", lines, err)
		}
		are(t, db.API(), 2, n)
		db.Close()
	}
}

// killedAfter runs the child until it has printed some lines. It reports whether the child ended by itself.
func killedAfter(t *testing.T, dir string, lines int) bool {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), childVariable+"="+dir)
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = process.Wait() }() // it says that it was killed
	for printed := bufio.NewScanner(out); printed.Scan(); {
		if lines--; lines == 0 {
			_ = process.Process.Kill()
			return false
		}
	}
	return true
}
