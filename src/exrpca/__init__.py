"""exrpca."""
