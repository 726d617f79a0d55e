package people

import (
	"context"
	"strconv"
	"sync"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// keepFirst is the time for which the first places of a board of several parts are kept in
// memory.
const keepFirst = 10 * time.Second

// partOf returns the name under which a person's place on a board is stored: that of the board,
// or that of one of its parts.
func (s *Service) partOf(board, personHash string) string {
	if len(s.env.AllParts()) == 1 {
		return board
	}
	return partName(board, s.env.Part(personHash))
}

func partName(board string, part int64) string { return board + "/" + strconv.FormatInt(part, 10) }

// firstPlaces holds the first places of boards, by name.
type firstPlaces struct {
	mu     sync.Mutex
	boards map[string]firstRows
}

type firstRows struct {
	rows  []askahumandb.ListBoardRow
	until time.Time
}

// first returns the first places of a board. Those of a board of several parts, which take a
// query of each part, are kept for keepFirst.
func (s *Service) first(ctx context.Context, board string, limit int) ([]askahumandb.ListBoardRow, error) {
	parts := s.env.AllParts()
	if len(parts) == 1 {
		return s.env.DB.ListBoard([]string{board}).Limit(limit).Slice(ctx)
	}
	now := s.env.Now()
	s.firsts.mu.Lock()
	kept, ok := s.firsts.boards[board]
	s.firsts.mu.Unlock()
	if !ok || !now.Before(kept.until) {
		names := make([]string, len(parts))
		for i, part := range parts {
			names[i] = partName(board, part)
		}
		rows, err := s.env.DB.ListBoard(names).Limit(maxPlaces).Slice(ctx)
		if err != nil {
			return nil, err
		}
		kept = firstRows{rows: rows, until: now.Add(keepFirst)}
		s.firsts.keep(board, kept, now)
	}
	return kept.rows[:min(len(kept.rows), limit)], nil
}

// keep stores the first places of a board and forgets those of boards that are over.
func (f *firstPlaces) keep(board string, rows firstRows, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.boards == nil {
		f.boards = make(map[string]firstRows)
	}
	for name, other := range f.boards {
		if !now.Before(other.until) {
			delete(f.boards, name)
		}
	}
	f.boards[board] = rows
}
