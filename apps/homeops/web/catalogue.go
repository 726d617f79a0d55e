package web

import (
	"fmt"
	"maps"
	"strings"
	"sync"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/internal/refusal"
)

// Words are a text of a page in both languages. Formats are those of package fmt.
type words struct{ en, sv string }

// catalogue holds the texts of all pages. A key begins with the page.
var catalogue = sync.OnceValue(func() map[string]words {
	all := make(map[string]words)
	for _, page := range []map[string]words{frameWords, refusalWords, startWords, chatWords, memberWords, preferenceWords, householdWords, settingsWords, inviteWords} {
		maps.Copy(all, page)
	}
	return all
})

// T returns a text of the catalogue in the language of the visitor.
func (f frame) T(key string, args ...any) (string, error) {
	w, ok := catalogue()[key]
	if !ok {
		return "", fmt.Errorf("web: the catalogue has no text %q", key)
	}
	text := w.en
	if f.Lang == understanding.Swedish {
		text = w.sv
	}
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	return text, nil
}

// Count returns a number with its noun: the text of key with ".one" for 1.
func (f frame) Count(key string, n int) (string, error) {
	if n == 1 {
		key += ".one"
	}
	text, err := f.T(key)
	if err != nil || !strings.Contains(text, "%") { // "once" has no number
		return text, err
	}
	return fmt.Sprintf(text, n), nil
}

// word returns a text that exists: a test finds keys that do not.
func (f frame) word(key string) string {
	text, err := f.T(key)
	if err != nil {
		return key
	}
	return text
}

// refusal returns the words of a refusal: those of its code, or of the value that is wrong.
func (f frame) refusal(r *refusal.Error) string {
	keys := []string{"refusal." + r.Code}
	for _, field := range r.Fields {
		keys = append(keys, "refusal.field."+field.Name)
	}
	for _, key := range keys {
		if text, err := f.T(key); err == nil {
			return text
		}
	}
	return r.Message
}

const tagline = "The quiet memory of a household."

// translate returns the words of package webkit in a language.
func translate(lang, english string) string {
	if lang != string(understanding.Swedish) {
		return english
	}
	if text, ok := shell[english]; ok {
		return text
	}
	if text, ok := refusals()[english]; ok {
		return text
	}
	return english
}

var frameWords = map[string]words{
	"nav.week": {"My week", "Min vecka"}, "nav.log": {"My log", "Min logg"}, "nav.promises": {"Promises", "Löften"},
	"nav.household": {"Household", "Hushållet"}, "nav.preferences": {"Me", "Jag"}, "nav.chat": {"Chat", "Chatt"},
	"day.today": {"Today", "Idag"}, "day.yesterday": {"Yesterday", "Igår"}, "day.tomorrow": {"Tomorrow", "Imorgon"},
	"month.1": {"January", "januari"}, "month.2": {"February", "februari"}, "month.3": {"March", "mars"}, "month.4": {"April", "april"},
	"month.5": {"May", "maj"}, "month.6": {"June", "juni"}, "month.7": {"July", "juli"}, "month.8": {"August", "augusti"},
	"month.9": {"September", "september"}, "month.10": {"October", "oktober"}, "month.11": {"November", "november"}, "month.12": {"December", "december"},
	"effort.low": {"Light", "Lätt"}, "effort.medium": {"Medium", "Lagom"}, "effort.high": {"Heavy", "Tungt"},
	"list.more":      {"Show more", "Visa fler"},
	"form.check":     {"Please check this", "Kontrollera detta"},
	"language.title": {"Language", "Språk"}, "language.save": {"Use this language", "Använd språket"},
}

