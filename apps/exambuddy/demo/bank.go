package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"

	"sortkey.dev/apps/exambuddy/client"
)

// An exam is an exam of the demo.
type exam struct {
	title, description string
	draft              bool
	passMark           int
	rules              client.Rules
	questions          []asked
}

// An asked is a question with what simulated candidates know about it.
type asked struct {
	client.NewQuestion
	hard float64 // 0 is a question that most know, 1 one that few know
}

func options(texts ...string) []client.Option {
	all := make([]client.Option, len(texts))
	for i, text := range texts {
		all[i].Text = text
	}
	return all
}

func ask(hard float64, q client.Question, k client.Key) asked {
	q.Difficulty = "medium"
	switch {
	case hard < .3:
		q.Difficulty = "easy"
	case hard > .6:
		q.Difficulty = "hard"
	}
	return asked{client.NewQuestion{Question: q, Key: k}, hard}
}

func right(texts ...string) []string { return texts }

// rules returns the rules of an exam that shows its answers after it is handed in.
func rules(navigation string, count int64) client.Rules {
	return client.Rules{Practice: true, Navigation: navigation, Offline: "strict", Reveal: "submit", Overdue: "submit", Certificates: true, ExamCount: &count, ExamDifficulty: new("medium")}
}

// Exams of the demo. Star is the name of the uploaded image.
func exams(star string) []exam {
	return []exam{
		{
			title: "The night sky", description: "Stars, planets and the moon, for a clear evening. Ten questions of all kinds.", passMark: 60,
			rules: rules("forward", 10), questions: nightSky(star),
		},
		{
			title: "Data that stays", description: "How databases keep what they were given, through crashes and crowds. Answer in any order.", passMark: 70,
			rules: rules("free", 8), questions: dataThatStays(),
		},
		{
			title: "Autumn term: maps", description: "Not finished: one question still needs its answer.", passMark: 50, draft: true,
			rules: rules("forward", 2), questions: []asked{
				ask(.3, client.Question{Type: "single_choice", Text: "On a map with the scale 1:25 000, how long is a kilometre?", Options: options("4 cm", "2.5 cm", "25 cm")}, client.Key{Correct: right("4 cm"), Explanation: "100 000 cm divided by 25 000 are 4 cm."}),
				ask(.5, client.Question{Type: "single_choice", Text: "What do contour lines that lie close together show?", Options: options("A steep slope", "A lake", "A border")}, client.Key{}),
			},
		},
	}
}

