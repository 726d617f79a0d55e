package web

import (
	"io"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/qrcode"
	"sortkey.dev/apps/internal/webkit"
)

// certificatePages serves certificates.
type certificatePages struct {
	results   *results.Service
	site      *webkit.Site
	publicURL string
}

// public returns the pages that need no sign-in.
func (h *certificatePages) public() map[string]webkit.Handler {
	return map[string]webkit.Handler{
		"GET /certificates/{code}":                 h.verify,
		"GET /certificates/{code}/certificate.pdf": h.pdf,
		"GET /certificates/{code}/code.svg":        h.code,
	}
}

func (h *certificatePages) pages() map[string]candidatePage {
	return map[string]candidatePage{
		"POST /results/{id}/certificate": h.certificate,
	}
}

// certificate issues the certificate of a passed exam and shows it.
func (h *certificatePages) certificate(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	issued, err := h.results.Certificate(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	h.site.Redirect(w, r, "/certificates/"+issued.Code)
	return nil
}

// certificateView holds the data of certificate.html.
type certificateView struct {
	results.Certificate
	Address string
}

// verify shows a certificate to anyone who has its code.
func (h *certificatePages) verify(w http.ResponseWriter, r *http.Request) error {
	issued, err := h.results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	h.site.Render(w, r, http.StatusOK, "certificate.html", certificateView{Certificate: issued, Address: h.url(issued)})
	return nil
}

// url returns the address at which anyone can check a certificate.
func (h *certificatePages) url(c results.Certificate) string {
	return h.publicURL + "/certificates/" + c.Code
}

// pdf writes a certificate to print. A revoked one is not found.
func (h *certificatePages) pdf(w http.ResponseWriter, r *http.Request) error {
	issued, err := h.results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	if issued.RevokedAt != nil {
		return results.ErrNoCertificate
	}
	c := report.Certificate{
		Candidate: issued.CandidateName, Project: issued.ProjectTitle, Tenths: int(issued.ScoreTenths), Date: issued.PassedAt, ID: issued.Code, URL: h.url(issued),
	}
	return sendFile(w, "application/pdf", issued.ProjectTitle+".pdf", c.PDF)
}

// code draws the QR code of a certificate.
func (h *certificatePages) code(w http.ResponseWriter, r *http.Request) error {
	issued, err := h.results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	drawn, err := qrcode.New(h.url(issued))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "private, max-age=86400")
	_, err = io.WriteString(w, drawn.SVG())
	return err
}