var startWords = map[string]words{
	"start.title":     {"The quiet memory of your home", "Hemmets tysta minne"},
	"start.lead":      {"Write in your family chat as always. HomeOps remembers who did what, and almost never speaks.", "Skriv i familjechatten som vanligt. HomeOps minns vem som gjort vad och säger nästan aldrig något."},
	"start.try":       {"Try it in the chat", "Prova i chatten"},
	"start.setup":     {"Get started", "Kom igång"},
	"start.asked":     {"Sign in to see this page: write “login” to the bot in private and follow its link.", "Logga in för att se sidan: skriv ”logga in” privat till boten och följ länken."},
	"start.askedHere": {"Choose below whose pages you want to see.", "Välj nedan vems sidor du vill se."},
	"start.how":       {"How it works", "Så fungerar det"},
	"start.how1":      {"“I did the dishes” is an entry. No commands, no lists.", "”Jag har diskat” blir en rad i loggen. Inga kommandon, inga listor."},
	"start.how2":      {"Your week is yours: no other member sees your load.", "Din vecka är din: ingen annan ser din belastning."},
	"start.how3":      {"Facts instead of opinions. Correct or erase what is yours at any time.", "Fakta i stället för åsikter. Rätta eller radera ditt eget när du vill."},
	"start.look":      {"Look around", "Se dig omkring"}, "start.lookHow": {"The households %s are invented. Choose whose pages you want to see.", "Hushållen %s är påhittade. Välj vems sidor du vill se."},
	"start.as":        {"As %s", "Som %s"},
	"start.signIn":    {"Your pages", "Dina sidor"},
	"start.signInHow": {"Write “login” to the bot in private. The link that it sends works once, for 15 minutes.", "Skriv ”logga in” privat till boten. Länken som den skickar gäller en gång, i 15 minuter."},
	"signin.title":    {"Sign in", "Logga in"}, "signin.lead": {"This link opens the pages of %s on this device.", "Länken öppnar sidorna för %s på den här enheten."},
	"signin.button": {"Sign in as %s", "Logga in som %s"}, "signin.note": {"You stay signed in for 30 days.", "Du är inloggad i 30 dagar."},
	"setup.title": {"Get started", "Kom igång"}, "setup.lead": {"Five steps, about three minutes.", "Fem steg, ungefär tre minuter."},
	"setup.add":      {"Add the bot to your family's group", "Lägg till boten i familjens grupp"},
	"setup.addHow":   {"Open the group in Telegram, choose “Add members” and search for @%s.", "Öppna gruppen i Telegram, välj ”Lägg till medlemmar” och sök efter @%s."},
	"setup.addLink":  {"Add to a group", "Lägg till i en grupp"},
	"setup.admin":    {"Make the bot an administrator", "Gör boten till administratör"},
	"setup.adminHow": {"It then sees reactions, and a thumb down on your own message removes an entry. No rights are needed.", "Då ser den reaktioner, och tummen ner på ditt eget meddelande tar bort raden. Inga rättigheter behövs."},
	"setup.write":    {"Write something that you did", "Skriv något du har gjort"},
	"setup.writeHow": {"“I did the dishes.” The bot answers with a small pen.", "”Jag har diskat.” Boten svarar med en liten penna."},
	"setup.start":    {"Write /start to the bot in private", "Skriv /start privat till boten"},
	"setup.startHow": {"Only then can it send you your own week.", "Först då kan den skicka dig din egen vecka."},
	"setup.login":    {"Write “login” to the bot", "Skriv ”logga in” till boten"}, "setup.loginHow": {"Its link opens your pages.", "Länken öppnar dina sidor."},
	"setup.readsAll":  {"The bot reads all messages of its groups.", "Boten läser alla meddelanden i sina grupper."},
	"setup.readsNot":  {"The privacy mode of the bot is on: it does not see ordinary messages. An operator turns it off with @BotFather, /setprivacy.", "Botens sekretessläge är på: den ser inte vanliga meddelanden. Driften stänger av det hos @BotFather, /setprivacy."},
	"setup.simulated": {"This system is not connected to Telegram. The simulated chat takes its place.", "Systemet är inte anslutet till Telegram. Den simulerade chatten ersätter det."},
}

