package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design"
)

// openVersions opens the two versions of a diff. With one argument, the old version is the last one of the
// history. @7 is version 7 of the history of the other argument.
func openVersions(args []string) (before, after design.Version, err error) {
	if len(args) == 1 {
		args = []string{"@", args[0]}
	}
	of := func(arg, other string) string {
		if strings.HasPrefix(arg, "@") {
			return other + arg
		}
		return arg
	}
	if before, err = openVersion(of(args[0], args[1])); err != nil {
		return before, after, err
	}
	after, err = openVersion(of(args[1], args[0]))
	return before, after, err
}

// openVersion opens one of the two versions of a diff: a file or a directory, with #ALTERNATIVE or
// without, a version of its history, or a revision of git with a path. Its error says what to do.
func openVersion(arg string) (design.Version, error) {
	v := design.Version{Name: arg}
	file := arg
	if at := strings.LastIndexByte(arg, '@'); at > 0 && !exists(arg) && isNumber(arg[at+1:]) {
		return openPlanned(arg[:at], arg[at+1:])
	}
	if at := strings.LastIndexByte(arg, '#'); at > 0 && !exists(arg) && !strings.ContainsAny(arg[at:], ":/") { // the names of branches may have a #
		file, v.Alternative = arg[:at], arg[at+1:]
	}
	revision, name, isRevision := strings.Cut(file, ":")
	var err error
	if isRevision && !exists(file) {
		v.Design, err = openRevision(revision, name)
	} else {
		v.Design, err = openDesign(file)
	}
	return v, err
}

// isNumber reports whether a text is that of a version: digits, or nothing for the last one.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// openPlanned opens a version of the history of a design.
func openPlanned(file, number string) (design.Version, error) {
	d, err := openDesign(file)
	if err != nil {
		return design.Version{}, err
	}
	h, err := d.History()
	if err != nil {
		return design.Version{}, misuse(fmt.Sprintf("%s: %v", file, err), "Begin one: sortkey plan --baseline "+file)
	}
	n, id := h.Last()
	if number != "" {
		if n, err = strconv.Atoi(number); err != nil {
			return design.Version{}, misuse(fmt.Sprintf("%s has no version %s", file, number))
		}
		id = "version " + number
	}
	v := design.Version{Name: file + "@" + strconv.Itoa(n)}
	if v.Design, v.Tags, err = h.Version(n); err != nil {
		return v, misuse(fmt.Sprintf("%s of %s: %v", id, file, err))
	}
	return v, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// openRevision opens the design of a revision: a file, or all design files of a directory.
func openRevision(revision, name string) (*design.Design, error) {
	if revision == "" || strings.HasPrefix(revision, "-") || name == "" {
		return nil, misuse(fmt.Sprintf("%q is not a revision with a path", revision+":"+name), "For example: main:shop.design.yaml")
	}
	files := gitFiles{}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") { // relative to the directory, not to the repository
		prefix, err := git("rev-parse", "--show-prefix")
		if err != nil {
			return nil, err
		}
		name = path.Join(strings.TrimSpace(string(prefix)), name)
	}
	name = strings.TrimSuffix(name, "/")
	full := revision + ":" + name
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		return opened(design.OpenFS(files, full))
	}
	paths, err := files.in(revision, name)
	if err != nil {
		return nil, err
	}
	return opened(design.OpenFilesFS(files, full, paths))
}

func opened(d *design.Design, err error) (*design.Design, error) {
	if _, said := errors.AsType[*problem](err); err == nil || said {
		return d, err
	}
	return nil, misuse(err.Error())
}

// gitFiles are the files of the repository that git finds from the working directory, or by GIT_DIR. They
// need not be checked out.
type gitFiles struct{}

// Open is not used: designs are read whole.
func (gitFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
}

// ReadFile returns the text of a file of a revision: main:apps/shop.design.yaml.
func (gitFiles) ReadFile(name string) ([]byte, error) { return git("show", name) }

// in lists the design files of a directory of a revision.
func (gitFiles) in(revision, directory string) ([]string, error) {
	tree := revision + ":"
	if directory != "." {
		tree += directory
	}
	text, err := git("ls-tree", "-z", "--name-only", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	var all []string
	for name := range strings.SplitSeq(string(text), "\x00") {
		if strings.HasSuffix(name, ".design.yaml") {
			all = append(all, revision+":"+path.Join(directory, name))
		}
	}
	slices.Sort(all)
	return all, nil
}

// git runs a command of git that only reads.
func git(args ...string) ([]byte, error) {
	command := exec.Command("git", args...)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err := command.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, misuse("there is no git command, which reads revisions", "Install git, or check out the old version beside the new one.")
	}
	text, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
	if text == "" {
		text = err.Error()
	}
	return nil, misuse("git: "+strings.TrimPrefix(text, "fatal: "), "Name a file, or a revision and the path from the top of its repository, such as main:apps/shop/shop.design.yaml")
}
