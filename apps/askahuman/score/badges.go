package score

// streakKind is the kind of badges that need days in a row.
const streakKind = "streak"

// A Badge is an award for answers.
type Badge struct {
	ID   string
	Name string
	Doc  string // how it is earned, for people
	Kind string // participation, streak, category, special
	Goal int    // required count
}

// Progress is a person's progress towards a badge.
type Progress struct {
	Badge
	Have int
}

// Badges lists all 18 badges, in display order.
var Badges = []Badge{
	{ID: "first_steps", Name: "First Steps", Doc: "Answer your first question", Kind: "participation", Goal: 1},
	{ID: "getting_started", Name: "Getting Started", Doc: "Answer 10 questions", Kind: "participation", Goal: 10},
	{ID: "century", Name: "Century", Doc: "Answer 100 questions", Kind: "participation", Goal: 100},
	{ID: "veteran", Name: "Veteran", Doc: "Answer 500 questions", Kind: "participation", Goal: 500},
	{ID: "legend", Name: "Legend", Doc: "Answer 1,000 questions", Kind: "participation", Goal: 1000},
	{ID: "on_a_roll", Name: "On a Roll", Doc: "Answer on 3 days in a row", Kind: streakKind, Goal: 3},
	{ID: "week_warrior", Name: "Week Warrior", Doc: "Answer on 7 days in a row", Kind: streakKind, Goal: 7},
	{ID: "monthly_maven", Name: "Monthly Maven", Doc: "Answer on 30 days in a row", Kind: streakKind, Goal: 30},
	{ID: "centurion", Name: "Centurion", Doc: "Answer on 100 days in a row", Kind: streakKind, Goal: 100},
	{ID: "tech_expert", Name: "Tech Expert", Doc: "Answer 25 technical questions", Kind: "category", Goal: 25},
	{ID: "product_pro", Name: "Product Pro", Doc: "Answer 25 product questions", Kind: "category", Goal: 25},
	{ID: "ethics_advocate", Name: "Ethics Advocate", Doc: "Answer 25 questions about ethics", Kind: "category", Goal: 25},
	{ID: "creative_mind", Name: "Creative Mind", Doc: "Answer 25 creative questions", Kind: "category", Goal: 25},
	{ID: "generalist", Name: "Generalist", Doc: "Answer 25 general questions", Kind: "category", Goal: 25},
	{ID: "early_bird", Name: "Early Bird", Doc: "Answer within 2 minutes of the question", Kind: "special", Goal: 1},
	{ID: "night_owl", Name: "Night Owl", Doc: "Give 10 answers between midnight and 6 in the morning", Kind: "special", Goal: 10},
	{ID: "speed_demon", Name: "Speed Demon", Doc: "Give 5 good answers in under 30 seconds each", Kind: "special", Goal: 5},
	{ID: "confident", Name: "Confident", Doc: "Be fully sure of 10 answers", Kind: "special", Goal: 10},
}

// streakBonus maps streak badges to their bonus points.
var streakBonus = map[string]int{"on_a_roll": 10, "week_warrior": 25, "monthly_maven": 100, "centurion": 500}

// categoryOf maps category badges to the tags they count.
var categoryOf = map[string]string{
	"tech_expert": "technical", "product_pro": "product", "ethics_advocate": "ethics",
	"creative_mind": "creative", "generalist": "general",
}

// Find returns the badge of an id.
func Find(id string) (Badge, bool) {
	for _, badge := range Badges {
		if badge.ID == id {
			return badge, true
		}
	}
	return Badge{}, false
}

// have returns the career's count for the badge.
func (b Badge) have(c Career) int {
	switch b.Kind {
	case "participation":
		return c.TotalAnswers
	case streakKind:
		return c.StreakDays
	case "category":
		return c.ByCategory[categoryOf[b.ID]]
	}
	switch b.ID {
	case "early_bird":
		return c.EarlyBird
	case "night_owl":
		return c.Night
	case "speed_demon":
		return c.Fast
	case "confident":
		return c.Confident
	}
	return 0
}

// award adds newly earned badges to a career and returns them.
func award(c *Career) []Badge {
	var earned []Badge
	for _, badge := range Badges {
		if c.Badges[badge.ID] || badge.have(*c) < badge.Goal {
			continue
		}
		if c.Badges == nil {
			c.Badges = make(map[string]bool)
		}
		c.Badges[badge.ID] = true
		earned = append(earned, badge)
	}
	return earned
}

// Remaining returns the progress towards each unearned badge, in the order of Badges.
func Remaining(c Career) []Progress {
	var all []Progress
	for _, badge := range Badges {
		if !c.Badges[badge.ID] {
			all = append(all, Progress{Badge: badge, Have: min(badge.have(c), badge.Goal)})
		}
	}
	return all
}

// Nearest returns the badge with the greatest share of progress; nil if all badges are earned.
// Streaks come last: they need days, whereas the others advance with every answer.
func Nearest(remaining []Progress) *Progress {
	var others []Progress
	for _, p := range remaining {
		if p.Kind != streakKind {
			others = append(others, p)
		}
	}
	if len(others) > 0 {
		return furthest(others)
	}
	return furthest(remaining)
}

// furthest returns the first of the badges with the greatest share of progress.
func furthest(remaining []Progress) *Progress {
	var best *Progress
	for i := range remaining {
		if p := &remaining[i]; best == nil || p.Have*best.Goal > best.Have*p.Goal {
			best = p
		}
	}
	return best
}
