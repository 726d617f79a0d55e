package api

import (
	"context"

	"sortkey.dev/apps/ecobid/contract"
	"sortkey.dev/apps/ecobid/trust"
	"sortkey.dev/apps/internal/openapi"
)

// figures serves the health of the system and what it kept out of the bin.
type figures struct {
	trust    *trust.Service
	writable func(context.Context) error
}

func (h *figures) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.GetHealth, c.public, h.health),
		openapi.Handle(contract.GetImpact, c.public, h.impact),
	}
}

func (h *figures) health(ctx context.Context, _ *call, _ contract.None) (contract.Health, error) {
	return contract.Health{Status: "ok"}, h.writable(ctx)
}

func (h *figures) impact(ctx context.Context, _ *call, in contract.Where) (contract.Impact, error) {
	months, err := h.trust.Impact(ctx, in.City)
	return contract.Impact{
		Months: each(months, func(i trust.Month) contract.ImpactMonth {
			return contract.ImpactMonth{Month: i.Month, Items: i.Items, Grams: i.Grams, CO2Grams: i.Co2Grams}
		}),
		Factors: each(trust.Factors, func(f trust.Factor) contract.ImpactFactor {
			return contract.ImpactFactor{Category: string(f.Category), UsualGrams: f.UsualGrams, CO2GramsPerKg: f.CO2GramsPer}
		}),
	}, err
}
