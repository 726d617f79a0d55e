package pdftext

import (
	"context"
	"errors"

	"github.com/pdfcpu/pdfcpu/pkg/filter"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"sortkey.dev/internal/lazyregexp"
)

// A reader reads the pages of a document, and counts the work against the limits. The limits become
// smaller as the work goes on.
type reader struct {
	ctx     context.Context
	pdf     *model.Context
	limits  Limits
	fonts   map[string]*font
	broken  map[int]error // by the number of an object
	unknown int
	failed  error
}

// bytesPerStep is the number of bytes that take as long as a step, where bytes are skipped or copied.
const bytesPerStep = 64

// fail ends the work. The first error counts.
func (r *reader) fail(err error) {
	if r.failed == nil {
		r.failed = err
	}
}

// step counts work. It reports whether the work may go on.
func (r *reader) step() bool { return r.spend(1) }

// spend counts several steps. It reports whether the work may go on.
func (r *reader) spend(steps int) bool {
	before := r.limits.Steps
	r.limits.Steps -= steps
	if r.limits.Steps < 0 {
		r.fail(ErrTooLarge)
	}
	if before/1024 != r.limits.Steps/1024 {
		r.alive()
	}
	return r.failed == nil
}

// alive checks the context. It reports whether the work may go on.
func (r *reader) alive() bool {
	if err := r.ctx.Err(); err != nil {
		r.fail(err)
	}
	return r.failed == nil
}

// charge counts decoded bytes, and checks the context. It reports whether the work may go on.
func (r *reader) charge(size int64) bool {
	if r.limits.Total -= size; r.limits.Total < 0 {
		r.fail(ErrTooLarge)
	}
	return r.alive()
}

// objectStreams matches the type of object streams, however its letters are written.
var objectStreams = lazyregexp.New(`/(?:O|#4[fF])(?:b|#62)(?:j|#6[aA])(?:S|#53)(?:t|#74)(?:m|#6[dD])`)

// objectStreamLimit returns the limit of each object stream. pdfcpu decodes them and keeps all, so that
// they share the limit of the document.
func objectStreamLimit(data []byte, limits Limits) int64 {
	count := int64(len(objectStreams.FindAllIndex(data, -1)))
	return max(min(limits.Decode, limits.Total/max(count, 1)), 1)
}

// resolve dereferences an object. pdfcpu may decode an object stream for it, and does so again for
// each reference if the object stream is damaged.
func (r *reader) resolve(o types.Object) (types.Object, error) {
	ref, ok := o.(types.IndirectRef)
	if !ok {
		return o, nil
	}
	number := ref.ObjectNumber.Value()
	if err := r.broken[number]; err != nil {
		return nil, err
	}
	if !r.alive() {
		return nil, r.failed
	}
	resolved, err := r.pdf.Dereference(o)
	if errors.Is(err, filter.ErrDecodeLimitExceeded) {
		r.fail(ErrTooLarge)
	}
	if err != nil {
		r.broken[number] = err
	}
	return resolved, err
}

// contents returns the content of a page: a stream, or several that continue each other. It reports
// whether all of it was decoded, and stops where it becomes too large. The function of pdfcpu for this
// has no limit of its own.
func (r *reader) contents(o types.Object) ([]byte, bool) {
	if o == nil {
		return nil, true
	}
	streams := types.Array{o}
	if several := r.array(o); several != nil {
		streams = several
	}
	var all []byte
	whole := true
	for _, s := range streams {
		left := r.limits.Decode - int64(len(all))
		if left <= 0 || !r.step() {
			return all, false
		}
		content, err := r.stream(s, left)
		if errors.Is(err, filter.ErrDecodeLimitExceeded) {
			return all, false
		}
		if err != nil {
			whole = false
			continue
		}
		all = append(append(all, content...), '\n')
	}
	return all, whole
}

// errNoStream reports an object that is no stream.
var errNoStream = errors.New("the object is no stream")

// stream dereferences and decodes a stream. The error is filter.ErrDecodeLimitExceeded if the stream has
// more than the given number of bytes. It applies one filter after the other, because each may make
// the content larger.
func (r *reader) stream(o types.Object, most int64) ([]byte, error) {
	resolved, err := r.resolve(o)
	if err != nil {
		return nil, err
	}
	sd, ok := resolved.(types.StreamDict)
	if !ok {
		return nil, errNoStream
	}
	content := sd.Raw
	if !r.charge(int64(len(content))) {
		return nil, r.failed
	}
	for _, f := range sd.FilterPipeline {
		if content, err = r.filter(sd.Dict, content, f, most); err != nil {
			return nil, err
		}
	}
	if int64(len(content)) > most {
		return nil, filter.ErrDecodeLimitExceeded
	}
	return content, nil
}

// maxExpansion is a little more than the factor by which deflate makes content larger.
const maxExpansion = 1100

// filter applies one filter of a stream. What it decodes counts, even if it fails in the end.
func (r *reader) filter(header types.Dict, content []byte, f types.PDFFilter, most int64) ([]byte, error) {
	most = min(most, max(r.limits.Total, 1))
	one := types.StreamDict{Dict: header, Raw: content, FilterPipeline: []types.PDFFilter{f}}
	if err := one.DecodeWithLimit(most); err != nil {
		r.charge(min(most+1, int64(len(content))*maxExpansion))
		return nil, err
	}
	if !r.charge(int64(len(one.Content))) {
		return nil, r.failed
	}
	return one.Content, nil
}
