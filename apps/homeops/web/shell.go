package web

import "sync"

// shell holds the words of package webkit in Swedish: the page frame, error pages, and what is wrong
// with a form.
var shell = map[string]string{
	tagline: "Hushållets tysta minne.", "Get started": "Kom igång", "Skip to content": "Hoppa till innehållet", "Main": "Huvudmeny", "Messages": "Meddelanden", "Footer": "Sidfot",
	"There is no connection. What you see may be old; it comes back by itself.": "Ingen anslutning. Det du ser kan vara gammalt; sidan uppdateras av sig själv.",
	"Brightness: as on this device":                                             "Ljusstyrka: som på enheten", "Brightness: light": "Ljusstyrka: ljust", "Brightness: dark": "Ljusstyrka: mörkt",

	// Forms.
	"What you sent could not be read. It may be too large.": "Det du skickade gick inte att läsa. Det kan vara för stort.",
	"Fill this in.":  "Fyll i detta.",
	"%s is missing.": "%s saknas.",
	"This holds characters that cannot be stored.": "Här finns tecken som inte kan sparas.",
	"Write 1 more character.":                      "Skriv ett tecken till.",
	"Write %s more characters.":                    "Skriv %s tecken till.",
	"Write at most %s characters; these are %s.":   "Skriv högst %s tecken; det här är %s.",
	"Write this on one line.":                      "Skriv detta på en rad.",
	"Write a whole number from %s to %s.":          "Skriv ett heltal från %s till %s.",
	"Choose one of these.":                         "Välj ett av dessa.",
	"Choose among these.":                          "Välj bland dessa.",
	"Choose at least %d.":                          "Välj minst %d.",
	"Choose at most %d.":                           "Välj högst %d.",
	"Write an amount from %s to %s.":               "Skriv ett belopp från %s till %s.",
	"Write a date such as 2026-03-21.":             "Skriv ett datum som 2026-03-21.",

	// Error pages.
	"Number": "Nummer", "Copy the number": "Kopiera numret", "Try again": "Försök igen", "Go to the start page": "Till startsidan",
	"There is nothing here":                                  "Här finns ingenting",
	"The address may be mistyped, or what was here is gone.": "Adressen kan vara felskriven, eller så är det som fanns här borta.",
	"This is no longer here":                                 "Det här finns inte längre",
	"That was a little fast":                                 "Det gick lite fort",
	"Wait %s, then try again. Nothing is lost.":              "Vänta %s och försök igen. Inget är förlorat.",
	"Something went wrong here":                              "Något gick fel hos oss",
	"It is our fault, not yours. Try again in a moment. If it stays, tell us this number.": "Det är vårt fel, inte ditt. Försök igen om en stund. Om felet är kvar, säg oss det här numret.",
	"We are away for a moment": "Vi är borta en stund",
	"We are being updated":     "Vi uppdateras",
	"A newer version is being started. Nothing is lost. Wait a minute, then try again.":                                             "En nyare version startas. Inget går förlorat. Vänta en minut och försök igen.",
	"A newer version is being started, so what you sent may not have been kept. Wait a minute, go back and send it again.":          "En nyare version startas, så det du skickade kanske inte sparades. Vänta en minut, gå tillbaka och skicka igen.",
	"Our storage does not answer just now. Wait a few seconds, then try again.":                                                     "Vår lagring svarar inte just nu. Vänta några sekunder och försök igen.",
	"Our storage does not answer just now, so what you sent may not have been kept. Wait a few seconds, go back and send it again.": "Vår lagring svarar inte just nu, så det du skickade kanske inte sparades. Vänta några sekunder, gå tillbaka och skicka igen.",
	"That is too large": "Det är för stort",
	"We take at most %s at once. Go back and send less.": "Vi tar emot högst %s på en gång. Gå tillbaka och skicka mindre.",
	"This form is out of date":                           "Formuläret är inaktuellt",
	"We could not be sure that it came from our page, so nothing was changed. Go back, load the page again and send it once more. Cookies must be allowed.": "Vi kunde inte vara säkra på att det kom från vår sida, så inget ändrades. Gå tillbaka, ladda om sidan och skicka igen. Kakor måste vara tillåtna.",
	"That does not work here":               "Det går inte här",
	"This page cannot be used in this way.": "Sidan kan inte användas så.",
	"Use the switch in the header.":         "Använd knappen i sidhuvudet.",
	"That does not work":                    "Det går inte",
	"We do not know who you are":            "Vi vet inte vem du är",
	"You cannot do this":                    "Du kan inte göra detta",
	"This page of the list does not exist. Begin with the first page.": "Den här sidan av listan finns inte. Börja med den första.",
}

