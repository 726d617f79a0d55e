package oracle

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// ReadStreams is a step that reads all streams from their beginnings, compares them
// with the changes of the model, replays them and compares the result with the table.
type ReadStreams struct {
	Limit int32 // of a page of records
}

func (s ReadStreams) expect(*Model) (any, *Failure) { return nil, nil }

func (s ReadStreams) check(ctx context.Context, p *player) *Problem {
	if wrong := p.checkStreamList(ctx); wrong != nil {
		return wrong
	}
	for _, of := range p.model.streams {
		records, wrong := p.follow(ctx, of, optional(s.Limit))
		if wrong != nil {
			return wrong
		}
		if !p.model.isOn(of) {
			continue
		}
		if items := of.replay(p.model.tables[of.table], records); items != nil {
			rows, err := Scan{Table: of.table}.read(p.db.Tables(), 0).list(ctx)
			if err != nil {
				return problem("error", "scan: %v", err)
			}
			if wrong := sameRows(items, rows); wrong != nil {
				return wrong
			}
		}
	}
	return nil
}

// follow reads a stream twice, from its beginning and from the last
// position, and checks the records.
func (p *player) follow(ctx context.Context, of *stream, limit *int32) (records []record, wrong *Problem) {
	if p.followers == nil {
		p.followers = map[string]*follower{}
	}
	if p.followers[of.arn] == nil {
		p.followers[of.arn] = newFollower(of.arn)
	}
	for _, f := range []*follower{newFollower(of.arn), p.followers[of.arn]} {
		if err := f.follow(ctx, p, p.model.isOn(of), limit); err != nil {
			return nil, problem("stream", "stream %s: %v", of.arn, err)
		}
		if wrong := of.check(f.records); wrong != nil {
			return nil, wrong
		}
		records = f.records
	}
	return records, nil
}

// checkStreamList checks that all streams are listed, including disabled ones.
func (p *player) checkStreamList(ctx context.Context) *Problem {
	want, got := []string{}, []string{}
	for _, of := range p.model.streams {
		want = append(want, of.arn)
	}
	in := &dynamodbstreams.ListStreamsInput{Limit: aws.Int32(2)}
	for {
		out, err := p.db.Streams().ListStreams(ctx, in)
		if err != nil {
			return problem("error", "list streams: %v", err)
		}
		for _, of := range out.Streams {
			got = append(got, aws.ToString(of.StreamArn))
		}
		if in.ExclusiveStartStreamArn = out.LastEvaluatedStreamArn; in.ExclusiveStartStreamArn == nil {
			break
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if difference := difference(got, want); difference != "" {
		return problem("list", "%s", difference)
	}
	return nil
}
