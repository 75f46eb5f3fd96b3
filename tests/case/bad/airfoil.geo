// never meshed: the reader only looks whether it is there
