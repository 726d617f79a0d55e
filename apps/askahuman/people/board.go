package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/score"
	"sortkey.dev/apps/internal/refusal"
)

// BoardEntries returns a person's entries on the boards of all time, the day and the
// week. Entries of shadow-banned people are in the shadow: only they see them.
func (s *Service) BoardEntries(p askahuman.Person, c score.Career, shadow bool, now time.Time) []askahumandb.BoardEntry {
	ttl := now.Add(askahuman.KeepBoard)
	entry := func(board string, points, answers int, ttl *time.Time) askahumandb.BoardEntry {
		return askahumandb.BoardEntry{
			Board: s.partOf(board, p.Hash), FingerprintHash: p.Hash, Points: int64(points), Answers: int64(answers), Shadow: shadow, UpdatedAt: now, TTL: ttl,
		}
	}
	return []askahumandb.BoardEntry{
		entry(boardOfAll, c.TotalPoints, c.TotalAnswers, nil),
		entry(boardOfDay(access.Date(c.Day)), c.DayPoints, c.DayAnswers, &ttl),
		entry(boardOfWeek(access.Week(c.Week)), c.WeekPoints, c.WeekAnswers, &ttl),
	}
}

// A Period is the period of a leaderboard.
type Period string

// The periods of leaderboards. Days and weeks are in UTC; a week begins on Monday.
const (
	Daily   Period = "daily"
	Weekly  Period = "weekly"
	AllTime Period = "all_time"
)

// A Board is a leaderboard. Daily and weekly boards count points of answers only; streak
// bonuses count on the board of all time.
type Board struct {
	Period      Period
	Entries     []BoardRow
	YourRank    int // 0 if not on it
	YourPoints  int
	YourAnswers int
	// Estimated reports that YourRank is an estimate: the board has parts, and only the person's
	// own part was counted.
	Estimated bool
	Resets    time.Time // zero for all time
}

// A BoardRow is an entry of a leaderboard. People are anonymous; Handle is an invented name, which no
// other row has. Equal points share a rank.
type BoardRow struct {
	Handle  string
	Rank    int
	Points  int
	Answers int
	You     bool
}

const (
	defaultPlaces = 10
	maxPlaces     = 100
)

// Board returns the leaderboard of a period with its first limit places: 10 if limit is 0,
// at most 100. The period is all time if it is "".
func (s *Service) Board(ctx context.Context, p askahuman.Person, period Period, limit int) (Board, error) {
	if limit == 0 {
		limit = defaultPlaces
	}
	limit = min(max(limit, 1), maxPlaces)
	board, name, err := boardOf(period, s.env.Now())
	if err != nil {
		return Board{}, err
	}
	rows, err := s.first(ctx, name, limit)
	if err != nil {
		return Board{}, fmt.Errorf("read a leaderboard: %w", err)
	}
	board.Entries = places(rows, p)
	own, err := s.place(ctx, name, p)
	if err != nil {
		return Board{}, err
	}
	board.Estimated = own.Rank > 0 && len(s.env.AllParts()) > 1
	if listed := slices.IndexFunc(board.Entries, isYou); listed >= 0 {
		own.Rank, board.Estimated = board.Entries[listed].Rank, false
	}
	board.YourRank, board.YourPoints, board.YourAnswers = own.Rank, own.Points, own.Answers
	if own.Rank > 0 && !slices.ContainsFunc(board.Entries, isYou) {
		board.Entries = withOwn(board.Entries, own, limit)
	}
	return board, s.nameRows(ctx, board.Entries, peopleOf(board.Entries, rows, p))
}

func isYou(row BoardRow) bool { return row.You }

// peopleOf returns the people of a board's entries. They are the stored rows, and perhaps the
// viewer, whose row may not be among them.
func peopleOf(entries []BoardRow, rows []askahumandb.ListBoardRow, viewer askahuman.Person) []string {
	others := slices.DeleteFunc(slices.Clone(rows), func(row askahumandb.ListBoardRow) bool { return row.FingerprintHash == viewer.Hash })
	hashes := make([]string, len(entries))
	for i, entry := range entries {
		if entry.You {
			hashes[i] = viewer.Hash
			continue
		}
		hashes[i], others = others[0].FingerprintHash, others[1:]
	}
	return hashes
}

// withOwn adds a person's own row, which others do not see, where it belongs.
func withOwn(rows []BoardRow, own BoardRow, limit int) []BoardRow {
	i := slices.IndexFunc(rows, func(row BoardRow) bool { return row.Points < own.Points })
	if i < 0 {
		i = len(rows)
	}
	if i >= limit {
		return rows
	}
	rows = slices.Insert(rows, i, own)
	for j := i; j < len(rows); j++ {
		if rows[j].Rank = j + 1; j > 0 && rows[j-1].Points == rows[j].Points {
			rows[j].Rank = rows[j-1].Rank
		}
	}
	return rows[:min(len(rows), limit)]
}

// places ranks rows that begin with the first place.
func places(rows []askahumandb.ListBoardRow, p askahuman.Person) []BoardRow {
	all := make([]BoardRow, len(rows))
	for i, row := range rows {
		all[i] = BoardRow{Rank: i + 1, Points: int(row.Points), Answers: int(row.Answers), You: row.FingerprintHash == p.Hash}
		if i > 0 && all[i-1].Points == all[i].Points {
			all[i].Rank = all[i-1].Rank
		}
	}
	return all
}

// place returns a person's own place on a board, or the zero row for a person who is not
// on it. The rank on a board of several parts is an estimate from the person's own part.
func (s *Service) place(ctx context.Context, board string, p askahuman.Person) (BoardRow, error) {
	if p.Hash == "" {
		return BoardRow{}, nil
	}
	own, err := s.env.DB.GetBoardEntry(ctx, s.partOf(board, p.Hash), p.Hash)
	if errors.Is(err, access.ErrNotFound) {
		return BoardRow{}, nil
	}
	if err != nil {
		return BoardRow{}, fmt.Errorf("read a place on a leaderboard: %w", err)
	}
	above, err := s.env.DB.ListBoardAbove([]string{own.Board}, own.Points).Limit(0).Count(ctx)
	if err != nil {
		return BoardRow{}, fmt.Errorf("count who is ahead on a leaderboard: %w", err)
	}
	return BoardRow{Rank: int(above)*len(s.env.AllParts()) + 1, Points: int(own.Points), Answers: int(own.Answers), You: true}, nil
}

// boardOf returns the empty board of a period at a time, and the name it is stored under.
func boardOf(period Period, now time.Time) (Board, string, error) {
	switch period {
	case AllTime, "":
		return Board{Period: AllTime}, boardOfAll, nil
	case Daily:
		day := access.DateOf(now)
		return Board{Period: Daily, Resets: day.Time().AddDate(0, 0, 1)}, boardOfDay(day), nil
	case Weekly:
		week := access.WeekOf(now)
		return Board{Period: Weekly, Resets: week.Start().AddDate(0, 0, 7)}, boardOfWeek(week), nil
	}
	allowed := []string{string(Daily), string(Weekly), string(AllTime)}
	return Board{}, "", refusal.OfField(refusal.Field{Name: "period", Constraint: "allowed", Allowed: allowed}, "The period is daily, weekly or all_time.")
}

// Names under which boards are stored.
const boardOfAll = "ALL"

func boardOfDay(day access.Date) string { return "D-" + string(day) }

func boardOfWeek(week access.Week) string { return "W-" + string(week) }
