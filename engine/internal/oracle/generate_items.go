package oracle

import (
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var spoils = []string{unusedName, unusedValue, undefinedValue}

func (g *generator) putItem() Step {
	name, t := g.table()
	key := g.badKey(t)
	s := PutItem{
		Table: g.maybeARN(name), Item: g.wholeItem(key), If: g.maybe(t, key), Return: pick(g, "", types.ReturnValueNone, types.ReturnValueAllOld, types.ReturnValueAllOld),
		ShowFailed: g.oneIn(2), Capacity: g.detail(), Metrics: g.oneIn(4), Spoil: g.spoil(spoils...),
	}
	if g.oneIn(4) {
		s.Older, s.If, s.Spoil = true, g.olderAbout(t, key), ""
	}
	if old := g.item(t); old != nil && g.oneIn(20) {
		s.Item = maps.Clone(old) // changes nothing
	}
	if g.oneIn(100) {
		s.Return, s.Spoil = types.ReturnValueAllNew, ""
	}
	return s
}

func (g *generator) updateItem() Step {
	name, t := g.table()
	key := g.badKey(t)
	s := UpdateItem{
		Table: g.maybeARN(name), Key: key, Update: g.update(t, key), If: g.maybe(t, key),
		Return:     pick(g, "", types.ReturnValueNone, types.ReturnValueAllOld, types.ReturnValueAllNew, types.ReturnValueUpdatedOld, types.ReturnValueUpdatedNew),
		ShowFailed: g.oneIn(2), Capacity: g.detail(), Metrics: g.oneIn(4), Spoil: g.spoil(spoils...),
	}
	if s.Update.overlap() != "" {
		s.Spoil = ""
	}
	if g.oneIn(50) {
		s.Update, s.Spoil = nil, ""
	}
	if g.oneIn(4) {
		s.Older, s.If, s.Update, s.Spoil = true, nil, g.olderUpdate(t, key), ""
		if g.oneIn(2) {
			s.If = g.olderAbout(t, key)
		}
	}
	return s
}

func (g *generator) deleteItem() Step {
	name, t := g.table()
	key := g.badKey(t)
	s := DeleteItem{
		Table: g.maybeARN(name), Key: key, If: g.maybe(t, key), Return: pick(g, "", types.ReturnValueNone, types.ReturnValueAllOld, types.ReturnValueAllOld),
		ShowFailed: g.oneIn(2), Capacity: g.detail(), Metrics: g.oneIn(4), Spoil: g.spoil(spoils...),
	}
	if g.oneIn(4) {
		s.Older, s.If, s.Spoil = true, g.olderAbout(t, key), ""
	}
	return s
}

func (g *generator) getItem() Step {
	name, t := g.table()
	s := GetItem{Table: g.maybeARN(name), Key: g.badKey(t), Project: g.projection(t), Consistent: g.oneIn(2), Capacity: g.detail(), Spoil: g.spoil(unusedName)}
	if g.oneIn(4) {
		s.Older, s.Project, s.Spoil = true, topLevel(s.Project), ""
	}
	return s
}

func (g *generator) batchGetItem() Step {
	s := BatchGetItem{Capacity: g.detail(), Older: g.oneIn(4)}
	used := map[string]bool{}
	for range 1 + g.IntN(2) {
		name, t := g.table()
		if used[name] {
			continue
		}
		used[name] = true
		get := BatchGet{Table: name, Project: g.projection(t), Consistent: g.oneIn(2)}
		if s.Older {
			get.Project = topLevel(get.Project)
		}
		for range 1 + g.IntN(6) {
			get.Keys = append(get.Keys, g.newKey(t, used, name))
		}
		s.Gets = append(s.Gets, get)
	}
	return s
}

// newKey returns a key that was mostly not used before.
func (g *generator) newKey(t *table, used map[string]bool, name string) Item {
	key := g.badKey(t)
	for range 10 {
		if id := name + t.id(key); !used[id] || g.oneIn(100) {
			used[id] = true
			break
		}
		key = g.key(t)
	}
	return key
}

func (g *generator) batchWriteItem() Step {
	s := BatchWriteItem{Capacity: g.detail(), Metrics: g.oneIn(4)}
	used := map[string]bool{}
	for range 1 + g.IntN(8) {
		name, t := g.table()
		key := g.newKey(t, used, name)
		if g.oneIn(3) {
			s.Writes = append(s.Writes, BatchWrite{Table: name, Delete: key})
		} else {
			s.Writes = append(s.Writes, BatchWrite{Table: name, Put: g.wholeItem(key)})
		}
	}
	return s
}

func (g *generator) transactWriteItems() Step {
	if len(g.tokens) > 0 && g.oneIn(6) {
		return g.replay()
	}
	s := TransactWriteItems{Capacity: g.detail(), Metrics: g.oneIn(4)}
	used := map[string]bool{}
	for range 1 + g.IntN(5) {
		name, t := g.table()
		s.Actions = append(s.Actions, g.transactAction(name, t, g.newKey(t, used, name)))
	}
	if g.oneIn(3) {
		s.Token = fmt.Sprintf("token-%d", len(g.tokens))
		g.tokens = append(g.tokens, s)
	}
	return s
}

// replay repeats a transaction with its token, or sends another one with it.
func (g *generator) replay() Step {
	s := pick(g, g.tokens...)
	if !g.oneIn(3) {
		s = g.tokens[len(g.tokens)-1-g.IntN(min(3, len(g.tokens)))]
	}
	s.Capacity = g.detail()
	if g.oneIn(5) && len(s.Actions) > 1 {
		s.Actions = s.Actions[1:]
	}
	return s
}

func (g *generator) transactAction(name string, t *table, key Item) TransactAction {
	a := TransactAction{Do: pick(g, "Put", "Put", "Update", "Update", "Delete", "Check"), Table: name, ShowFailed: g.oneIn(2), Spoil: g.spoil(spoils...)}
	if g.oneIn(3) {
		a.If = g.maybe(t, key)
	}
	switch a.Do {
	case "Put":
		a.Item = g.wholeItem(key)
		return a
	case "Update":
		if a.Update = g.update(t, key); a.Update.overlap() != "" {
			a.Spoil = ""
		}
	case "Check":
		a.If = g.about(t, key)
	}
	a.Key = key
	return a
}

func (g *generator) transactGetItems() Step {
	s := TransactGetItems{Capacity: g.detail()}
	used := map[string]bool{}
	for range 1 + g.IntN(5) {
		name, t := g.table()
		key := g.newKey(t, used, name)
		if t.emptyKeyComplaint(key) != "" {
			key = g.key(t) // the error for an empty key is unknown here
		}
		s.Gets = append(s.Gets, TransactGet{Table: name, Key: key, Project: g.projection(t)})
	}
	return s
}
