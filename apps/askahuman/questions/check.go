package questions

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/refusal"
)

// checked returns the ask as it will be stored, with tidied texts and defaults. The
// error describes the first invalid value.
func (a Ask) checked() (Ask, error) {
	a.Prompt, a.Context = askahuman.Tidy(a.Prompt), askahuman.Tidy(a.Context)
	a.Language, a.CallbackURL = strings.TrimSpace(a.Language), strings.TrimSpace(a.CallbackURL)
	var err error
	for _, check := range []func(*Ask) error{
		(*Ask).checkAgent, (*Ask).checkPrompt, (*Ask).checkContext, (*Ask).checkOptions, (*Ask).checkAudience,
		(*Ask).checkNumbers, (*Ask).checkLanguage, (*Ask).checkKey, (*Ask).checkCallback,
	} {
		if err = check(&a); err != nil {
			return Ask{}, err
		}
	}
	return a, nil
}

func (a *Ask) checkAgent() error { return CheckAgentID(a.AgentID) }

// CheckAgentID makes sure that an agent's id can be part of keys, URLs and headers.
func CheckAgentID(id string) error {
	if id == "" {
		return refusal.OfField(refusal.Field{Name: "agent_id", Constraint: "required"}, "Say who asks.")
	}
	if utf8.RuneCountInString(id) > askahuman.MaxAgentID {
		return refusal.OutOfRange("agent_id", "length", 1, askahuman.MaxAgentID, "An agent's id has at most %d characters.", askahuman.MaxAgentID)
	}
	for _, c := range []byte(id) {
		if !isLetterOrDigit(c) && !strings.ContainsRune("._-:@", rune(c)) {
			return refusal.OfField(refusal.Field{Name: "agent_id", Constraint: "format"}, "An agent's id has letters, digits and . _ - : @ only.")
		}
	}
	return nil
}

