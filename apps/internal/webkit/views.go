package webkit

import (
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
)

// Views maps the names of pages to values of the types of their data: "feed.html": feedView{}. The
// value of a page without data is nil; OneOf lists several types. Render refuses other data, so a
// test that renders every page with every type of its data (package shapes) misses none.
type Views map[string]any

// OneOf lists the types of a page that is rendered with data of several types.
type OneOf []any

// Pages holds the pages, parts and assets of a package that several systems use, such as package
// operator. Views may be nil; then the data of the pages is not checked.
type Pages struct {
	Files fs.FS
	Views Views
}

// A View is a page with the type of its data.
type View struct {
	Page string
	// Data has the type of the data; nil for a page without data.
	Data any
	// Template holds the page and everything it uses. Do not execute it; use Site.Execute.
	Template *template.Template
}

// Views returns every page with each type of its data, by name. Pages without a declaration are
// left out.
func (s *Site) Views() ([]View, error) {
	var list []View
	for _, name := range slices.Sorted(maps.Keys(s.views)) {
		set, err := s.pages[name]()
		if err != nil {
			return nil, fmt.Errorf("webkit: %s: %w", name, err)
		}
		for _, data := range typesOf(s.views[name]) {
			list = append(list, View{name, data, set})
		}
	}
	return list, nil
}

// Execute writes a page as Render does, and returns the error of its template. It is for tests of
// templates.
func (s *Site) Execute(w io.Writer, r *http.Request, page string, data any) error {
	return s.execute(w, r, stateOf(r), page, data)
}

func (s *Site) execute(w io.Writer, r *http.Request, state *state, page string, data any) error {
	made, ok := s.pages[page]
	if !ok {
		return fmt.Errorf("webkit: there is no page %q", page)
	}
	if err := s.checkData(page, data); err != nil {
		return err
	}
	t, err := made()
	if err != nil {
		return fmt.Errorf("webkit: %s: %w", page, err)
	}
	if err := t.ExecuteTemplate(w, "page", &Page{Data: data, site: s, r: r, state: state}); err != nil {
		return fmt.Errorf("webkit: rendering %s: %w", page, err)
	}
	return nil
}

// checkData returns an error for data of another type than declared.
func (s *Site) checkData(page string, data any) error {
	declared, ok := s.views[page]
	if !ok {
		return nil
	}
	for _, one := range typesOf(declared) {
		if reflect.TypeOf(one) == reflect.TypeOf(data) {
			return nil
		}
	}
	return fmt.Errorf("webkit: %s is rendered with %T, which its views do not declare", page, data)
}

func typesOf(declared any) []any {
	if several, ok := declared.(OneOf); ok {
		return several
	}
	return []any{declared}
}

// declareViews collects the views of all sources and compares them with the pages.
func (s *Site) declareViews() error {
	s.views = Views{"error.html": problemData{}, "offline.html": nil}
	for _, source := range s.sources() {
		if source.Views == nil {
			continue
		}
		names, err := fs.Glob(source.Files, "pages/*.html")
		if err != nil {
			return err
		}
		for i, name := range names {
			names[i] = path.Base(name)
			if _, ok := source.Views[names[i]]; !ok {
				return fmt.Errorf("the views do not declare the data of %s", names[i])
			}
		}
		for page, data := range source.Views {
			if !slices.Contains(names, page) {
				return fmt.Errorf("the views declare %s, which is no page", page)
			}
			s.views[page] = data
		}
	}
	return nil
}
