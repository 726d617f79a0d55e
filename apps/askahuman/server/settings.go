package server

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps"
)

// The settings.
const (
	settingOperator  = "ASK_A_HUMAN_OPERATOR_SECRET"
	settingVAPID     = "ASK_A_HUMAN_VAPID_CONTACT"
	settingFCM       = "ASK_A_HUMAN_FCM_CREDENTIALS"
	settingProxy     = "ASK_A_HUMAN_TRUST_PROXY"
	settingCallbacks = "ASK_A_HUMAN_PRIVATE_CALLBACKS"
)

// Bounds of the length of an operator secret, in characters.
const (
	minOperatorSecret = 12
	maxOperatorSecret = 200
)

// getAccount explains how to get the file for settingFCM.
const getAccount = "Download the key of a service account (Firebase console: Project settings, Service accounts, Generate new private key) and name that file, or leave the setting out."

// chosen holds the parsed settings.
type chosen struct {
	operatorSecret   string // "": make one
	contact          string // a mail address; "": no web push
	account          string // a file; "": no Firebase
	proxies          int
	privateCallbacks bool
}

// readSettings parses the settings and rejects invalid ones with advice: a system that
// silently starts with less than was configured is noticed late.
func readSettings(config apps.Config) (c chosen, err error) {
	if c.operatorSecret, err = readOperatorSecret(config.Setting(settingOperator)); err != nil {
		return c, err
	}
	if c.contact, err = readContact(config.Setting(settingVAPID)); err != nil {
		return c, err
	}
	c.account = config.Setting(settingFCM)
	behind, err := readSwitch(config, settingProxy)
	if err != nil {
		return c, err
	}
	if behind {
		c.proxies = 1
	}
	c.privateCallbacks, err = readSwitch(config, settingCallbacks)
	return c, err
}

// readOperatorSecret returns the configured secret, or "". Its errors do not show the
// secret.
func readOperatorSecret(given string) (string, error) {
	length := utf8.RuneCountInString(given)
	switch {
	case given == "":
		return "", nil
	case strings.TrimSpace(given) != given:
		return "", fmt.Errorf("%s begins or ends with a space, which the sign-in would not take\n  Remove the spaces around it.", settingOperator)
	case length < minOperatorSecret:
		return "", fmt.Errorf("%s has %d characters, and can be guessed\n  Choose one of at least %d, such as the output of: openssl rand -hex 16", settingOperator, length, minOperatorSecret)
	case length > maxOperatorSecret:
		return "", fmt.Errorf("%s has %d characters\n  Choose one of at most %d, such as the output of: openssl rand -hex 16", settingOperator, length, maxOperatorSecret)
	}
	return given, nil
}

// readContact returns the plain mail address of a contact, which may have a name before it.
func readContact(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	address, err := mail.ParseAddress(strings.TrimPrefix(strings.TrimSpace(given), "mailto:"))
	if err != nil {
		return "", fmt.Errorf("%s is no mail address: %q\n  Push services need a contact, such as mailto:you@example.org; without the setting there is no web push.", settingVAPID, given)
	}
	return address.Address, nil
}

// readSwitch reports whether a setting is on.
func readSwitch(config apps.Config, name string) (bool, error) {
	switch given := config.Setting(name); given {
	case "1", "true":
		return true, nil
	case "", "0", "false":
		return false, nil
	default:
		return false, fmt.Errorf("%s is neither on nor off: %q\n  Say 1 or true to switch it on, 0 or false to switch it off.", name, given)
	}
}
