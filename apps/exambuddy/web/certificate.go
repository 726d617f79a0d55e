package web

import (
	"io"
	"net/http"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/report"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/internal/qrcode"
)

// certificate issues the certificate of a passed exam and shows it.
func (web *Web) certificate(w http.ResponseWriter, r *http.Request, me exambuddy.Candidate) error {
	issued, err := web.Domain.Results.Certificate(r.Context(), me, r.PathValue("id"))
	if err != nil {
		return err
	}
	web.Site.Redirect(w, r, "/certificates/"+issued.Code)
	return nil
}

// certificateView holds the data of certificate.html.
type certificateView struct {
	results.Certificate
	Address string
}

// verifyCertificate shows a certificate to anyone who has its code.
func (web *Web) verifyCertificate(w http.ResponseWriter, r *http.Request) error {
	issued, err := web.Domain.Results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	web.Site.Render(w, r, http.StatusOK, "certificate.html", certificateView{Certificate: issued, Address: web.certificateURL(issued)})
	return nil
}

// certificateURL returns the address at which anyone can check a certificate.
func (web *Web) certificateURL(c results.Certificate) string {
	return web.PublicURL + "/certificates/" + c.Code
}

// certificatePDF writes a certificate to print. A revoked one is not found.
func (web *Web) certificatePDF(w http.ResponseWriter, r *http.Request) error {
	issued, err := web.Domain.Results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	if issued.RevokedAt != nil {
		return results.ErrNoCertificate
	}
	c := report.Certificate{
		Candidate: issued.CandidateName, Project: issued.ProjectTitle, Tenths: int(issued.ScoreTenths), Date: issued.PassedAt, ID: issued.Code, URL: web.certificateURL(issued),
	}
	return sendFile(w, "application/pdf", issued.ProjectTitle+".pdf", c.PDF)
}

// certificateCode draws the QR code of a certificate.
func (web *Web) certificateCode(w http.ResponseWriter, r *http.Request) error {
	issued, err := web.Domain.Results.VerifyCertificate(r.Context(), r.PathValue("code"))
	if err != nil {
		return err
	}
	drawn, err := qrcode.New(web.certificateURL(issued))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "private, max-age=86400")
	_, err = io.WriteString(w, drawn.SVG())
	return err
}