func nightSky(star string) []asked {
	return []asked{
		ask(.1, client.Question{Type: "single_choice", Text: "Which planet is the largest of the solar system?", Options: options("Saturn", "Jupiter", "Neptune", "Earth"), Tags: right("planets")},
			client.Key{Correct: right("Jupiter"), Explanation: "All other planets together would fit into Jupiter more than twice."}),
		ask(.2, client.Question{Type: "true_false", Text: "The moon always shows the same side to the Earth.", Options: options("True", "False"), Tags: right("moon")},
			client.Key{Correct: right("True"), Explanation: "It turns around itself once in the time of one orbit."}),
		ask(.5, client.Question{Type: "multiple_response", Text: "Which planets have rings? Choose all.", Options: options("Jupiter", "Saturn", "Mars", "Uranus", "Venus"), Tags: right("planets")},
			client.Key{Correct: right("Jupiter", "Saturn", "Uranus"), Scheme: "RIGHT_MINUS_WRONG", Explanation: "All four giants have rings; those of Saturn are bright enough for a small telescope."}),
		ask(.4, client.Question{Type: "fill_in_blank", Text: "The galaxy that is our home is called the ____ Way.", Blanks: []client.Blank{{}}, Tags: right("stars")},
			client.Key{Blanks: map[string]client.Accepted{"b1": {Texts: right("Milky")}}, Explanation: "Its band of light looked like spilled milk to the Greeks."}),
		ask(.3, client.Question{Type: "ordering", Text: "Put the planets in order, the one nearest to the sun first.", Options: options("Mercury", "Venus", "Mars", "Saturn"), Tags: right("planets")},
			client.Key{Correct: right("Mercury", "Venus", "Mars", "Saturn"), Scheme: "BY_POSITION", Explanation: "Earth comes between Venus and Mars, Jupiter between Mars and Saturn."}),
		ask(.6, client.Question{Type: "matching", Text: "Match each star with its constellation.", Options: options("Polaris", "Betelgeuse", "Vega"), Targets: options("Little Bear", "Orion", "Lyra"), Tags: right("stars")},
			client.Key{Pairs: map[string]string{"Polaris": "Little Bear", "Betelgeuse": "Orion", "Vega": "Lyra"}, Explanation: "Betelgeuse is the reddish shoulder of Orion."}),
		ask(.7, client.Question{
			Type: "hotspot", Text: "The picture shows the Plough. Choose the star at the end of its handle.", Images: []client.Image{{File: star, Alt: "Seven stars on a dark sky: four form a box on the right, three a bent handle to the left."}},
			Regions: []client.Region{{Label: "far left", X: 60, Y: 180, Width: 160, Height: 220}, {Label: "middle", X: 390, Y: 300, Width: 160, Height: 220}, {Label: "top right", X: 800, Y: 230, Width: 160, Height: 220}}, Tags: right("stars"),
		}, client.Key{Correct: right("far left"), Explanation: "It is called Alkaid. The two stars on the other side of the box point to the pole star."}),
		ask(.5, client.Question{
			Type: "scenario", Passage: "You look up at nine in the evening. The moon is full and rises in the east.", Text: "Judge each statement.", Tags: right("moon"),
			Statements: options("The sun is on the other side of the Earth.", "Faint stars are harder to see tonight.", "There will be an eclipse of the sun tomorrow."),
		}, client.Key{Pairs: map[string]string{"The sun is on the other side of the Earth.": "yes", "Faint stars are harder to see tonight.": "yes", "There will be an eclipse of the sun tomorrow.": "no"}, Explanation: "An eclipse of the sun needs a new moon, two weeks later."}),
		ask(.8, client.Question{Type: "single_choice", Text: "Why do stars twinkle, while planets hardly do?", Options: options("Stars change their brightness", "The air bends the light of a point more than that of a disc", "Planets are nearer to the sun", "Stars turn quickly"), Tags: right("stars")},
			client.Key{Correct: right("The air bends the light of a point more than that of a disc"), Explanation: "A planet is a small disc: the flicker of its parts evens out."}),
		ask(.35, client.Question{Type: "fill_in_blank", Text: "Light from the sun needs about ____ minutes to the Earth.", Blanks: []client.Blank{{Choices: []client.Option{{ID: "one", Text: "1"}, {ID: "eight", Text: "8"}, {ID: "sixty", Text: "60"}}}}, Tags: right("planets")},
			client.Key{Blanks: map[string]client.Accepted{"b1": {Texts: right("eight")}}, Explanation: "150 million kilometres at 300 000 kilometres per second are 500 seconds."}),
	}
}

func dataThatStays() []asked {
	return []asked{
		ask(.2, client.Question{Type: "single_choice", Text: "What does the A in ACID stand for?", Options: options("Atomicity", "Availability", "Access", "Asynchrony"), Tags: right("transactions")},
			client.Key{Correct: right("Atomicity"), Explanation: "Either all writes of a transaction happen or none."}),
		ask(.4, client.Question{Type: "true_false", Text: "A write that was acknowledged may be lost in a power failure if it was only in the page cache.", Options: options("True", "False"), Tags: right("durability")},
			client.Key{Correct: right("True"), Explanation: "Only a flush, such as fsync, puts it on the disk."}),
		ask(.6, client.Question{Type: "multiple_response", Text: "Which help against a hot partition? Choose all.", Options: options("Sharding the key", "A longer timeout", "Caching reads", "A larger font"), Tags: right("partitions")},
			client.Key{Correct: right("Sharding the key", "Caching reads"), Explanation: "Both spread or remove load; a timeout only waits longer."}),
		ask(.5, client.Question{Type: "fill_in_blank", Text: "A key that makes a repeated request harmless is called an ____ key.", Blanks: []client.Blank{{}}, Tags: right("transactions")},
			client.Key{Blanks: map[string]client.Accepted{"b1": {Texts: right("idempotency", "idempotence")}}, Explanation: "The server recognises it and returns the first result."}),
		ask(.45, client.Question{Type: "ordering", Text: "Order the steps of a durable write.", Options: options("Append to the log", "Flush the log", "Acknowledge", "Compact later"), Tags: right("durability")},
			client.Key{Correct: right("Append to the log", "Flush the log", "Acknowledge", "Compact later"), Explanation: "An acknowledgement before the flush would be a promise that a crash can break."}),
		ask(.55, client.Question{Type: "matching", Text: "Match the term with its meaning.", Options: options("Lease", "Tombstone", "Cursor"), Targets: options("A lock that expires", "A record of a deletion", "A place in a list"), Tags: right("words")},
			client.Key{Pairs: map[string]string{"Lease": "A lock that expires", "Tombstone": "A record of a deletion", "Cursor": "A place in a list"}, Explanation: "A lease lets work go on after its owner died."}),
		ask(.65, client.Question{Type: "scenario", Passage: "Two editors open version 3 of a text. Both save. The server uses optimistic locking.", Text: "What happens to the second save?", Options: options("It is refused, because the version is 4 now", "It silently wins", "Both texts are mixed"), Tags: right("transactions")},
			client.Key{Correct: right("It is refused, because the version is 4 now"), Explanation: "The condition of the write names the version that was read."}),
		ask(.75, client.Question{Type: "single_choice", Text: "Why sort time-ordered ids as keys, and not random ones?", Options: options("A range of keys is a range of time", "They are shorter", "They are secret", "They never collide"), Tags: right("partitions")},
			client.Key{Correct: right("A range of keys is a range of time"), Explanation: "The newest items are at one end and can be read without an index."}),
	}
}

