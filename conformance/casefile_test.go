package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A caseFile is one behaviour: a story of requests and answers.
type caseFile struct {
	folder string
	name   string   // the file's name without its extension
	doors  []string // nil means all
	local  bool     // the case does not hold on a service that takes hours
	steps  []step
}

// A step is one request, sent times times, and the expected answer.
type step struct {
	place     string // file:line
	operation string
	times     int
	request   string // JSON with placeholders that are filled when it runs
	want      expectation
	keep      []kept // what later steps use of its answer
}

// A kept is a part of an answer that later steps call ${name}.
type kept struct{ name, path string }

// An expectation is the expected answer of a step.
type expectation struct {
	kind    expectationKind
	answer  string // JSON, for wantAnswer and wantMembers
	code    string // for wantError, like the fields below
	message string
	partial bool   // the message must contain the text instead of being it
	with    string // JSON: the members of the error besides its message

	eventually bool // the step is repeated until this holds
}

type expectationKind int

const (
	wantSuccess expectationKind = iota
	wantAnswer
	wantMembers
	wantError
)

// readCases reads all case files below root, in order of their names.
func readCases(root string) ([]caseFile, error) {
	var files []caseFile
	var problems []error
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parseCase(path, string(text))
		problems = append(problems, err)
		files = append(files, file)
		return nil
	})
	return files, errors.Join(append(problems, err)...)
}