func isLetterOrDigit(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (a *Ask) checkPrompt() error {
	if a.Prompt == "" {
		return refusal.OfField(refusal.Field{Name: "prompt", Constraint: "required"}, "A question needs a prompt.")
	}
	if n := utf8.RuneCountInString(a.Prompt); n < askahuman.MinPrompt || n > askahuman.MaxPrompt {
		return refusal.OutOfRange("prompt", "length", askahuman.MinPrompt, askahuman.MaxPrompt, "A prompt has %d to %d characters; this one has %d.", askahuman.MinPrompt, askahuman.MaxPrompt, n)
	}
	return askahuman.CheckText("prompt", a.Prompt, true)
}

func (a *Ask) checkContext() error {
	if n := utf8.RuneCountInString(a.Context); n > askahuman.MaxContext {
		return refusal.OutOfRange("context", "length", 0, askahuman.MaxContext, "A context has at most %d characters; this one has %d.", askahuman.MaxContext, n)
	}
	return askahuman.CheckText("context", a.Context, true)
}

func (a *Ask) checkOptions() error {
	switch kinds := []string{string(askahumandb.QuestionTypeText), string(askahumandb.QuestionTypeMultipleChoice)}; {
	case a.Type == "":
		return refusal.OfField(refusal.Field{Name: "type", Constraint: "required", Allowed: kinds}, "A question needs a type: text or multiple_choice.")
	case !askahumandb.QuestionType(a.Type).Valid():
		return refusal.OfField(refusal.Field{Name: "type", Constraint: "allowed", Allowed: kinds}, "The type is text or multiple_choice.")
	case a.Type == string(askahumandb.QuestionTypeText):
		if len(a.Options) > 0 {
			return refusal.OutOfRange("options", "count", 0, 0, "A text question has no options.")
		}
		a.Options = nil
		return nil
	}
	if n := len(a.Options); n < askahuman.MinOptions || n > askahuman.MaxOptions {
		return refusal.OutOfRange("options", "count", askahuman.MinOptions, askahuman.MaxOptions, "A multiple-choice question has %d to %d options; this one has %d.", askahuman.MinOptions, askahuman.MaxOptions, n)
	}
	a.Options = slices.Clone(a.Options)
	for i, option := range a.Options {
		option = askahuman.Tidy(option)
		if n := utf8.RuneCountInString(option); n < 1 || n > askahuman.MaxOption {
			return refusal.OutOfRange("options", "length", 1, askahuman.MaxOption, "An option has 1 to %d characters; number %d has %d.", askahuman.MaxOption, i+1, n)
		}
		if err := askahuman.CheckText("options", option, false); err != nil {
			return err
		}
		if slices.Contains(a.Options[:i], option) {
			return refusal.OfField(refusal.Field{Name: "options", Constraint: "unique"}, "Option %d is there twice.", i+1)
		}
		a.Options[i] = option
	}
	return nil
}

// checkAudience validates the audience and removes duplicate tags.
func (a *Ask) checkAudience() error {
	var audience []string
	for _, tag := range a.Audience {
		if !slices.Contains(askahuman.Audiences, tag) {
			return refusal.OfField(refusal.Field{Name: "audience", Constraint: "allowed", Allowed: slices.Clone(askahuman.Audiences)}, "An audience is one of %s.", strings.Join(askahuman.Audiences, ", "))
		}
		if !slices.Contains(audience, tag) {
			audience = append(audience, tag)
		}
	}
	if len(audience) == 0 {
		audience = []string{"general"}
	}
	a.Audience = audience
	return nil
}

func (a *Ask) checkNumbers() error {
	required, timeout := askahuman.DefaultResponses, askahuman.DefaultTimeout
	if a.Required != nil {
		required = *a.Required
	}
	if a.Timeout != nil {
		timeout = *a.Timeout
	}
	if required < askahuman.MinResponses || required > askahuman.MaxResponses {
		return refusal.OutOfRange("min_responses", "range", askahuman.MinResponses, askahuman.MaxResponses, "A question wants %d to %d answers.", askahuman.MinResponses, askahuman.MaxResponses)
	}
	if timeout < askahuman.MinTimeout || timeout > askahuman.MaxTimeout {
		least, most := int(askahuman.MinTimeout/time.Second), int(askahuman.MaxTimeout/time.Second)
		return refusal.OutOfRange("timeout_seconds", "range", least, most, "A question is open for %d to %d seconds.", least, most)
	}
	a.Required, a.Timeout = &required, &timeout
	return nil
}

// maxLanguage is the maximum length of a language tag such as zh-Hant-TW.
const maxLanguage = 35

func (a *Ask) checkLanguage() error {
	for _, c := range []byte(a.Language) {
		if !isLetterOrDigit(c) && c != '-' {
			return refusal.OfField(refusal.Field{Name: "language", Constraint: "format"}, "A language is a tag such as en or pt-BR.")
		}
	}
	if n := len(a.Language); n > maxLanguage {
		return refusal.OutOfRange("language", "length", 0, maxLanguage, "A language is a tag such as en or pt-BR.")
	}
	return nil
}

func (a *Ask) checkKey() error {
	if n := utf8.RuneCountInString(a.IdempotencyKey); n > askahuman.MaxKey {
		return refusal.OutOfRange("idempotency_key", "length", 1, askahuman.MaxKey, "An idempotency key has at most %d characters; this one has %d.", askahuman.MaxKey, n)
	}
	return askahuman.CheckText("idempotency_key", a.IdempotencyKey, false)
}

func (a *Ask) checkCallback() error {
	if a.CallbackURL == "" {
		return nil
	}
	if n := utf8.RuneCountInString(a.CallbackURL); n > askahuman.MaxCallbackURL {
		return refusal.OutOfRange("callback_url", "length", 1, askahuman.MaxCallbackURL, "A callback URL has at most %d characters; this one has %d.", askahuman.MaxCallbackURL, n)
	}
	u, err := url.Parse(a.CallbackURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || !isPort(u.Port()) {
		return refusal.OfField(refusal.Field{Name: "callback_url", Constraint: "format"}, "A callback URL begins with http:// or https://, names a host, and carries no credentials.")
	}
	return askahuman.CheckText("callback_url", a.CallbackURL, false)
}

// checkReachable refuses a callback URL that no delivery can reach, such as a private address.
func (s *Service) checkReachable(a Ask) error {
	if a.CallbackURL == "" {
		return nil
	}
	err := publichttp.Check(a.CallbackURL, s.callbacks)
	if wrong, ok := errors.AsType[*publichttp.URLError](err); ok {
		return refusal.OfField(refusal.Field{Name: "callback_url", Constraint: "format"}, "%s", wrong.Reason)
	}
	return err
}

// isPort reports whether port is empty or a valid port number.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}
