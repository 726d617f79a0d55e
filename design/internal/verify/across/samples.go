package across

import (
	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Samples returns an item of each entity of a design, as its tables store it, by the name of the entity. Items of entities in no
// table are left out, and sealed values are samples of what is sealed.
func Samples(d *model.Design) map[string]access.Item {
	all := map[string]access.Item{}
	for _, item := range sample.Items(resolve.New(d), sample.Options{Roots: 1, Children: 1}) {
		if item.Table != nil && all[item.Entity.Name] == nil {
			all[item.Entity.Name] = state.Item(item)
		}
	}
	return all
}
