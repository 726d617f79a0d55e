package conformance

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// remoteDoorNames are the doors to the endpoint of DYNAMODB_ENDPOINT.
var remoteDoorNames = []string{"RemoteSDK", "RemoteHTTP"}

// A remoteDoor reaches an endpoint that is not ours and may be shared. It puts a prefix
// before the names of the tables a case creates, and removes it from the answers.
type remoteDoor struct {
	inner  door
	client *dynamodb.Client // for what is around a case: waiting and cleaning
	prefix string
	tables map[string]bool // the tables the case creates
}

// openRemote opens the named door to endpoint for one case.
func openRemote(t *testing.T, name, endpoint string, file caseFile) stage {
	t.Helper()
	client := dynamodb.New(dynamodb.Options{
		Region:       remoteRegion(),
		BaseEndpoint: aws.String(endpoint),
		Credentials:  remoteCredentials,
	})
	d := &remoteDoor{client: client, prefix: "cf-" + strings.ToLower(rand.Text()[:10]) + "-", tables: map[string]bool{}}
	d.inner = typed(client, dynamodbstreams.New(dynamodbstreams.Options{
		Region:       remoteRegion(),
		BaseEndpoint: aws.String(streamsEndpoint(endpoint)),
		Credentials:  remoteCredentials,
	}))
	if name == "RemoteHTTP" {
		d.inner = signedDoor{endpoint}
	}
	t.Cleanup(func() { d.clean(t) })
	for _, s := range file.steps {
		d.note(s)
	}
	return stage{door: d, patience: patience(endpoint)}
}

// patience returns how long to wait for what an endpoint does eventually. AWS takes up to 20
// minutes for an index, even of an empty table; elsewhere only what never comes takes that
// long.
func patience(endpoint string) time.Duration {
	if strings.Contains(endpoint, ".amazonaws.com") {
		return 20 * time.Minute
	}
	return 2 * time.Minute
}

// streamsEndpoint returns where the streams of an endpoint are: on AWS at a host of their
// own, elsewhere at the same.
func streamsEndpoint(endpoint string) string {
	return strings.Replace(endpoint, "://dynamodb.", "://streams.dynamodb.", 1)
}

func remoteRegion() string { return cmp.Or(os.Getenv("AWS_REGION"), region) }

var remoteCredentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{
		AccessKeyID:     cmp.Or(os.Getenv("AWS_ACCESS_KEY_ID"), "conformance"),
		SecretAccessKey: cmp.Or(os.Getenv("AWS_SECRET_ACCESS_KEY"), "conformance"),
		SessionToken:    os.Getenv("AWS_SESSION_TOKEN"),
	}, nil
})

var tableNameStart = regexp.MustCompile(`^[a-zA-Z0-9_.-]*`)

var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)

// note remembers the table a step creates. Names that are refused stay as they are.
func (d *remoteDoor) note(s step) {
	if s.operation != "CreateTable" {
		return
	}
	for i := range s.times {
		tree, err := parseObject(counted(withSamples(s.request), i))
		if name, ok := tree["TableName"].(string); err == nil && ok && tableName.MatchString(name) {
			d.tables[name] = true
		}
	}
}

func (d *remoteDoor) arn(table string) string {
	return fmt.Sprintf("arn:aws:dynamodb:%s:%s:table/%s", remoteRegion(), cmp.Or(os.Getenv("DYNAMODB_ACCOUNT"), "000000000000"), table)
}

func (d *remoteDoor) call(ctx context.Context, operation, input string) (answer, error) {
	tree, err := parseObject(input)
	if err != nil {
		return answer{}, err
	}
	renamed, err := json.Marshal(d.rename("", tree))
	if err != nil {
		return answer{}, err
	}
	got, err := d.inner.call(ctx, operation, string(renamed))
	if err != nil {
		return got, err
	}
	if got.failure != nil {
		got.failure.message = strings.ReplaceAll(got.failure.message, d.prefix, "")
		got.failure.members, _ = d.restore(got.failure.members).(map[string]any)
		return got, nil
	}
	d.wait(ctx, operation, tree)
	got.output, _ = d.restore(got.output).(map[string]any)
	return got, nil
}

