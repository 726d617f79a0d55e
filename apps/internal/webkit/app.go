package webkit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// An App makes a site installable: it gets a manifest, icons, and a service worker that
// shows a page when the device is offline.
type App struct {
	ShortName string // at most 12 characters; the site's name if empty
	Start     string // "/" if empty
	// Icon is drawn in white on the accent; the mark of the site's face if it is empty. See Mark.
	Icon []Mark
	// Keep lists the paths of pages that work offline as they were last seen.
	Keep []string
	// Forget lists the paths of forms with which a person leaves the device, such as to sign out. When such a form
	// succeeds or redirects, what was kept is deleted from the device and its push subscription ends.
	Forget []string
	// Enter lists the paths of forms with which a person signs in; a path that ends with a slash stands for all below
	// it, also for pages that redirect. When such a form succeeds, the kept pages are deleted: they may be of the person
	// whose session has expired. Push messages go on.
	Enter []string
	// Worker is an asset of the system that the service worker runs, too, such as for push
	// messages. It is a classic script, not a module.
	Worker    string
	Shortcuts []Link
}

// The addresses of the files of an app.
const (
	manifestPath = "/manifest.webmanifest"
	workerPath   = "/service-worker.js"
	offlinePath  = "/offline"
	iconPath     = "/icon.svg"
	faviconPath  = "/favicon.ico"
)

type appFiles struct {
	files   map[string]asset
	icons   map[string]func() (asset, error)
	version string
}

type manifest struct {
	ID          string             `json:"id"`
	Name        string             `json:"name"`
	ShortName   string             `json:"short_name"`
	Description string             `json:"description,omitempty"`
	Lang        string             `json:"lang"`
	StartURL    string             `json:"start_url"`
	Scope       string             `json:"scope"`
	Display     string             `json:"display"`
	Background  string             `json:"background_color"`
	ThemeColor  string             `json:"theme_color"`
	Icons       []manifestIcon     `json:"icons"`
	Shortcuts   []manifestShortcut `json:"shortcuts,omitempty"`
}

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

type manifestShortcut struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func (s *Site) newAppFiles(app App) (*appFiles, error) {
	if app.Start == "" {
		app.Start = "/"
	}
	if app.ShortName == "" {
		app.ShortName = s.options.Name
	}
	app.Icon = s.marks()
	if app.Worker != "" && !s.assets.has("app/"+app.Worker) {
		return nil, fmt.Errorf("there is no asset %q", app.Worker)
	}
	files := map[string]asset{
		iconPath: newAsset("icon.svg", drawSVG(app.Icon, s.options.Accent, round)),
	}
	m := manifest{
		ID: app.Start, Name: s.options.Name, ShortName: app.ShortName, Description: s.options.Tagline, Lang: s.options.Lang,
		StartURL: app.Start, Scope: "/", Display: "standalone", Background: "#16141c", ThemeColor: accentHex(s.options.Accent),
		Icons: []manifestIcon{{iconPath, "any", "image/svg+xml", "any"}},
	}
	icons := make(map[string]func() (asset, error))
	for _, size := range []int{180, 192, 512} {
		for _, purpose := range []string{"any", "maskable"} {
			name := fmt.Sprintf("/icon-%s-%d.png", purpose, size)
			m.Icons = append(m.Icons, manifestIcon{name, fmt.Sprintf("%dx%d", size, size), "image/png", purpose})
			icons[name] = s.pictureOf(app.Icon, purpose, size)
		}
	}
	icons[faviconPath] = s.pictureOf(app.Icon, "any", faviconSize)
	for _, link := range app.Shortcuts {
		m.Shortcuts = append(m.Shortcuts, manifestShortcut{link.Text, link.Href})
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	files[manifestPath] = newAsset("manifest.webmanifest", text)
	worker, err := s.workerScript(app)
	if err != nil {
		return nil, err
	}
	files[workerPath] = newAsset("service-worker.js", worker)
	return &appFiles{files: files, icons: icons, version: s.assets.version}, nil
}

// faviconSize is the size of the icon for browsers that do not take SVG.
const faviconSize = 48

// marks returns the shapes of the system's icon; none if it has no icon.
func (s *Site) marks() []Mark {
	if s.options.App != nil && len(s.options.App.Icon) > 0 {
		return s.options.App.Icon
	}
	if s.options.Face != nil {
		return s.options.Face.Mark
	}
	return nil
}

// newIcons returns the icons of a site that is not installable.
func (s *Site) newIcons(marks []Mark) *appFiles {
	return &appFiles{
		files: map[string]asset{iconPath: newAsset("icon.svg", drawSVG(marks, s.options.Accent, round))},
		icons: map[string]func() (asset, error){
			faviconPath: s.pictureOf(marks, "any", faviconSize), "/icon-maskable-180.png": s.pictureOf(marks, "maskable", 180),
		},
		version: s.assets.version,
	}
}

// pictureOf draws an icon when it is first asked for: most starts of a program need none.
func (s *Site) pictureOf(marks []Mark, purpose string, size int) func() (asset, error) {
	return sync.OnceValues(func() (asset, error) {
		shape := round
		if purpose == "maskable" {
			shape = full
		}
		picture, err := drawPNG(marks, s.options.Accent, shape, size)
		return newAsset("icon.png", picture), err
	})
}

// workerScript puts the settings of this version before the worker's code, so that a new
// version of any asset makes a new worker.
func (s *Site) workerScript(app App) ([]byte, error) {
	var precache []string
	for name := range s.assets.files {
		if strings.HasSuffix(name, ".css") || name == "kit/figtree.woff2" || strings.HasSuffix(name, ".js") && name != "kit/worker.js" {
			address, err := s.assets.url(name)
			if err != nil {
				return nil, err
			}
			precache = append(precache, address)
		}
	}
	settings, err := json.Marshal(map[string]any{
		"version": s.assets.version, "offline": offlinePath, "precache": sorted(precache), "keep": app.Keep, "forget": app.Forget, "enter": app.Enter, "assets": assetPath,
	})
	if err != nil {
		return nil, err
	}
	script := "const settings = " + string(settings) + ";\n" + string(s.assets.files["kit/worker.js"].plain)
	if app.Worker != "" {
		address, err := s.assets.url("app/" + app.Worker)
		if err != nil {
			return nil, err
		}
		script += fmt.Sprintf("\nimportScripts(%q);\n", address)
	}
	return []byte(script), nil
}

// serveApp answers the files of an installable app.
func (s *Site) serveApp(w http.ResponseWriter, r *http.Request) bool {
	files := cmp.Or(s.app, s.icons)
	if files == nil {
		return false
	}
	if r.URL.Path == offlinePath && s.app != nil {
		s.readCSRF(r, stateOf(r))
		s.Render(w, r, http.StatusOK, "offline.html", nil)
		return true
	}
	if draw, ok := files.icons[r.URL.Path]; ok {
		picture, err := draw()
		if err != nil {
			s.Fail(w, r, err)
			return true
		}
		picture.serve(w, r, "public, max-age=86400", files.version)
		return true
	}
	file, ok := files.files[r.URL.Path]
	if !ok {
		return false
	}
	cache := "public, max-age=3600"
	if r.URL.Path == workerPath {
		cache = "no-cache"
	}
	file.serve(w, r, cache, files.version)
	return true
}
