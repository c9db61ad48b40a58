"""The data of an exported bot: small arrays in one file, large ones mapped, the rest as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterfold.bots.policy_kernels import Policy
from counterfold.bots.strategy_bot import StrategyBot
from counterfold.contest.exported.exported_cards import BY_STRENGTH, PackedCards, PackedOrder
from counterfold.contest.exported.exported_lays import (
    BY_SETS,
    GIVEN,
    LAID,
    PackedGivenCards,
    PackedLaidCards,
    PackedLays,
    PackedSetLays,
)
from counterfold.errors import ArtifactError
from counterfold.games.holdem import Variant
from counterfold.games.holdem.variant_content import read_variant, write_variant
from counterfold.public.walk_kernels import (
    NODE_ACTOR,
    NODE_DEGREE,
    NODE_PHASE,
    NODE_SLOT,
    NODE_START,
)

DATA = "data"  # folder of the data in that of the bot
MANIFEST = "bot.json"
SMALL = "small.npz"
FORMAT = 3
_LARGE_BYTES = 1 << 20
_SCALARS = ("rule", "threshold", "purify")
# What policies read from a node.
_N_COLUMNS = 1 + max(NODE_ACTOR, NODE_DEGREE, NODE_PHASE, NODE_SLOT, NODE_START)

Arrays = dict[str, NDArray[Any]]


def save_data(
    folder: Path,
    variant: Variant,
    policy: Policy,
    cards: tuple[Mapping[str, Any], Arrays],
    order: tuple[str, Arrays],
    lays: tuple[str, Arrays],
    facts: Mapping[str, Any],
) -> None:
    """Write the data of a bot; `facts` are kept as they are."""
    content, arrays = cards
    kind, order_arrays = order
    values = policy._asdict()
    manifest = {
        "format": FORMAT,
        **facts,
        "variant": write_variant(variant),
        "policy": {name: values.pop(name) for name in _SCALARS},
        "cards": dict(content),
        "discards": kind,
        "lays": lays[0],
    }
    values["nodes"] = np.ascontiguousarray(policy.nodes[:, :_N_COLUMNS])
    if values["nodes"].max() < 1 << 30 and policy.quantized.size < 1 << 30:
        values["nodes"] = values["nodes"].astype(np.int32)
    everything = {**{f"policy.{name}": array for name, array in values.items()}, **arrays}
    everything |= order_arrays | lays[1]
    folder.mkdir()
    small = {name: each for name, each in everything.items() if each.nbytes < _LARGE_BYTES}
    np.savez_compressed(folder / SMALL, **small)
    for name, array in everything.items():
        if name not in small:
            save_array(folder / f"{name}.npy", array)
    text = json.dumps(manifest, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def save_array(path: Path, array: NDArray[Any]) -> None:
    """As `np.save`, which does not say why a file could not be written."""
    plain = np.ascontiguousarray(array)
    with open(path, "wb") as file:
        header = np.lib.format.header_data_from_array_1_0(plain)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(plain.data)


def load_manifest(folder: Path) -> dict[str, Any]:
    """What is not arrays."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtifactError(f"cannot read the bot in {str(folder)!r}: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArtifactError(
            f"{str(folder)!r} does not hold a bot of format {FORMAT}; export it again"
        )
    return manifest


def load_bot(folder: Path, seed: int, player: int = 0) -> StrategyBot:
    """The bot in `folder`; large tables are memory-mapped and read on demand."""
    manifest = load_manifest(folder)
    arrays: Arrays = {}
    with np.load(folder / SMALL) as small:
        arrays.update(small)
    for path in folder.glob("*.npy"):
        # A plain view: indexing a memmap costs ten times as much.
        arrays[path.stem] = np.load(path, mmap_mode="r").view(np.ndarray)
    values: dict[str, Any] = dict(manifest["policy"])
    for name in Policy._fields:
        if name not in _SCALARS:
            values[name] = arrays[f"policy.{name}"]
    policy = Policy(**values)
    variant = read_variant(manifest["variant"])
    cards = _unpack_cards(variant, manifest["cards"], arrays)
    order = PackedOrder(manifest["discards"], arrays)
    if manifest.get("search") is None:
        lays = _unpack_lays(variant, manifest.get("lays"), arrays)
        return StrategyBot(variant, policy, cards, order, lays, seed=seed, player=player)
    # Loaded only if the bot searches: it must connect in time.
    from counterfold.contest.exported.exported_search import make_search_bot

    assert isinstance(cards, PackedCards)  # laid cards change hands, and those do not search
    return make_search_bot(
        variant, policy, cards, order, manifest["search"], seed=seed, player=player
    )


def _unpack_cards(
    variant: Variant, content: Mapping[str, Any], arrays: Arrays
) -> PackedCards | PackedLaidCards | PackedGivenCards:
    if content["kind"] == LAID:
        return PackedLaidCards(content, arrays)
    if content["kind"] == GIVEN:
        return PackedGivenCards(variant, content, arrays)
    return PackedCards(content, arrays)


def _unpack_lays(
    variant: Variant, kind: str | None, arrays: Arrays
) -> PackedLays | PackedSetLays | None:
    if kind == BY_SETS:
        return PackedSetLays(variant, arrays)
    return PackedLays(arrays) if kind == BY_STRENGTH else None


def exported_game(folder: Path) -> tuple[Variant | None, str | None]:
    """The variant that the bot exported to `folder` was trained for, and the wire protocol that it
    speaks; None and None if it is another program.
    """
    data = folder / DATA
    if not (data / MANIFEST).is_file():
        return None, None
    manifest = load_manifest(data)
    return read_variant(manifest["variant"]), manifest["protocol"]