// refusals returns the Swedish words of refusals by their English ones, which error pages show.
var refusals = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for _, w := range refusalWords {
		all[w.en] = w.sv
	}
	return all
})

// refusalWords holds what the domain refuses, by its code or by the value that is wrong.
var refusalWords = map[string]words{
	"refusal.EVENT_NOT_FOUND":          {"This entry is gone.", "Raden finns inte längre."},
	"refusal.NOT_YOURS":                {"Only the member who did or wrote this can change it.", "Bara den som gjorde eller skrev det kan ändra det."},
	"refusal.NOT_THE_OWNER":            {"Only the owner of the household can change this.", "Bara hushållets ägare kan ändra detta."},
	"refusal.HOUSEHOLD_NOT_FOUND":      {"There is no such household.", "Hushållet finns inte."},
	"refusal.NOT_A_MEMBER":             {"You are not a member of this household.", "Du hör inte till hushållet."},
	"refusal.CHAT_NOT_FOUND":           {"There is no such chat.", "Chatten finns inte."},
	"refusal.BUTTON_GONE":              {"This button is gone.", "Knappen finns inte längre."},
	"refusal.field.word":               {"A word has 1 to 60 characters.", "Ett ord har 1 till 60 tecken."},
	"refusal.field.activity":           {"An activity has 1 to 60 characters.", "En aktivitet har 1 till 60 tecken."},
	"refusal.field.effort":             {"Choose how heavy it was.", "Välj hur tungt det var."},
	"refusal.field.category":           {"Choose what it was.", "Välj vad det var."},
	"refusal.field.at":                 {"Choose a time within the last year.", "Välj en tid under det senaste året."},
	"refusal.field.text":               {"Search for 1 to 60 characters.", "Sök efter 1 till 60 tecken."},
	"refusal.field.language":           {"Choose Swedish or English.", "Välj svenska eller engelska."},
	"refusal.field.locale":             {"Choose Swedish or English.", "Välj svenska eller engelska."},
	"refusal.field.quiet_from":         {"Quiet hours are from 0 to 23.", "Tysta timmar är från 0 till 23."},
	"refusal.field.quiet_to":           {"Quiet hours need a beginning and an end.", "Tysta timmar behöver en början och ett slut."},
	"refusal.field.time_zone":          {"Write a time zone such as Europe/Stockholm.", "Skriv en tidszon som Europe/Stockholm."},
	"refusal.field.name":               {"The name has 1 to 60 characters.", "Namnet har 1 till 60 tecken."},
	"refusal.field.daily_cap":          {"Answers a day are from 0 to 10.", "Svar per dag är från 0 till 10."},
	"refusal.field.cooldown_minutes":   {"Minutes between answers are from 1 to 1440.", "Minuter mellan svar är från 1 till 1440."},
	"refusal.field.raw_retention_days": {"Messages are kept for 1 to 365 days.", "Meddelanden sparas i 1 till 365 dagar."},
	"refusal.field.recovery_weight":    {"The weight is from 0 to 3.", "Vikten är från 0 till 3."},
	"refusal.WORD_NOT_FOUND":           {"There is no such word.", "Ordet finns inte."},
	"refusal.TOO_MANY_WORDS":           {"This household has as many words as it can have. Let the bot forget one first.", "Hushållet har inte plats för fler ord. Låt boten glömma något först."},
	"refusal.PROMISE_NOT_FOUND":        {"There is no such promise.", "Löftet finns inte."},
	"refusal.HOUSEHOLD_FULL":           {"This household has as many members as it can have.", "Hushållet har inte plats för fler."},
}
