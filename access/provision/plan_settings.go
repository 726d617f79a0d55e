package provision

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/shape"
)

// capacity changes the way of billing and provisioned throughput, of the table and of
// the indexes it keeps in one request, as a change to provisioned capacity demands.
func (p *plan) capacity() {
	switch now := onDemand(p.table); {
	case now && !p.want.provisioned():
	case !p.want.provisioned():
		in := &dynamodb.UpdateTableInput{BillingMode: types.BillingModePayPerRequest}
		p.add(p.update(p.change(ChangeCapacity, "change billing of %s to on demand", p.want.Name), in, onDemand))
	case now:
		in, text := p.throughputs(func(have *types.ProvisionedThroughputDescription, rcu, wcu int64) bool { return true })
		in.BillingMode = types.BillingModeProvisioned
		p.add(p.update(p.change(ChangeCapacity, "change billing of %s to provisioned: %s", p.want.Name, text), in,
			func(d *types.TableDescription) bool { return !onDemand(d) }))
	case !p.want.Autoscaled:
		in, text := p.throughputs(otherUnits)
		if text != "" {
			p.add(p.update(p.change(ChangeCapacity, "change capacity of %s: %s", p.want.Name, text), in, p.hasUnits))
		}
	}
}

// throughputs returns a request for the capacity of the table and of its indexes, each if
// it is wanted, and what it says. An index the definition does not have gets what
// the table has.
func (p *plan) throughputs(wanted func(have *types.ProvisionedThroughputDescription, rcu, wcu int64) bool) (*dynamodb.UpdateTableInput, string) {
	in := &dynamodb.UpdateTableInput{}
	var texts []string
	if wanted(p.table.ProvisionedThroughput, p.want.RCU, p.want.WCU) {
		in.ProvisionedThroughput = throughput(p.want.RCU, p.want.WCU)
		texts = append(texts, fmt.Sprintf("table %d RCU and %d WCU", p.want.RCU, p.want.WCU))
	}
	for _, g := range p.staying() {
		x, ok := p.want.index(aws.ToString(g.IndexName))
		if !ok && !onDemand(p.table) {
			continue // it is provisioned already, with values chosen elsewhere
		}
		rcu, wcu := p.want.capacity(x)
		if wanted(g.ProvisionedThroughput, rcu, wcu) {
			in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, types.GlobalSecondaryIndexUpdate{
				Update: &types.UpdateGlobalSecondaryIndexAction{IndexName: g.IndexName, ProvisionedThroughput: throughput(rcu, wcu)},
			})
			texts = append(texts, fmt.Sprintf("%s %d RCU and %d WCU", aws.ToString(g.IndexName), rcu, wcu))
		}
	}
	return in, strings.Join(texts, ", ")
}

func otherUnits(have *types.ProvisionedThroughputDescription, rcu, wcu int64) bool {
	return have == nil || aws.ToInt64(have.ReadCapacityUnits) != rcu || aws.ToInt64(have.WriteCapacityUnits) != wcu
}

// hasUnits reports whether the table and its indexes have the capacity that is defined.
func (p *plan) hasUnits(d *types.TableDescription) bool {
	if otherUnits(d.ProvisionedThroughput, p.want.RCU, p.want.WCU) {
		return false
	}
	return !slices.ContainsFunc(d.GlobalSecondaryIndexes, func(g types.GlobalSecondaryIndexDescription) bool {
		x, ok := p.want.index(aws.ToString(g.IndexName))
		rcu, wcu := p.want.capacity(x)
		return ok && otherUnits(g.ProvisionedThroughput, rcu, wcu)
	})
}

// stream switches the stream. A stream cannot carry something else: it is ended, and a
// new one begun.
func (p *plan) stream() {
	have, want := streamView(p.table), streamViews[p.want.Stream]
	if have == want {
		return
	}
	end := p.update(p.change(RemoveStream, "remove stream %s from %s", streamWord(have), p.want.Name),
		&dynamodb.UpdateTableInput{StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)}},
		func(d *types.TableDescription) bool { return streamView(d) == "" })
	if want == "" {
		if !p.options.KeepStreams {
			p.takeAway(end)
		}
		return
	}
	begin := p.update(p.change(AddStream, "add stream %s to %s", p.want.Stream, p.want.Name),
		&dynamodb.UpdateTableInput{StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: want}},
		func(d *types.TableDescription) bool { return streamView(d) == want })
	if have != "" {
		end.Text += ", to change what it carries: its readers must move to the new one"
		p.add(end)
	}
	p.add(begin)
}

func streamWord(view types.StreamViewType) string { return strings.ToLower(string(view)) }

func (p *plan) class() {
	want := tableClasses[p.want.Class]
	if classOf(p.table) == want {
		return
	}
	p.add(p.update(p.change(ChangeClass, "change class of %s to %s", p.want.Name, p.want.className()),
		&dynamodb.UpdateTableInput{TableClass: want},
		func(d *types.TableDescription) bool { return classOf(d) == want }))
}

func (t Table) className() string {
	if t.Class == "" {
		return "standard"
	}
	return t.Class
}

