package demo

import "time"

// A family is a household of the chat: what it usually writes, and what it writes while visitors
// look.
type family struct {
	lang    string
	routine []habit
	hello   string   // of the first person, before all others
	summary string   // asks the bot for a week
	promise string   // of the first person, left open at the start
	lines   []string // each is written by each person once at most
}

// A habit is something that a person usually writes on some days of the week.
type habit struct {
	who     int // of the group's people
	hour    int
	days    []time.Weekday
	skipped int // of a hundred times
	texts   []string
}

var (
	daily    = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}
	weekdays = daily[:5]
)

func on(days ...time.Weekday) []time.Weekday { return days }

var families = []family{
	{lang: "sv", routine: swedishRoutine, hello: "Nu kör vi!", summary: "summering", promise: "Jag tar disken ikväll", lines: swedishLines},
	{lang: "en", routine: englishRoutine, hello: "Here we go!", summary: "summary", promise: "I'll do the dishes tonight", lines: englishLines},
}

// The Swedish household: Anna, Erik and Maja.
var swedishRoutine = []habit{
	{1, 7, weekdays, 10, []string{"Lämnade barnen på förskolan", "Lämnat på dagis"}},
	{0, 16, on(time.Monday, time.Tuesday, time.Wednesday, time.Thursday), 10, []string{"Hämtade barnen", "Hämtat på förskolan"}},
	{1, 16, on(time.Friday), 10, []string{"Hämtade barnen"}},
	{0, 17, on(time.Monday, time.Wednesday, time.Saturday), 15, []string{"Lagade middag", "Har lagat middag, det är klart om tio"}},
	{1, 17, on(time.Tuesday, time.Thursday, time.Sunday), 15, []string{"Lagade middag", "Har lagat middag"}},
	{2, 17, on(time.Friday), 10, []string{"Lagade tacos"}},
	{1, 19, on(time.Monday, time.Wednesday, time.Friday), 15, []string{"Jag har diskat", "Diskade efter maten"}},
	{0, 19, on(time.Tuesday, time.Sunday), 20, []string{"Diskat klart", "Jag har diskat"}},
	{2, 19, on(time.Thursday, time.Saturday), 10, []string{"Diskade efter maten"}},
	{0, 10, on(time.Saturday), 10, []string{"Dammsög nedervåningen", "Dammsugit hela huset"}},
	{1, 11, on(time.Saturday), 20, []string{"Städade badrummet"}},
	{2, 12, on(time.Saturday), 40, []string{"Bytte lakan i alla sängar", "Plockade undan leksaker"}},
	{1, 14, on(time.Saturday), 10, []string{"Handlade mat för hela veckan"}},
	{0, 15, on(time.Sunday), 10, []string{"Tvättade två maskiner", "Har tvättat och hängt tvätten"}},
	{1, 20, on(time.Wednesday), 5, []string{"Har tvättat och hängt tvätten", "Körde en maskin tvätt"}},
	{2, 18, on(time.Tuesday, time.Friday), 10, []string{"Gick ut med soporna", "Slängde soporna på vägen ut"}},
	{0, 20, weekdays, 30, []string{"Nattade barnen"}},
	{1, 20, on(time.Saturday, time.Sunday), 30, []string{"Nattade barnen"}},
	{0, 20, on(time.Sunday), 40, []string{"Betalade räkningarna", "Bokade tid hos tandläkaren", "Gjorde matlådor för veckan"}},
	{2, 15, on(time.Sunday), 50, []string{"Vattnade blommorna", "Bakade bullar", "Pantade"}},

	{1, 21, on(time.Monday, time.Thursday), 20, []string{"Tränade på gymmet", "Var på gymmet"}},
	{0, 21, on(time.Thursday), 20, []string{"Tog en lång promenad"}},
	{0, 13, on(time.Sunday), 50, []string{"Sov middag en timme"}},
	{0, 21, on(time.Saturday), 60, []string{"Var på bio", "Fikade med mamma"}},
	{2, 21, on(time.Wednesday, time.Sunday), 30, []string{"Spelade tv-spel", "Läste en bok i soffan"}},

	{1, 12, on(time.Tuesday), 10, []string{"Jag tar tvätten imorgon"}},
	{0, 12, on(time.Thursday), 20, []string{"Jag dammsuger på lördag"}},
	{2, 11, on(time.Sunday), 40, []string{"Jag rensar kylen ikväll"}},

	{0, 12, daily, 55, []string{"Vad ska vi äta ikväll?", "Glöm inte mormors födelsedag på lördag", "Har någon sett mina nycklar?", "Puss!"}},
	{1, 15, daily, 55, []string{"Jag är hemma vid sex", "Bussen är sen igen", "Kan någon köpa mjölk?"}},
	{2, 14, daily, 55, []string{"Ska vi ha pizza på fredag?", "Hur gick provet?", "Så fint väder!"}},
}

