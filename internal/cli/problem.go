package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// helpHint is the next step when nothing better is known.
const helpHint = `Run "sortkey help" to see all commands.`

// A problem is an error with a next step for the person at the keyboard.
type problem struct {
	err   error
	next  []string // what to do about it: one sentence a line
	usage bool     // the command line is at fault, nothing was tried
}

func (p *problem) Error() string { return p.err.Error() }
func (p *problem) Unwrap() error { return p.err }

// misuse is a problem with the command line itself.
func misuse(text string, next ...string) error {
	return &problem{err: errors.New(text), next: next, usage: true}
}

// advise adds next steps to a failure.
func advise(err error, next ...string) error {
	return &problem{err: err, next: next}
}

// printError writes err and what to do about it, the way every command does.
func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "sortkey: %v\n", err)
	if p, ok := errors.AsType[*problem](err); ok {
		for _, line := range p.next {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// badFlag turns an error of the flag package into one with a suggestion.
func badFlag(command string, flags *flag.FlagSet, err error) error {
	hint := fmt.Sprintf("Run %q to see its flags.", "sortkey help "+command)
	// The flag package has no error types, only this sentence; a story in
	// testdata/script notices if it ever changes.
	unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return misuse(command+": "+doubleDash(flags, err.Error()), hint)
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	next := []string{hint}
	if near, ok := nearest(unknown, names); ok {
		next = []string{fmt.Sprintf("Did you mean --%s?", near), hint}
	}
	return misuse(fmt.Sprintf("%s: unknown flag --%s", command, unknown), next...)
}

// doubleDash spells the flags in a sentence of the flag package as our help does.
func doubleDash(flags *flag.FlagSet, sentence string) string {
	flags.VisitAll(func(f *flag.Flag) {
		sentence = strings.Replace(sentence, "flag -"+f.Name+":", "--"+f.Name+":", 1)
		sentence = strings.Replace(sentence, "argument: -"+f.Name, "argument: --"+f.Name, 1)
	})
	return sentence
}

// nearest returns the candidate a person most likely meant by name, if one is
// close enough to be worth a suggestion.
func nearest(name string, candidates []string) (string, bool) {
	best, bestDistance := "", max(len(name)/2, 1)+1
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(name), c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best, best != ""
}

// editDistance counts the letters to insert, delete, replace or swap with their
// neighbour to make b of a.
func editDistance(a, b string) int {
	var beforeLast []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], beforeLast[j-1]+1)
			}
		}
		beforeLast, last = last, row
	}
	return last[len(b)]
}