// parseCase reads one case file. All its errors start with the place they are about.
func parseCase(path, text string) (caseFile, error) {
	p := &caseParser{path: path, lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	folder, base := filepath.Split(path)
	file := caseFile{folder: filepath.Base(folder), name: strings.TrimSuffix(base, ".txt")}
	if !strings.HasSuffix(base, ".txt") {
		return file, p.errorf("a case file ends in .txt")
	}
	var err error
	if file.doors, err = p.head(); err != nil {
		return file, err
	}
	if p.skipBlank(); !p.atEnd() && p.lines[p.next] == "remote: no" {
		file.local = true
		p.next++
	}
	for p.skipBlank(); !p.atEnd(); p.skipBlank() {
		s, err := p.step()
		if err != nil {
			return file, err
		}
		file.steps = append(file.steps, s)
	}
	if len(file.steps) == 0 {
		return file, p.errorf("no steps")
	}
	if !slices.ContainsFunc(file.steps, func(s step) bool { return s.want.kind != wantSuccess }) {
		return file, p.errorf("no step expects more than ok: this case proves nothing")
	}
	return file, checkKept(file.steps)
}

type caseParser struct {
	path  string
	lines []string
	next  int // index of the line to be read
}

func (p *caseParser) atEnd() bool { return p.next >= len(p.lines) }

func (p *caseParser) place() string { return fmt.Sprintf("%s:%d", p.path, min(p.next+1, len(p.lines))) }

func (p *caseParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s", p.place(), fmt.Sprintf(format, args...))
}

func isComment(line string) bool { return strings.HasPrefix(line, "#") }

func (p *caseParser) skipBlank() {
	for !p.atEnd() && (isComment(p.lines[p.next]) || strings.TrimSpace(p.lines[p.next]) == "") {
		p.next++
	}
}

// head reads the comment at the top and the list of doors, if there is one.
func (p *caseParser) head() (doors []string, err error) {
	if !isComment(p.lines[0]) || strings.Trim(p.lines[0], "# ") == "" {
		return nil, p.errorf("the first line must be a comment that says what the user sees")
	}
	p.skipBlank()
	if p.atEnd() {
		return nil, nil
	}
	list, ok := strings.CutPrefix(p.lines[p.next], "doors:")
	if !ok {
		return nil, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(doorNames, name) {
			return nil, p.errorf("there is no door %q; doors are %s", name, strings.Join(doorNames, ", "))
		}
		doors = append(doors, name)
	}
	p.next++
	return doors, nil
}

// stepHead matches the first line of a step: PutItem {..., PutItem*25 {...
var stepHead = regexp.MustCompile(`^([A-Z][A-Za-z]*)(?:\*([0-9]+))?[ \t]*(\{.*)$`)

func (p *caseParser) step() (step, error) {
	s := step{place: p.place(), times: 1}
	head := stepHead.FindStringSubmatch(p.lines[p.next])
	if head == nil {
		return s, p.errorf("expected a step like: PutItem {...}, found %q", p.lines[p.next])
	}
	s.operation = head[1]
	if !isStep(s.operation) {
		return s, p.errorf("DynamoDB has no operation %s", s.operation)
	}
	if head[2] != "" {
		n, err := strconv.Atoi(head[2])
		if err != nil || n < 1 {
			return s, p.errorf("%s*%s: a step runs at least once", s.operation, head[2])
		}
		s.times = n
	}
	request, err := p.request(head[3])
	if err != nil {
		return s, err
	}
	s.request = request
	s.want, s.keep, err = p.expectation()
	return s, err
}

// request reads the JSON of a step and the line --- after it.
func (p *caseParser) request(first string) (string, error) {
	start := p.place()
	lines := []string{first}
	for p.next++; !p.atEnd() && strings.TrimRight(p.lines[p.next], " ") != "---"; p.next++ {
		if stepHead.MatchString(p.lines[p.next]) {
			return "", fmt.Errorf("%s: the step has no line --- before the next step at %s", start, p.place())
		}
		if !isComment(p.lines[p.next]) {
			lines = append(lines, p.lines[p.next])
		}
	}
	if p.atEnd() {
		return "", fmt.Errorf("%s: the step has no line ---", start)
	}
	p.next++
	text := repeated(strings.Join(lines, "\n"))
	if _, err := parseObject(withSamples(text)); err != nil {
		return "", fmt.Errorf("%s: the request is not JSON: %w", start, err)
	}
	return text, nil
}

// keepLine matches: keep arn = .TableDescription.LatestStreamArn
var keepLine = regexp.MustCompile(`^keep ([a-z][A-Za-z0-9]*) = ((?:\.[A-Za-z]+(?:\[[0-9]+\])*)+)$`)

// expectation reads what stands between --- and the next step: what is expected
// and what is kept.
func (p *caseParser) expectation() (expectation, []kept, error) {
	start := p.place()
	var lines []string
	var keep []kept
	for ; !p.atEnd() && !stepHead.MatchString(p.lines[p.next]); p.next++ {
		line := p.lines[p.next]
		if parts := keepLine.FindStringSubmatch(line); parts != nil {
			keep = append(keep, kept{parts[1], parts[2]})
		} else if !isComment(line) {
			lines = append(lines, line)
		}
	}
	want, err := parseExpectation(repeated(strings.Trim(strings.Join(lines, "\n"), "\n")))
	if err != nil {
		return want, nil, fmt.Errorf("%s: %w", start, err)
	}
	if keep != nil && want.kind == wantError {
		return want, nil, fmt.Errorf("%s: nothing can be kept of an error", start)
	}
	return want, keep, nil
}

func parseExpectation(text string) (expectation, error) {
	if rest, ok := strings.CutPrefix(text, "eventually "); ok {
		want, err := parseExpectation(strings.TrimSpace(rest))
		want.eventually = true
		return want, err
	}
	switch {
	case strings.TrimSpace(text) == "ok":
		return expectation{kind: wantSuccess}, nil
	case strings.HasPrefix(text, "{"):
		return expectation{kind: wantAnswer, answer: text}, checkObject(text)
	case strings.HasPrefix(text, "contains"):
		text = strings.TrimSpace(strings.TrimPrefix(text, "contains"))
		if text == "{}" {
			return expectation{}, errors.New("contains {} is always true; write ok")
		}
		return expectation{kind: wantMembers, answer: text}, checkObject(text)
	case strings.HasPrefix(text, "error "):
		return parseWantedError(strings.TrimPrefix(text, "error "))
	case strings.TrimSpace(text) == "":
		return expectation{}, errors.New("nothing is expected; write ok, an answer or an error")
	default:
		return expectation{}, fmt.Errorf("expected ok, {...}, contains {...} or error ..., found %q", shorten(text, 80))
	}
}

var errorCode = regexp.MustCompile(`^[A-Z][A-Za-z]+$`)

func parseWantedError(text string) (expectation, error) {
	want := expectation{kind: wantError}
	code, message, _ := strings.Cut(text, "\n")
	want.code = strings.TrimSpace(code)
	if !errorCode.MatchString(want.code) {
		return want, fmt.Errorf("%q is not an error code; the message stands on the next line", want.code)
	}
	if message, with, ok := cutWith(message); ok {
		want.message, want.with = message, with
		if err := checkObject(with); err != nil {
			return want, err
		}
	} else {
		want.message = message
	}
	if part, ok := strings.CutPrefix(want.message, "~ "); ok {
		want.message, want.partial = part, true
	}
	if want.message == "" {
		return want, errors.New("an error needs its message; write ~ and a part of it if the rest is not known")
	}
	return want, nil
}

var withLine = regexp.MustCompile(`(?m)^with\s*(?:$|\{)`)

// cutWith splits the text of an error into its message and the JSON after with.
func cutWith(text string) (message, with string, found bool) {
	at := withLine.FindStringIndex(text)
	if at == nil {
		return text, "", false
	}
	return strings.Trim(text[:at[0]], "\n"), strings.TrimSpace(strings.TrimPrefix(text[at[0]:], "with")), true
}

func checkObject(text string) error {
	if _, err := parseObject(withSamples(text)); err != nil {
		return fmt.Errorf("the expectation is not JSON: %w", err)
	}
	return nil
}

// checkKept refuses names that no earlier step keeps.
func checkKept(steps []step) error {
	known := []string{"i", "now"}
	for _, s := range steps {
		for _, text := range []string{s.request, s.want.answer, s.want.message, s.want.with} {
			for _, found := range keptPlaceholder.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(known, found[1]) {
					return fmt.Errorf("%s: no step before keeps %s", s.place, found[1])
				}
			}
		}
		for _, k := range s.keep {
			known = append(known, k.name)
		}
	}
	return nil
}
