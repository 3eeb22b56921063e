"""The rounds of `ExRPCA`: which elements to taken out, and what that changes in the Gram matrix."""
