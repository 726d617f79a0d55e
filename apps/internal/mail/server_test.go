package mail_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A server is a small SMTP server that accepts mail, and remembers it.
type server struct {
	listener net.Listener
	tls      *tls.Config
	roots    *x509.CertPool
	implicit bool
	offers   []string          // extensions, such as STARTTLS or AUTH LOGIN
	replies  map[string]string // instead of the usual reply, by command
	hangs    string            // a command that is never answered; "CONNECT" for the greeting
	hanging  chan struct{}     // receives when a client waits for hangs
	user     string
	password string

	mu   sync.Mutex
	mail []received
}

type received struct {
	from, to  string
	data      string
	encrypted bool
	user      string // who authenticated
	hello     string
}

func serve(t *testing.T, s *server) *server {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	t.Cleanup(web.Close)
	s.tls = &tls.Config{Certificates: web.TLS.Certificates}
	s.roots = x509.NewCertPool()
	s.roots.AddCert(web.Certificate())
	s.hanging = make(chan struct{}, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.listener = listener
	var group sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); group.Wait() })
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() { (&dialogue{server: s}).run(conn) })
		}
	})
	return s
}

func (s *server) received() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.mail...)
}

func (s *server) port() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return port
}

// A dialogue is one connection.
type dialogue struct {
	*server
	conn net.Conn
	in   *bufio.Reader
	now  received
}

func (d *dialogue) run(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if d.implicit {
		d.upgrade(conn)
	} else {
		d.conn, d.in = conn, bufio.NewReader(conn)
	}
	if d.stuck("CONNECT") {
		return
	}
	d.say("220 mail.test ready")
	for {
		line, err := d.in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		command, _, _ := strings.Cut(strings.ToUpper(line), " ") // "" of what is no SMTP at all
		if d.stuck(command) {
			return
		}
		if reply, ok := d.replies[command]; ok {
			d.say(reply)
			continue
		}
		if !d.answer(command, line) {
			return
		}
	}
}

func (d *dialogue) answer(command, line string) bool {
	switch command {
	case "EHLO":
		d.now.hello = strings.TrimPrefix(line, "EHLO ")
		d.say("250-mail.test")
		for _, offer := range d.offers {
			if offer != "STARTTLS" || !d.now.encrypted {
				d.say("250-" + offer)
			}
		}
		d.say("250 8BITMIME")
	case "STARTTLS":
		d.say("220 go on")
		d.upgrade(d.conn)
	case "AUTH":
		d.authenticate(strings.Fields(line))
	case "MAIL":
		d.now.from = line
		d.say("250 ok")
	case "RCPT":
		d.now.to = line
		d.say("250 ok")
	case "DATA":
		d.say("354 go on")
		d.data()
	case "QUIT":
		d.say("221 bye")
		return false
	default:
		d.say("502 what is " + command)
	}
	return true
}

func (d *dialogue) authenticate(words []string) {
	var user, password string
	switch words[1] {
	case "PLAIN":
		parts := strings.Split(decode(words[2]), "\x00")
		user, password = parts[1], parts[2]
	case "LOGIN":
		d.say("334 " + base64.StdEncoding.EncodeToString([]byte("Username:")))
		user = decode(d.line())
		d.say("334 " + base64.StdEncoding.EncodeToString([]byte("Password:")))
		password = decode(d.line())
	}
	if user != d.user || password != d.password {
		d.say("535 5.7.8 wrong")
		return
	}
	d.now.user = user
	d.say("235 welcome")
}

func (d *dialogue) data() {
	var text strings.Builder
	for {
		line := d.line()
		if line == "." {
			break
		}
		text.WriteString(strings.TrimPrefix(line, ".") + "\r\n")
	}
	d.now.data = text.String()
	d.mu.Lock()
	d.mail = append(d.mail, d.now)
	d.mu.Unlock()
	d.say("250 accepted")
}

func (d *dialogue) line() string {
	line, err := d.in.ReadString('\n')
	if err != nil {
		return "."
	}
	return strings.TrimSuffix(line, "\r\n")
}

func (d *dialogue) say(line string) { _, _ = fmt.Fprintf(d.conn, "%s\r\n", line) }

func (d *dialogue) upgrade(conn net.Conn) {
	secure := tls.Server(conn, d.tls)
	d.conn, d.in, d.now.encrypted = secure, bufio.NewReader(secure), true
}

// stuck waits until the client leaves, if the server hangs at a command.
func (d *dialogue) stuck(command string) bool {
	if d.hangs != command {
		return false
	}
	d.hanging <- struct{}{}
	_, _ = d.in.ReadString('\n')
	return true
}

func decode(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	return string(raw)
}
