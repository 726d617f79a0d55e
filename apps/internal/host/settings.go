package host

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/files"
	postbox "sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/openid"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/internal/lazyregexp"
)

// Uses says which optional settings a system has. The operator's secret, the number of proxies and
// the number of parts are settings of every system.
type Uses struct {
	Mail      bool // mail to people
	Providers bool // sign-in through OpenID Connect
	Push      bool // web push and Firebase Cloud Messaging
	Files     bool // files of people
	Callbacks bool // requests to addresses that callers name
}

// The ends of the names of settings, after the prefix of the system.
const (
	settingOperator  = "_OPERATOR_SECRET"
	settingProxies   = "_TRUST_PROXY"
	settingParts     = "_PARTS"
	settingMail      = "_SMTP"
	settingProviders = "_OIDC"
	settingVAPID     = "_VAPID_CONTACT"
	settingFCM       = "_FCM_CREDENTIALS"
	settingFiles     = "_FILES"
	settingCallbacks = "_PRIVATE_CALLBACKS"
)

// maxParts is the maximum number of parts: every part is a query of a poll.
const maxParts = 1000

// maxProxies is the maximum number of proxies before a system.
const maxProxies = 9

// Settings lists the common settings of a system, for its apps.Kind.
func Settings(prefix string, uses Uses) []apps.Setting {
	var list []apps.Setting
	add := func(has bool, name, doc string) {
		if has {
			list = append(list, apps.Setting{Name: prefix + name, Doc: doc})
		}
	}
	add(true, settingOperator, "the first operator's secret; without it one is made and shown at the start")
	add(uses.Mail, settingMail, "a mail server: smtps://user:password@host?from=address; without it mail is kept on a page whose address is shown at the start")
	add(uses.Providers, settingProviders, "providers to sign in with: https://client:secret@issuer?name=school, several with a space between; without it people sign in with passwords")
	add(uses.Push, settingVAPID, "a mail address for push services: switches web push on; without it people have an inbox on the page")
	add(uses.Push, settingFCM, "a file with a service account: switches Firebase Cloud Messaging on")
	add(uses.Files, settingFiles, "where files are kept: file:///directory or s3://bucket?region=NAME; without it in the directory of --data, or in one that is deleted at the end")
	add(true, settingProxies, "the number of our proxies that set X-Forwarded-For; without it the header is ignored")
	add(true, settingParts, "the number of partitions that each queue is spread over, for more than some hundred jobs a second; the same for all processes, and not to be lowered. Without it 1")
	add(uses.Callbacks, settingCallbacks, "1: webhooks may reach addresses that are not public")
	return list
}

// Chosen holds the parsed common settings.
type Chosen struct {
	OperatorSecret   string // "": one is made
	Proxies          int
	Parts            int               // of lanes, and of what else a system spreads; 0: one
	Mail             *postbox.Settings // nil: mail is kept
	Providers        []openid.Options
	Contact          string // a mail address; "": no web push
	FCM              []byte // credentials; nil: no Firebase
	Files            string // a URL; "": the directory of the data, or a temporary one
	PrivateCallbacks bool
}

// Read parses the settings and rejects invalid ones with an *apps.SettingError: a system that silently starts
// with less than was configured is noticed late.
func Read(config apps.Config, prefix string, uses Uses) (c Chosen, err error) {
	get := func(has bool, name string) string {
		if !has {
			return ""
		}
		return config.Setting(prefix + name)
	}
	steps := []struct {
		name string
		has  bool
		read func(given string) error
	}{
		{settingOperator, true, func(given string) (err error) { c.OperatorSecret, err = readOperatorSecret(given); return err }},
		{settingProxies, true, func(given string) (err error) { c.Proxies, err = readProxies(given); return err }},
		{settingParts, true, func(given string) (err error) { c.Parts, err = readParts(given); return err }},
		{settingMail, uses.Mail, func(given string) (err error) { c.Mail, err = readMail(given); return err }},
		{settingProviders, uses.Providers, func(given string) (err error) { c.Providers, err = readProviders(given); return err }},
		{settingVAPID, uses.Push, func(given string) (err error) { c.Contact, err = readContact(given); return err }},
		{settingFCM, uses.Push, func(given string) (err error) { c.FCM, err = readAccount(given); return err }},
		{settingFiles, uses.Files, func(given string) (err error) { c.Files, err = readFiles(given); return err }},
		{settingCallbacks, uses.Callbacks, func(given string) (err error) { c.PrivateCallbacks, err = readSwitch(given); return err }},
	}
	for _, step := range steps {
		if err := step.read(get(step.has, step.name)); err != nil {
			var e *apps.SettingError
			if !errors.As(err, &e) {
				return Chosen{}, fmt.Errorf("%s%s %w", prefix, step.name, err)
			}
			e.Name = prefix + step.name
			return Chosen{}, e
		}
	}
	return c, nil
}

// Check returns the check of a system that has only the common settings, for its apps.Kind.
func Check(prefix string, uses Uses) func(apps.Config) error {
	return func(config apps.Config) error {
		_, err := Read(config, prefix, uses)
		return err
	}
}

