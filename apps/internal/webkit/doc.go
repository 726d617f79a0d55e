// Package webkit is what the fronts of the systems share: the page shell, the components and
// how they look, and the guards before every handler. A page works without scripts where it can;
// small modules add what lives. It knows no system and stores nothing; the systems' web
// packages and the console call it, package webtest looks at what comes out.
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
// A page, pages/question.html, defines "title" and "main", and if it likes "head" (further scripts and
// styles) and "width" ("wide", "narrow"). Its dot is a *Page; what the handler gave is .Data:
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
// The element with data-live is looked at again whenever that address, answered by Site.Watch,
// says so. Components are the structs of this package; ui shows them. What holds other
// things is a class: card, stack, row, grid, list, list-row, table-wrap, board.
//
// What goes wrong is answered by NotFound, Gone, TooMany, Away (what is behind the site does not
// answer for a moment) and Fail (nobody expected it); Problem says anything else.
//
// The policy of the pages allows no inline script, style or event attribute, and no other host.
package webkit
