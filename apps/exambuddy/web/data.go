package web

import (
	"encoding/json"
	"io"
	"net/http"
)

// myData writes everything about the signed-in person as a file.
func (web *Web) myData(w http.ResponseWriter, r *http.Request) error {
	me, err := caller(r)
	if err != nil {
		return err
	}
	data, err := web.Domain.Privacy.Export(r.Context(), me)
	if err != nil {
		return err
	}
	return sendFile(w, "application/json", "exambuddy.json", func(to io.Writer) error {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		return encoder.Encode(data)
	})
}
