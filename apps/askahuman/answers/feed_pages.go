package answers

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// A feedRow is a question as either partition of the feed index holds it.
type feedRow = askahumandb.ListFeedOpenRow

// A feedPosition is a question's position in the feed. It does not change when the question
// does: newest first, and by descending id for questions of the same time.
type feedPosition struct {
	asked time.Time
	id    string
}

// feedTop is the position before every question.
var feedTop = feedPosition{asked: time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)}

func positionOf(row feedRow) feedPosition {
	return feedPosition{asked: row.CreatedAt, id: row.QuestionID}
}

// compare returns a negative number if a comes before b.
func (a feedPosition) compare(b feedPosition) int {
	return cmp.Or(b.asked.Compare(a.asked), cmp.Compare(b.id, a.id))
}

// feedCursor returns the signed cursor of a page that ends at a position. The id implies the
// time.
func (s *Service) feedCursor(end feedPosition) string {
	return s.env.Box.Sign("feed cursor", end.id, time.Time{})
}

func (s *Service) openFeedCursor(cursor string) (feedPosition, error) {
	if cursor == "" {
		return feedTop, nil
	}
	id, err := s.env.Box.Open("feed cursor", cursor, s.env.Now())
	if err != nil {
		return feedPosition{}, askahuman.BadCursor(access.ErrBadCursor)
	}
	asked, err := access.TimeOfID(id)
	if err != nil {
		return feedPosition{}, askahuman.BadCursor(access.ErrBadCursor)
	}
	return feedPosition{asked: asked, id: id}, nil
}

// feedRows returns at least n questions after a position, in order, if there are as many. A
// question moves from the open to the partly answered ones with its first answer. The open ones
// are read first, so that a question that has left them is found among the others. Only a
// lagging index can hide it for a moment.
func (s *Service) feedRows(ctx context.Context, parts []int64, after feedPosition, n int) (rows []feedRow, more bool, err error) {
	open, moreOpen, err := rowsAfter(after, n, s.env.DB.ListFeedOpen(parts, after.asked).Limit(0).PageSize(n+2).All(ctx))
	if err != nil {
		return nil, false, err
	}
	partial, morePartial, err := rowsAfter(after, n, partialRows(s.env.DB.ListFeedPartial(parts, after.asked).Limit(0).PageSize(n+2).All(ctx)))
	if err != nil {
		return nil, false, err
	}
	rows = slices.Concat(partial, open) // if a question moved in between, the newer row wins
	slices.SortStableFunc(rows, func(a, b feedRow) int { return positionOf(a).compare(positionOf(b)) })
	rows = slices.CompactFunc(rows, func(a, b feedRow) bool { return a.QuestionID == b.QuestionID })
	// Rows after the end of an unfinished part are not certain yet.
	for _, part := range []struct {
		rows []feedRow
		more bool
	}{{open, moreOpen}, {partial, morePartial}} {
		if part.more {
			end := positionOf(part.rows[len(part.rows)-1])
			rows = slices.DeleteFunc(rows, func(row feedRow) bool { return positionOf(row).compare(end) > 0 })
		}
	}
	return rows, moreOpen || morePartial, nil
}

// rowsAfter returns the first n rows of a part of the feed after a position, and whether there
// are more. Rows with the position's time are read again.
func rowsAfter(after feedPosition, n int, part iter.Seq2[feedRow, error]) (rows []feedRow, more bool, err error) {
	for row, err := range part {
		switch {
		case err != nil:
			return nil, false, err
		case positionOf(row).compare(after) <= 0:
			continue
		case len(rows) == n:
			return rows, true, nil
		}
		rows = append(rows, row)
	}
	return rows, false, nil
}

func partialRows(part iter.Seq2[askahumandb.ListFeedPartialRow, error]) iter.Seq2[feedRow, error] {
	return func(yield func(feedRow, error) bool) {
		for row, err := range part {
			if !yield(feedRow(row), err) {
				return
			}
		}
	}
}
