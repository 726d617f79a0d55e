package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sortkey.dev/design"
)

// errPrinted ends a command with a failure that is already printed.
var errPrinted = errors.New("already printed")

// styleOf returns the style of results on a writer: coloured on a terminal, plain
// elsewhere, and as wide as COLUMNS.
func styleOf(w io.Writer) design.Style {
	plain := painter(w)(bold, "x") == "x"
	style := design.Style{Color: !plain}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		style.Width = columns
	}
	return style
}

// openDesign reads one design. Its error says what to do.
func openDesign(path string) (*design.Design, error) {
	d, err := design.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return d, nil
}

// designFile returns the file of a design, which names what is written beside it. A directory of one
// file stands for that file. A directory of several files gets a file in it with the name of the
// directory, which need not exist.
func designFile(path string) (file string, several bool) {
	files, err := design.Files(path)
	switch {
	case err != nil:
		return filepath.Clean(path), false
	case len(files) == 1:
		return filepath.Clean(files[0]), false
	}
	full, err := filepath.Abs(path)
	if err != nil {
		full = path
	}
	return filepath.Join(path, filepath.Base(full)+".design.yaml"), true
}

// openDesignOr is openDesign, but reads the design from in if the path is "-", as editors and hooks send
// it.
func openDesignOr(in io.Reader, path string) (*design.Design, error) {
	if path != "-" {
		return openDesign(path)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, misuse(fmt.Sprintf("cannot read the design from the standard input: %v", err))
	}
	return design.Parse("stdin.design.yaml", text), nil
}

// unreadable returns the error for a design that cannot be read. It counts as an invalid
// command line.
func unreadable(path string, err error) error {
	next := []string{`Name a design file, such as shop.design.yaml, or a directory of them.`, `To start a new one: sortkey init`}
	if _, statErr := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && errors.Is(statErr, fs.ErrNotExist) {
		return misuse(path+" does not exist", next...)
	}
	var file *fs.PathError
	if !errors.As(err, &file) { // a directory without designs
		return misuse(err.Error(), next...)
	}
	return misuse(fmt.Sprintf("cannot read the design: %v", err))
}

// oneDesign opens the only argument of a command that works on one design.
func oneDesign(name string, args []string) (*design.Design, error) {
	if len(args) != 1 {
		return nil, misuse(fmt.Sprintf("%s takes one design, got %s", name, arguments(len(args))),
			fmt.Sprintf("For example: sortkey %s shop.design.yaml", name))
	}
	return openDesign(args[0])
}

// arguments returns the number of arguments in words.
func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// usable prints the findings of a design that is too broken to use: to the
// terminal for people, as the result for programs.
func usable(s streams, err error, asJSON bool) error {
	broken, ok := errors.AsType[*design.BrokenError](err)
	switch {
	case !ok:
		return err
	case asJSON:
		err = broken.Findings.JSON(s.out)
	default:
		err = broken.Findings.Text(s.err, styleOf(s.err))
	}
	if err != nil {
		return err
	}
	return errPrinted
}

// words is a flag that takes words separated by commas, and may be repeated.
type words []string

// String and Set make words a flag.Value.
func (w *words) String() string { return strings.Join(*w, ",") }

// Set adds words.
func (w *words) Set(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			*w = append(*w, word)
		}
	}
	return nil
}

// workloadFlags holds the flags of every command that computes costs.
type workloadFlags struct {
	profile, scale, prices, region, alternative string
	tags                                        words
	settled                                     bool
}

func declareWorkload(flags *flag.FlagSet) *workloadFlags {
	var f workloadFlags
	flags.StringVar(&f.profile, "profile", "", "use the rates of this `PROFILE` of the design")
	flags.StringVar(&f.scale, "scale", "", "multiply all rates and counts by this `NUMBER`")
	flags.StringVar(&f.prices, "prices", "", "read prices from this `FILE` instead of the built-in ones")
	flags.StringVar(&f.region, "region", "", "use the prices of this AWS `REGION` instead of the design's")
	flags.StringVar(&f.alternative, "alternative", "", "use this `ALTERNATIVE` of the design instead of its main layout")
	flags.Var(&f.tags, "tags", "only patterns and entities with one of these `TAGS`, such as phase1,phase2")
	return &f
}

func (f *workloadFlags) workload() (design.Workload, error) {
	w := design.Workload{Profile: f.profile, Scale: f.scale, Region: f.region, Tags: f.tags, Alternative: f.alternative, Settled: f.settled}
	if f.prices == "" {
		return w, nil
	}
	if f.region != "" {
		return w, misuse("--prices and --region cannot be combined", "Give one of them.")
	}
	text, err := os.ReadFile(f.prices)
	if err != nil {
		return w, misuse(fmt.Sprintf("cannot read the price file: %v", err))
	}
	w.Prices = text
	return w, nil
}

// declareSettled adds the flag of commands that answer for all versions of a design that are in use.
func declareSettled(flags *flag.FlagSet, settled *bool) {
	flags.BoolVar(settled, "settled", false, "leave out the versions before, also if the last migration of the history is not settled")
}

// onDesign sets up a command that runs one query about a workload on one design.
func onDesign(name string, ask func(*design.Design, design.Workload) (result, error), more ...func(*flag.FlagSet, *workloadFlags)) func(*flag.FlagSet) action {
	return func(flags *flag.FlagSet) action {
		asJSON := flags.Bool("json", false, "print one JSON object")
		chosen := declareWorkload(flags)
		for _, declare := range more {
			declare(flags, chosen)
		}
		return func(s streams, args []string) error {
			d, err := oneDesign(name, args)
			if err != nil {
				return err
			}
			workload, err := chosen.workload()
			if err != nil {
				return err
			}
			answer, err := ask(d, workload)
			if err != nil {
				return usable(s, err, *asJSON)
			}
			return printResult(s, answer, *asJSON)
		}
	}
}

// notePlanned says on standard error that a design differs from the last version of its history. With frozen that is
// an error.
func notePlanned(s streams, d *design.Design, path string, frozen bool) error {
	unplanned, err := d.Unplanned()
	plan := "Plan the change: sortkey plan " + path + " --name NAME"
	switch {
	case err != nil || unplanned == "":
		return err
	case frozen:
		return advise(errors.New("E001: "+unplanned), plan)
	}
	_, err = fmt.Fprintf(s.err, "note  E001: %s\n      %s\n", unplanned, plan)
	return err
}

// noteVersions says on standard error which versions an answer is about, if it is about more than that of the design.
func noteVersions(s streams, d *design.Design, path string) error {
	ids, err := d.Unsettled()
	if len(ids) == 0 || err != nil {
		return err
	}
	fmt.Fprintf(s.err, "note  %s is not settled, so this is for the versions before and after it\n", strings.Join(ids, " and "))
	fmt.Fprintf(s.err, "      when all tables have the last version: sortkey plan --settled %s\n", path)
	return nil
}

// A result can be printed for people or for programs.
type result interface {
	Text(io.Writer, design.Style) error
	JSON(io.Writer) error
}

func printResult(s streams, r result, asJSON bool) error {
	if asJSON {
		return r.JSON(s.out)
	}
	return r.Text(s.out, styleOf(s.out))
}
