package call

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// What a request with a filter asks for, as List.PageSize promises it: so many times what
// is wanted, but not less than the least, because a small request takes as long as a larger
// one.
const (
	filterTimes = 10
	filterLeast = 100
)

// A pace decides how many items the requests of one reader ask for when there is a filter.
type pace struct {
	asked  int // by the last request; 0: none was sent
	wanted int // when it was sent
	kept   int // of its answer
}

// ask returns how many items the next request asks for if so many are wanted; nil: no number.
// unused counts the items of earlier answers that are not taken yet.
func (p *pace) ask(wanted, unused int) *int32 {
	if wanted <= 0 {
		return nil
	}
	n := max(filterTimes*min(wanted, math.MaxInt32/filterTimes), filterLeast)
	if p.asked > 0 && p.kept+unused < p.wanted {
		n = max(n, 2*min(p.asked, math.MaxInt32/2))
	}
	*p = pace{asked: n, wanted: wanted}
	return aws.Int32(int32(n))
}
