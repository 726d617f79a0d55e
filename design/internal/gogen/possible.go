package gogen

import (
	"fmt"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// possible refuses designs that have no Go, before anything is built.
func possible(i *items.Items) error {
	for _, item := range i.Stored() {
		if err := possibleItem(item); err != nil {
			return err
		}
	}
	return nil
}

func possibleItem(item *model.Item) error {
	e := item.Entity
	for _, a := range e.Encrypt {
		if !values.CanSeal(a.Type) {
			return fmt.Errorf("%s of %s is %s, and only values that have a text can be encrypted", a.Name, e.Name, a.Type)
		}
	}
	if t := item.Table; t.Type != "" && e.Stored(t.Type) != nil {
		return fmt.Errorf("%s of %s is stored as %s, where table %s keeps what an item is; give one of them another name", e.Stored(t.Type).Name, e.Name, t.Type, t.Name)
	}
	for _, name := range items.TableKeys(item.Table) {
		if err := possiblePrimary(item, name); err != nil {
			return err
		}
	}
	for _, name := range items.KeyNames(item.Table) {
		if key := item.Key(name); key != nil {
			if err := possibleKey(e, name, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// possiblePrimary checks a part of the primary key.
func possiblePrimary(item *model.Item, name string) error {
	e, key := item.Entity, item.Key(name)
	if key == nil {
		return fmt.Errorf("%s has no value for %s, the key of table %s", e.Name, name, item.Table.Name)
	}
	if len(key.When) > 0 {
		return fmt.Errorf("%s of %s is part of the primary key, so it has no when", name, e.Name)
	}
	for _, a := range key.Attributes() {
		if a.Type.Optional {
			return fmt.Errorf("%s of %s is part of the primary key, so it cannot be absent", a.Name, e.Name)
		}
	}
	return nil
}

// possibleKey checks a key of the table or of an index.
func possibleKey(e *model.Entity, name string, key *model.Key) error {
	for _, a := range key.Attributes() {
		if values.IsSealed(e, a) {
			return fmt.Errorf("%s of %s is encrypted, so it cannot be part of the key %s", a.Name, e.Name, name)
		}
	}
	for _, c := range key.When {
		for _, v := range c.Values {
			if v.Param != "" {
				return fmt.Errorf("%s of %s is compared with the parameter $%s; when knows only the item itself", c.Attribute.Name, e.Name, v.Param)
			}
		}
	}
	return nil
}