// The English household: Emma and Oliver.
var englishRoutine = []habit{
	{0, 8, on(time.Monday, time.Wednesday, time.Friday), 10, []string{"Dropped the kids off at school"}},
	{1, 8, on(time.Tuesday, time.Thursday), 10, []string{"Dropped the kids off at school"}},
	{1, 15, on(time.Monday, time.Wednesday), 15, []string{"Picked up the kids"}},
	{0, 15, on(time.Tuesday, time.Thursday), 15, []string{"Picked up the kids"}},
	{0, 18, on(time.Monday, time.Thursday, time.Sunday), 15, []string{"Made dinner", "Cooked dinner, it's on the table"}},
	{1, 18, on(time.Tuesday, time.Wednesday, time.Saturday), 15, []string{"Made dinner"}},
	{1, 20, on(time.Monday, time.Thursday, time.Sunday), 15, []string{"Did the dishes", "Dishes are done"}},
	{0, 20, on(time.Tuesday, time.Friday), 15, []string{"Did the dishes", "Emptied the dishwasher"}},
	{1, 10, on(time.Saturday), 15, []string{"Vacuumed downstairs"}},
	{0, 11, on(time.Saturday), 15, []string{"Cleaned the bathroom", "Tidied up the living room"}},
	{0, 14, on(time.Sunday), 10, []string{"Did two loads of laundry", "Hung up the laundry"}},
	{1, 13, on(time.Saturday), 10, []string{"Did the shopping for the week"}},
	{1, 7, on(time.Thursday), 10, []string{"Took the bins out"}},
	{0, 21, on(time.Wednesday), 40, []string{"Paid the bills", "Booked the dentist"}},
	{1, 16, on(time.Sunday), 50, []string{"Mowed the lawn", "Fixed the bike", "Walked the dog"}},
	{0, 21, on(time.Monday, time.Thursday), 30, []string{"Did some yoga", "Went for a long walk"}},
	{1, 21, on(time.Tuesday, time.Friday), 30, []string{"Went to the gym", "Played games for a while"}},
	{1, 12, on(time.Wednesday), 20, []string{"I'll vacuum on Saturday"}},
	{0, 12, on(time.Friday), 30, []string{"I'll do the laundry this weekend"}},
	{1, 11, on(time.Monday), 60, []string{"I'll clean out the fridge tonight"}},
	{0, 12, daily, 55, []string{"What's for dinner?", "Has anyone seen my keys?", "Love you", "Don't forget grandma's birthday on Saturday"}},
	{1, 14, daily, 55, []string{"Home around six", "The bus is late again", "Could you get some milk?"}},
}

// Half of what is written while visitors look means nothing to the bot, as in a real chat.
var swedishLines = []string{
	"Vad ska vi äta ikväll?", "Jag är hemma vid sex", "Har någon sett mina nycklar?", "Bussen är sen igen", "Så fint väder!", "Ska vi ha pizza på fredag?", "Puss!",
	"Är det någon hemma?", "Hur gick provet?", "Jättebra!", "Jag är lite förkyld", "Kan någon köpa mjölk?", "Vem hämtar idag?", "Vi borde städa i helgen",
	"Glöm inte mormors födelsedag på lördag", "Mötet drog ut på tiden", "Katten har gömt sig igen", "Vilken film ska vi se?", "Tåget är försenat", "God morgon!", "Saknar er",
	"Har du betalat fakturan?", "Farmor hälsar", "Det regnar",
	"Jag har diskat", "Gick ut med soporna", "Lagade middag", "Dammsög nedervåningen", "Vattnade blommorna", "Körde en maskin tvätt", "Plockade undan i köket",
	"Handlade mat", "Hämtade barnen", "Hjälpte till med läxan", "Gick ut med hunden", "Pantade", "Bytte lakan", "Rensade kylen", "Betalade räkningarna", "Strök skjortor",
	"Bakade bullar", "Ringde skolan om utflykten",
	"Tog en promenad", "Tränade en timme", "Fikade med en kompis", "Läste en bok i soffan",
	"Jag handlar på söndag", "Jag fixar räkningarna imorgon", "Jag pantar burkarna i helgen", "Jag dammsuger ikväll",
	"@homeops_bot vem dammsög senast?", "@homeops_bot vem handlade senast?",
}

var englishLines = []string{
	"What's for dinner?", "Home around six", "Has anyone seen my keys?", "The bus is late again", "Lovely weather!", "Pizza on Friday?", "Love you", "How did the meeting go?", "Great!",
	"I have a bit of a cold", "Could you get some milk?", "Who is picking up today?", "We should clean this weekend", "Don't forget grandma's birthday on Saturday",
	"The cat is hiding again", "Which film tonight?", "My train is delayed", "Good morning!", "Did you pay the invoice?", "It is raining", "Mum says hello",
	"Did the dishes", "Took out the trash", "Made dinner", "Vacuumed downstairs", "Watered the plants", "Did two loads of laundry", "Tidied up the kitchen", "Bought groceries",
	"Picked up the kids", "Helped with the homework", "Walked the dog", "Returned the bottles", "Changed the sheets", "Cleaned out the fridge", "Paid the bills", "Ironed my shirts",
	"Baked a cake", "Called the school about the trip",
	"Went for a walk", "Went to the gym", "Had coffee with a friend", "Put the kids to bed",
	"I'll do the shopping on Sunday", "I'll pay the bills tomorrow", "I'll vacuum tonight",
	"@homeops_bot who vacuumed last?", "@homeops_bot who did the laundry last?",
}
