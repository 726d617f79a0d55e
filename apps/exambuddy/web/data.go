package web

import (
	"encoding/json"
	"io"
	"net/http"

	"sortkey.dev/apps/exambuddy"
)

// myData writes everything about a candidate as a file.
func (web *Web) myData(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
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
