package call_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// shopRow is where the state row of the shop is. The table's sort key is a number, which a real design would not choose.
var shopRow = access.StateRow{Table: "State", Partition: access.KeyValue{Name: "pk", Text: "Shop#state"}, Sort: access.KeyValue{Name: "sk", Text: "state"}}

var shopState = access.State{Version: 1, Epoch: 1, Settled: 1, Least: 1, Lease: access.LeaseMigrating, Longest: access.LeaseMigrating}

func shopDesign() access.Design {
	return access.Design{Name: "Shop", Versions: []int{1, 2}, State: shopRow}
}

// makeState makes the table of the state row, and the row.
func makeState(t testing.TB, api interface {
	access.API
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
}) {
	t.Helper()
	text := types.ScalarAttributeTypeS
	_, err := api.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: aws.String("State"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: text}, {AttributeName: aws.String("sk"), AttributeType: text}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
	})
	if err != nil {
		t.Fatal(err)
	}
	setState(t, api, shopState)
}

func setState(t testing.TB, api access.API, s access.State) {
	t.Helper()
	if _, err := api.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("State"), Item: s.Item(shopRow.Key())}); err != nil {
		t.Fatal(err)
	}
}

func enter(t testing.TB, api access.API, epoch int64, phase access.Phase) {
	t.Helper()
	s := shopState
	s.Migration, s.Phase, s.Epoch = "0002-names", phase, epoch
	setState(t, api, s)
}

func putLamp(ctx context.Context, c *access.Client) error {
	return call.PutItem(ctx, c, saveProducts, &call.Action{Kind: call.Put, Name: "put Product", Table: "Shop", Item: product{ID: "1", Name: "lamp"}.item()})
}

func TestCallsOfADesignWithAHistoryNeedItsStateRow(t *testing.T) {
	for name, open := range map[string]func(*testing.T) access.API{
		"api":    func(t *testing.T) access.API { return openShop(t).API() },
		"client": func(t *testing.T) access.API { return openShop(t).Client() },
		"http": func(t *testing.T) access.API {
			server := httptest.NewServer(openShop(t))
			t.Cleanup(server.Close)
			return sdkClient(server.URL)
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := open(t).(interface {
				access.API
				CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
				DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
			})
			makeState(t, api)
			c := access.NewClient(api, shopDesign())
			if err := putLamp(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if _, err := api.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("State"), Key: shopRow.Key()}); err != nil {
				t.Fatal(err)
			}
			var fenced *access.FencedError
			if err := putLamp(t.Context(), access.NewClient(api, shopDesign())); !errors.As(err, &fenced) || fenced.Sent || fenced.Overtaken {
				t.Errorf("without a row: %v", err)
			}
			if err := putLamp(t.Context(), access.NewClient(api, shopDesign(), access.WithoutState())); err != nil {
				t.Errorf("a stranger: %v", err)
			}
			if c := access.NewClient(api, shopDesign(), access.InPhase(access.PhaseWrite)); c.Phase() != access.PhaseWrite || putLamp(t.Context(), c) != nil {
				t.Error("a client of a test, in a phase")
			}
		})
	}
}

// slow lets time pass in one place of the SDK's stack.
type slow struct {
	place func()
}

func (slow) ID() string { return "slow" }

func (s slow) HandleFinalize(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
	s.place()
	return next.HandleFinalize(ctx, in)
}

// A transport answers requests with a handler in the bubble of a test.
type transport struct{ http.Handler }

func (h transport) Do(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	h.ServeHTTP(w, r)
	return w.Result(), nil
}

// inTime runs a test with a client of the SDK, whose requests take no time but what pass takes at a place of its stack, and only once.
func inTime(t *testing.T, position middleware.RelativePosition, handler func(http.Handler) http.Handler, test func(t *testing.T, api *dynamodb.Client, pass *time.Duration)) {
	synctest.Test(t, func(t *testing.T) {
		db := openShop(t)
		makeState(t, db.API())
		var pass time.Duration
		once := func() {
			d := pass
			pass = 0
			time.Sleep(d)
		}
		test(t, sdkClient("http://localhost", func(o *dynamodb.Options) {
			o.HTTPClient = transport{handler(db)}
			o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
				return stack.Finalize.Insert(slow{once}, "Signing", position)
			})
		}), &pass)
	})
}

func as(h http.Handler) http.Handler { return h }

