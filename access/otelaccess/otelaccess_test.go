package otelaccess_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/access/otelaccess"
	"sortkey.dev/engine"
)

type collector struct {
	*otelaccess.Observer
	reader *sdkmetric.ManualReader
	spans  *tracetest.SpanRecorder
	tracer trace.Tracer
}

func newCollector(t *testing.T) collector {
	t.Helper()
	reader, spans := sdkmetric.NewManualReader(), tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	observer, err := otelaccess.New(
		otelaccess.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))),
		otelaccess.WithTracerProvider(tracers))
	if err != nil {
		t.Fatal(err)
	}
	return collector{observer, reader, spans, tracers.Tracer("test")}
}

// sums returns the metrics by name and attributes; of a histogram its count.
func (c collector) sums(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := c.reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	sums := map[string]map[string]float64{}
	put := func(name string, set attribute.Set, v float64) {
		if sums[name] == nil {
			sums[name] = map[string]float64{}
		}
		sums[name][set.Encoded(attribute.DefaultEncoder())] = v
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, float64(p.Value))
				}
			case metricdata.Sum[float64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, float64(p.Count))
				}
			default:
				t.Fatalf("%s is %T", m.Name, m.Data)
			}
		}
	}
	return sums
}

func TestMetrics(t *testing.T) {
	c := newCollector(t)
	list := access.Call{Pattern: "ListSold", Table: "Shop", Index: "GSI1", Operation: "Query", Estimated: 2, Units: 3, Requests: 2, Items: 9, Retries: 1, Start: time.Unix(1, 0), Duration: time.Second}
	get := access.Call{Pattern: "GetProduct", Table: "Shop", Operation: "GetItem", Estimated: 0.5, Units: 0.5, Requests: 1, Start: time.Unix(1, 0)}
	c.Observe(t.Context(), list)
	c.Observe(t.Context(), list)
	get.Err = access.ErrNotFound
	c.Observe(t.Context(), get)
	get.Err, get.Units = &types.ThrottlingException{}, 0
	c.Observe(t.Context(), get)
	get.Err = &types.ConditionalCheckFailedException{}
	c.Observe(t.Context(), get)

	const ofList = "aws.dynamodb.index_name=GSI1,db.collection.name=Shop,db.operation.name=Query,db.query.summary=ListSold,db.system.name=aws.dynamodb"
	const ofGet = "db.collection.name=Shop,db.operation.name=GetItem,db.query.summary=GetProduct,"
	const plain, system = ofGet + "db.system.name=aws.dynamodb", "db.system.name=aws.dynamodb"
	want := map[string]map[string]float64{
		"db.client.operation.duration": {
			ofList: 2, plain: 1,
			ofGet + "db.response.status_code=ThrottlingException," + system + ",error.type=ThrottlingException": 1,
			ofGet + "db.response.status_code=ConditionalCheckFailedException," + system:                         1,
		},
		"sortkey.client.units":           {ofList: 6, plain: 0.5},
		"sortkey.client.estimated_units": {ofList: 4, plain: 0.5},
		"sortkey.client.requests":        {ofList: 4, plain: 3},
		"sortkey.client.items":           {ofList: 18, plain: 0},
		"sortkey.client.retries":         {ofList: 2, plain: 0},
		"sortkey.client.errors":          {ofGet + "db.response.status_code=ThrottlingException," + system + ",error.type=ThrottlingException": 1},
	}
	if diff := cmp.Diff(want, c.sums(t)); diff != "" {
		t.Error(diff)
	}
}

