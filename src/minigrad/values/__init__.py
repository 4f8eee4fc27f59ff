"""Numbers and Values: number systems, formulas, validation, no_grad, copies, custom rules, look-ups."""
