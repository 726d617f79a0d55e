// Package webkit is the web toolkit of the systems: the page shell, the components and their
// styles, and the guards before every handler. Pages work without scripts where possible; small
// modules add live updates. It knows no system and stores nothing; the systems' web packages call
// it.
//
// A front makes one Site, registers its handlers on a mux and serves Site.Handler(mux):
//
//	//go:embed pages parts assets
//	var files embed.FS
//
//	site, err := webkit.New(webkit.Options{
//		Name: "Ask-a-Human", Accent: webkit.Violet, Nav: []webkit.Link{{Href: "/", Text: "Questions"}},
//		PublicURL: config.PublicURL, Box: box, Now: now, Log: log, Files: files,
//	})
//	mux := http.NewServeMux()
//	mux.HandleFunc("GET /{$}", feed)
//	mux.HandleFunc("POST /q/{id}", func(w http.ResponseWriter, r *http.Request) {
//		form := webkit.ReadForm(r).Label("answer", "Your answer")
//		text := form.Text("answer", 10, 5000)
//		if !form.Valid() {
//			site.Render(w, r, http.StatusUnprocessableEntity, "question.html", view{Form: form})
//			return
//		}
//		if err := service.Answer(r.Context(), r.PathValue("id"), text); err != nil {
//			site.Fail(w, r, err)
//			return
//		}
//		site.Flash(w, r, webkit.Good, "Answer sent")
//		site.Redirect(w, r, "/")
//	})
//	return site.Handler(mux)
//
// A page, pages/question.html, defines "title" and "main", and if it likes "head" (further
// scripts and styles) and "width" ("wide", "narrow"). Its dot is a *Page; the handler's data is
// .Data:
//
//	{{define "title"}}Question{{end}}
//	{{define "main"}}
//	<h1>{{.Data.Prompt}}</h1>
//	<form method="post" class="stack">{{$.CSRF}}
//	  {{ui "errors" "Form" .Data.Form}}
//	  {{ui "field" "Form" .Data.Form "Name" "answer" "Label" "Your answer" "Rows" 4 "Min" 10 "Max" 5000}}
//	  {{ui "button" "Text" "Send answer" "Kind" "primary"}}
//	</form>
//	<ul class="list" id="feed" data-live="/live/feed">{{range .Data.Others}}<li class="list-row">{{.}}</li>{{end}}</ul>
//	{{end}}
//
// The element with data-live is reloaded whenever that address, served by Site.Watch, sends an
// event. Components are the structs of this package; ui shows them. What holds other things is a
// class: card, stack, row, grid, list, list-row, table-wrap, board.
//
// Errors are rendered by NotFound, Gone, TooMany, Away (a temporary failure of the database) and
// Fail (an unexpected error); Problem renders any other.
//
// The policy of the pages allows no inline script, style or event attribute, and no other host.
package webkit
