"""`python -m memd` and the script `memd`."""

from memd.main import main

if __name__ == "__main__":
    main()
