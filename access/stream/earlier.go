package stream

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// finishEarlier handles what is left in earlier streams of the table. A stream that is switched off and on again, as a
// change of its view needs, has another ARN; the one before is kept for 24 hours.
func (f *follower) finishEarlier(ctx context.Context) error {
	prefix := f.StreamARN[:strings.LastIndexByte(f.StreamARN, '/')+1]
	rows, err := f.ledger.under(ctx, prefix)
	if err != nil {
		return err
	}
	var earlier []string
	for name := range rows {
		label, _, _ := strings.Cut(name, "#")
		// Labels begin with their time. A stream that is newer than the one that was found is no earlier one.
		if arn := prefix + label; arn < f.StreamARN && !slices.Contains(earlier, arn) {
			earlier = append(earlier, arn)
		}
	}
	slices.Sort(earlier)
	for _, arn := range earlier {
		if err := f.finish(ctx, arn); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// finish follows an earlier stream to its end, together with other processes.
func (f *follower) finish(ctx context.Context, arn string) error {
	older := f.Consumer
	older.StreamARN = arn
	g, err := newFollower(ctx, older)
	if err == nil {
		err = g.run(ctx)
	}
	if shardGone(err) {
		return g.forget(ctx)
	}
	return err
}

// forget removes the rows of a stream that does not exist any more. What was left in its shards is gone.
func (f *follower) forget(ctx context.Context) error {
	rows, err := f.ledger.rows(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		err := f.ledger.remove(ctx, r)
		switch {
		case errors.Is(err, errLost): // another process has removed it
		case err != nil:
			return err
		case !r.done:
			f.OnTrimmed(Trimmed{Table: f.Table, Shard: r.shard, After: r.checkpoint})
		}
	}
	return nil
}
