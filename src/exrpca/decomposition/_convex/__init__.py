"""The convex problem of `ConvexExRPCA` and `RobustPCA`, and its solvers."""
