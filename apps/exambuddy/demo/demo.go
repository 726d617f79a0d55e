// Package demo fills an ExamBuddy with simulated people: an admin builds exams, candidates sit
// them with more or less knowledge, and a few are sitting now, at a pace a visitor can follow. It
// uses the public HTTP API. The server starts it for demonstrations; it is not for production.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/exambuddy/client"
	"sortkey.dev/apps/internal/demo"
)

// Options configures the demo.
type Options struct {
	BaseURL string
	HTTP    *http.Client
	Log     *slog.Logger
	Seed    uint64
	// Memory is the file in which the run is remembered; "" if the database is not kept.
	Memory string
	// Pace is the average pause between two actions; that of package demo by default.
	Pace time.Duration
	// Sleep replaces the sleep function, for tests.
	Sleep func(context.Context, time.Duration) error
	// Think replaces the pause before the answers of past exams, for tests.
	Think func(context.Context, time.Duration) error
}

// Visitors sign in as one of these people, with this password.
const (
	Admin     = "dana@demo.invalid"
	Candidate = "alex@demo.invalid"
	Password  = "Learn by doing 7"
)

// candidates lists the first names of the candidates. The first one is for visitors.
var candidates = []string{
	"Alex", "Bea", "Chidi", "Dilan", "Elif", "Femi", "Greta", "Hana", "Ivan", "Jonas", "Kira", "Luca", "Mei", "Noor", "Oskar", "Priya", "Quinn", "Rosa", "Sven",
}

// now is the number of candidates who are sitting now; they are the last ones.
const now = 3

// Play simulates the people until ctx is done. Failures are logged: a demo must not take the system
// down.
func Play(ctx context.Context, o Options) error {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 20 * time.Second}
	}
	if o.Think == nil {
		o.Think = pause
	}
	s := &school{base: o.BaseURL, http: o.HTTP, think: o.Think, clients: map[string]*client.Client{}, projects: map[string]string{}, sitting: map[string]*client.Sitting{}, shown: map[string]client.Asked{}}
	script := demo.Script{
		Opening: []demo.Action{
			{Name: "build exams", Do: func(ctx context.Context, _ *demo.Play) error { return s.build(ctx) }},
			{Name: "form a class", Do: func(ctx context.Context, _ *demo.Play) error { return s.class(ctx) }},
		},
		Actions: []demo.Action{{Name: "sit", Do: func(ctx context.Context, p *demo.Play) error { return s.step(ctx, p.Chance) }}},
	}
	for i, title := range []string{"The night sky", "Data that stays"} {
		script.Opening = append(script.Opening, demo.Action{Name: "sit " + title, Do: func(ctx context.Context, _ *demo.Play) error { return s.past(ctx, title, uint64(i)) }})
	}
	return demo.Run(ctx, demo.Options{BaseURL: o.BaseURL, HTTP: o.HTTP, Log: o.Log, Seed: o.Seed, Pace: o.Pace, Sleep: o.Sleep, Memory: o.Memory}, script)
}

// pause waits for a time or for the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// A school is one run of the demo.
type school struct {
	base  string
	http  *http.Client
	think func(context.Context, time.Duration) error

	mu       sync.Mutex
	clients  map[string]*client.Client // by name
	projects map[string]string         // ids of exams by title
	sitting  map[string]*client.Sitting
	shown    map[string]client.Asked // the open question of those who are sitting now
}

