package loader

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// A useBuilder builds the uses of a design, whose own entities, tables and patterns are already
// built. It loads the used designs and changes their names and workload.
type useBuilder struct {
	*reader
	design *model.Design
	files  *usedFiles
}

// usedFiles holds the files of used designs.
type usedFiles struct {
	fsys    fs.FS // nil: the files of the machine
	sources []Source
}

// read reads a file of a used design.
func (f *usedFiles) read(path string) (Source, error) {
	text, err := f.text(path)
	if err != nil {
		return Source{}, err
	}
	source := Source{Name: path, Text: text}
	if !slices.ContainsFunc(f.sources, func(s Source) bool { return s.Name == path }) {
		f.sources = append(f.sources, source)
	}
	return source, nil
}

// beside returns the name of a file that another file names. The name of a file of fsys may begin with the
// revision it is of, and a colon.
func (f *usedFiles) beside(name, named string) string {
	if revision, file, ok := strings.Cut(name, ":"); ok && f.fsys != nil {
		return revision + ":" + path.Join(path.Dir(file), named)
	}
	return filepath.Join(filepath.Dir(name), filepath.FromSlash(named))
}

func (f *usedFiles) text(path string) ([]byte, error) {
	if f.fsys != nil {
		return fs.ReadFile(f.fsys, filepath.ToSlash(path))
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		return nil, err
	}
	return readFile(path)
}

func (b useBuilder) all(n *node) []*model.Use {
	if b.files == nil && n != nil {
		b.fail("F021", n.place, "a used design cannot use other designs: name them in the design that uses this one")
		return nil
	}
	var all []*model.Use
	for _, e := range n.fit() {
		u := &model.Use{Name: e.key.text, Place: e.key.place, Accepts: b.acceptsOf(e)}
		b.about("use "+u.Name, func() {
			if !e.value.flawed && b.whole(func() { b.use(u, e.value) }) {
				all = append(all, u)
				return
			}
			b.declared.broken["use "+u.Name] = true
		})
	}
	b.collisions(all)
	return all
}

func (b useBuilder) use(u *model.Use, block *node) {
	file := block.get("file")
	u.File = b.files.beside(file.place.File, file.text)
	if u.Design = b.load(u, file); u.Design == nil {
		b.failed = true
		return
	}
	u.Prefix = block.get("tables").str()
	b.rates(u.Design, block)
	b.volumes(u.Design, block)
	b.roles(u, block.get("roles"))
	u.Qualify()
	for _, e := range u.Design.Entities {
		b.declared.usedEntities[e.Name] = e
	}
	for _, p := range u.Design.Patterns {
		p.Claims = nil // about another workload
		b.declared.usedPatterns[p.Name] = p
	}
}

// load loads a used design. It returns nil if the design has errors, which are reported at
// their place in its file.
func (b useBuilder) load(u *model.Use, file *node) *model.Design {
	source, err := b.files.read(u.File)
	if err != nil {
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			err = pathError.Err
		}
		b.fail("F021", file.place, "cannot read %s: %v", u.File, err)
		return nil
	}
	before := b.found.count
	root := parse(source, b.found)
	if root == nil {
		return nil
	}
	checkShape(root, b.found)
	d := build(root, map[string]int{root.place.File: root.last}, nil, b.found)
	if b.found.count > before {
		return nil
	}
	return d
}

// rates gives the patterns of a used design the rates and peaks that they have here.
func (b useBuilder) rates(d *model.Design, block *node) {
	scale := b.scale(block)
	set := map[*model.Pattern]model.Rate{}
	for _, e := range block.get("rates").fit() {
		rate := b.rate(e.value)
		if p := b.pattern(d, e.key); p != nil {
			set[p] = rate
		}
	}
	for _, p := range d.Patterns {
		rate, stated := set[p]
		if !stated {
			rate = p.Rate.Scaled(scale)
		}
		if p.Peak != nil {
			if by, ok := rate.PerMonth.Div(p.Rate.PerMonth); ok {
				peak := p.Peak.Scaled(by)
				p.Peak = &peak
			}
		}
		p.Rate = rate
	}
	for _, e := range block.get("peaks").fit() {
		peak := b.rate(e.value)
		if p := b.pattern(d, e.key); p != nil {
			p.Peak = &peak
		}
	}
}

