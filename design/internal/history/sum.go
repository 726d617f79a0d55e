package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

const sumPrefix = "h1:"

// A line of the file of checksums.
type sumLine struct{ file, sum string }

// lines returns the checksums of the files in their order. Each is that of the file and of the
// line before, so that two branches which both add a version conflict here when they are merged.
func (h *History) lines() []sumLine {
	var lines []sumLine
	before := ""
	for _, name := range h.names() {
		hash := sha256.New()
		fmt.Fprintf(hash, "%s\n%s\n", before, name)
		hash.Write(bytes.ReplaceAll(h.files[name], []byte("\r\n"), []byte("\n")))
		before = sumPrefix + base64.StdEncoding.EncodeToString(hash.Sum(nil))
		lines = append(lines, sumLine{name, before})
	}
	return lines
}

// printSum returns the file of checksums: one of all, then one for each file.
func printSum(lines []sumLine) []byte {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%s %s\n", line.file, line.sum)
	}
	whole := sha256.Sum256([]byte(b.String()))
	return []byte(sumPrefix + base64.StdEncoding.EncodeToString(whole[:]) + "\n" + b.String())
}

// checkSum compares the files with the file of checksums.
func (h *History) checkSum() []Problem {
	if h.sum == nil {
		return []Problem{{File: SumFile, Message: "the file of checksums is missing", Fix: "Restore it from version control."}}
	}
	text := strings.ReplaceAll(string(h.sum), "\r\n", "\n")
	if at := conflictMark(text); at > 0 {
		return []Problem{{File: SumFile, Line: at, Forked: true, Message: "the file has the marks of a merge conflict: two branches added a version",
			Fix: "Keep the files of both versions, and run sortkey plan --rebase VERSION with the one that comes later."}}
	}
	have := map[string]sumLine{}
	at := map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		file, sum, ok := strings.Cut(line, " ")
		if i > 0 && ok {
			have[file], at[file] = sumLine{file, sum}, i+1
		}
	}
	var problems []Problem
	lines := h.lines()
	for _, line := range lines {
		stored, listed := have[line.file]
		delete(have, line.file)
		switch {
		case !listed:
			problems = append(problems, Problem{File: line.file, Message: "the file is not listed in " + SumFile, Fix: "Versions are added by sortkey plan; remove the file, or restore " + SumFile + "."})
		case stored != line:
			return append(problems, Problem{File: line.file, Message: "the file is not what it was when it was planned", // what follows it differs, too
				Fix: "Restore it from version control. What is yours in a migration may be changed with sortkey plan --edited."})
		}
	}
	for file := range have {
		problems = append(problems, Problem{File: file, Message: "the file is listed in " + SumFile + " and missing", Fix: "Restore it from version control."})
	}
	if len(problems) == 0 && !bytes.Equal([]byte(text), printSum(lines)) {
		problems = append(problems, Problem{File: SumFile, Line: 1, Message: "the file of checksums was edited", Fix: "Restore it from version control."})
	}
	return problems
}

// conflictMark returns the line of a mark that git leaves in a merge conflict, or 0.
func conflictMark(text string) int {
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, ">>>>>>>") || line == "=======" {
			return i + 1
		}
	}
	return 0
}
