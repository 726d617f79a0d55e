package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sortkey.dev/apps/homeops/understanding"
	"sortkey.dev/apps/homeops/understanding/rules"
)

func message(t testing.TB, text string) understanding.Message {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	return understanding.Message{
		Text: text, SentAt: time.Date(2026, 2, 17, 10, 30, 0, 0, zone), Zone: zone, Locale: understanding.Swedish, Author: "erik",
		Members: []understanding.Member{{ID: "erik", Names: []string{"Erik"}}, {ID: "anna", Names: []string{"Anna"}}, {ID: "leo", Names: []string{"Leo"}}},
	}
}

func classify(t testing.TB, m understanding.Message) understanding.Meaning {
	t.Helper()
	meaning, err := rules.New().Classify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return meaning
}

func TestSpansQuoteTheMessage(t *testing.T) {
	for _, c := range []struct{ text, surface string }{
		{"Oj 🎉 jag har dammsugit!", "dammsugit"},
		{"Hej! Tog ut soporna nyss", "Tog ut soporna"},
		{"Nu är disken tagen", "disken tagen"},
		{"Jag har sta\u0308dat", "sta\u0308dat"}, // decomposed, as some clients send it
		{"I’ve cleaned the kitchen", "cleaned"},
	} {
		meaning := classify(t, message(t, c.text))
		if len(meaning.Activities) != 1 {
			t.Errorf("%q: %d activities, want 1", c.text, len(meaning.Activities))
			continue
		}
		a := meaning.Activities[0]
		if a.Surface != c.surface || a.Span.In(c.text) != c.surface {
			t.Errorf("%q: surface %q, span %q, want %q", c.text, a.Surface, a.Span.In(c.text), c.surface)
		}
	}
}

// TestReportsOfADateAreOfThatDay: such a report must not be logged as done today.
func TestReportsOfADateAreOfThatDay(t *testing.T) {
	for text, want := range map[string]string{
		"Jag dammsög den 3 februari": "2026-02-03", "Jag dammsög den 3:e": "2026-02-03", "I vacuumed on February 3": "2026-02-03",
		"I vacuumed on 3 February": "2026-02-03", "I vacuumed on the 3rd": "2026-02-03", "Jag putsade fönstren förra månaden": "2026-01-17",
		"Jag har bakat till kalaset den 24:e": "2026-02-17",
	} {
		meaning := classify(t, message(t, text))
		if len(meaning.Activities) != 1 || meaning.Activities[0].When.At.Format(time.DateOnly) != want {
			t.Errorf("%q: %+v, want one activity of %s", text, meaning.Activities, want)
		}
	}
}

func TestLearnedWordsTakePrecedence(t *testing.T) {
	m := message(t, "pantade klart, fixade blåa tunnan")
	m.Vocabulary = []understanding.Word{
		{Surface: "pantade", Activity: "recycling", Confirmations: 1},
		{Surface: "blåa tunnan", Activity: "house-bin", Name: "blå tunna", Confirmations: 2},
		{Surface: "Blåa tunnan", Activity: "trash", Confirmations: 1},
	}
	meaning := classify(t, m)
	var got []string
	for _, a := range meaning.Activities {
		got = append(got, string(a.Activity)+"/"+a.Name+"/"+string(a.Kind))
	}
	if want := []string{"recycling/återvinning/chore", "house-bin/blå tunna/chore"}; !slices.Equal(got, want) {
		t.Errorf("activities %v, want %v", got, want)
	}
}

func TestEffort(t *testing.T) {
	for _, c := range []struct {
		text string
		want understanding.Effort
		said bool
	}{
		{"jag har diskat", understanding.Medium, false},
		{"jag har diskat, tog 14 min", understanding.Low, true},
		{"jag har diskat, tog 15 min", understanding.Medium, true},
		{"jag diskade i en timme", understanding.Medium, true},
		{"jag diskade i två timmar", understanding.High, true},
		{"diskat, så jobbigt", understanding.High, true},
	} {
		meaning := classify(t, message(t, c.text))
		if len(meaning.Activities) != 1 || meaning.Activities[0].Effort != c.want || meaning.Activities[0].EffortSaid != c.said {
			t.Errorf("%q: %+v, want effort %s, said %t", c.text, meaning.Activities, c.want, c.said)
		}
	}
	m := message(t, "jag har diskat")
	m.Usual = map[understanding.ActivityID]understanding.Effort{"dishes": understanding.High}
	if a := classify(t, m).Activities; len(a) != 1 || a[0].Effort != understanding.High || a[0].EffortSaid {
		t.Errorf("with a usual effort: %+v", a)
	}
}

