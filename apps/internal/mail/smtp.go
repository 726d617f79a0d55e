package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/smtp"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"sortkey.dev/apps/internal/secret"
)

// SMTPOptions holds the optional arguments of NewSMTP.
type SMTPOptions struct {
	TLS     *tls.Config // nil: the authorities of this machine
	Dial    func(ctx context.Context, network, address string) (net.Conn, error)
	Timeout time.Duration // of one message; 30 s if 0
	Now     func() time.Time
	Name    string // of this machine, as the server is told; "localhost" if empty
}

// An SMTP sends messages to an SMTP server, each with a connection of its own.
type SMTP struct {
	settings Settings
	options  SMTPOptions
}

// NewSMTP returns a sender.
func NewSMTP(settings Settings, options SMTPOptions) *SMTP {
	if options.Dial == nil {
		options.Dial = new(net.Dialer).DialContext
	}
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &SMTP{settings: settings, options: options}
}

// Permanent reports whether sending the same message again cannot succeed: the message is invalid,
// or the server has refused it for good.
func Permanent(err error) bool {
	var message *MessageError
	var reply *textproto.Error
	return errors.As(err, &message) || errors.As(err, &reply) && reply.Code >= 500
}

// Send sends a message and returns when the server has accepted it.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	if m.ID == "" {
		m.ID = secret.NewID()
	}
	raw, err := m.encode(s.settings.From, s.options.Now())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	if err := s.send(ctx, m.To, raw); err != nil {
		if ctx.Err() != nil { // which is why the connection failed
			err = errors.Join(ctx.Err(), err)
		}
		return fmt.Errorf("send a mail through %s: %w", s.settings, err)
	}
	return nil
}

func (s *SMTP) send(ctx context.Context, to string, raw []byte) error {
	conn, err := s.options.Dial(ctx, "tcp", net.JoinHostPort(s.settings.Host, s.settings.Port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // Quit has closed it if all went well
	// The client of net/smtp knows no contexts: a deadline in the past ends what it waits for.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	client, err := s.greet(conn)
	if err != nil {
		return err
	}
	if err := client.Mail(s.settings.From.Address); err != nil {
		return err
	}
	if err := client.Rcpt(to); err != nil {
		return err
	}
	body, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := body.Write(raw); err != nil {
		return err
	}
	if err := body.Close(); err != nil {
		return err
	}
	_ = client.Quit() // the message is accepted, whatever comes now
	return nil
}

// greet begins the dialogue: encryption, then authentication.
func (s *SMTP) greet(conn net.Conn) (*smtp.Client, error) {
	config := &tls.Config{}
	if s.options.TLS != nil {
		config = s.options.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = s.settings.Host
	}
	if s.settings.Security == Implicit {
		conn = tls.Client(conn, config)
	}
	client, err := smtp.NewClient(conn, s.settings.Host)
	if err != nil {
		return nil, err
	}
	if s.options.Name != "" {
		if err := client.Hello(s.options.Name); err != nil {
			return nil, err
		}
	}
	if s.settings.Security == StartTLS {
		if ok, _ := client.Extension("STARTTLS"); !ok {
			return nil, errors.New("the server offers no STARTTLS")
		}
		if err := client.StartTLS(config); err != nil {
			return nil, err
		}
	}
	return client, s.authenticate(client)
}

func (s *SMTP) authenticate(client *smtp.Client) error {
	if s.settings.User == "" {
		return nil
	}
	_, offered := client.Extension("AUTH")
	kinds := strings.Fields(strings.ToUpper(offered))
	switch {
	case slices.Contains(kinds, "PLAIN"):
		return client.Auth(smtp.PlainAuth("", s.settings.User, s.settings.Password, s.settings.Host))
	case slices.Contains(kinds, "LOGIN"):
		return client.Auth(&loginAuth{s.settings.User, s.settings.Password})
	}
	return fmt.Errorf("the server offers no AUTH PLAIN or LOGIN, only %q", offered)
}

// A loginAuth is AUTH LOGIN, the only kind that some servers have.
type loginAuth struct{ user, password string }

func (a *loginAuth) Start(server *smtp.ServerInfo) (string, []byte, error) {
	if !server.TLS && !onThisMachine(server.Name) {
		return "", nil, errors.New("the connection is not encrypted")
	}
	return "LOGIN", nil, nil
}

func (a *loginAuth) Next(asked []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	switch strings.ToLower(strings.TrimSuffix(string(asked), ":")) {
	case "username", "user name":
		return []byte(a.user), nil
	case "password":
		return []byte(a.password), nil
	}
	return nil, fmt.Errorf("the server asks for %q", asked)
}
