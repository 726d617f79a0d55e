package conformance

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A stage is where a case is played: a door, and what is around it.
type stage struct {
	door
	clock    *clock        // of the engine behind the door; nil if it cannot be moved
	patience time.Duration // how long a step is repeated that holds eventually
}

// A play is a case while it runs.
type play struct {
	stage
	started  time.Time
	previous map[string]any    // the answer of the step before
	kept     map[string]string // what steps before kept of their answers
}

// play runs the steps of a case, one after the other.
func (s stage) play(t *testing.T, file caseFile) {
	p := &play{stage: s, started: time.Now(), kept: map[string]string{}}
	for _, s := range file.steps {
		for i := range s.times {
			got, problem, err := p.step(t.Context(), s, i)
			if err != nil {
				t.Fatalf("%s: %s: %v", s.place, s.operation, err)
			}
			if problem != "" {
				t.Errorf("%s: %s: %s", s.place, s.operation, problem)
				if got.failure != nil && s.want.kind != wantError {
					return // the steps after it would only repeat that
				}
			}
			p.previous = got.output
		}
		if err := p.keep(s.keep); err != nil {
			t.Fatalf("%s: %s: %v", s.place, s.operation, err)
		}
	}
}

// step runs a step and says how its answer is not what was expected, or
// nothing. A step that holds eventually is repeated until it does.
func (p *play) step(ctx context.Context, s step, i int) (answer, string, error) {
	request, err := withPrevious(p.fill(counted(s.request, i)), p.previous)
	if err != nil {
		return answer{}, "", err
	}
	for end := time.Now().Add(p.patience); ; time.Sleep(10 * time.Millisecond) {
		got, err := p.run(ctx, s.operation, request)
		if err != nil {
			return got, "", err
		}
		problem := s.want.check(s.operation, got, p.fill)
		if problem == "" || !s.want.eventually || time.Now().After(end) {
			return got, problem, nil
		}
	}
}

// run runs one of the suite's own steps, or calls an operation.
func (p *play) run(ctx context.Context, operation, request string) (answer, error) {
	switch operation {
	case readStream:
		return readWholeStream(ctx, p.door, request)
	case moveClock:
		return answer{output: map[string]any{}}, p.clock.advance(request)
	default:
		return p.call(ctx, operation, request)
	}
}

// fill replaces the placeholders whose values are known when a step runs.
func (p *play) fill(text string) string {
	return withKept(withNow(withArns(text, p.arn), p.started), p.kept)
}

// keep remembers parts of the last answer.
func (p *play) keep(parts []kept) error {
	for _, part := range parts {
		value, err := member(p.previous, part.path)
		if err != nil {
			return fmt.Errorf("keep %s: %w", part.name, err)
		}
		text, ok := value.(string)
		if !ok {
			return fmt.Errorf("keep %s: %s is no string: %s", part.name, part.path, inJSON(value))
		}
		p.kept[part.name] = text
	}
	return nil
}

// check says how an answer is not what was expected, or nothing.
func (want expectation) check(operation string, got answer, fill func(string) string) string {
	if want.kind == wantError {
		return want.checkFailure(operation, got, fill)
	}
	if f := got.failure; f != nil {
		return fmt.Sprintf("failed:\n\tgot  %s\n\t     %s", f.code, shorten(f.message, 2000))
	}
	if want.kind == wantSuccess {
		return ""
	}
	tree, err := parseObject(fill(want.answer))
	if err != nil {
		return err.Error()
	}
	return report(compare(operation, got.output, tree, want.kind == wantMembers), got.output)
}

func (want expectation) checkFailure(operation string, got answer, fill func(string) string) string {
	message := fill(want.message)
	f := got.failure
	switch {
	case f == nil:
		return fmt.Sprintf("succeeded with %s\n\twant %s\n\t     %s", inJSON(got.output), want.code, shorten(message, 2000))
	case f.byClient:
		return ""
	case f.code == want.code && (f.message == message || want.partial && strings.Contains(f.message, message)):
		return want.checkMembers(operation, f, fill)
	}
	return fmt.Sprintf("another error:\n\tgot  %s\n\t     %s\n\twant %s\n\t     %s", f.code, shorten(f.message, 2000), want.code, shorten(message, 2000))
}

// checkMembers compares what an error carries besides its message.
func (want expectation) checkMembers(operation string, f *failure, fill func(string) string) string {
	members := map[string]any{}
	if want.with != "" {
		var err error
		if members, err = parseObject(fill(want.with)); err != nil {
			return err.Error()
		}
	}
	if f.members == nil {
		f.members = map[string]any{}
	}
	return report(compare(operation, f.members, members, false), f.members)
}

func report(differences []string, got map[string]any) string {
	if len(differences) == 0 {
		return ""
	}
	return strings.Join(differences, "\n\t") + "\n\twhole answer: " + inJSON(got)
}
