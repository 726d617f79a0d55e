package capacity

import "sortkey.dev/engine/internal/dynamo"

// What one partition serves in a second.
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// Partitions is the number of partitions behind a table or a global index with
// this warm throughput. On demand, the two numbers are the most there is of either
// reads or writes; provisioned, there is as much of both. A new on-demand table
// has four, a small provisioned one has one. What the size of the data adds is
// left out: it would take 10 GB to make a second partition.
func Partitions(onDemand bool, warm dynamo.Throughput) int {
	reads, writes := max(0, warm.Read), max(0, warm.Write)
	if onDemand {
		return int(max(1, ceil(reads, partitionReads), ceil(writes, partitionWrites)))
	}
	return int(max(1, ceil(reads+writes*(partitionReads/partitionWrites), partitionReads)))
}

func ceil(n, unit int64) int64 { return (n + unit - 1) / unit }

// Reads adds up what a page reads in ascending order of its partitions. Every
// partition that the page visits rounds up by itself, one without any rows too.
// The zero Reads stands in partition 0.
type Reads struct {
	partition int
	size      int // read in this partition
	before    int // cost of the partitions before it
}

// ReadsFrom starts in a partition.
func ReadsFrom(partition int) Reads { return Reads{partition: partition} }

// Visit goes on to a partition. The partitions on the way are visited, too.
func (r *Reads) Visit(partition int) {
	if partition <= r.partition {
		return
	}
	r.before += wholeReads(r.size) + partition - r.partition - 1
	r.partition, r.size = partition, 0
}

// Add adds what is read in the partition.
func (r *Reads) Add(size int) { r.size += size }

// Units is the cost of all that was read.
func (r *Reads) Units(consistent bool) float64 {
	return readUnits(r.before+wholeReads(r.size), consistent)
}
