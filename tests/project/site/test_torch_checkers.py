"""What other checkers say of PyTorch programs is counted as the page of comparisons says."""

import sys

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs" / "compared"))

import torch_checkers

CASES = [
    {"file": "a.py", "fixed": "a_fixed.py", "kind": "bug"},
    {"file": "b.py", "fixed": "b_fixed.py", "kind": "bug"},
    {"file": "odd.py", "kind": "right"},
]


def test_what_is_said_of_both_is_not_told_apart():
    said = {
        "gradcheck": {
            "a.py": ["x"],
            "a_fixed.py": ["x"],
            "b.py": ["x", "y"],
            "b_fixed.py": [],
            "odd.py": ["x"],
        },
        "minigrad": {
            "a.py": ["fact graph-cut:3"],
            "a_fixed.py": ["fact graph-cut:4"],
            "b.py": [],
            "b_fixed.py": ["finding graph-cut:4"],
            "odd.py": [],
        },
    }
    assert torch_checkers.tabulate(CASES, said)[2:] == [
        "| gradcheck | 2 of 2 | 1 of 2 | 2 of 3 |",
        "| minigrad | 1 of 2 | 1 of 2 | 1 of 3 |",
    ]


def test_what_a_checker_raises_is_what_it_says(tmp_path):
    def wrong(path):
        raise ValueError(f"first line of {path.name}\nsecond")

    path = tmp_path / "program.py"
    assert torch_checkers.asked(wrong, path) == ["ValueError: first line of program.py"]
    assert torch_checkers.asked(lambda path: ["a", "b"], path) == ["a", "b"]


def test_anomaly_mode_gradcheck_and_the_x_ray_are_asked_as_they_are(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import torch\nmodel = torch.nn.Linear(2, 1)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "def make_loss():\n    out = model(torch.zeros(3, 2)) * 0\n\n    return torch.sqrt(out).sum()\n",
        encoding="utf-8",
    )
    (anomaly,) = torch_checkers.asked(torch_checkers.anomaly_mode, path)
    assert "returned nan values" in anomaly
    assert torch_checkers.asked(torch_checkers.gradcheck, path)[0].startswith("GradcheckError")
    assert any("non-finite:7" in row for row in torch_checkers.asked(torch_checkers.minigrad, path))
