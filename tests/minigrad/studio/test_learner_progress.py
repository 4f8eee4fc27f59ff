"""What the server remembers of the pages of a learner."""

from minigrad.studio import learner_progress
from minigrad.studio.learner_progress import LearnerProgress
from minigrad.studio.requests import JudgeRequest


def test_the_last_answers_of_so_many_pages_are_remembered_and_no_more(monkeypatch, tmp_path):
    monkeypatch.setattr(learner_progress, "PAGES", 2)
    learner = LearnerProgress(tmp_path / "progress.json")

    def is_fresh(page):
        return learner._fresh(JudgeRequest(page=page, key="diamonds/which-bug", answer={"choice": "a"}))

    assert [is_fresh("first"), is_fresh("second")] == [True, True]
    assert [is_fresh("first"), is_fresh("second")] == [False, False], "both are sent again"
    assert is_fresh("third")
    assert [is_fresh("second"), is_fresh("first")] == [False, True], "the first was asked for longest ago"
