"""A bidirectional LSTM with a CRF layer over the features of the chain CRF, written in NumPy."""
