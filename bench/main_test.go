package main

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/internal/cli"
)

// TestMain lets the test binary stand in for the programs that a run starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case noopCommand, profiledCommand:
			main()
			return
		case "serve":
			os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		}
	}
	os.Exit(m.Run())
}

func TestFlags(t *testing.T) {
	cfg, err := parseFlags([]string{"--peer", "a=http://127.0.0.1:1/", "--peer", "b=http://127.0.0.1:2", "--callers", "1, 8", "--sizes", "100"})
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.peers) != 2 || cfg.peers[0] != (peer{"a", "http://127.0.0.1:1"}) || len(cfg.callers) != 2 || cfg.callers[1] != 8 || cfg.sizes[0] != 100 {
		t.Errorf("parsed: %+v", cfg)
	}
	for _, args := range []string{
		"--peer=x", "--peer==http://a", "--only=(", "--callers=0", "--callers=x", "--sizes=1,-1",
		"--items=150", "--read-items=10", "--items=0", "--sizes=50", "--rounds=0", "--slice=0s", "--projection=SOME", "extra",
	} {
		if _, err := parseFlags([]string{args}); err == nil {
			t.Errorf("%s was accepted", args)
		}
	}
}

func TestOnlyChoosesRows(t *testing.T) {
	cfg, err := parseFlags([]string{"--only", "^http/(get|put-fsync)/1$|query/16"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, section := range []string{sectionProcess, sectionHTTP} {
		for _, r := range plannedRows(section, workloads, cfg.callers, cfg.only) {
			got = append(got, r.label())
		}
	}
	if want := "process/query/16 http/get/1 http/query/16 http/put-fsync/1"; strings.Join(got, " ") != want {
		t.Errorf("rows: %v, want %s", got, want)
	}
}

// TestRun measures a bit of everything, with a real server in another process
// and a peer, and looks at what was found, not at how fast it was.
func TestRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(loadedEngine(t))
	defer other.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "results.json")
	cfg, err := parseFlags([]string{
		"--rounds", "1", "--slice", "5ms", "--items", "100", "--read-items", "200", "--callers", "2", "--sizes", "100,200", "--dir", dir,
		"--stream-records", "200", "--backfill-items", "200", "--memory-items", "100", "--idle", "1ms",
		"--server", self, "--peer", "other=" + other.URL, "--json", file, "--only", "^process|^http|^stream|^backfill|^start|^latency/get|^flat|^memory/(puts|scans|mixed)",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got results
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	checkRows(t, got.Rows)
	if len(got.Starts) != 4 || len(got.Sizes) != 2 {
		t.Errorf("%d starts and %d sizes", len(got.Starts), len(got.Sizes))
	}
	if len(got.Memory) != 3 || got.Memory[2].After <= 0 {
		t.Errorf("memory: %+v", got.Memory)
	}
	for _, s := range got.Starts {
		if s.FirstAnswer <= 0 {
			t.Errorf("%s, %s: no time", s.Server, s.Data)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "sortkey-bench-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	c, err := dial(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if answer, err := call(c, "ListTables", []byte("{}")); err != nil || strings.Contains(string(answer), "bench-") {
		t.Errorf("tables left at the peer: %s %v", answer, err)
	}
}

// checkRows wants every row of the run above to hold its systems.
func checkRows(t *testing.T, rows []rowResult) {
	t.Helper()
	want := map[string]int{}
	for _, w := range workloads {
		want[label(sectionProcess, w.id, 2)] = 4
		want[label(sectionHTTP, w.id, 2)] = 2
		if w.fsync || w.reads() {
			want[label(sectionHTTP, w.id, 2)] = 3
		}
	}
	want[label(sectionLatency, "get", 1)] = 3
	for _, w := range streamWorkloads {
		want[label(sectionStream, w.id, 1)] = 5
	}
	for _, w := range backfillWorkloads {
		want[label(sectionBackfill, w.id, 1)] = 2
	}
	for _, w := range flatWorkloads {
		want[label(sectionFlat, w.id, 1)] = 2
		want[label(sectionFlat, w.id+rawSuffix, 1)] = 2
	}
	for _, r := range rows {
		name := label(r.Section, r.Workload, r.Callers)
		if len(r.Systems) != want[name] || r.Error != "" {
			t.Errorf("%s: %d systems, want %d; error %q", name, len(r.Systems), want[name], r.Error)
		}
		delete(want, name)
		for _, s := range r.Systems {
			if s.Rate <= 0 || s.P50 <= 0 || s.P99 < s.P50 {
				t.Errorf("%s, %s: %+v", name, s.System, s)
			}
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

// TestRunProfiles has the server write a profile.
func TestRunProfiles(t *testing.T) {
	dir := t.TempDir()
	cfg, err := parseFlags([]string{
		"--rounds", "1", "--slice", "5ms", "--items", "100", "--callers", "1", "--dir", dir,
		"--server", "unused", "--profiles", filepath.Join(dir, "profiles"), "--only", "^http/get",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"bench.cpu.pprof", "bench.allocs.pprof", "http-server-every-commit.cpu.pprof", "http-server-relaxed.allocs.pprof",
	} {
		if info, err := os.Stat(filepath.Join(dir, "profiles", name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunSaysWhatFailed(t *testing.T) {
	silent := httptest.NewServer(nil) // answers 404
	defer silent.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := parseFlags([]string{
		"--rounds", "1", "--slice", "1ms", "--items", "100", "--dir", t.TempDir(),
		"--server", self, "--peer", "other=" + silent.URL, "--only", "^http/get/1$",
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg.slice = time.Millisecond
	if err := run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "peer other: table") {
		t.Errorf("got %v", err)
	}
}