func TestTheLeaseIsComparedAfterSigning(t *testing.T) {
	inTime(t, middleware.Before, as, func(t *testing.T, api *dynamodb.Client, pass *time.Duration) {
		c := access.NewClient(api, shopDesign())
		begun, err := c.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		enter(t, api, 2, access.PhasePrepare)
		*pass = time.Hour // frozen between the first comparison and the signature
		if err := putLamp(t.Context(), begun); !access.Overtaken(err) {
			t.Errorf("a call of the epoch before: %v", err)
		}
		*pass = time.Hour
		if err := putLamp(t.Context(), c); err != nil {
			t.Errorf("a call of any epoch: %v", err)
		}
	})
}

func TestTheEngineRefusesARequestAfterTheEndOfTheLease(t *testing.T) {
	var pass time.Duration
	late := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			d := pass
			pass = 0
			time.Sleep(d) // on its way
			h.ServeHTTP(w, r)
		})
	}
	inTime(t, middleware.Before, late, func(t *testing.T, api *dynamodb.Client, _ *time.Duration) {
		c := access.NewClient(api, shopDesign(), access.WithRetries(1, 0, 0))
		if err := putLamp(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		pass = access.LeaseMigrating
		var fenced *access.FencedError
		if err := putLamp(t.Context(), c); !errors.As(err, &fenced) || !access.Late(err) || fenced.Sent || fenced.Overtaken {
			t.Errorf("after the end of the lease: %v", err)
		}
		patient := access.NewClient(api, shopDesign())
		if err := putLamp(t.Context(), patient); err != nil {
			t.Fatal(err)
		}
		pass = access.LeaseMigrating
		if err := putLamp(t.Context(), patient); err != nil {
			t.Errorf("a request that may be sent again under another lease: %v", err)
		}
		pass = access.LeaseMigrating/3 - time.Second
		if err := putLamp(t.Context(), c); err != nil {
			t.Errorf("before it: %v", err)
		}
	})
}

func TestEveryAttemptOfTheSDKIsCompared(t *testing.T) {
	attempts := 0
	busy := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Amz-Target") != "DynamoDB_20120810.PutItem" {
				h.ServeHTTP(w, r)
				return
			}
			attempts++
			time.Sleep(access.LeaseMigrating)
			w.WriteHeader(http.StatusInternalServerError)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		db := openShop(t)
		makeState(t, db.API())
		api := sdkClient("http://localhost", func(o *dynamodb.Options) { o.HTTPClient = transport{busy(db)} })
		begun, err := access.NewClient(api, shopDesign()).Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		enter(t, db.API(), 2, access.PhasePrepare)
		var fenced *access.FencedError
		if err := putLamp(t.Context(), begun); !errors.As(err, &fenced) || !fenced.Sent || access.Overtaken(err) {
			t.Errorf("the second attempt: %v", err)
		}
		if attempts != 1 {
			t.Errorf("%d attempts, want 1", attempts)
		}
	})
}

func TestAClockThatIsAheadGetsNoLease(t *testing.T) {
	behind := 19 * time.Second
	dated := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(-behind).UTC().Format(http.TimeFormat))
			h.ServeHTTP(w, r)
		})
	}
	inTime(t, middleware.Before, dated, func(t *testing.T, api *dynamodb.Client, _ *time.Duration) {
		if err := putLamp(t.Context(), access.NewClient(api, shopDesign())); err != nil {
			t.Errorf("19 seconds ahead: %v", err)
		}
		behind = 22 * time.Second
		var fenced *access.FencedError
		if err := putLamp(t.Context(), access.NewClient(api, shopDesign())); !errors.As(err, &fenced) {
			t.Errorf("22 seconds ahead: %v", err)
		}
	})
}

func TestAJoinedTransactionTakesThePhaseOfEachDesign(t *testing.T) {
	db := openTasks(t)
	first, second := taskDesign(), taskDesign()
	second.Name, second.Versions, second.State.Partition.Text = "Other", []int{4, 5}, "Other#state"
	for design, s := range map[*access.Design]access.State{
		&first:  {Version: 1, Migration: "0002", Phase: access.PhasePrepare, Epoch: 2, Settled: 2, Least: 1},
		&second: {Version: 4, Migration: "0005", Phase: access.PhaseRead, Epoch: 8, Settled: 8, Least: 4},
	} {
		s.Lease, s.Longest = access.LeaseMigrating, access.LeaseMigrating
		if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("tasks"), Item: s.Item(design.State.Key())}); err != nil {
			t.Fatal(err)
		}
	}
	for name, api := range map[string]access.API{"api": db.API(), "client": db.Client()} {
		t.Run(name, func(t *testing.T) {
			tx := call.NewTx(access.NewClient(api, first))
			tx.Add(putTask, taskPut(name+"1", "Wash"))
			call.Join(access.NewClient(api, second), joinable{tx}).Add(putTask, taskPut(name+"2", "Wash"))
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			for id, want := range map[string]string{"1": "A=OWNER#o AS=Wash title=Wash", "2": "A=OWNER#o AS=Wash B=wash name=Wash title=Wash"} {
				if got := stored(t, db, name+id); got != want {
					t.Errorf("task %s: %s, want %s", id, got, want)
				}
			}
		})
	}
	tx := call.NewTx(access.NewClient(db.Client(), first))
	missing := second
	missing.State.Partition.Text = "Missing#state"
	call.Join(access.NewClient(db.Client(), missing), joinable{tx}).Add(putTask, taskPut("4", "Wash"))
	var fenced *access.FencedError
	if err := tx.Commit(t.Context()); !errors.As(err, &fenced) || fenced.Design != "Other" {
		t.Errorf("without the lease of the other design: %v", err)
	}
}