// unusable returns the error of a value that cannot be used. Read adds the name of the setting.
func unusable(advice, format string, args ...any) error {
	return &apps.SettingError{Err: fmt.Errorf(format, args...), Advice: advice}
}

func readOperatorSecret(given string) (string, error) {
	length := utf8.RuneCountInString(given)
	switch {
	case given == "":
		return "", nil
	case strings.TrimSpace(given) != given:
		return "", unusable("Remove the spaces around it.", "begins or ends with a space, which the sign-in would not take")
	case length < staff.MinSecret:
		return "", unusable(fmt.Sprintf("Choose one of at least %d, such as the output of: openssl rand -hex 16", staff.MinSecret), "has %d characters, and can be guessed", length)
	case length > staff.MaxSecret:
		return "", unusable(fmt.Sprintf("Choose one of at most %d, such as the output of: openssl rand -hex 16", staff.MaxSecret), "has %d characters", length)
	}
	return given, nil
}

func readProxies(given string) (int, error) {
	switch given {
	case "", "0", "false":
		return 0, nil
	case "true":
		return 1, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 0 || n > maxProxies {
		return 0, unusable(fmt.Sprintf("Say 1 behind one proxy that sets X-Forwarded-For, 0 without one, and at most %d.", maxProxies), "is not a number of proxies: %q", given)
	}
	return n, nil
}

func readParts(given string) (int, error) {
	if given == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 1 || n > maxParts {
		return 0, unusable(fmt.Sprintf("Say a number from 1 to %d.", maxParts), "is not a number of partitions: %q", given)
	}
	return n, nil
}

func readMail(given string) (*postbox.Settings, error) {
	if given == "" {
		return nil, nil
	}
	settings, err := postbox.ParseSettings(given)
	if err != nil {
		return nil, unusable("Write smtps://user:password@mail.example.org?from=noreply@example.org, or leave the setting out.", "cannot be used: %w", err)
	}
	return &settings, nil
}

var providerName = lazyregexp.New(`^[a-z0-9][a-z0-9-]{0,30}$`)

// readProviders parses URLs of issuers with the client's id and secret as user and password.
func readProviders(given string) ([]openid.Options, error) {
	const advice = "Write https://CLIENT:SECRET@issuer.example.org?name=school&title=School; escape special characters as in every URL."
	var all []openid.Options
	seen := make(map[string]bool)
	for i, text := range strings.Fields(given) {
		u, err := url.Parse(text)
		switch {
		case err != nil: // the error holds the secret
			return nil, unusable(advice, "has no URL at place %d", i+1)
		case u.Scheme != "https" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1", u.Host == "", u.User.Username() == "":
			return nil, unusable(advice, "has no issuer with https and a client at place %d", i+1)
		}
		query := u.Query()
		o := openid.Options{Name: query.Get("name"), Title: query.Get("title"), ClientID: u.User.Username()}
		o.ClientSecret, _ = u.User.Password()
		if !providerName.MatchString(o.Name) || seen[o.Name] {
			return nil, unusable("Add ?name= with small letters, digits and -. It must never change.", "has no name of its own at place %d: %q", i+1, o.Name)
		}
		seen[o.Name] = true
		o.Issuer = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}).String()
		all = append(all, o)
	}
	return all, nil
}

// readContact returns the plain mail address of a contact, which may have a name before it.
func readContact(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	address, err := mail.ParseAddress(strings.TrimPrefix(strings.TrimSpace(given), "mailto:"))
	if err != nil {
		return "", unusable("Push services need a contact, such as mailto:you@example.org; without the setting there is no web push.", "is no mail address: %q", given)
	}
	return address.Address, nil
}

// readAccount returns the contents of a file with a service account.
func readAccount(given string) ([]byte, error) {
	if given == "" {
		return nil, nil
	}
	const advice = "Download the key of a service account (Firebase console: Project settings, Service accounts, Generate new private key) and name that file, or leave the setting out."
	account, err := os.ReadFile(given)
	if err != nil {
		return nil, unusable(advice, "cannot be read: %w", err)
	}
	if _, err := notify.NewFCM(account, notify.FCMOptions{}); err != nil {
		return nil, unusable(advice, "names %s, which cannot be used: %w", given, err)
	}
	return account, nil
}

// readFiles returns the URL of a store. A plain directory becomes a URL.
func readFiles(given string) (string, error) {
	const advice = "Write file:///absolute/path or s3://bucket?region=NAME."
	if given == "" {
		return "", nil
	}
	if strings.Contains(given, "://") {
		if err := files.Check(given); err != nil {
			return "", unusable(advice, "cannot be used: %w", err)
		}
		return given, nil
	}
	path, err := filepath.Abs(given)
	if err != nil {
		return "", unusable(advice, "is no directory: %w", err)
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), nil
}

func readSwitch(given string) (bool, error) {
	switch given {
	case "1", "true":
		return true, nil
	case "", "0", "false":
		return false, nil
	}
	return false, unusable("Say 1 or true to switch it on, 0 or false to switch it off.", "is neither on nor off: %q", given)
}
