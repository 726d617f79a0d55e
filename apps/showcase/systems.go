package showcase

import (
	"sortkey.dev/apps"
	askahuman "sortkey.dev/apps/askahuman/server"
	ecobiddemo "sortkey.dev/apps/ecobid/demo"
	ecobid "sortkey.dev/apps/ecobid/server"
	exambuddydemo "sortkey.dev/apps/exambuddy/demo"
	exambuddy "sortkey.dev/apps/exambuddy/server"
	homeops "sortkey.dev/apps/homeops/server"
	"sortkey.dev/apps/internal/webkit"
)

// A Subject is a system as the front page presents it.
type Subject struct {
	apps.Kind
	Face   webkit.Face
	Design string // its file in apps.Designs
	Guide  string // its file in docs.Guides, without the directory
	// Counted is the number that the front page shows moving.
	Counted Count
	Visits  []Visit
}

// A Count adds up the calls of access patterns since the start.
type Count struct {
	Label    string // "answers given"
	Patterns []string
}

// A Visit is a way to see a system: a role, where it starts, and whom to sign in as.
type Visit struct {
	Role, Path, Doc string
	Name, Password  string // "" if there is nothing to sign in to
}

// Subjects returns the four systems, sorted by name.
func Subjects() []Subject {
	return []Subject{
		{
			Kind: askahuman.Kind(), Face: webkit.AskAHuman, Design: "askahuman/askahuman.design.yaml", Guide: "ask-a-human.md",
			Counted: Count{"answers given", []string{"AnswerFirst", "AnswerNext"}},
			Visits: []Visit{
				{Role: "Answer", Path: "/", Doc: "questions of programs, waiting for a person"},
				{Role: "Ask", Path: "/developers", Doc: "put a question, and see how programs do it"},
			},
		},
		{
			Kind: ecobid.Kind(), Face: webkit.EcoBid, Design: "ecobid/ecobid.design.yaml", Guide: "ecobid.md",
			Counted: Count{"offers and bids", []string{"PublishItem", "PlaceBid"}},
			Visits: []Visit{
				{Role: "Neighbour", Path: "/", Doc: "what is given away near you", Name: "ania@demo.invalid", Password: ecobiddemo.Password},
			},
		},
		{
			Kind: exambuddy.Kind(), Face: webkit.ExamBuddy, Design: "exambuddy/exambuddy.design.yaml", Guide: "exambuddy.md",
			Counted: Count{"answers saved", []string{"GiveAnswer", "ReviseAnswer"}},
			Visits: []Visit{
				{Role: "Candidate", Path: "/", Doc: "exams to sit", Name: exambuddydemo.Candidate, Password: exambuddydemo.Password},
				{Role: "Teacher", Path: "/admin", Doc: "build exams and see results", Name: exambuddydemo.Admin, Password: exambuddydemo.Password},
			},
		},
		{
			Kind: homeops.Kind(), Face: webkit.HomeOps, Design: "homeops/homeops.design.yaml", Guide: "homeops.md",
			Counted: Count{"activities noted", []string{"LogActivity"}},
			Visits: []Visit{
				{Role: "Household", Path: "/chat", Doc: "the chat of a family, and what the bot notes"},
			},
		},
	}
}
