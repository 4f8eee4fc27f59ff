"""Numbers and Values: floats, longer formulas, checked input, no_grad, copies, custom rules, look-ups."""
