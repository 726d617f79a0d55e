package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sortkey.dev/design"
)

func fmtCommand() command {
	return command{
		name:    "fmt",
		summary: "format design files",
		args:    "FILE...",
		about: `Rewrites the files in place and lists those it changed. Comments and the order of keys stay as they are.
A directory stands for the design files in it. Of a design with a history it names each was and from that may go.
With - as the only FILE it reads standard input and writes standard output.`,
		setup: func(flags *flag.FlagSet) action {
			check := flags.Bool("check", false, "list the files that are not formatted and exit 1, without changing them")
			return func(s streams, args []string) error {
				switch {
				case len(args) == 0:
					return misuse("fmt needs a design file", "For example: sortkey fmt shop.design.yaml")
				case len(args) == 1 && args[0] == "-":
					return formatStream(s, *check)
				}
				return formatFiles(s, args, *check)
			}
		},
	}
}

func formatStream(s streams, check bool) error {
	text, err := io.ReadAll(s.in)
	if err != nil {
		return fmt.Errorf("cannot read standard input: %w", err)
	}
	formatted, err := design.Format("<stdin>", text)
	if err != nil {
		return usable(s, err, false)
	}
	if check {
		if bytes.Equal(text, formatted) {
			return nil
		}
		return errPrinted
	}
	_, err = s.out.Write(formatted)
	return err
}

func formatFiles(s streams, args []string, check bool) error {
	paths, err := designFiles(args)
	if err != nil {
		return err
	}
	texts, err := formatAll(s, paths)
	if err != nil {
		return err
	}
	for _, t := range texts {
		if !check {
			if err := replaceFile(t.path, t.before, t.after); err != nil {
				return err
			}
		}
		fmt.Fprintln(s.out, t.path)
	}
	if check && len(texts) > 0 {
		return errPrinted
	}
	return noteFormer(s, args)
}

// noteFormer names former names that mean nothing any more.
func noteFormer(s streams, paths []string) error {
	for _, path := range paths {
		d, err := openDesign(path)
		if err != nil {
			return err
		}
		lines, err := d.FormerNames()
		if err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Fprintf(s.err, "note  %s\n", line)
		}
	}
	return nil
}

// A formattedText is the text of a design file before and after formatting.
type formattedText struct {
	path          string
	before, after []byte
}

// formatAll formats files in memory and returns those that change, so that all are read before one is
// written. A file that also is the target of a link is formatted once.
func formatAll(s streams, paths []string) ([]formattedText, error) {
	var changed []formattedText
	seen := map[string]bool{}
	for _, path := range paths {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			if target, err = filepath.Abs(target); err == nil && seen[target] {
				continue
			}
			seen[target] = true
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		formatted, err := design.Format(path, text)
		if err != nil {
			return nil, usable(s, err, false)
		}
		if !bytes.Equal(text, formatted) {
			changed = append(changed, formattedText{path, text, formatted})
		}
	}
	return changed, nil
}

// designFiles returns the files that arguments name: themselves, or those of a
// directory.
func designFiles(args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		files, err := design.Files(arg)
		if err != nil {
			return nil, unreadable(arg, err)
		}
		paths = append(paths, files...)
	}
	return paths, nil
}

// replaceFile replaces a file atomically, so that no crash
// leaves half a design. A link stays a link; concurrent changes are not lost; a read-only
// file is not changed.
func replaceFile(path string, before, after []byte) (err error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return cannotReplace(path, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return cannotReplace(path, err)
	}
	if info.Mode().Perm()&0o200 == 0 {
		return advise(fmt.Errorf("%s is read-only", path), "Nothing was changed. Make it writable first: chmod u+w "+path)
	}
	beside, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*.tmp")
	if err != nil {
		return cannotReplace(target, err)
	}
	defer func() {
		if err != nil {
			os.Remove(beside.Name())
		}
	}()
	_, err = beside.Write(after)
	if err = errors.Join(err, beside.Chmod(info.Mode().Perm()), beside.Close()); err != nil {
		return cannotReplace(target, err)
	}
	if now, err := os.ReadFile(target); err != nil || !bytes.Equal(now, before) {
		return errors.Join(err, os.Remove(beside.Name()), fmt.Errorf("%s changed while it was laid out; run fmt again", path))
	}
	if err = os.Rename(beside.Name(), target); err != nil {
		return cannotReplace(target, err)
	}
	return nil
}

// cannotReplace returns the error for a design that cannot be replaced, with the next step.
func cannotReplace(path string, err error) error {
	return writeFailure(path, "print the result with sortkey fmt - <"+path, err)
}
