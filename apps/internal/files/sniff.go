package files

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"

	"sortkey.dev/internal/lazyregexp"
)

// sniffLength is the length of content that decides its type.
const sniffLength = 512

// textTypes lists types that look like plain text and cannot run scripts.
var textTypes = []string{"text/csv", "text/markdown", "text/calendar", "text/vcard", "application/json"}

// zipTypes lists types of documents that are ZIP archives.
var zipTypes = []string{
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation",
	"application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet", "application/epub+zip",
}

// svg finds a picture that can contain scripts, which http.DetectContentType does not know.
var svg = lazyregexp.New(`(?i)<svg[\s>/]`)

// Type returns the media type of content by its first bytes. The declared type is believed only
// where it refines the type that was found and is as harmless.
func Type(head []byte, declared string) string {
	found, _, _ := mime.ParseMediaType(http.DetectContentType(head)) // never fails
	declared, _, err := mime.ParseMediaType(declared)
	if err != nil {
		declared = ""
	}
	switch {
	case svg.Match(head) && (found == "text/plain" || found == "text/xml" || found == "text/html"):
		return "image/svg+xml"
	case found == "text/plain" && slices.Contains(textTypes, declared), found == "application/zip" && slices.Contains(zipTypes, declared):
		return declared
	}
	return found
}

// sniff finds the type of content and returns a reader of all of it.
func sniff(r io.Reader, declared string) (string, io.Reader, error) {
	head := make([]byte, sniffLength)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", nil, err
	}
	return Type(head[:n], declared), io.MultiReader(bytes.NewReader(head[:n]), r), nil
}

// inline lists types that a browser may show in place: they cannot run scripts.
var inline = []string{
	"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "text/plain",
	"audio/mpeg", "audio/wave", "application/ogg", "video/mp4", "video/webm",
}

// Inline reports whether an object of a type may be shown in place. All others are downloaded,
// above all HTML and SVG, which could run scripts.
func Inline(mediaType string) bool { return slices.Contains(inline, mediaType) }
