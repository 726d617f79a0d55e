package call

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// A path is the layout of one version of a design, as a list that a migration affects reads it: from its first request to its last,
// and on to the page behind its cursor, as long as the layout is kept right.
type path struct {
	base    *access.Client // in no phase
	version int
	// epoch is the one in which the path was opened. That of the old version is 0: while there is a way back it is never closed,
	// and its cursors are those of packages that hold the old version alone.
	epoch int64
}

// pathsOf returns the paths that are served in the phase of a client, first the one on which lists begin.
func pathsOf(base, begun *access.Client) []*path {
	versions := base.Design().Versions
	if len(versions) == 0 {
		return nil
	}
	order := []int{versions[0], versions[len(versions)-1]}
	if begun.Phase() >= access.PhaseRead {
		order[0], order[1] = order[1], order[0]
	}
	var served []*path
	for _, version := range order {
		p := &path{base: base, version: version}
		if epoch, ok := p.servedBy(begun); ok {
			p.epoch = epoch
			served = append(served, p)
		}
	}
	return served
}

// client returns the client for the next request, which is a call of its own: the phase may have changed since the last one.
func (p *path) client(ctx context.Context) (*access.Client, error) {
	c, err := p.base.Begin(ctx)
	if err != nil {
		return nil, err
	}
	if epoch, ok := p.servedBy(c); !ok || epoch != p.epoch {
		return nil, access.ErrBadCursor
	}
	return c, nil
}

func (p *path) isNew() bool {
	versions := p.base.Design().Versions
	return p.version == versions[len(versions)-1]
}

func (p *path) servedBy(c *access.Client) (epoch int64, ok bool) {
	if epoch, ok = c.Serves(p.version); !p.isNew() {
		epoch = 0
	}
	return epoch, ok
}

// sendOn sends a request of a list or scan, on a path if it has one.
func sendOn[In, Out any](ctx context.Context, c *access.Client, p *path, k *recorder, method func(access.API, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In) (*Out, error) {
	if p == nil {
		return send(ctx, c, k, method, in)
	}
	for {
		begun, err := p.client(ctx)
		if err != nil {
			return nil, err
		}
		out, err := send(ctx, begun, k, method, in)
		if !mayReadAgain(err) {
			return out, err
		}
	}
}