var chatWords = map[string]words{
	"chat.title": {"Simulated chat", "Simulerad chatt"}, "chat.group": {"Group", "Grupp"}, "chat.private": {"With the bot", "Med boten"},
	"chat.who": {"Who speaks", "Vem skriver"}, "chat.where": {"Where", "Var"}, "chat.place": {"Household", "Hushåll"},
	"chat.write": {"Message as %s", "Meddelande som %s"}, "chat.send": {"Send", "Skicka"}, "chat.reply": {"Reply", "Svara"},
	"chat.replying": {"Reply to: %s", "Svar på: %s"}, "chat.noReply": {"No reply", "Inget svar"},
	"chat.none":    {"Nothing was written yet", "Inget har skrivits än"},
	"chat.noneHow": {"Write what one of them did today. The messages take the same way as those of Telegram.", "Skriv vad någon har gjort idag. Meddelandena tar samma väg som Telegrams."},
	"chat.empty":   {"Write 1 to 1,000 characters.", "Skriv 1 till 1 000 tecken."},
	"chat.try":     {"Try", "Prova"}, "chat.reacted": {"The bot reacted with %s", "Boten reagerade med %s"}, "chat.only": {"only you see this", "bara du ser detta"},
	"chat.messages": {"Messages", "Meddelanden"}, "chat.older": {"Show older messages", "Visa äldre meddelanden"},
	"chat.open": {"Open the pages of %s", "Öppna sidorna för %s"}, "chat.writeFirst": {"Write something in the group first.", "Skriv något i gruppen först."},
	"chat.simulated": {"Everyone here is simulated. What you write takes the same way as messages of Telegram.", "Alla här är simulerade. Det du skriver tar samma väg som Telegrams meddelanden."},
	"chat.demo":      {"This is a demo: these people, their weeks and their messages are invented. Write as one of them.", "Det här är en demo: personerna, deras veckor och meddelanden är påhittade. Skriv som en av dem."},
}

var memberWords = map[string]words{
	"week.title": {"My week", "Min vecka"}, "week.private": {"Only you see this.", "Bara du ser detta."},
	"week.chores": {"Chores", "Sysslor"}, "week.pauses": {"Breaks", "Pauser"}, "week.effort": {"Effort", "Insats"}, "week.recovery": {"Recovery", "Återhämtning"},
	"week.trend": {"Your own trend", "Din egen trend"}, "week.home": {"At home", "Hemma"},
	"week.trend.lighter": {"↓ a lighter week for you", "↓ lättare vecka för dig"}, "week.trend.same": {"→ as usual for you", "→ som vanligt för dig"}, "week.trend.heavier": {"↑ a heavier week for you", "↑ tyngre vecka för dig"},
	"week.short": {"Trend", "Trend"}, "week.number": {"Week %s", "Vecka %s"},
	"week.short.lighter": {"↓ lighter", "↓ lättare"}, "week.short.same": {"→ as usual", "→ som vanligt"}, "week.short.heavier": {"↑ heavier", "↑ tyngre"}, "week.short.first": {"first week", "första veckan"},
	"week.trend.first": {"The first week: nothing to compare with yet", "Första veckan: inget att jämföra med än"},
	"week.band.even":   {"Even in what was written", "Jämnt i det som skrevs"}, "week.band.mixed": {"Mixed in what was written", "Blandat i det som skrevs"},
	"week.band.uneven": {"Uneven in what was written", "Ojämnt i det som skrevs"}, "week.band.not_enough": {"Too little was written to tell", "För lite skrevs för att säga något"},
	"week.most": {"Most often", "Oftast"}, "week.none": {"Nothing was logged in this week", "Inget loggades den här veckan"},
	"week.noneHow": {"What you write in the chat appears here.", "Det du skriver i chatten syns här."},
	"week.past":    {"Earlier weeks", "Tidigare veckor"}, "week.previous": {"Previous week", "Föregående vecka"}, "week.next": {"Next week", "Nästa vecka"}, "week.week": {"Week", "Vecka"},
	"week.open": {"so far", "hittills"},
	"log.title": {"My log", "Min logg"}, "log.add": {"Add an entry", "Lägg till en rad"}, "log.what": {"What", "Vad"}, "log.effort": {"How heavy was it?", "Hur tungt var det?"}, "log.when": {"When", "När"},
	"log.save": {"Add", "Lägg till"}, "log.edit": {"Edit", "Ändra"}, "log.change": {"Save", "Spara"}, "log.undo": {"Remove", "Ta bort"}, "log.undoAsk": {"Remove this entry?", "Ta bort raden?"},
	"log.none": {"Your log is empty", "Din logg är tom"}, "log.noneHow": {"Write in the chat what you did, or add an entry here.", "Skriv i chatten vad du gjort, eller lägg till en rad här."},
	"log.added": {"Added ✓", "Tillagt ✓"}, "log.changed": {"Changed ✓", "Ändrat ✓"}, "log.removed": {"Removed ✓", "Borttaget ✓"},
	"log.badTime": {"Choose a time in the past.", "Välj en tid som varit."}, "log.badActivity": {"Choose an activity of the list.", "Välj en aktivitet ur listan."},
	"log.words":      {"“%s”", "”%s”"},
	"promises.title": {"My promises", "Mina löften"}, "promises.open": {"Open", "Öppna"}, "promises.past": {"Past", "Tidigare"},
	"promises.due": {"until %s, %s", "till %s, %s"}, "promises.overdue": {"overdue", "försenat"}, "promises.drop": {"Withdraw", "Ta tillbaka"},
	"promises.dropped": {"Withdrawn ✓", "Tillbakataget ✓"}, "promises.fulfilled": {"done", "gjort"}, "promises.expired": {"expired", "utgånget"},
	"promises.none": {"No open promises", "Inga öppna löften"}, "promises.noneHow": {"“I'll do the laundry tonight” becomes one.", "”Jag tar tvätten ikväll” blir ett."},
}

