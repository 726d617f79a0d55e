// Package showcase runs all systems in one process at one address: a front page at the address
// itself, and each system at a host name below it, such as ecobid.localhost. The front page shows
// what every system does at the moment, whom to sign in as, the report of its design, and its access
// patterns with measured units.
//
// It holds no rules and stores nothing; the systems know nothing of it. The command line opens it
// for sortkey demo.
package showcase

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/secret"
	"sortkey.dev/apps/internal/webkit"
)

//go:embed pages assets
var files embed.FS

// Options configures a showcase.
type Options struct {
	Subjects []Subject // those of Subjects by default
	// Config returns the environment of a system, whose PublicURL is that of URL.
	Config func(Subject) apps.Config
	// PublicURL is the address of the front page, without a trailing slash.
	PublicURL string
	Secret    []byte
	Log       *slog.Logger // of the front page
	// Report writes the report of a design as an HTML page.
	Report func(w io.Writer, design string) error
	// Guide returns the text of a guide.
	Guide func(name string) ([]byte, error)
	Now   func() time.Time
	// Quiet leaves out the simulated users, for tests.
	Quiet bool
}

// A Showcase serves the front page and all systems. It is safe for concurrent use.
type Showcase struct {
	o     Options
	rooms []*room
	site  *webkit.Site
	front http.Handler
	hub   live.Hub
}

// A room is one system of a showcase.
type room struct {
	Subject
	url string

	mu      sync.Mutex
	system  apps.System // nil until it is open
	pages   []apps.Page // of the operators
	reports sync.Once
	report  []byte
	broken  error
	trend   trend
}

// New returns a showcase whose systems are still closed: Run opens them. The front page works at
// once.
func New(o Options) (*Showcase, error) {
	if o.Subjects == nil {
		o.Subjects = Subjects()
	}
	s := &Showcase{o: o}
	for _, subject := range o.Subjects {
		at, err := URL(o.PublicURL, subject.Name)
		if err != nil {
			return nil, err
		}
		s.rooms = append(s.rooms, &room{Subject: subject, url: at})
	}
	box, err := secret.NewBox(o.Secret)
	if err != nil {
		return nil, err
	}
	if s.site, err = webkit.New(webkit.Options{
		Name: "sortkey", Tagline: "A DynamoDB design you can run.", Accent: webkit.Slate, PublicURL: o.PublicURL,
		Box: box, Now: o.Now, Log: o.Log, Files: files, Views: views,
	}); err != nil {
		return nil, err
	}
	s.front = s.site.Handler(s.routes())
	return s, nil
}

// URL returns the address of a system below the address of the front page: http://ecobid.localhost:8080.
func URL(front, system string) (string, error) {
	u, err := url.Parse(front)
	if err != nil {
		return "", fmt.Errorf("the address of the front page: %w", err)
	}
	u.Host = system + "." + u.Host
	return u.String(), nil
}

// ServeHTTP serves the system that the first label of the host names, and otherwise the front page.
func (s *Showcase) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	label, _, below := strings.Cut(strings.ToLower(host), ".")
	if room := s.room(label); room != nil && below {
		s.serve(w, r, room)
		return
	}
	s.front.ServeHTTP(w, r)
}

// Handler serves one system at any host name, for an address of its own.
func (s *Showcase) Handler(system string) http.Handler {
	room := s.room(system)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, room) })
}

func (s *Showcase) serve(w http.ResponseWriter, r *http.Request, room *room) {
	if system := room.opened(); system != nil {
		system.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Retry-After", "2")
	http.Error(w, room.Title+" is starting. Try again in a moment.", http.StatusServiceUnavailable)
}

func (s *Showcase) room(name string) *room {
	for _, room := range s.rooms {
		if room.Name == name {
			return room
		}
	}
	return nil
}

func (r *room) opened() apps.System {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.system
}

// meter returns the measured calls of the system; nil until it is open.
func (r *room) meter() *access.Meter {
	if metered, ok := r.opened().(interface{ Meter() *access.Meter }); ok {
		return metered.Meter()
	}
	return nil
}

// tick is the time between two looks at the numbers.
const tick = 2 * time.Second

// Run opens the systems one after the other, runs their background work and their simulated users,
// and keeps the numbers of the front page moving. It returns when ctx is done and all work has
// stopped, or when a system fails.
func (s *Showcase) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, s.site.Close)
	var wait sync.WaitGroup
	failures := make(chan error, 2*len(s.rooms)+1)
	fail := func(what string, err error) {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, apps.ErrNoDemo) {
			failures <- fmt.Errorf("%s: %w", what, err)
			cancel()
		}
	}
	start := func(name string, work func(context.Context) error) {
		wait.Go(func() {
			if err := work(ctx); err != nil {
				fail(name, err)
			}
		})
	}
	start("front page", s.look)
	for _, room := range s.rooms {
		if ctx.Err() != nil {
			break
		}
		if err := s.open(ctx, room); err != nil {
			fail("open "+room.Name, err)
			break
		}
		start(room.Name, room.system.Run)
		if demo, ok := room.system.(apps.Demo); ok && !s.o.Quiet {
			start(room.Name, demo.Play)
		}
	}
	wait.Wait()
	close(failures)
	var all []error
	for err := range failures {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (s *Showcase) open(ctx context.Context, room *room) error {
	config := s.o.Config(room.Subject)
	config.PublicURL = room.url
	system, err := room.Kind.Open(ctx, config)
	if err != nil {
		return err
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	room.system = system
	if guide, ok := system.(apps.Guide); ok {
		// The other pages are visits of the front page.
		room.pages = slices.DeleteFunc(guide.Pages(), func(p apps.Page) bool { return p.Path != operator.Home })
	}
	return nil
}

// look reads the numbers now and then and tells the open pages.
func (s *Showcase) look(ctx context.Context) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		for _, room := range s.rooms {
			room.trend.add(room.calls())
		}
		s.hub.Tell(numbers)
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
