"""Word sense induction: how clusters of occurrences agree with people's labels."""
