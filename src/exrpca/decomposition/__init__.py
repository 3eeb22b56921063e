"""X = L + E + S for any matrix: scikit-learn estimators that know no word."""
