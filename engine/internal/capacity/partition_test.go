package capacity

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestPartitions(t *testing.T) {
	tests := []struct {
		name     string
		onDemand bool
		warm     dynamo.Throughput
		want     int
	}{
		{"new on-demand table", true, dynamo.Throughput{Read: 12000, Write: 4000}, 4},
		{"on-demand table warmed for reads", true, dynamo.Throughput{Read: 12001, Write: 4000}, 5},
		{"on-demand table warmed for writes", true, dynamo.Throughput{Read: 12000, Write: 10000}, 10},
		{"smallest provisioned table", false, dynamo.Throughput{Read: 1, Write: 1}, 1},
		{"full partition", false, dynamo.Throughput{Read: 1500, Write: 500}, 1},
		{"more than a partition", false, dynamo.Throughput{Read: 1501, Write: 500}, 2},
		{"reads and writes add up", false, dynamo.Throughput{Read: 3000, Write: 1000}, 2},
	}
	for _, test := range tests {
		if got := Partitions(test.onDemand, test.warm); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestEveryVisitedPartitionRoundsUp(t *testing.T) {
	type read struct{ partition, size int }
	tests := []struct {
		name     string
		from, to int
		reads    []read
		want     float64 // consistently
	}{
		{"one partition", 0, 0, []read{{0, 1}}, 1},
		{"nothing in four partitions", 0, 3, nil, 4},
		{"one small item", 0, 3, []read{{2, 10}}, 4},
		{"a page that stops at its item", 0, 2, []read{{2, 10}}, 3},
		{"a page that goes on", 2, 3, []read{{2, 10}}, 2},
		{"sizes add up in a partition", 0, 1, []read{{0, 4096}, {0, 1}, {1, 1}, {1, 4095}}, 3},
	}
	for _, test := range tests {
		r := ReadsFrom(test.from)
		for _, read := range test.reads {
			r.Visit(read.partition)
			r.Add(read.size)
		}
		r.Visit(test.to)
		if got := r.Units(true); got != test.want {
			t.Errorf("%s: %v units consistently, want %v", test.name, got, test.want)
		}
		if got := r.Units(false); got != test.want/2 {
			t.Errorf("%s: %v units eventually, want %v", test.name, got, test.want/2)
		}
	}
}
