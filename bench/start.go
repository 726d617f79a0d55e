package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

// startResult holds the start time of a server and the resources it needs when idle.
type startResult struct {
	Server      string        `json:"server"`
	Data        string        `json:"data"`
	FirstAnswer time.Duration `json:"first_answer_ns"` // from the start of the process, median
	Resident    int64         `json:"resident_bytes,omitempty"`
	Private     int64         `json:"private_bytes,omitempty"` // without pages of files, such as the program
}

// verdicts are about the time to the first answer and about the idle memory, for
// our server.
func (s startResult) verdicts() (start, idle verdict) {
	if s.Server != ownServer {
		return start, idle
	}
	start = verdict{what: "start: " + s.Data, system: s.Server, got: duration(s.FirstAnswer), want: "< " + duration(startBelow), met: s.FirstAnswer < startBelow}
	if s.Resident > 0 {
		idle = verdict{what: "idle memory: " + s.Data, system: s.Server, got: megabytes(s.Resident), want: "< " + megabytes(idleBelow), met: s.Resident < idleBelow}
	}
	return start, idle
}

// settleTime is the idle time before the memory of a server is read: the runtime and
// the server give memory of the start back in the background.
const settleTime = 3 * time.Second

// startSection starts servers repeatedly and measures the time to the first response.
func (b *bench) startSection(ctx context.Context) (err error) {
	if !b.only.MatchString(sectionStart) {
		return nil
	}
	b.progress("Start: in memory, on an empty directory and on one with %d items.", b.items)
	program, err := b.serverProgram()
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, sectionStart)
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	full := filepath.Join(dir, "full")
	if err := loadDirectory(full, []*dataset{hotItems}, b.data()); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	plain := serverProgram{path: program.path}
	empty := 0
	for _, c := range []struct {
		server, data string
		start        func() (*child, error)
	}{
		{noopName, "", func() (*child, error) { return startChild(self, noopCommand) }},
		{ownServer, "in memory", func() (*child, error) { return plain.start("", "every-commit") }},
		{ownServer, "empty directory", func() (*child, error) {
			empty++
			return plain.start(filepath.Join(dir, fmt.Sprint("empty", empty)), "every-commit")
		}},
		{ownServer, fmt.Sprintf("%d items", b.items), func() (*child, error) { return plain.start(full, "every-commit") }},
	} {
		result, err := b.measureStart(ctx, c.start)
		if err != nil {
			return fmt.Errorf("start of %s: %w", c.server, err)
		}
		result.Server, result.Data = c.server, c.data
		b.results.Starts = append(b.results.Starts, result)
	}
	return nil
}

// measureStart starts a server once for each round. The last one is left alone
// for a while and its memory read.
func (b *bench) measureStart(ctx context.Context, start func() (*child, error)) (startResult, error) {
	var times []float64
	var result startResult
	for round := range b.rounds {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		took, memory, err := startOnce(start, round == b.rounds-1)
		if err != nil {
			return result, err
		}
		times = append(times, float64(took))
		result.Resident, result.Private = memory.resident, memory.private
	}
	result.FirstAnswer = time.Duration(httpload.Median(times))
	return result, nil
}

func startOnce(start func() (*child, error), settle bool) (took time.Duration, memory processPages, err error) {
	begin := time.Now()
	c, err := start()
	if err != nil {
		return 0, memory, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	conn, err := dial(c.url)
	if err != nil {
		return 0, memory, err
	}
	defer conn.close()
	if _, err := call(conn, "ListTables", []byte("{}")); err != nil {
		return 0, memory, err
	}
	took = time.Since(begin)
	if settle {
		time.Sleep(settleTime)
		memory = processMemory(c.cmd.Process.Pid)
	}
	return took, memory, nil
}
