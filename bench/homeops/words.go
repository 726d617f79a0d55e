package main

// What the household writes. Half of the clear sentences name an activity in the words of the
// catalogue, and small talk means nothing to the bot.
var (
	chores = []string{
		"Jag har diskat", "Diskade efter maten", "Diskat klart", "Lagade middag", "Har lagat mat", "Dammsög nedervåningen", "Har dammsugit hela huset",
		"Körde en maskin tvätt", "Har tvättat och hängt tvätten", "Gick ut med soporna", "Slängde soporna på vägen", "Handlade mat för hela veckan", "Hämtade barnen",
		"Lämnade barnen på förskolan", "Städade badrummet", "Plockade undan i köket", "Vattnade blommorna", "Gick ut med hunden", "Betalade räkningarna",
		"Nattade barnen", "Bytte lakan", "Strök skjortor", "Pantade burkarna", "Bokade tid hos tandläkaren", "Jag har diskat och dammsugit",
	}
	recoveries = []string{"Tog en lång promenad", "Tränade på gymmet", "Sov middag en timme", "Läste en bok i soffan", "Fikade med en kompis"}
	promises   = []string{"Jag tar disken ikväll", "Jag dammsuger på lördag", "Jag tar tvätten imorgon", "Jag handlar på söndag", "Jag fixar räkningarna imorgon"}
	unclear    = []string{"Fixade badrummet", "Tog hand om altanen", "Nu är köket klart", "Donat i garaget", "Har rensat i förrådet", "Putsade silvret"}
	questions  = []string{"@homeops_bot vem diskade senast?", "@homeops_bot vem dammsög senast?", "@homeops_bot vem handlade senast?", "@homeops_bot vem gick ut med soporna senast?"}
	asked      = []string{"summering", "2", "3", "1", "logga in"}
	smallTalk  = []string{
		"Vad ska vi äta ikväll?", "Jag är hemma vid sex", "Har någon sett mina nycklar?", "Bussen är sen igen", "Så fint väder!", "Ska vi ha pizza på fredag?", "Puss!",
		"Är det någon hemma?", "Hur gick provet?", "Jättebra!", "Jag är lite förkyld", "Kan någon köpa mjölk?", "Vem hämtar idag?", "Vi borde städa i helgen",
		"Glöm inte mormors födelsedag på lördag", "Mötet drog ut på tiden så jag kommer senare, börja äta utan mig så tar jag det som finns kvar när jag kommer",
		"Katten har gömt sig igen", "Vilken film ska vi se?", "Tåget är försenat", "God morgon!", "Saknar er", "Har du betalat fakturan?", "Farmor hälsar", "Det regnar", "ok", "ja", "haha",
	}
)
