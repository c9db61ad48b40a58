import io
import sys

import pytest

from counterfold.cli import main


@pytest.fixture
def command(capsys, monkeypatch):
    """Runs `counterfold` in this process; gives exit code, stdout and stderr."""

    def run(*arguments, typed=""):
        monkeypatch.setattr(sys, "argv", ["counterfold", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as caught:
            main()
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return run
