package oracle

import "context"

// Interleave is a step that reads page by page, with writes between the pages.
type Interleave struct {
	Query  *Query // either this
	Scan   *Scan  // or that
	Writes []Step
}

func (s Interleave) expect(m *Model) (any, *Failure) {
	for _, w := range s.Writes {
		w.expect(m)
		m.expire()
	}
	return nil, nil
}

// source returns the source, the conditions on its rows, and its reader.
func (s Interleave) source(p *player) (src source, where []KeyCondition, read reader, failure *Failure) {
	if s.Query != nil {
		_, failure = s.Query.expect(p.model)
		src, _ = s.Query.source(p.model)
		return src, s.Query.Where, s.Query.read(p.db.Tables()), failure
	}
	_, failure = s.Scan.expect(p.model)
	src, _ = p.model.source(s.Scan.Table, s.Scan.Index, &s.Scan.Page)
	return src, nil, s.Scan.read(p.db.Tables(), 0), failure
}

// check checks what must hold for any writes between the pages: each page has rows as
// they are when it is read, and a row that exists all the time is returned exactly once.
func (s Interleave) check(ctx context.Context, p *player) *Problem {
	src, where, read, failure := s.source(p)
	writes := s.Writes
	if failure == nil {
		steady := src.rows(where)
		came := map[string]int{}
		for after, more := src.page.After, true; more; {
			page, err := read(ctx, after, true)
			if err != nil {
				return problem("error", "%v", err)
			}
			if wrong := src.checkCurrent(page.Items, where, came); wrong != nil {
				return wrong
			}
			if len(writes) > 0 {
				if wrong := p.play(ctx, writes[0]); wrong != nil {
					return wrong
				}
				writes = writes[1:]
				steady = src.stillThere(steady, where)
			}
			after, more = page.Last, page.Last != nil
		}
		for key := range steady {
			if came[key] != 1 {
				return problem("rows", "row %s was there all the time and came %d times", key, came[key])
			}
		}
	}
	for _, w := range writes {
		if wrong := p.play(ctx, w); wrong != nil {
			return wrong
		}
	}
	return nil
}

// rows returns the rows of a source by their keys.
func (s source) rows(where []KeyCondition) map[string]Item {
	rows := map[string]Item{}
	for _, e := range s.table.entries(s.index) {
		if meets(e, where) {
			rows[s.rowName(e)] = e
		}
	}
	return rows
}

func (s source) rowName(row Item) string { return Literal(only(row, s.table.rowKey(s.index)...)) }

// stillThere returns the rows that are still in the source.
func (s source) stillThere(rows map[string]Item, where []KeyCondition) map[string]Item {
	still, now := map[string]Item{}, s.rows(where)
	for key := range rows {
		if now[key] != nil {
			still[key] = now[key]
		}
	}
	return still
}

// checkCurrent checks that the rows of a page are in the source, and counts them.
func (s source) checkCurrent(page []Item, where []KeyCondition, came map[string]int) *Problem {
	rows := s.rows(where)
	for _, row := range page {
		key := s.rowName(row)
		if difference := difference(row, rows[key]); difference != "" {
			return problem("rows", "%s", difference)
		}
		came[key]++
	}
	return nil
}