func TestASpanForEachCall(t *testing.T) {
	c := newCollector(t)
	ctx, parent := c.tracer.Start(t.Context(), "request")
	start := time.Date(2026, 2, 17, 10, 0, 0, 0, time.UTC)
	c.Observe(ctx, access.Call{Pattern: "ListSold", Table: "Shop", Index: "GSI1", Operation: "Query", Estimated: 2, Units: 3, Requests: 2, Items: 9, Start: start, Duration: time.Second})
	parent.End()
	span := c.spans.Ended()[0]
	if span.Name() != "ListSold" || span.SpanKind() != trace.SpanKindClient || span.Parent().SpanID() != parent.SpanContext().SpanID() {
		t.Errorf("name %q, kind %v, parent %v", span.Name(), span.SpanKind(), span.Parent().SpanID())
	}
	if !span.StartTime().Equal(start) || span.EndTime().Sub(span.StartTime()) != time.Second {
		t.Errorf("from %v to %v", span.StartTime(), span.EndTime())
	}
	attributes := attribute.NewSet(span.Attributes()...)
	want := "aws.dynamodb.index_name=GSI1,db.collection.name=Shop,db.operation.name=Query,db.query.summary=ListSold,db.system.name=aws.dynamodb," +
		"sortkey.estimated_units=2,sortkey.items=9,sortkey.requests=2,sortkey.retries=0,sortkey.units=3"
	if got := attributes.Encoded(attribute.DefaultEncoder()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHowASpanEnds(t *testing.T) {
	for _, test := range []struct {
		err       error
		status    codes.Code
		errorType string
	}{
		{nil, codes.Unset, ""},
		{access.ErrNotFound, codes.Unset, ""},
		{&types.ConditionalCheckFailedException{}, codes.Unset, ""},
		{&types.ResourceNotFoundException{}, codes.Error, "ResourceNotFoundException"},
		{context.Canceled, codes.Error, "canceled"},
		{errors.Join(context.DeadlineExceeded, &types.ThrottlingException{}), codes.Error, "timeout"},
		{access.ErrBadCursor, codes.Error, "bad_cursor"},
		{&access.KeyError{}, codes.Error, "bad_key"},
		{&access.ValueError{}, codes.Error, "bad_value"},
		{&access.LifecycleError{}, codes.Error, "bad_value"},
		{&access.DecodeError{}, codes.Error, "bad_item"},
		{&access.DoneError{Pattern: "SellProduct"}, codes.Error, "bad_item"},
		{errors.New("product 17 is odd"), codes.Error, "_OTHER"},
	} {
		c := newCollector(t)
		c.Observe(t.Context(), access.Call{Pattern: "P", Err: test.err})
		span := c.spans.Ended()[0]
		attributes := attribute.NewSet(span.Attributes()...)
		errorType, _ := attributes.Value("error.type")
		if span.Status().Code != test.status || errorType.AsString() != test.errorType {
			t.Errorf("%v: status %v, error.type %q", test.err, span.Status(), errorType.AsString())
		}
	}
}

// A real call through a client on the engine arrives.
func TestWithAClient(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("dev-Shop"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newCollector(t)
	client := access.NewClient(db.API(), access.Design{}, access.WithObserver(c), access.WithTablePrefix("dev-"))
	w := call.Action{Kind: call.Put, Name: "put Product", Table: "Shop", Item: access.Item{"PK": &types.AttributeValueMemberS{Value: "1"}}}
	if err := call.PutItem(t.Context(), client, &access.Pattern{Name: "SaveProduct", Table: "Shop", Units: 1}, &w); err != nil {
		t.Fatal(err)
	}
	const of = "db.collection.name=dev-Shop,db.operation.name=PutItem,db.query.summary=SaveProduct,db.system.name=aws.dynamodb"
	if sums := c.sums(t); sums["sortkey.client.units"][of] != 1 || sums["db.client.operation.duration"][of] != 1 {
		t.Errorf("got %v", sums)
	}
}

func TestWithoutOptionsTheGlobalProvidersAreUsed(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)))
	observer, err := otelaccess.New()
	if err != nil {
		t.Fatal(err)
	}
	observer.Observe(t.Context(), access.Call{Pattern: "P"})
	if len(spans.Ended()) != 1 {
		t.Errorf("%d spans", len(spans.Ended()))
	}
}