// person returns the client of a person, who signs up on first use. On a kept database the people
// of the last run come back.
func (s *school) person(ctx context.Context, name, role string) (*client.Client, error) {
	s.mu.Lock()
	known := s.clients[name]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	c := client.New(s.base, client.WithHTTPClient(s.http))
	email := strings.ToLower(name) + "@demo.invalid"
	if err := c.Login(ctx, email, Password); err != nil {
		registered, err := c.Register(ctx, client.Registration{Email: email, Password: Password, Name: name, Role: role})
		if err != nil {
			return nil, fmt.Errorf("sign %s up: %w", name, err)
		}
		if registered.Tokens == nil {
			return nil, fmt.Errorf("%s has to verify the address", name)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients[name] = c
	return c, nil
}

func (s *school) dana(ctx context.Context) (*client.Client, error) {
	return s.person(ctx, "Dana", "admin")
}

// project returns the id of an exam; "" if there is none.
func (s *school) project(ctx context.Context, title string) (string, error) {
	if id := s.projects[title]; id != "" {
		return id, nil
	}
	dana, err := s.dana(ctx)
	if err != nil {
		return "", err
	}
	for cursor := ""; ; {
		page, err := dana.Projects(ctx, cursor)
		if err != nil {
			return "", err
		}
		for _, p := range page.Items {
			s.projects[p.Title] = p.ID
		}
		if cursor = page.Next; cursor == "" {
			return s.projects[title], nil
		}
	}
}

// build creates the exams that are missing.
func (s *school) build(ctx context.Context) error {
	dana, err := s.dana(ctx)
	if err != nil {
		return err
	}
	star := ""
	for i := range exams("") {
		title := exams("")[i].title
		id, err := s.project(ctx, title)
		if err != nil {
			return err
		}
		if star == "" {
			picture, err := stars()
			if err != nil {
				return err
			}
			if star, err = dana.UploadImage(ctx, picture); err != nil {
				return err
			}
		}
		if err := s.fill(ctx, dana, exams(star)[i], id); err != nil {
			return fmt.Errorf("build %s: %w", title, err)
		}
	}
	return nil
}

// fill creates an exam, or adds what an interrupted run has left out.
func (s *school) fill(ctx context.Context, dana *client.Client, e exam, id string) error {
	if id == "" {
		project, err := dana.CreateProject(ctx, client.NewProject{Title: e.title, Description: e.description, PassMark: &e.passMark, Rules: &e.rules})
		if err != nil {
			return err
		}
		id = project.ID
		s.projects[e.title] = id
	}
	for _, q := range e.questions {
		if _, err := dana.AddQuestion(ctx, id, q.NewQuestion); err != nil && !errors.Is(err, client.ErrDuplicate) {
			return err
		}
	}
	if e.draft {
		return nil
	}
	_, err := dana.Publish(ctx, id)
	return err
}

// class puts some candidates into a group, and gives one of them more time.
func (s *school) class(ctx context.Context) error {
	dana, err := s.dana(ctx)
	if err != nil {
		return err
	}
	groups, err := dana.Groups(ctx)
	if err != nil {
		return err
	}
	id := ""
	for _, g := range groups.Items {
		if g.Name == "Evening class" {
			id = g.ID
		}
	}
	if id == "" {
		group, err := dana.CreateGroup(ctx, "Evening class")
		if err != nil {
			return err
		}
		id = group.ID
	}
	for _, name := range candidates[:8] {
		if _, err := s.person(ctx, name, "candidate"); err != nil {
			return err
		}
		if _, err := dana.AddMember(ctx, id, strings.ToLower(name)+"@demo.invalid"); err != nil {
			return err
		}
	}
	return dana.SetTimeFactor(ctx, client.TimeFactor{Email: "hana@demo.invalid", Percent: 125, Note: "Extra time, as agreed."})
}

// past lets the candidates sit an exam, each once.
func (s *school) past(ctx context.Context, title string, seed uint64) error {
	id, err := s.project(ctx, title)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	failures := make([]error, len(candidates)-now)
	for i, name := range candidates[:len(candidates)-now] {
		if i == 0 && seed == 1 {
			continue // an exam for the visitor
		}
		group.Go(func() { failures[i] = s.sit(ctx, name, id, rand.New(rand.NewPCG(uint64(i), seed))) })
	}
	group.Wait()
	return errors.Join(failures...)
}

// sit sits an exam from the start to the end, unless the candidate has done it.
func (s *school) sit(ctx context.Context, name, project string, chance *rand.Rand) error {
	c, err := s.person(ctx, name, "candidate")
	if err != nil {
		return err
	}
	done, err := c.Attempts(ctx, client.Filter{ProjectID: project})
	if err != nil || len(done.Items) > 0 {
		return err
	}
	sitting, err := s.begin(ctx, c, project, "exam")
	if err != nil {
		return err
	}
	for i := sitting.Position + 1; i <= sitting.QuestionCount; i++ {
		shown, err := sitting.Present(ctx, i)
		if err != nil {
			return err
		}
		if err := s.think(ctx, time.Duration(300+chance.IntN(1500))*time.Millisecond); err != nil {
			return err
		}
		if err := answer(ctx, sitting, shown.Asked, ability(name), chance); err != nil {
			return err
		}
	}
	_, err = sitting.Submit(ctx)
	return err
}

// begin starts a session, or continues the one that runs.
func (s *school) begin(ctx context.Context, c *client.Client, project, mode string) (*client.Sitting, error) {
	active, err := c.Active(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range active.Items {
		if a.ProjectID == project {
			return c.Take(ctx, a.ID)
		}
	}
	return c.Start(ctx, client.Start{ProjectID: project, Mode: mode, Difficulty: "medium", QuestionCount: 5, NoLimit: mode == "test"})
}

// ability returns what a candidate knows, from 0 to 1. It is the same for all exams.
func ability(name string) float64 {
	for i, known := range candidates {
		if known == name {
			return .25 + .7*math.Mod(float64(i)*.37+.31, 1)
		}
	}
	return .5
}

// answer answers a question. Able candidates know more answers, and hard questions fewer candidates.
func answer(ctx context.Context, sitting *client.Sitting, shown client.Asked, able float64, chance *rand.Rand) error {
	known, ok := find(shown.Question.Text)
	if !ok {
		return nil // a question of a visitor
	}
	if chance.Float64() < .04 {
		return nil // no answer comes to mind
	}
	knows := chance.Float64() < 1/(1+math.Exp(-6*(able-known.hard)))
	in := client.NewAnswer{Position: shown.Position, Answer: known.reply(shown.Question, knows), Sequence: 1, ElapsedMillis: int64(15_000 + chance.IntN(30_000))}
	if sitting.Mode == "test" {
		_, err := sitting.Practise(ctx, in)
		return err
	}
	_, err := sitting.Answer(ctx, in)
	return err
}

// find returns the question with a text.
func find(text string) (asked, bool) {
	for _, e := range exams("") {
		for _, q := range e.questions {
			if q.Question.Text == text {
				return q, true
			}
		}
	}
	return asked{}, false
}

// step lets one of the candidates who are sitting now do the next thing.
func (s *school) step(ctx context.Context, chance *rand.Rand) error {
	name := candidates[len(candidates)-1-chance.IntN(now)]
	c, err := s.person(ctx, name, "candidate")
	if err != nil {
		return err
	}
	sitting, open := s.sitting[name], s.shown[name]
	switch {
	case sitting == nil:
		return s.next(ctx, c, name, chance)
	case open.Position > 0:
		delete(s.shown, name)
		err = answer(ctx, sitting, open, ability(name), chance)
	case sitting.Position >= sitting.QuestionCount:
		delete(s.sitting, name)
		_, err = sitting.Submit(ctx)
	default:
		sitting.Position++
		var shown client.Presented
		if shown, err = sitting.Present(ctx, sitting.Position); err == nil {
			s.shown[name] = shown.Asked
		}
	}
	if errors.Is(err, client.ErrOver) || errors.Is(err, client.ErrWriter) || errors.Is(err, client.ErrNoSession) {
		delete(s.sitting, name)
	}
	return ordinary(err)
}

// next starts the next session of a candidate. After the first exam it is practice, mostly.
func (s *school) next(ctx context.Context, c *client.Client, name string, chance *rand.Rand) error {
	title := []string{"The night sky", "Data that stays"}[chance.IntN(2)]
	project, err := s.project(ctx, title)
	if err != nil || project == "" {
		return err
	}
	mode := "exam"
	if done, err := c.Attempts(ctx, client.Filter{ProjectID: project}); err != nil {
		return err
	} else if len(done.Items) > 0 && chance.IntN(4) > 0 {
		mode = "test"
	}
	sitting, err := s.begin(ctx, c, project, mode)
	if err != nil {
		return ordinary(err)
	}
	s.sitting[name] = sitting
	return nil
}

// ordinary returns nil for refusals that belong to ordinary life, such as an exam that a visitor has
// archived.
func ordinary(err error) error {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status < http.StatusInternalServerError {
		return nil
	}
	return err
}
