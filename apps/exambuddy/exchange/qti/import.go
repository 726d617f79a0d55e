// Package qti imports and exports questions as QTI 2.1: a package with a manifest, or a single item.
// An import also takes items of QTI 3, whose elements have other names, and reports every element that
// it does not understand. It does not run response processing: it takes the correct response and the
// mapping. Package exchange calls it.
package qti

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/archive"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/xmltree"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// Import parses a package or a single item.
func Import(ctx context.Context, data []byte, limits draft.Limits) (*draft.Result, error) {
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	out := draft.NewBuilder(limits)
	if !archive.IsZip(data) {
		root, err := xmltree.Parse(ctx, data)
		if err != nil {
			return nil, err
		}
		normalise(root)
		if root.Name != "assessmentItem" {
			return nil, wrongRoot(root.Name)
		}
		r := reader{out: out, root: root, reported: map[string]bool{}}
		r.item()
		return out.Result()
	}
	p, err := archive.Open(data, limits)
	if err != nil {
		return nil, err
	}
	names, err := items(ctx, p, out)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := importFile(ctx, p, name, out); err != nil {
			return nil, err
		}
	}
	return out.Result()
}

func wrongRoot(name string) error {
	switch name {
	case "questestinterop":
		return draft.Unreadable("This is QTI 1.2. Export the questions as QTI 2.1.")
	case "assessmentTest":
		return draft.Unreadable("This is the structure of a test without its questions. Import the whole package.")
	}
	return draft.Unreadable("This is no QTI item: it begins with %s and not with assessmentItem.", name)
}

// importFile adds the item of a file in a package.
func importFile(ctx context.Context, p *archive.Package, name string, out *draft.Builder) error {
	place := draft.Place{Part: name}
	data, err := p.Read(name)
	if tooLarge, ok := refusal.As(err, refusal.TooLarge); ok {
		return tooLarge
	}
	var root *xmltree.Node
	if err == nil {
		root, err = xmltree.Parse(ctx, data)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		refused, _ := refusal.As(err)
		out.Report(place, "Correct the file and import the package again.", "%s", refused.Message)
		return nil
	}
	normalise(root)
	if root.Name != "assessmentItem" {
		out.Report(place, "Only questions are imported.", "The file holds %s and no question.", root.Name)
		return nil
	}
	r := reader{out: out, root: root, part: name, files: p, reported: map[string]bool{}}
	r.item()
	return r.failed
}

// items returns the names of the files with items, and reports what else the manifest names.
func items(ctx context.Context, p *archive.Package, out *draft.Builder) ([]string, error) {
	if !p.Has("imsmanifest.xml") {
		var names []string
		for _, name := range p.Names() {
			if strings.HasSuffix(name, ".xml") {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return nil, draft.Unreadable("The package holds neither a manifest nor XML files. It is no QTI package.")
		}
		return names, nil
	}
	data, err := p.Read("imsmanifest.xml")
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(ctx, data)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, resource := range root.Outermost("resource") {
		kind, href := resource.Attrs["type"], archive.Clean(resource.Attrs["href"])
		place := draft.Place{Part: "imsmanifest.xml", Line: resource.Line}
		switch {
		case strings.HasPrefix(kind, "imsqti_item"):
			names = append(names, href)
		case strings.HasPrefix(kind, "imsqti_xmlv1"):
			return nil, draft.Unreadable("This package is QTI 1.2. Export the questions as QTI 2.1.")
		case strings.HasPrefix(kind, "imsqti_test"):
			out.Report(place, "Questions are imported; the order and the sections of the test are not.", "The package holds the test %s.", href)
		case !slices.Contains([]string{"webcontent", "imsqti_file", "associatedcontent"}, strings.ToLower(kind)) && kind != "":
			out.Report(place, "It was not imported.", "The package holds %s, a resource of the type %s.", href, kind)
		}
	}
	return names, nil
}

var kebab = lazyregexp.New(`-([a-z])`)

// normalise gives the elements and attributes of QTI 3 their names of QTI 2.1.
func normalise(n *xmltree.Node) {
	if rest, ok := strings.CutPrefix(n.Name, "qti-"); ok {
		n.Name = camel(rest)
		for name, value := range n.Attrs {
			n.Attrs[camel(name)] = value
		}
	}
	for _, c := range n.Children {
		normalise(c)
	}
}

func camel(name string) string {
	return kebab.ReplaceAllStringFunc(name, func(m string) string { return strings.ToUpper(m[1:]) })
}

// A reader makes a draft of one item.
type reader struct {
	out      *draft.Builder
	root     *xmltree.Node
	part     string
	files    *archive.Package
	d        draft.Draft
	failed   error
	reported map[string]bool
}

func (r *reader) place(n *xmltree.Node) draft.Place { return draft.Place{Part: r.part, Line: n.Line} }

// problem adds a problem to the draft, once for each message.
func (r *reader) problem(n *xmltree.Node, advice, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if !r.reported[message] {
		r.reported[message] = true
		r.d.Problems = append(r.d.Problems, draft.Problem{Place: r.place(n), Message: message, Advice: advice, Text: oneLine(n.Excerpt())})
	}
}

// image resolves the source of an image. It returns "" if there is no such file.
func (r *reader) image(n *xmltree.Node, source string) string {
	if source == "" || strings.Contains(source, "://") || strings.HasPrefix(source, "data:") || r.files == nil {
		r.problem(n, "Add the image in the editor.", "The image %.100s is not part of the file.", source)
		return ""
	}
	name := archive.Clean(path.Join(path.Dir(r.part), source))
	if !r.files.Has(name) {
		r.problem(n, "Add the image in the editor.", "The image %s is missing in the package.", name)
		return ""
	}
	data, err := r.files.Read(name)
	if err != nil {
		r.failed = err
		return ""
	}
	r.out.File(name, data)
	return name
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
