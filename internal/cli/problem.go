package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"sortkey.dev/design"
)

// helpHint is the next step when nothing better is known.
const helpHint = `Run "sortkey help" to see all commands.`

// A problem is an error with next steps for the user.
type problem struct {
	err   error
	next  []string // next steps, one sentence a line
	usage bool     // the command line is invalid, nothing was tried
}

func (p *problem) Error() string { return p.err.Error() }
func (p *problem) Unwrap() error { return p.err }

// misuse returns a problem with the command line itself.
func misuse(text string, next ...string) error {
	return &problem{err: errors.New(text), next: next, usage: true}
}

// advise adds next steps to a failure.
func advise(err error, next ...string) error {
	return &problem{err: err, next: next}
}

// printError prints err and the next steps.
func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "sortkey: %v\n", err)
	if p, ok := errors.AsType[*problem](err); ok {
		for _, line := range p.next {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// A failure is an error in JSON.
type failure struct {
	Message string   `json:"message"`
	Hints   []string `json:"hints"` // next steps
}

func failureOf(err error) failure {
	f := failure{err.Error(), []string{}}
	if p, ok := errors.AsType[*problem](err); ok {
		f.Hints = append(f.Hints, p.next...)
	}
	return f
}

// printFailure prints err as one JSON object on one line: serve prints
// one for each event.
func printFailure(w io.Writer, err error) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.Encode(struct {
		Error failure `json:"error"`
	}{failureOf(err)})
}

// A reportedError is already part of the command's own JSON object.
type reportedError struct{ error }

func (e *reportedError) Unwrap() error { return e.error }

// badFlag adds a suggestion to an error of the flag package.
func badFlag(command string, flags *flag.FlagSet, args []string, err error) error {
	hint := fmt.Sprintf("Run %q to see its flags.", "sortkey help "+command)
	// The flag package has no error types, only this message; a test in
	// testdata/script fails if it ever changes.
	unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return misuse(command+": "+doubleDash(flags, err.Error()), hint)
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	next := []string{hint}
	if near, ok := design.Nearest(unknown, names); ok {
		next = []string{fmt.Sprintf("Did you mean --%s?", near), hint}
	}
	return misuse(fmt.Sprintf("%s: unknown flag %s", command, asTyped(unknown, args)), next...)
}

// asTyped returns an unknown flag with as many dashes as in the command line.
func asTyped(name string, args []string) string {
	for _, arg := range args {
		typed, _, _ := strings.Cut(arg, "=")
		if typed == "-"+name || typed == "--"+name {
			return typed
		}
	}
	return "--" + name
}

// doubleDash spells the flags in a message of the flag package with two dashes.
func doubleDash(flags *flag.FlagSet, sentence string) string {
	flags.VisitAll(func(f *flag.Flag) {
		sentence = strings.Replace(sentence, "flag -"+f.Name+":", "--"+f.Name+":", 1)
		sentence = strings.Replace(sentence, "argument: -"+f.Name, "argument: --"+f.Name, 1)
	})
	return sentence
}
