package webkit

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/secret"
)

// An Accent is the colour of a system.
type Accent string

// The accents of the family.
const (
	Violet Accent = "violet" // Ask-a-Human
	Teal   Accent = "teal"   // HomeOps
	Blue   Accent = "blue"   // ExamBuddy
	Green  Accent = "green"  // EcoBid
	Slate  Accent = "slate"  // the console
)

// A Theme is a colour scheme.
type Theme string

// The themes. System follows the setting of the viewer's device.
const (
	System Theme = "system"
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// themes lists the themes in the order of the switch.
var themes = []Theme{System, Light, Dark}

// Words returns the label of a theme.
func (t Theme) Words() string {
	if t == System {
		return "as on this device"
	}
	return string(t)
}

func (t Theme) next() Theme { return themes[(slices.Index(themes, t)+1)%len(themes)] }

// A Link is a place to go to, or a step to take next.
type Link struct {
	Href, Text string
	// Note is shown beside the text, such as a count; "" is nothing.
	Note string
	// Within lists further paths of the pages that a link of the navigation leads to.
	Within []string
}

// Options configures a site. Name and Box are required; everything else has a default.
type Options struct {
	Name    string // as people know it, such as "Ask-a-Human"
	Tagline string // one sentence, for the footer and for search engines
	Face    *Face  // accent, mark and motif of the system; nil for none
	Accent  Accent // that of Face, or Slate, if empty
	Theme   Theme  // the default theme; System if empty
	Lang    string // of the pages; "en" if empty
	// LangFor, if set, returns the language of a request instead of Lang, and Translate the words of
	// the page frame in it, given the English ones.
	LangFor   func(r *http.Request) string
	Translate func(lang, english string) string

	Nav    []Link // in the header
	Footer []Link
	// NavFor, if set, returns the navigation of a request instead of Nav.
	NavFor func(r *http.Request) []Link

	// PublicURL is the public URL of the site. With https cookies are Secure.
	PublicURL string
	Box       *secret.Box
	Now       func() time.Time
	Log       *slog.Logger

	// Files holds the system's own files, in up to three folders: pages (each a page for
	// Render), parts (templates that several pages use) and assets (served as they are; app.css
	// and app.js are part of every page).
	Files fs.FS
	// Views declares the types of the data of the pages in Files; see Views. May be nil.
	Views Views
	// More holds the pages of packages that several systems use, such as package accountpages. A
	// file of Files replaces a file of the same name.
	More  []Pages
	Funcs template.FuncMap // further functions for templates

	// Passing reports whether a failure is temporary, such as an unavailable database. May be
	// nil.
	Passing func(error) bool
	// Outdated reports whether a failure means that this process has an older version than the data, so that another
	// one has to be started. May be nil.
	Outdated func(error) bool
	// Refusal returns the error page of a refusal, given the usual one. May be nil.
	Refusal func(refused *refusal.Error, usual Problem) Problem

	// App makes the site installable. Nil leaves that out.
	App *App

	// Proxies is the number of trusted proxies before the site; each appends the address it was
	// called from to X-Forwarded-For. With 0 that header is ignored.
	Proxies int
	MaxBody int64         // of a request, in bytes; 1 MiB if 0
	Timeout time.Duration // of a request that is not a Stream; 30 s if 0
	// Heartbeat is the keep-alive interval of an idle Stream; 15 s if 0.
	Heartbeat time.Duration
}

// A Site renders the pages of one system and guards its requests. It is safe for
// concurrent use.
type Site struct {
	options Options
	secure  bool // cookies only over https
	assets  *assetStore
	pages   map[string]page
	views   Views
	kit     *template.Template // the components
	app     *appFiles          // nil when not installable
	icons   *appFiles          // of a face, when not installable
	origin  *http.CrossOriginProtection
	closing chan struct{}
	close   sync.Once
}

// New returns a site. It parses all templates, so that errors in them are found at the start.
func New(options Options) (*Site, error) {
	if options.Name == "" || options.Box == nil {
		return nil, errors.New("webkit: a site needs a Name and a Box")
	}
	options = withDefaults(options)
	public, err := url.Parse(options.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("webkit: the public URL: %w", err)
	}
	s := &Site{
		options: options,
		secure:  public.Scheme == "https",
		origin:  http.NewCrossOriginProtection(),
		closing: make(chan struct{}),
	}
	if public.Host != "" {
		// A proxy may use another host name than the browser.
		if err := s.origin.AddTrustedOrigin(public.Scheme + "://" + public.Host); err != nil {
			return nil, fmt.Errorf("webkit: the public URL: %w", err)
		}
	}
	if s.assets, err = newAssetStore(s.files()...); err != nil {
		return nil, fmt.Errorf("webkit: assets: %w", err)
	}
	if err := s.parseTemplates(); err != nil {
		return nil, fmt.Errorf("webkit: templates: %w", err)
	}
	if err := s.declareViews(); err != nil {
		return nil, fmt.Errorf("webkit: %w", err)
	}
	if options.App == nil && options.Face != nil {
		s.icons = s.newIcons(options.Face.Mark)
	}
	if options.App != nil {
		if s.app, err = s.newAppFiles(*options.App); err != nil {
			return nil, fmt.Errorf("webkit: the installable app: %w", err)
		}
	}
	return s, nil
}

// sources returns the pages of the site, those of the system last.
func (s *Site) sources() []Pages {
	sources := slices.Clone(s.options.More)
	if s.options.Files != nil {
		sources = append(sources, Pages{s.options.Files, s.options.Views})
	}
	return sources
}

// files returns the files of the sources.
func (s *Site) files() []fs.FS {
	var list []fs.FS
	for _, source := range s.sources() {
		list = append(list, source.Files)
	}
	return list
}

func withDefaults(o Options) Options {
	if o.Accent == "" && o.Face != nil {
		o.Accent = o.Face.Accent
	}
	if o.Accent == "" {
		o.Accent = Slate
	}
	if o.Theme == "" {
		o.Theme = System
	}
	if o.Lang == "" {
		o.Lang = "en"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBody == 0 {
		o.MaxBody = 1 << 20
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	o.PublicURL = strings.TrimSuffix(o.PublicURL, "/")
	return o
}

// Close ends every open Stream, so that a server that shuts down need not wait for pages
// that stay open. Register it with http.Server.RegisterOnShutdown, or call it when the system's
// Run ends.
func (s *Site) Close() { s.close.Do(func() { close(s.closing) }) }

// Asset returns the URL of an asset of the system, such as "app.js", with its content in the
// name.
func (s *Site) Asset(name string) (string, error) { return s.assets.url("app/" + name) }