func TestMentionsCarryTheReason(t *testing.T) {
	for _, c := range []struct {
		text string
		want understanding.MentionReason
	}{
		{"jag har inte diskat", understanding.Negated},
		{"har du diskat?", understanding.Asked},
		{"diska är du snäll", understanding.Requested},
		{"jag borde diska", understanding.Hypothetical},
		{"mormor har diskat", understanding.OtherPerson},
		{"jag diskar nu", understanding.Unfinished},
		{"ska träna ikväll", understanding.Planned},
		{"jag har diskat, nej skojar", understanding.Retracted},
		{"jag städar alltid på lördagar", understanding.NoStatement},
		{"snart klar med tvätten", understanding.Planned},
		{"jag har diskat klart strax", understanding.Planned},
		{"laundry done soon", understanding.Planned},
		{"done with the laundry soon", understanding.Planned},
	} {
		meaning := classify(t, message(t, c.text))
		if len(meaning.Activities)+len(meaning.Promises) > 0 || len(meaning.Mentions) != 1 || meaning.Mentions[0].Why != c.want {
			t.Errorf("%q: %+v, want one mention with reason %s", c.text, meaning, c.want)
		}
	}
}

// What is cleaned on a screen is no housework.
func TestScreensAreNoHousework(t *testing.T) {
	for _, text := range []string{
		"Städade upp i mejlen", "jag har städat skrivbordet på datorn", "Städade kalendern", "I cleaned up my inbox", "tidied my browser tabs", "Cleaned up the code base",
		"Ran a marathon of Friends episodes",
	} {
		if a := classify(t, message(t, text)).Activities; len(a) != 0 {
			t.Errorf("%q: %+v", text, a)
		}
	}
	for text, want := range map[string]understanding.ActivityID{
		"Cleaned the dishes": "dishes", "Städade upp i köket": "cleaning", "I cleaned up": "cleaning", "Ran a marathon": "run",
	} {
		if a := classify(t, message(t, text)).Activities; len(a) != 1 || a[0].Activity != want {
			t.Errorf("%q: %+v, want %s", text, a, want)
		}
	}
}