var preferenceWords = map[string]words{
	"preferences.title": {"My preferences", "Mina inställningar"}, "preferences.signed": {"Signed in as %s", "Inloggad som %s"}, "preferences.signOut": {"Sign out", "Logga ut"},
	"preferences.weekly": {"Send me my week on Sundays", "Skicka min vecka på söndagar"}, "preferences.never": {"Do not answer me in the group", "Svara inte mig i gruppen"},
	"preferences.insist": {"Remind me of my own promises in private", "Påminn mig privat om mina egna löften"},
	"preferences.pause":  {"Pause: store nothing of what I write", "Pausa: spara inget av det jag skriver"},
	"preferences.quiet":  {"Own quiet hours for private messages", "Egna tysta timmar för privata meddelanden"},
	"preferences.from":   {"From", "Från"}, "preferences.to": {"To", "Till"}, "preferences.save": {"Save", "Spara"}, "preferences.saved": {"Saved ✓", "Sparat ✓"},
	"preferences.data": {"My data", "Mina data"}, "preferences.export": {"Download everything", "Ladda ner allt"},
	"preferences.exportHow": {"A file with everything that is stored of you.", "En fil med allt som sparats om dig."},
	"preferences.erase":     {"Erase everything about me", "Radera allt om mig"},
	"preferences.eraseHow":  {"Messages, entries, promises, averages and weeks. This cannot be undone.", "Meddelanden, rader, löften, medelvärden och veckor. Det går inte att ångra."},
	"preferences.sure":      {"I am sure", "Jag är säker"}, "preferences.notSure": {"Nothing was erased: tick the box first.", "Inget raderades: kryssa i rutan först."},
	"preferences.erasing": {"Everything about you is being erased.", "Allt om dig raderas nu."},
}

var householdWords = map[string]words{
	"house.log": {"Log", "Logg"}, "house.words": {"Words", "Ord"}, "house.habits": {"Habits", "Vanor"}, "house.settings": {"Settings", "Inställningar"},
	"house.search": {"Search the log", "Sök i loggen"}, "house.searchHow": {"An activity, a word or a name.", "En aktivitet, ett ord eller ett namn."}, "house.find": {"Search", "Sök"}, "house.all": {"Show all", "Visa allt"},
	"house.found": {"%d entries", "%d rader"}, "house.found.one": {"%d entry", "%d rad"},
	"house.none": {"The log is empty", "Loggen är tom"}, "house.noneHow": {"What the members write in the chat appears here.", "Det medlemmarna skriver i chatten syns här."},
	"house.nothing": {"Nothing found", "Inget hittades"}, "house.nothingHow": {"Search for another word.", "Sök efter ett annat ord."}, "house.change": {"Change household", "Byt hushåll"}, "house.choose": {"Change", "Byt"},
	"words.title": {"Our words", "Våra ord"}, "words.lead": {"What your household says, and what it means. The bot learns them by asking.", "Vad ni säger hemma och vad det betyder. Boten lär sig genom att fråga."},
	"words.word": {"Word", "Ord"}, "words.means": {"Means", "Betyder"}, "words.add": {"Teach", "Lär ut"}, "words.drop": {"Forget", "Glöm"}, "words.bad": {"Write 1 to 60 characters.", "Skriv 1 till 60 tecken."},
	"words.added": {"Learned ✓", "Inlärt ✓"}, "words.dropped": {"Forgotten ✓", "Glömt ✓"}, "words.none": {"No words of your own yet", "Inga egna ord än"}, "words.noneHow": {"Teach one here, or answer when the bot asks.", "Lär ut ett här, eller svara när boten frågar."},
	"words.confirmed": {"confirmed %d times", "bekräftat %d gånger"}, "words.confirmed.one": {"confirmed once", "bekräftat en gång"},
	"habits.title": {"Habits", "Vanor"}, "habits.lead": {"What is usual on which day: three times on the same weekday.", "Vad som är vanligt vilken dag: tre gånger på samma veckodag."},
	"habits.none": {"No habits yet", "Inga vanor än"}, "habits.noneHow": {"After three times on the same weekday they appear here.", "Efter tre gånger på samma veckodag syns de här."},
	"habits.free": {"nothing usual", "inget vanligt"}, "habits.at": {"about %d:00", "omkring kl. %d"}, "habits.today": {"today", "idag"},
}

