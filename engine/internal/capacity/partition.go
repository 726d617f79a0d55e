package capacity

import "sortkey.dev/engine/internal/dynamo"

// The capacity of one partition per second.
const (
	partitionReads  = 3000
	partitionWrites = 1000
)

// Partitions returns the number of partitions of a table or a global index with
// this warm throughput. On demand, it is a maximum of either reads or writes; a
// provisioned table serves both at the same time. A new on-demand table has four, a
// small provisioned table has one. The size of the data is ignored: a second partition
// would need 10 GB.
func Partitions(onDemand bool, warm dynamo.Throughput) int {
	reads, writes := max(0, warm.Read), max(0, warm.Write)
	if onDemand {
		return int(max(1, ceil(reads, partitionReads), ceil(writes, partitionWrites)))
	}
	return int(max(1, ceil(reads+writes*(partitionReads/partitionWrites), partitionReads)))
}

func ceil(n, unit int64) int64 { return (n + unit - 1) / unit }

// Reads adds up what a page reads in ascending order of its partitions. Each
// partition that the page visits is rounded up separately, even one without rows.
// The zero Reads starts in partition 0.
type Reads struct {
	partition int
	size      int // read in this partition
	before    int // cost of the partitions before it
}

// ReadsFrom returns a Reads that starts in a partition.
func ReadsFrom(partition int) Reads { return Reads{partition: partition} }

// Visit moves to a partition. It visits the partitions in between, too.
func (r *Reads) Visit(partition int) {
	if partition <= r.partition {
		return
	}
	r.before += wholeReads(r.size) + partition - r.partition - 1
	r.partition, r.size = partition, 0
}

// Add adds bytes that were read in the current partition.
func (r *Reads) Add(size int) { r.size += size }

// Units returns the cost of everything that was read.
func (r *Reads) Units(consistent bool) float64 {
	return readUnits(r.before+wholeReads(r.size), consistent)
}
