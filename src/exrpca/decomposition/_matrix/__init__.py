"""What a matrix is and how it is read: in blocks of rows, from memory, disk or a cluster."""
