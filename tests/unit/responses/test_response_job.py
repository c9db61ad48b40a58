import numpy as np

from counterfold.responses.exact_response import ExactResponder
from counterfold.responses.response_job import ResponseJob
from counterfold.training.run_parcel import RunParcel


def test_a_piece_is_the_row_of_a_board(small_runs):
    run = small_runs["nolimit-listed"]
    responder = ExactResponder.of_run(run, by_street=False)
    work = ResponseJob(RunParcel.of(run), responder.menu, by_street=False).prepare()
    board = responder.boards[0]
    (expected,) = responder.respond([board])
    found = work(None, board)
    assert found.board == board
    for ours, theirs in zip(found.worth, expected.worth, strict=True):
        np.testing.assert_array_equal(ours, theirs)
