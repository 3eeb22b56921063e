"""The rounds of `ExRPCA`: which elements to set aside, and what that changes in the Gram matrix."""
