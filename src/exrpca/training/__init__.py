"""Multi-sense vectors from text: MSSG and NP-MSSG."""
