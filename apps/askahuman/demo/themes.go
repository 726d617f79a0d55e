package demo

import (
	"math/rand/v2"
	"strings"
	"sync"

	"sortkey.dev/apps/askahuman/client"
)

// A theme holds the questions of one agent.
type theme struct {
	agent     string
	audience  string
	templates []template
}

// A template is a question with possible answers.
type template struct {
	theme   *theme
	prompt  string
	context string
	options []string // of a choice
	likely  int      // the option most people take
	answers []string // of a text
}

func (t template) kind() client.Type {
	if len(t.options) > 0 {
		return client.MultipleChoice
	}
	return client.Text
}

// choose takes the likely option more often than the others.
func (t template) choose(chance *rand.Rand) int {
	if chance.IntN(10) < 6 {
		return t.likely
	}
	return chance.IntN(len(t.options))
}

// all lists the templates of all agents.
var all = sync.OnceValue(func() []template {
	var list []template
	for i, theme := range themes {
		for _, template := range theme.templates {
			template.theme = &themes[i]
			list = append(list, template)
		}
	}
	return list
})

// businesses lists those for which the agents ask. With each of them a template is another
// question.
var businesses = sync.OnceValue(func() []string {
	var list []string
	for _, place := range []string{
		"Harbour", "Linden", "Northside", "Old Mill", "Riverbank", "Station Road", "Hilltop", "Market Square", "Lakeside", "Orchard", "Chapel Street", "Bridge",
		"Garden", "Seaview", "Forest", "Meadow", "Quarry", "Lighthouse", "Canal", "Windmill", "Castle", "Maple", "Park Lane", "Valley",
	} {
		for _, kind := range []string{
			"Bakery", "Books", "Bicycles", "Dental Care", "Theatre", "Insurance", "Flowers", "Ferries", "Museum", "Credit Union", "Swimming Pool", "Pharmacy",
			"Radio", "Hotel", "Letting", "Music School", "Kitchens", "Veterinary", "Coffee", "Energy",
		} {
			list = append(list, place+" "+kind)
		}
	}
	return list
})

// promptFor returns the question of a template for a business.
func promptFor(business string, t template) string { return "For " + business + ": " + t.prompt }

// templateOf returns the template of a question of the demo's agents. Other questions come from
// visitors.
func templateOf(prompt string) (template, bool) {
	_, prompt, _ = strings.Cut(prompt, ": ")
	for _, t := range all() {
		if t.prompt == prompt {
			return t, true
		}
	}
	return template{}, false
}

// other returns a template of answers to a visitor's question.
func other(options []string, chance *rand.Rand) template {
	return template{options: options, likely: chance.IntN(max(1, len(options))), answers: stock}
}

// stock lists answers to any other question.
var stock = []string{
	"Hard to say without trying it, but my first thought is yes.",
	"I would keep it short and say plainly what happens next.",
	"It depends on who is asking. For a friend I would not think twice.",
	"I had to read it twice, so perhaps say it in simpler words.",
	"My hunch: most people will not notice, and those who do will like it.",
	"I would rather not. Something about it feels a little pushy.",
	"Good question. Ask me again after a coffee, but I lean towards no.",
	"I am a simulated person, so take this with a grain of salt: go for it.",
}