// volumes gives the entities of a used design the numbers of items that they have here.
func (b useBuilder) volumes(d *model.Design, block *node) {
	scale := b.scale(block)
	for _, e := range d.Entities {
		if v := &e.Volume; v.Count != nil {
			count := v.Count.Mul(scale)
			v.Count = &count
		} else if v.Growth != nil {
			growth := v.Growth.Scaled(scale)
			v.Growth = &growth
		}
	}
	counts := block.get("counts")
	for _, e := range counts.fit() {
		if entity := b.entity(d, e.key); entity != nil {
			entity.Volume = model.Volume{Count: optionalNumber(e.value), Place: entity.Volume.Place}
		}
	}
	for _, e := range block.get("growth").fit() {
		rate := b.rate(e.value)
		if counts.get(e.key.text) != nil {
			b.fail("F006", e.key.place, "%s is both in counts and in growth", e.key.text)
		}
		if entity := b.entity(d, e.key); entity != nil {
			entity.Volume = model.Volume{Growth: &rate, Keep: entity.Volume.Keep, Place: entity.Volume.Place}
		}
	}
}

func (b useBuilder) scale(block *node) exact.Number {
	if n := block.get("scale"); n != nil {
		return number(n)
	}
	return exact.One
}

// roles reads which roles have the patterns of the roles of a used design.
func (b useBuilder) roles(u *model.Use, n *node) {
	for _, e := range n.fit() {
		if !slices.ContainsFunc(u.Design.Roles, func(r *model.Role) bool { return r.Name == e.key.text }) {
			var names []string
			for _, r := range u.Design.Roles {
				names = append(names, r.Name)
			}
			b.fail("F007", e.key.place, "%s has no role %s%s", u.Design.Name, shown(e.key.text), b.found.didYouMean(e.key.text, names))
		}
		ours := e.value.items
		if e.value.kind == scalar {
			ours = []*node{e.value}
		}
		for _, item := range ours {
			u.Roles = append(u.Roles, model.RoleOf{Theirs: e.key.text, Ours: item.text})
			b.declared.usedRoles = append(b.declared.usedRoles, item)
		}
	}
}

// pattern returns the pattern of a used design that a node names.
func (b useBuilder) pattern(d *model.Design, n *node) *model.Pattern {
	p := d.Pattern(n.text)
	if p == nil {
		var names []string
		for _, p := range d.Patterns {
			names = append(names, p.Name)
		}
		b.fail("F007", n.place, "%s has no pattern %s%s", d.Name, shown(n.text), b.found.didYouMean(n.text, names))
	}
	return p
}

// entity returns the entity of a used design that a node names.
func (b useBuilder) entity(d *model.Design, n *node) *model.Entity {
	e := d.Entity(n.text)
	if e == nil {
		var names []string
		for _, e := range d.Entities {
			names = append(names, e.Name)
		}
		b.fail("F007", n.place, "%s has no entity %s%s", d.Name, shown(n.text), b.found.didYouMean(n.text, names))
	}
	return e
}

// collisions reports the tables of used designs that have the name of another table.
func (b useBuilder) collisions(uses []*model.Use) {
	type named struct {
		place diag.Place
		of    string
	}
	taken := map[string]named{}
	for _, t := range b.design.Tables {
		taken[t.Name] = named{t.Place, "this design"}
	}
	for _, a := range b.design.Alternatives {
		for _, t := range a.Tables {
			if _, ok := taken[t.Name]; !ok {
				taken[t.Name] = named{t.Place, "alternative " + a.Name}
			}
		}
	}
	for _, u := range uses {
		for _, t := range u.Design.Tables {
			other, ok := taken[t.Name]
			if !ok {
				taken[t.Name] = named{t.Place, u.Name}
				continue
			}
			b.about("use "+u.Name, func() {
				b.add(diag.Finding{
					Code: "F021", Place: u.Place, Message: fmt.Sprintf("%s has a table %s, and so has %s", u.Name, t.Name, other.of),
					Fix:     fmt.Sprintf("Give the tables of %s a prefix: tables: %s-", u.Name, strings.ToLower(b.design.Name)),
					Related: []diag.Related{{Place: t.Place, Message: "the table of " + u.Name}, {Place: other.place, Message: "the other table"}},
				})
			})
		}
	}
}

// rolesOfUses reports roles that uses name and that the design does not have.
func rolesOfUses(r *reader, d *model.Design) {
	for _, n := range r.declared.usedRoles {
		if !slices.ContainsFunc(d.Roles, func(role *model.Role) bool { return role.Name == n.text }) && !r.declared.broken["role "+n.text] {
			var names []string
			for _, role := range d.Roles {
				names = append(names, role.Name)
			}
			r.fail("F007", n.place, "there is no role %s%s", shown(n.text), r.found.didYouMean(n.text, names))
		}
	}
}
