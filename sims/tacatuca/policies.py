"""The roster of Tacatuca: nobody decides anything, so there is one policy, and no compiled one."""

from sims.engine.game import Policy

ROSTER = {
    "chance": Policy(
        "chance",
        kind=0,
        title="the dice",
        idea="throws the dice and obeys the cards: nobody decides anything",
        source="rulebook: the game holds no decision",
        traits=("deterministic",),
    )
}
