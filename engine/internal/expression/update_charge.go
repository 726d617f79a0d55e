package expression

// The charge of UpdateItem for an update expression besides the names and values
// that it writes, in bytes. The numbers were measured on AWS in October 2026.
const (
	chargeUpdate      = 3
	chargeSet         = 19 // of ADD, too
	chargeRemove      = 1  // of DELETE, too
	chargePlus        = 34
	chargeMinus       = 37
	chargeIfNotExists = 39
	chargeListAppend  = 37
	chargeTargetStep  = 4 // of each element of a target but the first
	chargeOperand     = 1 // of a path that is read
	chargeOperandStep = 14
)

// Charge returns the size of the update statement, which UpdateItem limits in addition to
// the size of the new item. It depends on the request alone: what a
// statement reads, removes or computes costs nothing by its size.
func (u *Update) Charge() int {
	total := chargeUpdate
	for i := range u.actions {
		a := &u.actions[i]
		total += a.path.targetCharge()
		switch a.kind {
		case actionSet, actionAdd:
			total += chargeSet + a.value.charge()
		default:
			total += chargeRemove
		}
	}
	return total
}

// targetCharge returns the charge for the path that an action changes.
func (p path) targetCharge() int {
	total := 0
	for i, e := range p {
		total += len(e.name)
		if i > 0 {
			total += chargeTargetStep
		}
	}
	return total
}

// charge returns the charge for a right side or an operand of it.
func (e *expr) charge() (total int) {
	switch e.op {
	case opValue:
		return e.value.Size()
	case opPath:
		total = chargeOperand
		for _, step := range e.path {
			total += chargeOperandStep + len(step.name)
		}
		return total
	case opPlus:
		total = chargePlus
	case opMinus:
		total = chargeMinus
	case opIfNotExists:
		total = chargeIfNotExists
	case opListAppend:
		total = chargeListAppend
	}
	for o := e.operands; o != nil; o = o.next {
		total += o.charge()
	}
	return total
}
