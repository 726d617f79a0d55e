package server

import (
	"fmt"
	"net/url"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/homeops/telegram"
	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/model"
	"sortkey.dev/apps/homeops/understanding/rules"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/operator"
)

const prefix = "HOMEOPS"

// Names of the settings.
const (
	settingToken   = prefix + "_TELEGRAM_TOKEN"
	settingSecret  = prefix + "_WEBHOOK_SECRET"
	settingAPI     = prefix + "_TELEGRAM_URL"
	settingModel   = prefix + "_MODEL_URL"
	settingKey     = prefix + "_MODEL_KEY"
	settingModelID = prefix + "_MODEL"
	settingZone    = prefix + "_ZONE"
)

// settings lists all settings of the system.
func settings() []apps.Setting {
	return append([]apps.Setting{
		{Name: settingToken, Doc: "token of the bot from @BotFather; without it a simulated chat takes the place of Telegram"},
		{Name: settingSecret, Doc: "secret of the webhook at the public URL, 1 to 256 letters, digits, _ and -; without it the bot polls Telegram"},
		{Name: settingAPI, Doc: "URL of the Bot API; without it " + telegram.DefaultBaseURL},
		{Name: settingModel, Doc: "URL of a model with OpenAI's chat completions, up to /chat/completions, for households that allow it; without it only rules decide"},
		{Name: settingKey, Doc: "key of the model; without it none is sent"},
		{Name: settingModelID, Doc: "name of the model, required with " + settingModel},
		{Name: settingZone, Doc: "time zone of new households; without it Europe/Stockholm"},
	}, host.Settings(prefix, uses)...)
}

// Chosen holds the parsed settings.
type chosen struct {
	token, secret, api string
	zone               string
	model              understanding.Classifier // nil without a model
}

// read parses the settings and rejects invalid ones with an *apps.SettingError.
func read(config apps.Config) (chosen, error) {
	get := config.Setting
	c := chosen{token: get(settingToken), secret: get(settingSecret), api: get(settingAPI), zone: get(settingZone)}
	if c.secret != "" && (c.token == "" || !telegram.ValidSecret(c.secret)) {
		return c, unusable(settingSecret, "Set "+settingToken+", too, and choose a secret of 1 to 256 letters, digits, _ and -.", "cannot be the secret of a webhook")
	}
	if u, err := url.Parse(config.PublicURL); c.secret != "" && (err != nil || u.Scheme != "https") {
		return c, unusable(settingSecret, "Set --public-url, or leave the secret out to poll.", "needs a public URL with https, because Telegram calls it")
	}
	if err := checkTelegram(c); err != nil {
		return c, err
	}
	if _, err := time.LoadLocation(c.zone); err != nil {
		return c, unusable(settingZone, "Name a zone such as Europe/Stockholm.", "is no time zone: %q", c.zone)
	}
	var err error
	c.model, err = readModel(config)
	return c, err
}

// check reads all settings.
func check(config apps.Config) error {
	if _, err := read(config); err != nil {
		return err
	}
	return host.Check(prefix, uses)(config)
}

// unusable returns the error of a setting that cannot be used.
func unusable(name, advice, format string, args ...any) error {
	return &apps.SettingError{Name: name, Err: fmt.Errorf(format, args...), Advice: advice}
}

// checkTelegram rejects what no bot and no Bot API has. Whether Telegram knows the bot is asked later.
func checkTelegram(c chosen) error {
	if c.token == "" {
		return nil
	}
	if _, err := telegram.New(telegram.Options{Token: c.token}); err != nil {
		return unusable(settingToken, "Copy the whole token that @BotFather gave.", "has characters that a token never has")
	}
	if u, err := url.Parse(c.api); c.api != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return unusable(settingAPI, "Write "+telegram.DefaultBaseURL+", or leave the setting out.", "is no URL: %q", c.api)
	}
	return nil
}

// readModel returns the model of the settings; nil without one.
func readModel(config apps.Config) (understanding.Classifier, error) {
	get := config.Setting
	if get(settingModel) == "" {
		return nil, nil
	}
	if get(settingModelID) == "" {
		return nil, unusable(settingModel, "Set "+settingModelID+" to the name of the model.", "needs "+settingModelID)
	}
	asked, err := model.New(model.Options{BaseURL: get(settingModel), Key: get(settingKey), Model: get(settingModelID)})
	if err != nil {
		return nil, unusable(settingModel, "Write the URL up to /chat/completions, such as https://models.example.org/v1", "cannot be used: %w", err)
	}
	log := config.Log
	return model.Beside(rules.New(), asked, func(err error) {
		if log != nil {
			log.Warn("the model did not answer", "error", err)
		}
	}), nil
}

// shown says what is on and off, for the page of operators.
func (c chosen) shown() []operator.Setting {
	delivery := "The simulated chat takes the place of Telegram."
	switch {
	case c.secret != "":
		delivery = "Telegram delivers to the webhook."
	case c.token != "":
		delivery = "The bot polls Telegram."
	}
	text := "Only rules decide."
	if c.model != nil {
		text = "Households may have unclear messages sent to the model."
	}
	return []operator.Setting{
		{Title: "Telegram", On: c.token != "", Text: delivery, Name: settingToken},
		{Title: "Language model", On: c.model != nil, Text: text, Name: settingModel},
	}
}
