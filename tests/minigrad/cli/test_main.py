"""The command line: what a user types, what they see, and the exit code."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad import ENGINE
from minigrad.cli import main
from minigrad.cli.commands import COMMANDS
from minigrad.text.translation import LANGUAGES

DIAMOND = ["explain", "ab = a*b; e = ab + c; f = a - c; L = e*f", "a=2", "b=3", "c=4"]


def minigrad(*words, **options):
    command = [sys.executable, "-m", "minigrad", *words]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, **options)


def test_explain_prints_its_parts_in_reading_order(capsys):
    assert main(DIAMOND) == 0
    out = capsys.readouterr().out
    titles = ["Forward pass", "Backward order", "Backward pass", "sum over paths"]
    titles += ["What the gradients mean", "Thermometer", "Check"]
    places = [out.index(title) for title in titles]
    assert places == sorted(places)
    assert "L  = e * f  = 10 * (-2) = -20" in out
    assert "if a grows a little, L grows 4 times as much" in out
    assert "c moves L 3 times as much as a" in out
    assert "central differences agree on 3 of 3 gradients" in out


def test_spanish_says_the_same_with_the_same_numbers(capsys):
    main(DIAMOND)
    english = capsys.readouterr().out
    main([*DIAMOND, "--lang", "es"])
    spanish = capsys.readouterr().out
    assert "si a crece un poco, L crece 4 veces esa cantidad" in spanish
    assert "a: 4 = 10 vía f - 6 vía ab" in spanish
    words = ("the", "of", "grows", "path", "pass", "with")
    assert not any(f" {word} " in spanish for word in words)
    digits = [[c for c in text if c in "0123456789-"] for text in (english, spanish)]
    assert [d for d in digits[0] if d != "-"] == [d for d in digits[1] if d != "-"]


def test_without_arguments_it_explains_the_classic_example_and_says_what_to_try_next(capsys):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "a: 4 = 10 via f - 6 via ab" in out
    assert "Try next" in out


def test_what_it_says_to_try_next_works(capsys):
    import shlex

    main([])
    suggestions = capsys.readouterr().out.partition("Try next")[2].splitlines()
    commands = [line.strip() for line in suggestions if line.strip().startswith("minigrad ")]
    assert len(commands) >= 4
    for command in commands:
        words = shlex.split(command.split("   ")[0])[1:]
        wrong_numbers = words[0] == "diagnose"  # what it is asked about is a bug
        assert main(words) == (1 if wrong_numbers else 0), command


def test_view_picks_parts(capsys):
    assert main([*DIAMOND, "--view", "ledger,check"]) == 0
    out = capsys.readouterr().out
    assert "via f" in out
    assert "central differences" in out
    assert "Forward pass" not in out


@pytest.mark.parametrize("where", ["front", "back"])
def test_lang_may_stand_anywhere(where, capsys):
    words = ["--lang", "es", *DIAMOND] if where == "front" else [*DIAMOND, "--lang=es"]
    assert main(words) == 0
    assert "Comprobación" in capsys.readouterr().out


def test_an_expression_may_begin_with_a_minus(capsys):
    assert main(["explain", "-a*b", "a=2", "b=3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gradients"] == {"a": -3, "b": -2}
    assert main(["explain", "--", "--a", "a=2", "--json"]) == 2  # after -- come words only


def test_an_expression_may_come_from_standard_input():
    run = minigrad("explain", "-", "--json", input="a = 2\nb = 3  # two inputs\nL = a*b\n")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["gradients"] == {"a": 3, "b": 2}


@pytest.mark.parametrize(
    ("word", "number"), [("a=1/4", 0.25), ("a=-2", -2.0), ("a=1e-3", 1e-3), ("a = 3", 3.0), ("a=2**10", 1024)]
)
def test_an_input_may_be_an_expression_of_numbers(word, number, capsys):
    assert main(["explain", "b = a", word, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == number


def test_json_is_strict_json_even_for_infinity_and_nan(capsys):
    assert main(["explain", "exp(a) + log(b)", "a=1000", "b=-1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    nodes = {node["op"]: node for node in document["nodes"]}
    assert nodes["exp"]["data"] == "inf"
    assert nodes["log"]["data"] == "nan"


@pytest.mark.parametrize("ending", ["json", "md", "txt"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_out_writes_a_file_by_its_ending(ending, lang, tmp_path, capsys):
    path = tmp_path / f"report.{ending}"
    assert main([*DIAMOND, "--out", str(path), "--lang", lang]) == 0
    assert str(path) in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    if ending == "json":
        assert json.loads(text)["gradients"] == {"a": 4, "b": -4, "c": -12}
    else:
        assert "a: 4 = 10" in text
        assert text.startswith("# ") == (ending == "md")
    assert os.listdir(tmp_path) == [path.name]


def test_an_output_that_cannot_be_written_leaves_the_old_file(tmp_path, capsys, monkeypatch):
    path = tmp_path / "report.txt"
    path.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    assert main([*DIAMOND, "--out", str(path)]) == 2
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"]
    assert "report.txt" in capsys.readouterr().err


BAD = {
    "no expression": (["explain"], "a*b + c"),
    "no value": (["explain", "a*b", "a=1"], "b"),
    "a value nobody uses": (["explain", "a", "a=1", "zz=2"], "zz"),
    "a value twice": (["explain", "a", "a=1", "a=2"], "a"),
    "not a number": (["explain", "a", "a=two"], "two"),
    "not an input": (["explain", "a", "+", "b"], "'+'"),
    "not a name": (["explain", "a", "2x=3"], "2x"),
    "unknown command": (["explian", "a"], "explain"),
    "unknown option": (["explain", "a", "a=1", "--jsn"], "--json"),
    "option twice": (["explain", "a", "a=1", "--json", "--json"], "--json"),
    "option without its value": (["explain", "a", "a=1", "--view"], "--view"),
    "value for a switch": (["explain", "a", "a=1", "--json=yes"], "--json"),
    "unknown view": (["explain", "a", "a=1", "--view", "stream"], "ledger"),
    "a drawing without a file": (["explain", "a", "a=1", "--view", "river"], "river.svg"),
    "a text in a drawing": (["explain", "a", "a=1", "--view", "walk", "--out", "x.svg"], "thermometer"),
    "a theme for a text": (["explain", "a", "a=1", "--theme", "dark"], ".svg"),
    "unknown theme": (["explain", "a", "a=1", "--theme", "pink", "--out", "x.svg"], "dark"),
    "a second order for a drawing": (
        ["explain", "a*a", "a=1", "--against", "out", "--out", "x.svg"],
        ".html",
    ),
    "a second order of nothing": (["explain", "a*a", "a=1", "--against", "", "--out", "x.html"], "out"),
    "an order that skips": (["explain", "b = a*a; b*a", "a=1", "--order", "b,out"], "out"),
    "the ledger of nobody": (
        ["explain", "a*a", "a=1", "--view", "ledger", "--node", "z", "--out", "x.svg"],
        "z",
    ),
    "a node for another drawing": (["explain", "a", "a=1", "--node", "a", "--out", "x.svg"], "ledger"),
    "a group opened in a page": (["explain", "a", "a=1", "--open", "1", "--out", "x.html"], ".svg"),
    "a theme for a page": (["explain", "a", "a=1", "--theme", "dark", "--out", "x.html"], ".png"),
    "a group of a small graph": (["explain", "a*a", "a=1", "--open", "g1", "--out", "x.svg"], "g1"),
    "unknown language": (["explain", "a", "a=1", "--lang", "fr"], "es"),
    "unknown ending": (["explain", "a", "a=1", "--out", "x.pdf"], ".json"),
    "json to a text file": (["explain", "a", "a=1", "--json", "--out", "x.md"], "json"),
    "unwritable folder": (["explain", "a", "a=1", "--out", "/no/such/folder/x.md"], "/no/such/folder/x.md"),
    "caret": (["explain", "a^2", "a=1"], "**"),
    "import": (["explain", "__import__('os')"], "__import__"),
    "escape sequence": (["explain", "a + \x1b[31m", "a=1"], "\\x1b"),
    "escape sequence in a name": (["explain", "a*b", "a=1", "b=2", "--order", "\x1b[31m"], "\\x1b"),
    "open in a page": (["explain", "a", "a=1", "--open", "1", "--out", "x.html"], ".svg, .png"),
    "look-alike": (["explain", "\u0430 + 1", "a=1"], "\\u0430"),
}


@pytest.mark.parametrize(("words", "hint"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_bad_input_is_a_message_on_stderr_and_exit_code_2(words, hint, lang, capsys, monkeypatch):
    monkeypatch.setenv("MINIGRAD_LANG", lang)
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("minigrad: ")
    assert hint in err
    assert "Traceback" not in err
    assert "\x1b" not in err


def test_both_languages_complain_differently(capsys, monkeypatch):
    for words, _ in BAD.values():
        complaints = []
        for lang in LANGUAGES:
            monkeypatch.setenv("MINIGRAD_LANG", lang)
            main(words)
            complaints.append(capsys.readouterr().err)
        assert complaints[0] != complaints[1], words


def test_a_failed_check_is_exit_code_1(capsys, monkeypatch):
    """Plant a wrong rule in the table: the check must see it."""
    from types import MappingProxyType

    from minigrad import ops
    from minigrad.graph import graph

    wrong = ops.OPS["mul"]._replace(partials=lambda m, z, x, y: (y * 1.0005, x))
    monkeypatch.setattr(graph, "OPS", MappingProxyType({**ops.OPS, "mul": wrong}))
    assert main(DIAMOND) == 1
    out = capsys.readouterr().out
    assert "WRONG: for a" in out


def test_the_same_bytes_whatever_the_hash_seed():
    text = "; ".join(f"v{i} = a*b + exp(c/{i + 1})" for i in range(20))
    text += "; L = sum(" + ", ".join(f"v{i}" for i in range(20)) + ")"
    outputs = set()
    for seed in range(10):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        run = minigrad("explain", text, "a=1", "b=2", "c=3", "--json", env=environment)
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    assert len(outputs) == 1


def test_nine_to_the_nine_to_the_nine_is_infinite_and_noted(capsys):
    assert main(["explain", "9**9**9"]) == 0
    out = capsys.readouterr().out
    assert "= inf" in out
    assert "note: out is inf" in out


def test_a_hundred_thousand_parentheses_is_a_quick_limit_error():
    run = minigrad("explain", "-", input="(" * 100_000)
    assert run.returncode == 2
    assert "20,000" in run.stderr or "20000" in run.stderr


def test_a_million_digits_is_a_quick_limit_error():
    run = minigrad("explain", "-", input="9" * 1_000_000)
    assert run.returncode == 2
    assert "column 1" in run.stderr
    assert len(run.stderr) < 1000


def test_a_sum_of_thirty_thousand_terms_works():
    run = minigrad("explain", "-", "a=2", "--view", "meaning", input="+".join(["a"] * 30_000))
    assert run.returncode == 0, run.stderr
    assert "30000 times as much" in run.stdout


def test_a_reader_that_goes_away_is_not_an_error():
    command = f'"{sys.executable}" -m minigrad explain "a*b" a=1 b=2 --json | head -c 10'
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert "Traceback" not in run.stderr
    assert "Broken" not in run.stderr


def test_a_terminal_without_unicode_gets_ascii_drawings():
    run = subprocess.run(
        [sys.executable, "-m", "minigrad", *DIAMOND],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert run.returncode == 0
    assert b"\\u2501" not in run.stdout
    assert b"====|" in run.stdout


def test_colours_are_for_terminals_only():
    plain = minigrad(*DIAMOND).stdout
    assert "\x1b" not in plain
    master, slave = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment["TERM"] = "xterm"
    subprocess.run([sys.executable, "-m", "minigrad", *DIAMOND], stdout=slave, env=environment, check=True)
    os.close(slave)
    shown = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(master)
    assert b"\x1b[33m" in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_fits_a_screen(lang, capsys):
    for words in ([], *([command] for command in COMMANDS)):
        assert main([*words, "--help", "--lang", lang]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert 5 < len(lines) <= 24, words
        assert max(map(len, lines)) <= 80, words


def test_in_an_environment_that_is_not_active_the_welcome_says_how_to_find_the_command(monkeypatch, capsys):
    monkeypatch.setattr("minigrad.cli.commands.explain.which", lambda _: None)
    monkeypatch.setattr(sys, "prefix", str(Path.cwd() / ".elsewhere"))
    assert main([]) == 0
    assert capsys.readouterr().out.rstrip().endswith("source .elsewhere/bin/activate")
    monkeypatch.setattr("minigrad.cli.commands.explain.which", lambda _: "/usr/bin/minigrad")
    assert main([]) == 0
    assert "activate" not in capsys.readouterr().out


def test_version(capsys):
    assert main(["--version"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("minigrad 0.1")
    assert ("compiled engine" in said) == (ENGINE == "native")
    assert ("plain Python engine" in said) == (ENGINE == "plain")


# ---- streams and files as they are in the wild -----------------------------------------------


def shell(script):
    """A command line as a shell runs it, with Python's usual buffering; {mg} is the command."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    command = script.format(mg=f'"{sys.executable}" -m minigrad')
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, encoding="utf-8", env=environment, timeout=60
    )


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("{mg} --version | true; echo ${{PIPESTATUS[0]}}", 0),
        ('{mg} explain "a*2" a=1 | true; echo ${{PIPESTATUS[0]}}', 0),
        ('{mg} explain "a*2" a=1 >/dev/full; echo $?', 2),
        ('{mg} explain "a*" 2>/dev/full; echo $?', 2),
        ('{mg} explain "a*2" a=1 >&-; echo $? >&2', 0),
        ('{mg} explain "a*" 2>&-; echo $?', 2),
        ("{mg} explain - a=1 <&-; echo $?", 2),
    ],
)
def test_a_stream_that_fails_is_no_traceback(script, code):
    run = shell(script)
    said = run.stdout + run.stderr
    assert (run.stdout or run.stderr).split()[-1] == str(code), said
    assert "Traceback" not in said
    assert "Exception ignored" not in said


