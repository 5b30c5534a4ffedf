"""`python -m holovault.cli`: how a client starts a daemon without knowing where scripts were installed."""

from holovault.cli import main

if __name__ == "__main__":
    main()
