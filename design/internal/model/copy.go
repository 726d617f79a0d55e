package model

import "reflect"

// A Copier copies parts of models. What it copied once it does not copy again, so that all copies refer to
// each other as the originals do. The zero Copier is ready to use.
type Copier struct{ done map[any]reflect.Value }

// Use makes the copies refer to another element instead of a copy of one.
func (c *Copier) Use(element, instead any) { c.remember(element, reflect.ValueOf(instead)) }

func (c *Copier) remember(element any, value reflect.Value) {
	if c.done == nil {
		c.done = map[any]reflect.Value{}
	}
	c.done[element] = value
}

// Copy returns a copy of a pointer to a part of a model, with everything it refers to.
func Copy[T any](c *Copier, original *T) *T {
	return c.value(reflect.ValueOf(original)).Interface().(*T)
}

func (c *Copier) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		return c.pointer(v)
	case reflect.Struct:
		of := reflect.New(v.Type()).Elem()
		of.Set(v)
		c.fields(of)
		return of
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		of := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			of.Index(i).Set(c.value(v.Index(i)))
		}
		return of
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		of := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			of.SetMapIndex(c.value(key), c.value(v.MapIndex(key)))
		}
		return of
	}
	return v
}

func (c *Copier) pointer(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	if have, ok := c.done[v.Interface()]; ok {
		return have
	}
	of := reflect.New(v.Type().Elem())
	c.remember(v.Interface(), of)
	of.Elem().Set(v.Elem())
	if of.Elem().Kind() == reflect.Struct {
		c.fields(of.Elem())
	}
	if p, ok := of.Interface().(*Pattern); ok && p.alone != nil {
		p.alone = nil
		p.Complete()
	}
	return of
}

// fields replaces the exported fields of a struct by copies.
func (c *Copier) fields(of reflect.Value) {
	for i := range of.NumField() {
		if of.Type().Field(i).IsExported() {
			of.Field(i).Set(c.value(of.Field(i)))
		}
	}
}