var themes = []theme{
	{agent: "copy-desk", audience: "creative", templates: []template{
		{prompt: "Which button text would you rather press at the end of a form?",
			options: []string{"Submit", "Send my request", "Done", "Finish and send"}, likely: 1},
		{prompt: "A shop tells you that your parcel is late. Which first sentence sounds honest to you?",
			options: []string{"We apologise for any inconvenience.", "Your parcel is two days late, and that is our fault.", "Good things take time!"}, likely: 1},
		{prompt: "How would you explain a cookie banner to your grandmother, in one sentence?",
			answers: []string{
				"The page wants to remember you, and some of its friends want to watch you; you may say no to the friends.",
				"It is a question whether the site may keep notes about you.",
				"Press the button that says only necessary and carry on.",
				"They ask before they follow you around, because now they have to.",
			}},
		{prompt: "Which headline makes you want to read on about a city that bans leaf blowers?",
			options: []string{"The quietest autumn in years", "City bans leaf blowers from October", "Leaf blowers: an obituary"}, likely: 2},
	}},
	{agent: "design-crit", audience: "product", templates: []template{
		{prompt: "You open an app for the first time. What should it show before it asks you to sign up?",
			answers: []string{
				"One real example with made-up data, so that I see what I would get.",
				"The thing itself. Let me try it and ask me when I want to keep something.",
				"What it costs and what it does with my data, in two lines.",
				"A short video, but please without sound.",
			}},
		{prompt: "A list of 300 entries on your phone: what do you prefer?",
			options: []string{"Endless scrolling", "Pages with numbers", "A Show more button", "Search only"}, likely: 2},
		{prompt: "Where do you look first for dark mode?",
			options: []string{"In the settings of the app", "In the menu at the top right", "Nowhere, it should follow my phone"}, likely: 2},
		{prompt: "Two icons for the archive: a box or a drawer. Which one do you understand without a label?",
			options: []string{"The box", "The drawer", "Neither"}, likely: 0},
	}},
	{agent: "tone-check", audience: "general", templates: []template{
		{prompt: "A colleague did not answer for a week. Which reminder would you like to receive yourself?",
			context: "The matter is not urgent, but the writer cannot go on without an answer.",
			options: []string{"Just following up on this.", "I am stuck without your answer. Can you look at it by Thursday?", "As per my last email ..."}, likely: 1},
		{prompt: "Is it all right to end a work message with a heart? Say when it is and when it is not.",
			answers: []string{
				"Among people who know each other, yes. In the first message to a customer, no.",
				"I would rather get a thumbs up; a heart from my boss would make me wonder.",
				"It depends on who started. If they send hearts, I send hearts.",
				"Only when something went really well, otherwise it wears out.",
			}},
		{prompt: "Which apology would you accept from a restaurant after a wrong order?",
			options: []string{"A free dessert", "The right dish at once, and no bill for it", "A voucher for next time"}, likely: 1},
		{prompt: "How do you like to be told no by a program?",
			answers: []string{
				"With the reason and with what I can do instead.",
				"Short, and without a cute robot picture.",
				"It should tell me before I have filled in the whole form.",
				"I do not mind a no as long as my text is still there afterwards.",
			}},
	}},
	{agent: "ethics-desk", audience: "ethics", templates: []template{
		{prompt: "Should a chat assistant tell you that it is a machine without being asked?",
			options: []string{"Always, in the first message", "Only when I ask", "When the matter is serious"}, likely: 0},
		{prompt: "A self-checkout notices that you forgot to scan something. What should it do?",
			options: []string{"Ask me kindly", "Call somebody", "Nothing below five euros"}, likely: 0},
		{prompt: "What would have to be true for you to let a car drive your child to school alone?",
			answers: []string{
				"A person who can look in at any moment, and a button my child can press.",
				"Years of other people doing it before me.",
				"Nothing. Not because of the car, because of the way to the door.",
				"Clear rules about who pays and who answers when something happens.",
			}},
		{prompt: "A photo app improves faces without saying so. How much of a problem is that?",
			options: []string{"None", "It should say so", "It should not do it"}, likely: 1},
	}},
	{agent: "night-shift", audience: "technical", templates: []template{
		{prompt: "Which name is better for a function that deletes what is older than a day?",
			options: []string{"cleanup()", "deleteOlderThan(day)", "purge()", "expire()"}, likely: 1},
		{prompt: "What is the first thing you read in the README of a project you do not know?",
			answers: []string{
				"The example. If there is none I close the page.",
				"Whether anybody committed something this year, and then how to run the tests.",
				"What it is not. The good ones say it.",
				"The installation, because it tells me how much trouble the rest will be.",
			}},
		{prompt: "An update needs a restart of all servers. When do you want to hear of it?",
			options: []string{"A week before", "The day before", "Only if something goes wrong"}, likely: 1},
		{prompt: "Which error message would help you most at three in the morning?",
			options: []string{"connection refused", "cannot reach the database at db-2: connection refused", "The database at db-2 does not listen; is it started?"}, likely: 2},
	}},
}
