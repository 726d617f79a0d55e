package server

import (
	"errors"
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

// read parses the settings and rejects invalid ones. Errors show no secrets.
func read(config apps.Config) (chosen, error) {
	get := config.Setting
	c := chosen{token: get(settingToken), secret: get(settingSecret), api: get(settingAPI), zone: get(settingZone)}
	if c.secret != "" && (c.token == "" || !telegram.ValidSecret(c.secret)) {
		return c, fmt.Errorf("%s needs %s, and 1 to 256 letters, digits, _ and -", settingSecret, settingToken)
	}
	if c.secret != "" {
		if u, err := url.Parse(config.PublicURL); err != nil || u.Scheme != "https" {
			return c, fmt.Errorf("%s needs a public URL with https, because Telegram calls it; set --public-url, or leave the secret out to poll", settingSecret)
		}
	}
	if c.zone != "" {
		if _, err := time.LoadLocation(c.zone); err != nil {
			return c, fmt.Errorf("%s: %q is no time zone; an example is Europe/Stockholm", settingZone, c.zone)
		}
	}
	if get(settingModel) == "" {
		return c, nil
	}
	if get(settingModelID) == "" {
		return c, errors.New(settingModel + " needs " + settingModelID)
	}
	asked, err := model.New(model.Options{BaseURL: get(settingModel), Key: get(settingKey), Model: get(settingModelID)})
	if err != nil {
		return c, fmt.Errorf("%s: %w", settingModel, err)
	}
	log := config.Log
	c.model = model.Beside(rules.New(), asked, func(err error) {
		if log != nil {
			log.Warn("the model did not answer", "error", err)
		}
	})
	return c, nil
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
