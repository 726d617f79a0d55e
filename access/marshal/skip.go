package marshal

// Skip is the error of a decode function for an item that is not part of the answer, such as
// one of another entity.
const Skip = skipped("access: not part of the answer")

type skipped string

func (s skipped) Error() string { return string(s) }
