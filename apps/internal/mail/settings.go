package mail

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strings"
)

// Security says how the connection to a mail server is encrypted.
type Security uint8

// The kinds of encryption.
const (
	StartTLS Security = iota // asked for after the greeting; a server without it is refused
	Implicit                 // from the first byte
	Plain                    // none, for a server on this machine
)

// Settings describe a mail server and the sender of the mail.
type Settings struct {
	Host     string
	Port     string
	User     string // "" without authentication
	Password string
	Security Security
	From     mail.Address
}

// ParseSettings parses a URL such as
//
//	smtps://user:password@mail.example.org?from=ExamBuddy <noreply@example.org>
//
// The scheme smtps is for TLS from the first byte, on port 465 unless another port is named; smtp
// is for STARTTLS, on port 587. With tls=off the connection is not encrypted, which only servers on
// this machine are allowed. Special characters of the password are escaped as in every URL.
func ParseSettings(text string) (Settings, error) {
	u, err := url.Parse(text)
	if err != nil { // the error holds the password
		return Settings{}, errors.New("mail: the address of the mail server is not a URL: escape special characters of the password, such as @ as %40")
	}
	s := Settings{Host: u.Hostname(), Port: u.Port(), User: u.User.Username()}
	s.Password, _ = u.User.Password()
	switch u.Scheme {
	case "smtps":
		s.Security, s.Port = Implicit, orDefault(s.Port, "465")
	case "smtp":
		s.Security, s.Port = StartTLS, orDefault(s.Port, "587")
	default:
		return Settings{}, fmt.Errorf("mail: the scheme of the mail server is smtps or smtp, not %q", u.Scheme)
	}
	query := u.Query()
	switch off := query.Get("tls"); {
	case off == "":
	case off != "off" || s.Security == Implicit:
		return Settings{}, errors.New("mail: tls=off, with the scheme smtp, is the only value of tls")
	case !onThisMachine(s.Host):
		return Settings{}, errors.New("mail: tls=off is for a server on this machine")
	default:
		s.Security = Plain
	}
	if s.Host == "" || (u.Path != "" && u.Path != "/") || (s.User == "") != (s.Password == "") {
		return Settings{}, errors.New("mail: the mail server is smtps://user:password@host?from=address; user and password may both be missing")
	}
	from, err := mail.ParseAddress(strings.TrimSpace(query.Get("from")))
	if err != nil || hasControl(from.Name+from.Address) {
		return Settings{}, errors.New("mail: the mail server's URL needs the sender: ?from=Name <name@example.org>")
	}
	s.From = *from
	return s, nil
}

// String returns the settings without the password.
func (s Settings) String() string {
	user := ""
	if s.User != "" {
		user = s.User + "@"
	}
	scheme := "smtp"
	if s.Security == Implicit {
		scheme = "smtps"
	}
	return scheme + "://" + user + net.JoinHostPort(s.Host, s.Port)
}

func orDefault(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func onThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