@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_picture_without_its_library_is_a_sentence_and_leaves_the_old_file(
    tmp_path, capsys, monkeypatch, lang
):
    monkeypatch.setitem(sys.modules, "resvg_py", None)  # as if it were not installed
    old = tmp_path / "x.png"
    old.write_bytes(b"old")
    assert main([*DIAMOND, "--out", str(old), "--lang", lang]) == 2
    said = capsys.readouterr()
    assert "minigrad-lab[png]" in said.err
    assert said.out == ""
    assert old.read_bytes() == b"old"


def test_out_follows_a_link_and_keeps_the_mode(tmp_path, capsys):
    target = tmp_path / "target.json"
    target.write_text("old")
    target.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    assert main([*DIAMOND, "--out", str(link)]) == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["output"] == "L"
    assert target.stat().st_mode & 0o777 == 0o600


def test_out_writes_into_a_pipe_rather_than_over_it(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        try:
            assert minigrad(*DIAMOND, "--out", str(pipe)).returncode == 0
            assert json.loads(reader.communicate(timeout=30)[0])["output"] == "L"
        finally:
            reader.kill()  # it waits for ever where nothing was written


def test_out_refuses_a_folder_and_a_nameless_path(tmp_path, capsys):
    folder = tmp_path / "folder.json"
    folder.mkdir()
    for path in (str(folder), "", "."):
        assert main([*DIAMOND, "--json", "--out", path]) == 2
        assert "Traceback" not in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["folder.json"]


def test_a_path_is_shown_without_what_a_terminal_would_act_on(tmp_path, capsys):
    assert main([*DIAMOND, "--out", str(tmp_path / "x\x1b[31m.txt")]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_dash_h_is_an_expression_after_a_command(capsys):
    assert main(["explain", "-h", "h=2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gradients"] == {"h": -1}


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["explian", "a"], "minigrad explain"),
        (["a*b", "a=2", "b=3"], "minigrad explain"),
        (["explain", "a*b", "a=1", "b", "=", "2"], "without spaces"),
        (["explain", "a=2", "b=3", "a*b"], "comes first"),
        (["explain", "a", "a=1,234"], "is not one"),
        (["explain", "a", "a=1", "--lang"], "--lang needs a value"),
        (["--lang", "en", "explain", "a", "a=1", "--lang", "es"], "twice"),
    ],
)
def test_what_people_mistype_is_told_what_to_type(words, hint, capsys):
    assert main(words) == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["a*1e308", "a=1"],
        ["m = a*1e308; n = -m; m+n+m+n+m+n+m+n+m+n+m+n", "a=1"],
        ["sum(a, a, b, -b)", "a=1.7e308", "b=inf"],
        ["a/b", "a=5e-324", "b=1e-300"],
        ["max(a, 0, 0, a)", "a=nan"],
    ],
)
def test_numbers_at_the_ends_of_the_range_are_explained(words, capsys):
    assert main(["explain", *words]) == 0
    assert main(["explain", *words, "--json"]) == 0


def test_a_count_of_paths_with_thousands_of_digits_is_shown_by_its_size(capsys):
    ten = ", ".join(["x{0}"] * 10)  # so 10^4516 paths, and a few of them are listed
    text = "x0 = a*1\n" + "\n".join(f"x{i + 1} = sum({ten.format(f'{i}')})*0.1" for i in range(4516))
    run = minigrad("explain", "-", "a=1", "--view", "ledger", input=text)
    assert run.returncode == 0, run.stderr
    assert "in 10^4515 more paths" in " ".join(run.stdout.split())
    assert minigrad("explain", "-", "a=1", "--json", input=text).returncode == 0