// Crosses and thoughts report nothing, and what the author believes of a stranger is not the
// author's.
func TestWhatIsNotReported(t *testing.T) {
	for text, want := range map[string][]understanding.ActivityID{
		"Disk ✅ tvätt ✅ sopor ❌": {"dishes", "laundry"}, "sopor ❌ disk ✅": {"dishes"}, "❌ dishes ✅ laundry": nil, "dishes ✅ laundry ❌": {"dishes"}, "✅ disk ✅ tvätt": {"dishes", "laundry"},
		"Städat i tankarna": nil, "Vacuumed in my head": nil, "Jag tror Olle diskade": nil, "I think Bob watered the plants": nil, "I think I watered the plants": {"plants"},
		"Finished cleaning the bathroom": {"bathroom"}, "finished cleaning": {"cleaning"},
	} {
		var got []understanding.ActivityID
		for _, a := range classify(t, message(t, text)).Activities {
			got = append(got, a.Activity)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestQuestionsNameTheObjectOfTheirVerb(t *testing.T) {
	for text, want := range map[string]understanding.ActivityID{
		"Did anyone wash the car?": "car", "When did Leo last wash the car?": "car", "Who washed the car last?": "car", "Did anyone do the wash?": "laundry", "Did Leo walk the dog?": "dogwalk",
	} {
		if q := classify(t, message(t, text)).Questions; len(q) != 1 || q[0].Activity != want {
			t.Errorf("%q: %+v, want %s", text, q, want)
		}
	}
}

// A member who undoes may say why.
func TestUndoWithAReason(t *testing.T) {
	for text, want := range map[string]bool{
		"Ta bort den där, det var ett skämt": true, "ta bort, blev fel": true, "remove that, it was a joke": true, "That was a joke, remove it": true, "undo, my mistake": true,
		"ta bort fläcken, det var ett skämt": false, "det var ett skämt": false, "remove the stain, it was wrong": false,
	} {
		c := classify(t, message(t, text)).Corrections
		if got := len(c) == 1 && c[0].Kind == understanding.Undo; got != want {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

// Help is a word of the family unless it is said to the bot.
func TestHelpToTheBot(t *testing.T) {
	m := message(t, "hjälp")
	for _, m.Addressed = range []bool{false, true} {
		if r := classify(t, m).Requests; len(r) != 1 || (r[0].Confidence >= understanding.Clear) != m.Addressed {
			t.Errorf("addressed %t: %+v", m.Addressed, r)
		}
	}
}

// TestPromisesByADate: the word "by" belongs to the date.
func TestPromisesByADate(t *testing.T) {
	for text, words := range map[string]string{
		"I'll clean the windows by 20 December": "by 20 December", "I'll clean the windows by the 20th": "by the 20th", "Jag putsar fönstren senast 20 december": "senast 20 december",
	} {
		if got := classify(t, message(t, text)); len(got.Promises) != 1 || got.Promises[0].TimeWords != words {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestPromiseNamesItsTimeWords(t *testing.T) {
	p := classify(t, message(t, "Jag tar disken imorgon kl 18")).Promises
	if len(p) != 1 || p[0].TimeWords != "imorgon kl 18" || !p[0].Said || p[0].Deadline.Format("2006-01-02 15:04") != "2026-02-18 18:00" {
		t.Errorf("promises %+v", p)
	}
}

func TestLimitOfLength(t *testing.T) {
	report := "jag har diskat. "
	long := report + strings.Repeat("x", understanding.MaxText-len(report))
	if len(classify(t, message(t, long)).Activities) != 1 {
		t.Errorf("a message of %d bytes means nothing", len(long))
	}
	if !classify(t, message(t, long+"x")).Empty() {
		t.Errorf("a message of %d bytes means something", len(long)+1)
	}
}

func TestSharedNameNamesNeither(t *testing.T) {
	m := message(t, "Alex har diskat")
	m.Members = append(m.Members, understanding.Member{ID: "alex1", Names: []string{"Alex"}}, understanding.Member{ID: "alex2", Names: []string{"Alex"}})
	if a := classify(t, m).Activities; len(a) != 0 {
		t.Errorf("activities %+v, want none", a)
	}
}

// FuzzClassify checks that no text breaks the rules, and that every span lies in the text.
func FuzzClassify(f *testing.F) {
	for _, text := range []string{
		"Jag har diskat och tvättat", "disk ✅ tvätt ✅", "det var Anna som diskade", "I'll do the dishes tomorrow at 8", "när jag har diskat, om du vill",
		"\"jag har diskat\" sa Leo", "Hann varken diska eller dammsuga?", "och och och", "did n't 've", "sta\u0308dat", "👍🏽👩‍👩‍👧", "kl. 8", "den 31:a", "om", "tvätt + disk",
	} {
		f.Add(text)
	}
	c := rules.New()
	f.Fuzz(func(t *testing.T, text string) {
		m := message(t, text)
		meaning, err := c.Classify(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		check := func(s understanding.Span, confidence float64) {
			if s.Start < 0 || s.End > len(text) || s.Start >= s.End || !utf8.ValidString(text[s.Start:s.End]) {
				t.Fatalf("span %v in %d bytes", s, len(text))
			}
			if confidence <= 0 || confidence > 1 {
				t.Fatalf("confidence %v", confidence)
			}
		}
		for _, a := range meaning.Activities {
			check(a.Span, a.Confidence)
			if a.When.At.After(m.SentAt) || a.Name == "" || a.Kind == "" || len(a.Reasons) == 0 {
				t.Fatalf("activity %+v", a)
			}
		}
		for _, p := range meaning.Promises {
			check(p.Span, p.Confidence)
			if !p.Deadline.After(m.SentAt) || p.Activity == understanding.Free {
				t.Fatalf("promise %+v", p)
			}
		}
	})
}

func BenchmarkClassify(b *testing.B) {
	c := rules.New()
	m := message(b, "Jag har diskat och handlat på Willys, tar soporna imorgon bitti om ingen annan hinner")
	for b.Loop() {
		if _, err := c.Classify(b.Context(), m); err != nil {
			b.Fatal(err)
		}
	}
}