// joinable is a transaction of a generated package.
type joinable struct{ *call.Tx }

func (j joinable) Shared() *call.Tx { return j.Tx }

func TestACallThatIsOvertakenBeginsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := openShop(t)
		makeState(t, db.API())
		c := access.NewClient(db.API(), shopDesign())
		var phases []access.Phase
		err := call.InPhase(t.Context(), c, func(c *access.Client) error {
			if phases = append(phases, c.Phase()); len(phases) == 1 {
				enter(t, db.API(), 2, access.PhasePrepare)
				time.Sleep(access.LeaseMigrating)
			}
			return putLamp(t.Context(), c)
		})
		if err != nil || len(phases) != 2 || phases[0] != access.PhaseBefore || phases[1] != access.PhasePrepare {
			t.Errorf("%v in %v", err, phases)
		}
	})
}

func TestPathsHaveTheEpochThatOpenedThem(t *testing.T) {
	db := openShop(t)
	makeState(t, db.API())
	s := shopState
	s.Paths = map[string]int64{"Shop.byName": 1}
	setState(t, db.API(), s)
	c, err := access.NewClient(db.API(), shopDesign()).Begin(t.Context())
	if err != nil || c.Path("Shop.byName") != 1 || c.Path("Shop") != 0 {
		t.Errorf("%v, %v", c, err)
	}
}

func TestRefusesLateTellsEndpointsApart(t *testing.T) {
	db := openShop(t)
	makeState(t, db.API())
	deaf := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("X-Sortkey-Until")
			h.ServeHTTP(w, r)
		})
	}
	for name, test := range map[string]struct {
		handler http.Handler
		want    bool
	}{"the engine": {db, true}, "another endpoint": {deaf(db), false}} {
		api := sdkClient("http://localhost", func(o *dynamodb.Options) { o.HTTPClient = transport{test.handler} })
		if got, err := access.RefusesLate(t.Context(), api, "State", shopRow); got != test.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if _, err := access.RefusesLate(t.Context(), api, "Missing", shopRow); err == nil && !test.want {
			t.Errorf("%s: no error for a table that is not there", name)
		}
	}
}

// TestALeaseAllocatesNothing and BenchmarkLease hold a call under a lease against the same call without.
func TestALeaseAllocatesNothing(t *testing.T) {
	db := openShop(t)
	makeState(t, db.API())
	measure := func(c *access.Client) float64 {
		least := math.Inf(1)
		for range 5 { // the engine allocates in the background, too
			least = min(least, testing.AllocsPerRun(100, func() {
				if err := putLamp(context.Background(), c); err != nil {
					t.Fatal(err)
				}
			}))
		}
		return least
	}
	without, under := measure(access.NewClient(db.API(), access.Design{})), measure(access.NewClient(db.API(), shopDesign()))
	if under > without {
		t.Errorf("%v allocations under a lease, %v without", under, without)
	}
}

func BenchmarkLease(b *testing.B) {
	db := openShop(b)
	makeState(b, db.API())
	peace := shopState
	peace.Lease, peace.Longest = access.LeaseInPeace, access.LeaseInPeace
	setState(b, db.API(), peace)
	server := httptest.NewServer(db)
	defer server.Close()
	for _, door := range []struct {
		name string
		api  access.API
	}{{"api", db.API()}, {"http", sdkClient(server.URL)}} {
		for name, design := range map[string]access.Design{"without": {}, "under a lease": shopDesign()} {
			c := access.NewClient(door.api, design)
			b.Run(door.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := putLamp(context.Background(), c); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
