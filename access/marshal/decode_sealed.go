package marshal

import "sortkey.dev/access"

// Sealed opens a sealed attribute of an entity, whose name it was sealed under; false if
// it is missing or does not open.
func (d *Decoder) Sealed(c *access.Client, entity, name string) ([]byte, bool) {
	v := d.item[name]
	if absent(v) {
		return nil, false
	}
	plain, err := Open(c, entity, name, v)
	if err != nil {
		if d.err == nil {
			d.err = err
		}
		return nil, false
	}
	return present(plain), true
}

// DecodeSealed opens a sealed attribute and reads its text form.
func DecodeSealed[T any](d *Decoder, c *access.Client, entity, name string, parse func(string) (T, error)) T {
	v, ok := decodeSealed(d, c, entity, name, parse)
	d.need(name, ok)
	return v
}

// OptSealed is like DecodeSealed, for an optional attribute.
func OptSealed[T any](d *Decoder, c *access.Client, entity, name string, parse func(string) (T, error)) *T {
	return ifPresent(decodeSealed(d, c, entity, name, parse))
}

// ParseText returns a text as it is, for sealed texts and enums.
func ParseText[T ~string](s string) (T, error) { return T(s), nil }

func decodeSealed[T any](d *Decoder, c *access.Client, entity, name string, parse func(string) (T, error)) (T, bool) {
	var none T
	plain, ok := d.Sealed(c, entity, name)
	if !ok {
		return none, false
	}
	v, err := parse(string(plain))
	return v, noteParsed(d, name, err)
}
