package patterns

import (
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// A Row is the type of a named projection of an entity. The patterns that select the projection
// share it, and those that find its attributes at the same places share a decoder.
type Row struct {
	Type     string
	declared bool
	decoders map[string]*decoder // by the places of the attributes
	pkg      *Package
}

type decoder struct {
	name     string
	declared bool
}

type rowKey struct {
	projection *model.NamedProjection
	entity     *model.Entity
}

// Row returns the type of a projection of an entity.
func (p *Package) Row(projection *model.NamedProjection, e *model.Entity) *Row {
	key := rowKey{projection, e}
	if p.rows[key] == nil {
		names := p.Items.Names
		p.rows[key] = &Row{Type: names.Pkg.Take(names.Entities[e]+projection.Name, "Row"), decoders: map[string]*decoder{}, pkg: p}
	}
	return p.rows[key]
}

// Decoder returns the name of the function that reads the attributes from their places.
func (r *Row) Decoder(held []program.Held) string { return r.decoder(held).name }

// Declare reports whether the type and the decoder are still to be declared, and notes that they
// are.
func (r *Row) Declare(held []program.Held) (typ, decode bool) {
	d := r.decoder(held)
	typ, decode = !r.declared, !d.declared
	r.declared, d.declared = true, true
	return typ, decode
}

func (r *Row) decoder(held []program.Held) *decoder {
	var b strings.Builder
	for _, h := range held {
		b.WriteString(h.Name)
		if h.Key != nil {
			b.WriteString("=" + h.Key.Template.Text)
		}
		b.WriteString("\x00")
	}
	d := r.decoders[b.String()]
	if d == nil {
		d = &decoder{name: r.pkg.Items.Names.Pkg.Take("decode"+r.Type, "Of")}
		r.decoders[b.String()] = d
	}
	return d
}
