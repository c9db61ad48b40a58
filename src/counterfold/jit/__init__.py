"""How kernels are compiled, and random numbers inside them."""
