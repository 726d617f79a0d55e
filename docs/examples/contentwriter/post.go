package main

import (
	"fmt"
	"strings"

	"sortkey.dev/apps/askahuman/client"
)

// A tone is a way to say the same.
type tone struct{ name, text string }

var tones = []tone{
	{"plain", "Mix flour, water, salt and a little yeast before you go to bed. Do not knead it. In the morning, bake it in a hot pot for 45 minutes."},
	{"playful", "Tuck flour, water, salt and a pinch of yeast into bed, say good night, and do not knead anybody. At dawn, give it a hot pot and 45 minutes. It will thank you with a crust."},
	{"solemn", "Flour, water, salt, and so little yeast that only the night can count it. Leave them in peace. At sunrise there is a hot pot, and 45 minutes, and bread."},
}

var headlines = []string{"Bread while you sleep", "Stop kneading", "Four things and a night"}

func toneNames() []string {
	var names []string
	for _, t := range tones {
		names = append(names, t.name)
	}
	return names
}

// taste holds what people chose.
type taste struct{ tone, headline choice }

// A choice is the option of a question that most people are for.
type choice struct {
	option        string
	votes, voters int
	sure          string // how far it can be relied on, in words
}

// choose counts the votes of a question. Of options that are equal the first one wins, and
// without any vote the first one is as good as the others.
func choose(q client.Question) choice {
	c := choice{option: q.Options[0], voters: q.CurrentResponses}
	tied := false
	for _, option := range q.Options {
		switch votes := q.Summary[option]; {
		case votes > c.votes:
			c.option, c.votes, tied = option, votes, false
		case votes == c.votes && votes > 0 && option != c.option:
			tied = true
		}
	}
	switch {
	case c.votes == 0:
		c.sure = "a guess: nobody answered in time"
	case tied:
		c.sure = "a coin toss: another one has as many votes"
	case q.Consensus != nil && q.Reliability == "high":
		c.sure = "sure"
	case q.Reliability == "low":
		c.sure = "a hint: too few have answered"
	default:
		c.sure = "likely"
	}
	return c
}

// post is the post in the tone and under the headline that people chose, and how sure that
// is.
func post(t taste) string {
	text := tones[0].text
	for _, one := range tones {
		if one.name == t.tone.option {
			text = one.text
		}
	}
	return fmt.Sprintf("# %s\n\n%s\n\nTone: %s\nHeadline: %s\n", t.headline.option, text, t.tone, t.headline)
}

func (c choice) String() string {
	return fmt.Sprintf("%s (%d of %d votes; %s)", c.option, c.votes, c.voters, c.sure)
}

// bar draws the number of answers of a question.
func bar(q client.Question) string {
	wanted := max(q.RequiredResponses, 1)
	have := min(q.CurrentResponses, wanted)
	return fmt.Sprintf("%s%s %d of %d", strings.Repeat("●", have), strings.Repeat("○", wanted-have), q.CurrentResponses, wanted)
}
