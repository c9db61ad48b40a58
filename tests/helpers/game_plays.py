"""Ways through a game that several tests share."""


def play(game, *actions):
    """The state after `actions`, those of chance included."""
    state = game.root()
    for action in actions:
        state = state.child(action)
    return state


def choices(state):
    """The actions at `state` with probabilities; where a player acts they are None."""
    if state.utilities is not None:
        return ()
    if (chance := state.chance) is not None:
        return tuple(chance.outcomes())
    return tuple((action, None) for action in state.infoset.actions)


def all_infosets(game):
    """Every information set, in the order in which a walk of the whole tree meets them."""
    found, stack = {}, [game.root()]
    while stack:
        state = stack.pop()
        if state.utilities is None and state.chance is None:
            found[state.infoset] = None
        stack += [state.child(action) for action, _ in choices(state)]
    return list(found)
