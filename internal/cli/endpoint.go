package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sortkey.dev/access/provision"
)

// endpointClient returns a client for the DynamoDB at an endpoint, or at AWS in a region. A custom
// endpoint needs neither credentials nor a region. Long waits are reported to tell.
func endpointClient(ctx context.Context, endpoint, region string, tell *progressLine) (*dynamodb.Client, error) {
	var found aws.Config
	var err error
	if endpoint == "" {
		found, err = awsConfig(ctx, region)
	} else {
		found, err = customConfig(endpoint, region)
	}
	if err != nil {
		return nil, err
	}
	return dynamodb.NewFromConfig(found, func(o *dynamodb.Options) {
		o.Retryer = newRetryer(endpoint != "")
		o.HTTPClient = newWaitingClient(defaultTimeouts, func() {
			tell.say("waiting for %s", cmp.Or(endpoint, "AWS"))
		})
	}), nil
}

// customConfig returns the configuration for a DynamoDB at a URL. Credentials and region of the
// environment are used if they are there.
func customConfig(endpoint, region string) (aws.Config, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return aws.Config{}, misuse(fmt.Sprintf("--endpoint must be a URL, got %q", endpoint), "For example --endpoint http://127.0.0.1:8000")
	}
	keys := credentials.NewStaticCredentialsProvider(os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN"))
	if !keys.Value.HasKeys() {
		keys = credentials.NewStaticCredentialsProvider("sortkey", "sortkey", "")
	}
	return aws.Config{
		Region:       cmp.Or(region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1"),
		BaseEndpoint: aws.String(endpoint), Credentials: keys,
	}, nil
}

// awsConfig returns the configuration of AWS that the SDK finds on this machine: environment, profile,
// single sign-on, the role of a container or a virtual machine.
func awsConfig(ctx context.Context, region string) (aws.Config, error) {
	loaded, err := config.LoadDefaultConfig(ctx, config.WithRegion(region))
	if err != nil {
		return aws.Config{}, advise(fmt.Errorf("read the configuration of AWS: %w", err), "Check AWS_PROFILE and the files in ~/.aws.")
	}
	own := "To use a DynamoDB of your own, give --endpoint, such as --endpoint http://127.0.0.1:8000"
	if loaded.Region == "" {
		return aws.Config{}, misuse("no region set", "Give --region, such as --region eu-central-1, or set AWS_REGION.", own)
	}
	if _, err := loaded.Credentials.Retrieve(ctx); err != nil {
		return aws.Config{}, advise(errors.New("no credentials for AWS"), "Set AWS_PROFILE, or sign in with: aws configure, or: aws sso login",
			"Or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they are temporary.",
			"The SDK says: "+innermost(err).Error(), own)
	}
	return loaded, nil
}

// newRetryer retries like the SDK, except when the connection is refused, or when a custom
// endpoint accepted a request and never responded.
func newRetryer(own bool) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		hopeless := retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			var slow net.Error
			if errors.Is(err, syscall.ECONNREFUSED) || own && errors.As(err, &slow) && slow.Timeout() {
				return aws.FalseTernary
			}
			return aws.UnknownTernary
		})
		o.Retryables = append([]retry.IsErrorRetryable{hopeless}, o.Retryables...)
	})
}

// onThisMachine reports whether an endpoint is on this machine.
func onThisMachine(endpoint string) bool {
	u, err := url.Parse(endpoint)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}

// endpointFailure adds the next step to an error of a call to an endpoint. An endpoint of
// "" is AWS.
func endpointFailure(endpoint string, err error) error {
	var refused interface{ ErrorCode() string }
	var unreachable *net.OpError
	dialled := errors.As(err, &unreachable) && unreachable.Op == "dial"
	switch {
	case dialled && endpoint != "":
		return advise(fmt.Errorf("cannot connect to %s", endpoint), "Start one with: sortkey serve", "Or set its URL with --endpoint.")
	case dialled:
		return advise(fmt.Errorf("AWS cannot be reached: %w", unreachable), "Check the network and the name of the region.")
	case endpoint != "":
		if strange := notDynamoDB(endpoint, err); strange != nil {
			return strange
		}
	}
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.ErrorCode() {
	case "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException", "IncompleteSignatureException":
		return advise(err, "AWS does not accept the credentials: check AWS_PROFILE, or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.",
			"Which ones are used says: aws sts get-caller-identity")
	case "AccessDeniedException":
		return advise(err, "The credentials lack the permission that the message names.")
	}
	return err
}

// notDynamoDB returns the error for an endpoint that accepts connections, but does not respond
// like DynamoDB; nil if err is something else.
func notDynamoDB(endpoint string, err error) error {
	var slow net.Error
	var send *smithyhttp.RequestSendError
	var refused interface{ ErrorCode() string }
	_, unread := errors.AsType[*smithy.DeserializationError](err)
	anonymous := errors.As(err, &refused) && refused.ErrorCode() == "UnknownError"
	look := "Check what is running there: it must be a DynamoDB, such as sortkey serve."
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &slow) && slow.Timeout():
		return advise(fmt.Errorf("%s accepts requests, but does not respond in time", endpoint), look,
			"If it is the right one, start it again.")
	case errors.As(err, &send):
		return advise(fmt.Errorf("%s responds, but not like DynamoDB: %w", endpoint, innermost(send)), look)
	case unread || anonymous || errors.Is(err, provision.ErrUnlikeDynamoDB):
		status := ""
		if answer, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
			status = fmt.Sprintf(" (HTTP %d)", answer.HTTPStatusCode())
		}
		return advise(fmt.Errorf("%s responds, but not like DynamoDB%s", endpoint, status), look)
	}
	return nil
}

// innermost returns the last error of a chain.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