func (p *plan) protection() {
	have, want := aws.ToBool(p.table.DeletionProtectionEnabled), p.want.Protect
	set := func(text string) *step {
		return p.update(p.change(ChangeProtection, text, p.want.Name),
			&dynamodb.UpdateTableInput{DeletionProtectionEnabled: aws.Bool(want)},
			func(d *types.TableDescription) bool { return aws.ToBool(d.DeletionProtectionEnabled) == want })
	}
	switch {
	case want && !have:
		p.add(set("protect %s against deletion"))
	case have && !want:
		p.takeAway(set("remove protection against deletion from %s"))
	}
}

// encryption changes the key. AWS's managed key and a customer's look the same from
// here, so a table with any key of KMS counts as having the managed one.
func (p *plan) encryption() {
	have, want := kmsKey(p.table), p.want.encryption()
	set := func(spec *types.SSESpecification, format string, args ...any) *step {
		return p.update(p.change(ChangeEncryption, format, args...), &dynamodb.UpdateTableInput{SSESpecification: spec},
			func(d *types.TableDescription) bool { return (kmsKey(d) != "") == aws.ToBool(spec.Enabled) })
	}
	switch {
	case want == nil && have == "":
	case want == nil:
		off := &types.SSESpecification{Enabled: aws.Bool(false)}
		p.takeAway(set(off, "remove the key of KMS from %s, and encrypt it with DynamoDB's own", p.want.Name))
	case p.want.Encryption == "aws-managed":
		if have == "" {
			p.add(set(want, "encrypt %s with the managed key of AWS", p.want.Name))
		}
	case p.want.KMSKey == "":
		if have == "" {
			p.refuseKey()
		}
	case have != p.want.KMSKey && !strings.HasSuffix(have, ":key/"+p.want.KMSKey):
		p.add(set(want, "encrypt %s with the key %s", p.want.Name, p.want.KMSKey))
	}
}

func (p *plan) refuseKey() {
	p.refuse("give the id or the ARN of the key of KMS", "it is to be encrypted with a key of the customer, and none was named")
}

// expiry switches time to live. Another attribute takes two changes.
func (p *plan) expiry() {
	have, want := p.ttl, p.want.TTL
	switch {
	case have == want:
	case want == "":
		p.takeAway(p.setTTL(have, false))
	case have == "":
		p.add(p.setTTL(want, true))
	default:
		p.add(p.setTTL(have, false))
		begin := p.setTTL(want, true)
		begin.follows = true
		p.add(begin)
	}
}

func (p *plan) setTTL(attribute string, on bool) *step {
	c := p.change(AddExpiry, "expire items of %s by %s", p.want.Name, attribute)
	if !on {
		c = p.change(RemoveExpiry, "stop expiring items of %s by %s", p.want.Name, attribute)
	}
	in := &dynamodb.UpdateTimeToLiveInput{
		TableName:               &p.want.Name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(attribute), Enabled: aws.Bool(on)},
	}
	return &step{Change: c, needs: timeToLive, send: func(ctx context.Context, api API) error {
		_, err := api.UpdateTimeToLive(ctx, in)
		return err
	}}
}

func (p *plan) recovery() {
	switch {
	case p.want.PITR && !p.pitr:
		p.add(p.setPITR(true))
	case p.pitr && !p.want.PITR:
		p.takeAway(p.setPITR(false))
	}
}

func (p *plan) setPITR(on bool) *step {
	text := "switch point-in-time recovery of %s on"
	if !on {
		text = "switch point-in-time recovery of %s off"
	}
	in := &dynamodb.UpdateContinuousBackupsInput{
		TableName:                        &p.want.Name,
		PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(on)},
	}
	return &step{Change: p.change(ChangeRecovery, text, p.want.Name), needs: recovery, send: func(ctx context.Context, api API) error {
		_, err := api.UpdateContinuousBackups(ctx, in)
		return err
	}}
}

// tags sets what is missing or different. Tags of AWS itself and those of the shape are not looked
// at.
func (p *plan) tags() {
	set := map[string]string{}
	for key, value := range p.want.Tags {
		if have, ok := p.state.tags[key]; !ok || have != value {
			set[key] = value
		}
	}
	var surplus []string
	for _, key := range slices.Sorted(maps.Keys(p.state.tags)) {
		if _, ok := p.want.Tags[key]; !ok && !strings.HasPrefix(key, "aws:") && !shape.IsTag(key) {
			surplus = append(surplus, key)
		}
	}
	arn := p.table.TableArn
	if len(set) > 0 {
		c := p.change(ChangeTags, "set tags of %s: %s", p.want.Name, strings.Join(slices.Sorted(maps.Keys(set)), ", "))
		p.add(&step{Change: c, needs: tagging, send: func(ctx context.Context, api API) error {
			_, err := api.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn, Tags: tagList(set)})
			return err
		}})
	}
	if len(surplus) > 0 {
		c := p.change(ChangeTags, "remove tags from %s: %s", p.want.Name, strings.Join(surplus, ", "))
		p.takeAway(&step{Change: c, needs: tagging, send: func(ctx context.Context, api API) error {
			_, err := api.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn, TagKeys: surplus})
			return err
		}})
	}
}
