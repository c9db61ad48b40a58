"""`counterfold serve`: the page in the browser."""

import importlib.util
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from counterfold.cli.output import announce
from counterfold.errors import ArtifactError, MissingLibraryError, ServeError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve_command(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders to search for runs, including their subfolders.  \\[default: .]"
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(help="Port to listen on; 0 for any free one.", min=0, max=65535)
    ] = 8017,
    host: Annotated[
        str, typer.Option(help="Address to listen on; for other machines, see --expose.")
    ] = _LOOPBACK[0],
    expose: Annotated[
        bool,
        typer.Option(
            "--expose",
            help="Allow a --host that other machines can reach. Anyone who has the printed "
            "address, with its token, can look at the runs, play, solve spots and train. The "
            "connection is not encrypted.",
        ),
    ] = False,
    sessions: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the hands that you play.  \\[default: the user's data folder]"
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the page in the browser.")
    ] = False,
) -> None:
    """Show runs in the browser: explore strategies, play against bots, solve spots, train.

    Example: counterfold serve runs --browser
    """
    chosen = folders or [Path()]
    for folder in chosen:
        if not folder.is_dir():
            raise ArtifactError(f"there is no folder {str(folder)!r}")
    if host not in _LOOPBACK and not expose:
        raise ServeError(f"other machines can reach {host!r}; pass --expose if that is meant")
    for library in ("starlette", "uvicorn"):
        if importlib.util.find_spec(library) is None:
            raise MissingLibraryError(
                "the page needs starlette and uvicorn; install them with pip install "
                "'counterfold[web]'"
            )
    from counterfold.web.server import serve, sessions_folder

    kept = sessions or sessions_folder()

    def tell(address: str) -> None:
        announce(f"hands that you play are kept in {kept}")
        announce(f"the page is at {address}  (Ctrl-C ends)")
        if browser:
            webbrowser.open(address)

    serve(chosen, host=host, port=port, sessions=kept, announce=tell)
