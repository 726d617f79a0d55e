package load_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sortkey.dev/apps/homeops/load"
)

// Vector 11.
func TestEffortAverageSequence(t *testing.T) {
	var a load.Average
	for i, want := range []float64{1, 1.3, 1.51, 1.957, 1.9699} {
		a = a.Add([]float64{1, 2, 2, 3, 2}[i], load.AlphaEffort)
		if a.Value != want || a.Samples != int64(i+1) {
			t.Errorf("sample %d: %v, want %v", i+1, a, want)
		}
	}
}

// Vector 12.
func TestIgnoreAverageSequence(t *testing.T) {
	a := load.Average{}.Add(0, load.AlphaHabit)
	for i, want := range []float64{0.2, 0.36, 0.488, 0.5904, 0.6723, 0.7378} {
		if a = a.Add(1, load.AlphaHabit); a.Value != want {
			t.Errorf("ignored %d times: %v, want %v", i+1, a.Value, want)
		}
	}
	if a.Samples != 7 {
		t.Errorf("%d samples", a.Samples)
	}
}

func TestAveragesStayWithinTheirSamples(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		alpha := []float64{load.AlphaEffort, load.AlphaHabit}[random.IntN(2)]
		var a load.Average
		least, most, last := math.Inf(1), math.Inf(-1), 0.0
		for n := range 1 + random.IntN(40) {
			last = float64(1 + random.IntN(3))
			least, most = min(least, last), max(most, last)
			before := a
			a = a.Add(last, alpha)
			if a.Value < least-1e-4 || a.Value > most+1e-4 || a.Samples != int64(n+1) {
				t.Fatalf("%v from samples between %v and %v", a, least, most)
			}
			if n > 0 && (a.Value-before.Value)*(last-before.Value) < -1e-9 {
				t.Fatalf("sample %v moved %v to %v", last, before.Value, a.Value)
			}
		}
		for range 200 { // repeating a sample leads to it
			a = a.Add(last, alpha)
		}
		if math.Abs(a.Value-last) > 2e-4/alpha {
			t.Fatalf("after 200 samples of %v the average is %v", last, a.Value)
		}
	}
}

func TestLevelsAndValues(t *testing.T) {
	for average, want := range map[float64]load.Level{1: load.Low, 1.4999: load.Low, 1.5: load.Medium, 2.4999: load.Medium, 2.5: load.High, 3: load.High} {
		if got := load.LevelOf(average); got != want {
			t.Errorf("%v is level %d, want %d", average, got, want)
		}
	}
	if got := load.Value(3, load.Average{Value: 1.7, Samples: 2}); got != 3 {
		t.Errorf("two samples are trusted: %v", got)
	}
	if got := load.Value(3, load.Average{Value: 1.7, Samples: 3}); got != 1.7 {
		t.Errorf("three samples are not trusted: %v", got)
	}
}

// Vector 14.
func TestNetLoad(t *testing.T) {
	mine, theirs := load.Week{Effort: 5, Recovery: 1}, load.Week{Effort: 2, Recovery: 1}
	if mine.Net(1) != 4 || theirs.Net(1) != 1 {
		t.Errorf("net loads are %v and %v", mine.Net(1), theirs.Net(1))
	}
	if got := (load.Week{Effort: 5, Recovery: 3}).Net(0.5); got != 3.5 {
		t.Errorf("recovery at half weight: %v", got)
	}
}

// Vector 15.
func TestFairnessVectors(t *testing.T) {
	for _, c := range []struct {
		loads []float64
		want  float64
	}{
		{[]float64{4, 1}, 40}, {[]float64{3, 3}, 100}, {[]float64{4, 4, 0}, 50}, {[]float64{6, 2}, 50},
		{[]float64{0, 0}, 100}, {[]float64{5, 0}, 0}, {[]float64{-3, -1}, 100}, {[]float64{-3, 4}, 0},
		{[]float64{7}, 100}, {nil, 100},
	} {
		if got := load.Fairness(c.loads); got != c.want {
			t.Errorf("fairness of %v is %v, want %v", c.loads, got, c.want)
		}
	}
}

func TestFairnessProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		loads := make([]float64, 2+random.IntN(5))
		for i := range loads {
			loads[i] = math.Round(random.Float64()*200) / 10
		}
		score := load.Fairness(loads)
		if score < 0 || score > 100 {
			t.Fatalf("fairness of %v is %v", loads, score)
		}
		shuffled := slices.Clone(loads)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if math.Abs(load.Fairness(shuffled)-score) > 0.011 {
			t.Fatalf("the order of %v matters", loads)
		}
		scaled := slices.Clone(loads)
		for i := range scaled {
			scaled[i] *= 3
		}
		if math.Abs(load.Fairness(scaled)-score) > 0.011 {
			t.Fatalf("the scale of %v matters", loads)
		}
		// Moving load from the most to the least loaded member never makes it less fair.
		i, j := slices.Index(loads, slices.Max(loads)), slices.Index(loads, slices.Min(loads))
		move := (loads[i] - loads[j]) / 2 * random.Float64()
		loads[i], loads[j] = loads[i]-move, loads[j]+move
		if after := load.Fairness(loads); after < score-0.011 {
			t.Fatalf("sharing made %v worse: %v, then %v", loads, score, after)
		}
	}
}

func TestHistoryHalvesInTwoWeeks(t *testing.T) {
	if got := load.History(nil); got != 0 {
		t.Errorf("no past weighs %v", got)
	}
	if got := load.History([]float64{4, 4, 4}); got != 4 {
		t.Errorf("a steady past weighs %v", got)
	}
	recent, old := load.History([]float64{9, 0, 0}), load.History([]float64{0, 0, 9})
	if math.Abs(recent/old-2) > 0.02 {
		t.Errorf("two weeks later it weighs %v instead of %v", old, recent)
	}
}

func TestBandsAndCoverage(t *testing.T) {
	for score, want := range map[float64]load.Band{100: load.Even, 80: load.Even, 79.99: load.Mixed, 50: load.Mixed, 49.99: load.Uneven, 0: load.Uneven} {
		if got := load.BandOf(&score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
	if load.BandOf(nil) != load.NotEnough {
		t.Error("no score has a band")
	}
	for _, c := range []struct {
		messages, events int
		paused, want     bool
	}{{5, 3, false, true}, {4, 3, false, false}, {5, 2, false, false}, {50, 30, true, false}} {
		if got := load.Covered(c.messages, c.events, c.paused); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestStrainedIsAgainstTheMembersOwnPast(t *testing.T) {
	past := []float64{4, 6, 4, 6} // mean 5, deviation 1
	for net, want := range map[float64]bool{6: false, 6.01: true, 5.9: false} {
		if got := load.Strained(net, past); got != want {
			t.Errorf("%v: %v", net, got)
		}
	}
	if load.Strained(5.99, []float64{1, 1, 1}) || !load.Strained(6, []float64{1, 1, 1}) || load.Strained(20, nil) {
		t.Error("the bound of 6, or no past")
	}
	if load.TrendOf(5, 3.9) != load.Heavier || load.TrendOf(5, 4) != load.Same || load.TrendOf(3, 4.1) != load.Lighter {
		t.Error("trends")
	}
}