// reply returns the answer of a candidate: the right one, or one that comes near.
func (a asked) reply(shown client.Question, knows bool) client.Answer {
	ids, key := map[string]string{}, a.Key
	for _, list := range [][]client.Option{shown.Options, shown.Targets, shown.Statements} {
		for _, o := range list {
			ids[o.Text] = o.ID
		}
	}
	for _, r := range shown.Regions {
		ids[r.Label] = r.ID
	}
	var out client.Answer
	for _, text := range key.Correct {
		out.Chosen = append(out.Chosen, ids[text])
	}
	for left, value := range key.Pairs {
		if out.Parts == nil {
			out.Parts = map[string]string{}
		}
		if id, ok := ids[value]; ok {
			value = id
		}
		out.Parts[ids[left]] = value
	}
	for _, accepted := range key.Blanks {
		out.Parts = map[string]string{shown.Blanks[0].ID: accepted.Texts[0]}
	}
	if !knows {
		mistake(&out, shown)
	}
	return out
}

// mistake makes an answer wrong.
func mistake(out *client.Answer, shown client.Question) {
	switch {
	case shown.Type == "ordering":
		out.Chosen[0], out.Chosen[1] = out.Chosen[1], out.Chosen[0]
	case shown.Type == "multiple_response":
		out.Chosen = out.Chosen[:len(out.Chosen)-1]
	case len(shown.Blanks) > 0 && len(shown.Blanks[0].Choices) > 0:
		out.Parts[shown.Blanks[0].ID] = other(shown.Blanks[0].Choices, out.Parts[shown.Blanks[0].ID])
	case len(shown.Blanks) > 0:
		out.Parts[shown.Blanks[0].ID] = "I am not sure"
	case len(shown.Statements) > 0:
		id := shown.Statements[0].ID
		out.Parts[id] = map[string]string{"yes": "no", "no": "yes"}[out.Parts[id]]
	case len(shown.Targets) > 0:
		a, b := shown.Options[0].ID, shown.Options[1].ID
		swapped := maps.Clone(out.Parts)
		swapped[a], swapped[b] = out.Parts[b], out.Parts[a]
		out.Parts = swapped
	case len(shown.Regions) > 0:
		for _, r := range shown.Regions {
			if r.ID != out.Chosen[0] {
				out.Chosen = []string{r.ID}
				return
			}
		}
	default:
		out.Chosen = []string{other(shown.Options, out.Chosen[0])}
	}
}

// other returns the id of the first option that is not this one.
func other(all []client.Option, id string) string {
	for _, o := range all {
		if o.ID != id {
			return o.ID
		}
	}
	return id
}

// stars draws the Plough.
func stars() ([]byte, error) {
	const width, height = 720, 480
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			shade := uint8(18 + 26*y/height)
			picture.Set(x, y, color.RGBA{shade / 2, shade * 2 / 3, shade + 14, 255})
		}
	}
	dot := func(cx, cy, r int) {
		for y := -r; y <= r; y++ {
			for x := -r; x <= r; x++ {
				if x*x+y*y <= r*r {
					picture.Set(cx+x, cy+y, color.RGBA{250, 246, 226, 255})
				}
			}
		}
	}
	seed := uint32(7)
	for range 130 { // the background
		seed = seed*1664525 + 1013904223
		picture.Set(int(seed>>8)%width, int(seed>>20)%height, color.RGBA{120, 126, 150, 255})
	}
	for _, star := range [][2]int{{100, 140}, {205, 165}, {338, 196}, {420, 230}, {450, 335}, {610, 345}, {634, 160}} {
		dot(star[0], star[1], 6)
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}