var inviteWords = map[string]words{
	"invite.title": {"Invite a person", "Bjud in en person"}, "invite.lead": {"A link makes one person a member of this household, also while only the present members are recorded.", "En länk gör en person till medlem i hushållet, även när bara de nuvarande medlemmarna sparas."},
	"invite.make": {"Make an invitation link", "Skapa en inbjudningslänk"}, "invite.copy": {"Copy the link", "Kopiera länken"},
	"invite.send": {"Send this link to one person. It works once, until %s, and is shown only now.", "Skicka länken till en person. Den gäller en gång, till %s, och visas bara nu."},
	"join.title":  {"Invitation", "Inbjudan"}, "join.lead": {"%s invites you to the household “%s”.", "%s bjuder in dig till hushållet ”%s”."},
	"join.what":      {"HomeOps reads the chat of the household and remembers who did what. Your week is yours: no other member sees your load. You can pause, export and erase what is yours at any time.", "HomeOps läser hushållets chatt och minns vem som gjort vad. Din vecka är din: ingen annan ser din belastning. Du kan pausa, ladda ner och radera ditt eget när du vill."},
	"join.confirm":   {"Confirm in Telegram", "Bekräfta i Telegram"},
	"join.how":       {"The bot opens. Press “Start” there.", "Boten öppnas. Tryck på ”Starta” där."},
	"join.as":        {"Confirm as %s", "Bekräfta som %s"},
	"join.simulated": {"The simulated chat takes the place of Telegram. Choose who accepts the invitation.", "Den simulerade chatten ersätter Telegram. Välj vem som tackar ja."},
	"join.until":     {"The link works once, until %s.", "Länken gäller en gång, till %s."},
	"join.gone":      {"This invitation does not work any more", "Inbjudan fungerar inte längre"},
	"join.goneHow":   {"It was used, or it is too old. Ask for a new link.", "Den är använd eller för gammal. Be om en ny länk."},
}

var settingsWords = map[string]words{
	"settings.title": {"Settings of the household", "Hushållets inställningar"}, "settings.owner": {"Only %s, the owner, can change these.", "Bara %s, som äger hushållet, kan ändra dem."},
	"settings.name": {"Name", "Namn"}, "settings.zone": {"Time zone", "Tidszon"}, "settings.language": {"Language of the bot", "Botens språk"},
	"settings.quiet": {"Quiet hours", "Tysta timmar"}, "settings.cap": {"Answers a day at most", "Svar per dag som mest"}, "settings.cooldown": {"Minutes between answers", "Minuter mellan svar"},
	"settings.ack": {"Answer with text instead of a reaction", "Svara med text i stället för en reaktion"}, "settings.closed": {"Record only the present members", "Spara bara de nuvarande medlemmarna"},
	"settings.model":    {"Ask a language model about unclear messages", "Fråga en språkmodell om oklara meddelanden"},
	"settings.modelHow": {"Unclear messages are then sent to the provider of the model.", "Oklara meddelanden skickas då till modellens leverantör."},
	"settings.save":     {"Save", "Spara"}, "settings.saved": {"Saved ✓", "Sparat ✓"}, "settings.members": {"Members", "Medlemmar"},
	"settings.admin": {"The bot is an administrator and sees reactions.", "Boten är administratör och ser reaktioner."}, "settings.notAdmin": {"The bot is no administrator and sees no reactions.", "Boten är inte administratör och ser inga reaktioner."},
}
