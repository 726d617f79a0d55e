package webkit

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"sync"
)

//go:embed templates
var templateFiles embed.FS

// kitTemplates holds the parsed templates of the kit. Sites clone it and set their own functions.
var kitTemplates = sync.OnceValues(func() (*template.Template, error) {
	return template.New("kit").Funcs(new(Site).funcs()).ParseFS(templateFiles, "templates/*.html")
})

// A page returns the set of templates of a page: those of the kit, the parts, and its own, so that every page can define "title",
// "head" and "main". The set is made when the page is first rendered, because most of it is the same for all pages.
type page func() (*template.Template, error)

// parseTemplates parses the templates of the kit and of the system.
func (s *Site) parseTemplates() error {
	kit, err := kitTemplates()
	if err != nil {
		return err
	}
	if s.kit, err = s.clone(kit); err != nil {
		return err
	}
	base, err := s.clone(kit) // the kit is executed, and such a set cannot be added to
	if err != nil {
		return err
	}
	sources := s.files()
	for _, files := range sources {
		if err := parseFolder(base, files, "parts"); err != nil {
			return err
		}
	}
	s.pages = make(map[string]page)
	if err := s.addPages(base, templateFiles, "templates/pages/error.html", "templates/pages/offline.html"); err != nil {
		return err
	}
	for _, files := range sources {
		pages, err := fs.Glob(files, "pages/*.html")
		if err != nil {
			return err
		}
		if err := s.addPages(base, files, pages...); err != nil {
			return err
		}
	}
	return nil
}

// clone returns a copy of a set with the functions of the site.
func (s *Site) clone(set *template.Template) (*template.Template, error) {
	c, err := set.Clone()
	if err != nil {
		return nil, err
	}
	return c.Funcs(s.funcs()).Funcs(s.options.Funcs), nil
}

func parseFolder(t *template.Template, files fs.FS, folder string) error {
	names, err := fs.Glob(files, folder+"/*.html")
	if err != nil || len(names) == 0 {
		return err
	}
	_, err = t.ParseFS(files, names...)
	return err
}

func (s *Site) addPages(base *template.Template, files fs.FS, names ...string) error {
	for _, name := range names {
		file, err := template.New(path.Base(name)).Funcs(s.funcs()).Funcs(s.options.Funcs).ParseFS(files, name)
		if err != nil {
			return err
		}
		if file.Lookup("main") == nil {
			return fmt.Errorf("%s does not define \"main\"", name)
		}
		s.pages[path.Base(name)] = sync.OnceValues(func() (*template.Template, error) { return join(base, file) })
	}
	return nil
}

// join returns a copy of base with the templates of a page, which may be joined only once.
func join(base, file *template.Template) (*template.Template, error) {
	set, err := base.Clone()
	if err != nil {
		return nil, err
	}
	for _, t := range file.Templates() {
		if _, err := set.AddParseTree(t.Name(), t.Tree); err != nil {
			return nil, err
		}
	}
	return set, nil
}
