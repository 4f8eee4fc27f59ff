"""What the child sends: names and paths that the parent would refuse are left out, and no others."""

from minigrad.doctor.inside.message_text import LONGEST_PATH, MOST_FILES, short_files


def test_paths_of_4096_characters_are_sent_and_longer_ones_are_not():
    assert LONGEST_PATH == 4096
    assert short_files(["a.py", "x" * 4096, "x" * 4097, "b.py"]) == ["a.py", "x" * 4096, "b.py"]


def test_of_many_files_the_first_thousand_are_sent():
    names = [f"{number}.py" for number in range(MOST_FILES + 1)]
    assert short_files(names) == names[:1000]
