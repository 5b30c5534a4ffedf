"""A child that writes to its stdout before it serves, so that its parent cannot find the frames."""

import os

from holovault.children import serve

if __name__ == "__main__":
    os.write(1, b"hello from a library that greets\n")
    serve(lambda payload: payload)
