package history_test

import (
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/history"
	"sortkey.dev/design/internal/loader"
)

const (
	shop = `design: Shop
uses:
  mail: { file: "../lib/mail.design.yaml", tables: shop- } # ż
entities:
  User: { id: user_id, attributes: { user_id: ulid } }
tables:
  users: { pk: user_id, items: [User] }
patterns:
  GetUser: { get: User, where: { user_id: $ }, rate: 1/day }
`
	mail = `design: Mail
entities:
  Letter: { id: letter_id, attributes: { letter_id: ulid } }
tables:
  letters: { pk: letter_id, items: [Letter] }
patterns:
  GetLetter: { get: Letter, where: { letter_id: $ }, rate: 1/day }
`
)

// An addition of the shop with texts replaced.
func addition(name string, replace ...string) history.Addition {
	return history.Addition{
		Name: name, Design: "shop.design.yaml",
		Sources: []loader.Source{{Name: "shop/shop.design.yaml", Text: []byte(strings.NewReplacer(replace...).Replace(shop))}},
		Used:    []loader.Source{{Name: "lib/mail.design.yaml", Text: []byte(mail)}},
	}
}

// write applies the files to a folder.
func write(to fstest.MapFS, files []history.File) fstest.MapFS {
	to = maps.Clone(to)
	for _, f := range files {
		if f.Text == nil {
			delete(to, "shop/migrations/"+f.Name)
			continue
		}
		to["shop/migrations/"+f.Name] = &fstest.MapFile{Data: f.Text}
	}
	return to
}

func read(t *testing.T, fsys fs.FS) (*history.History, []string) {
	t.Helper()
	folder, err := fs.Sub(fsys, "shop/migrations")
	if err != nil {
		t.Fatal(err)
	}
	h, problems, err := history.Read(folder, "shop/migrations")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.File+": "+p.Message)
	}
	return h, texts
}

// two returns a history of two versions.
func two(t *testing.T) fstest.MapFS {
	t.Helper()
	var none *history.History
	files, number, err := none.Add(addition("baseline"))
	if err != nil || number != 1 {
		t.Fatal(number, err)
	}
	fsys := write(fstest.MapFS{}, files)
	h, problems := read(t, fsys)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	second := addition("nick", "user_id: ulid }", `user_id: ulid, nick: "string?" }`)
	second.Migration = []byte("migration: 0002-nick\n")
	files, number, err = h.Add(second)
	if err != nil || number != 2 {
		t.Fatal(number, err)
	}
	return write(fsys, files)
}

// TestVersionsAreWhole loads each version from the folder alone.
func TestVersionsAreWhole(t *testing.T) {
	fsys := two(t)
	h, problems := read(t, fsys)
	if len(problems) > 0 || len(h.Versions) != 2 {
		t.Fatal(problems, len(h.Versions))
	}
	for i, attributes := range []int{1, 2} {
		var report diag.Report
		d, used := loader.LoadFrom(fsys, h.Versions[i].Sources, &report)
		if report.Failed() || len(used) != 1 || len(d.Entities[0].Attributes) != attributes {
			t.Errorf("version %d: %v, %d designs used", i+1, report.Findings(), len(used))
		}
	}
	var names []string
	for name := range fsys {
		names = append(names, strings.TrimPrefix(name, "shop/migrations/"))
	}
	if len(names) != 5 { // the design used did not change, so its copy stands once
		t.Errorf("files: %v", names)
	}
	if string(h.Last().Migration) != "migration: 0002-nick\n" {
		t.Errorf("migration %q", h.Last().Migration)
	}
}

// TestEditsAreNoticed changes every file of a history in every way.
func TestEditsAreNoticed(t *testing.T) {
	whole := two(t)
	for name := range whole {
		file := strings.TrimPrefix(name, "shop/migrations/")
		for what, change := range map[string]func(fstest.MapFS){
			"edited": func(f fstest.MapFS) {
				f[name] = &fstest.MapFile{Data: append(f[name].Data[:len(f[name].Data):len(f[name].Data)], '#')}
			},
			"removed": func(f fstest.MapFS) { delete(f, name) },
			"renamed": func(f fstest.MapFS) {
				f[strings.Replace(name, "-", "-x", 1)] = f[name]
				delete(f, name)
			},
		} {
			if what == "renamed" && file == history.SumFile {
				continue
			}
			changed := maps.Clone(whole)
			change(changed)
			if _, problems := read(t, changed); len(problems) == 0 {
				t.Errorf("%s %s: the edit is not found", file, what)
			}
		}
	}
}

// TestLineEndsAreNoEdit reads a history that git checked out with the line ends of Windows.
func TestLineEndsAreNoEdit(t *testing.T) {
	fsys := two(t)
	for _, f := range fsys {
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
	}
	if _, problems := read(t, fsys); len(problems) > 0 {
		t.Error(problems)
	}
}

// TestTwoBranchesConflict merges two branches that both add a version.
func TestTwoBranchesConflict(t *testing.T) {
	first := two(t)
	h, _ := read(t, first)
	base, _ := h.Without(h.Last())
	other := addition("phone", "user_id: ulid }", `user_id: ulid, phone: "string?" }`)
	files, _, err := base.Add(other)
	if err != nil {
		t.Fatal(err)
	}
	merged := write(first, files)
	mine, theirs := first["shop/migrations/sortkey.sum"].Data, merged["shop/migrations/sortkey.sum"].Data
	if strings.SplitN(string(mine), "\n", 2)[0] == strings.SplitN(string(theirs), "\n", 2)[0] {
		t.Error("git would merge the two files of checksums")
	}
	merged["shop/migrations/sortkey.sum"] = &fstest.MapFile{Data: []byte("<<<<<<< HEAD\n" + string(mine) + "=======\n" + string(theirs) + ">>>>>>> phone\n")}
	h, problems := read(t, merged)
	forked := 0
	for _, p := range problems {
		if strings.Contains(p, "both follow version 1") || strings.Contains(p, "merge conflict") {
			forked++
		}
	}
	if forked != 2 {
		t.Errorf("problems: %v", problems)
	}
	without, removed := h.Without(h.Last())
	if again, problems := read(t, write(merged, removed)); len(problems) > 0 || len(again.Versions) != len(without.Versions) {
		t.Errorf("after one was taken out: %v", problems)
	}
}

// TestBadNames refuses names that files cannot have.
func TestBadNames(t *testing.T) {
	for _, name := range []string{"", "A", "a b", "a/b", "-a", "a-", "a.b", strings.Repeat("a", 61)} {
		if history.CheckName(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}