// theirs returns the name of a table, its ARN, or what begins with it, as the endpoint is
// told it. Names that are as long as can be keep their length.
func (d *remoteDoor) theirs(name string) string {
	arn, rest, found := strings.Cut(name, ":table/")
	table := tableNameStart.FindString(rest)
	switch {
	case found && d.tables[table]:
		return arn + ":table/" + d.theirs(table) + rest[len(table):]
	case !d.tables[name]:
		return name
	case len(d.prefix)+len(name) > 255:
		return d.prefix + name[len(d.prefix):]
	}
	return d.prefix + name
}

// membersWithTables are the members of requests that name a table.
var membersWithTables = []string{"TableName", "ResourceArn", "StreamArn", "ExclusiveStartStreamArn", "ShardIterator"}

// rename puts the prefix before the table names of a request.
func (d *remoteDoor) rename(member string, tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		renamed := map[string]any{}
		for name, value := range tree {
			if member == "RequestItems" {
				renamed[d.theirs(name)] = value
			} else {
				renamed[name] = d.rename(name, value)
			}
		}
		return renamed
	case []any:
		renamed := make([]any, len(tree))
		for i := range tree {
			renamed[i] = d.rename(member, tree[i])
		}
		return renamed
	case string:
		switch {
		case slices.Contains(membersWithTables, member):
			return d.theirs(tree)
		case member == "ClientRequestToken" && tree != "" && len(d.prefix)+len(tree) <= 36:
			return d.prefix + tree // tokens hold for the whole account
		}
	}
	return tree
}

// restore removes the prefix from an answer.
func (d *remoteDoor) restore(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		restored := map[string]any{}
		for name, value := range tree {
			restored[strings.ReplaceAll(name, d.prefix, "")] = d.restore(value)
		}
		return restored
	case []any:
		for i := range tree {
			tree[i] = d.restore(tree[i])
		}
	case string:
		return strings.ReplaceAll(tree, d.prefix, "")
	}
	return tree
}

// wait waits until a changed table can be used or is gone. Its errors show in the next step.
func (d *remoteDoor) wait(ctx context.Context, operation string, input map[string]any) {
	const shortest, longest, whole = 10 * time.Millisecond, 5 * time.Second, 5 * time.Minute
	name, _ := d.rename("TableName", input["TableName"]).(string)
	describe := &dynamodb.DescribeTableInput{TableName: &name}
	switch operation {
	case "CreateTable", "UpdateTable":
		_ = dynamodb.NewTableExistsWaiter(d.client, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = shortest, longest
		}).Wait(ctx, describe, whole)
	case "DeleteTable":
		_ = dynamodb.NewTableNotExistsWaiter(d.client, func(o *dynamodb.TableNotExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = shortest, longest
		}).Wait(ctx, describe, whole)
	}
}

// clean deletes the tables of the case, protected or not.
func (d *remoteDoor) clean(t *testing.T) {
	ctx := context.Background() // the test's own has ended
	for name := range d.tables {
		name = d.theirs(name)
		if _, err := d.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}); err == nil {
			continue
		}
		if _, err := d.client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &name, DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
			continue // it was never created, or the case deleted it
		}
		if _, err := d.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
			t.Logf("table %s is left behind: %v", name, err)
		}
	}
}

// A signedDoor posts signed JSON to an endpoint that wants a signature.
type signedDoor struct{ endpoint string }

func (signedDoor) arn(table string) string { return localARN(table) }

func (d signedDoor) call(ctx context.Context, operation, input string) (answer, error) {
	url := d.endpoint
	if isStreamOperation(operation) {
		url = streamsEndpoint(url)
	}
	request, err := jsonRequest(ctx, url, operation, input)
	if err != nil {
		return answer{}, err
	}
	credentials, err := remoteCredentials.Retrieve(ctx)
	if err != nil {
		return answer{}, err
	}
	sum := sha256.Sum256([]byte(input))
	err = v4.NewSigner().SignHTTP(ctx, credentials, request, hex.EncodeToString(sum[:]), "dynamodb", remoteRegion(), time.Now())
	if err != nil {
		return answer{}, fmt.Errorf("sign: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	body, err := readAnswer(response)
	if err != nil {
		return answer{}, err
	}
	return parseAnswer(response.StatusCode, body)
}
