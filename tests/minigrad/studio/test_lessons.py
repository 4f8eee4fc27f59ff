"""The course in the studio, without a browser: units as data, answers judged, and what is kept of them."""

import json
from contextlib import suppress

import pytest

from minigrad.learn import course
from minigrad.learn.inline_marks import plain as without_marks
from minigrad.learn.lesson import Code, Heading
from minigrad.learn.progress import Progress
from minigrad.learn.progress_file import PlaceError
from minigrad.learn.questions import KINDS, generate, question
from minigrad.studio import lessons
from minigrad.studio.answers import answer
from minigrad.studio.learner_progress import LearnerProgress
from minigrad.studio.messages import lessons as studio_lessons
from minigrad.studio.requests import LEARNED, OWN, ArriveRequest, RequestError, read_request
from minigrad.studio.static_files import LESSONS, SHARED, static_files
from minigrad.text.translation import LANGUAGES, catalogue, speaking
from question_oracles import Silent
from studio_requests import ODD
from studio_server import studio

SEED = 17


def ask(api, **fields):
    """The answer to a question that is one, as it would travel."""
    status, found = answer(api, {"language": "en", **fields})
    assert status == 200, found
    return json.loads(json.dumps(found, allow_nan=False))


def unit(slug, language="en"):
    return ask("unit", unit=slug, seed=SEED, language=language)["unit"]


def plain(runs):
    return "".join(run["text"] for run in runs)


def asked_in(shown):
    return [each for block in shown["blocks"] for each in block.get("questions", ())]


# ---- a unit as data -----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", course.SLUGS)
def test_every_block_of_a_unit_is_there_in_both_languages(slug):
    english, spanish = (unit(slug, language) for language in LANGUAGES)
    for language, shown in zip(LANGUAGES, (english, spanish), strict=True):
        whole = course.unit(slug, language, seed=SEED)
        assert plain(shown["title"]) == whole.title.replace("`", "")
        assert len(shown["blocks"]) == len(whole.blocks), "the terminal counts places by these"
    kinds = [[block["kind"] for block in shown["blocks"]] for shown in (english, spanish)]
    assert kinds[0] == kinds[1]
    assert {"stage", "picture", "lab", "checkpoint"} <= set(kinds[0])
    assert [each["key"] for each in asked_in(english)] == [each["key"] for each in asked_in(spanish)]


def test_what_comes_of_a_lab_is_named_so_that_the_page_can_hide_it_until_then():
    shown = unit("diamonds")
    (lab,) = [place for place, block in enumerate(shown["blocks"]) if block["kind"] == "lab"]
    kinds = [block["kind"] for block in shown["blocks"][lab + 1 : lab + 4]]
    assert kinds == ["paragraph", "paragraph", "heading"], "the outcome, and what is about something else"
    assert shown["aftermath"] == [lab + 1, lab + 2]


def test_a_heading_and_a_program_are_told_with_all_that_they_say():
    plain_run, code_run = {"kind": "text", "text": "The rule of "}, {"kind": "code", "text": "tanh"}
    heading = lessons._encode(Heading("The rule of `tanh`", 3))
    assert heading == {"kind": "heading", "text": [plain_run, code_run], "level": 3}
    program = lessons._encode(Code("python", "print(2*3)", "6"))
    assert program == {"kind": "code", "language": "python", "text": "print(2*3)", "output": "6"}


def test_a_mark_holds_the_marks_inside_it():
    inside = [{"kind": "text", "text": "b "}, {"kind": "code", "text": "c"}]
    assert lessons._runs("a **b `c`**") == [
        {"kind": "text", "text": "a "},
        {"kind": "strong", "text": "b c", "inside": inside},
    ]


def test_a_graph_that_is_asked_about_is_sketched_and_not_played():
    stages = [block for block in unit("data-and-grad")["blocks"] if block["kind"] == "stage"]
    assert [bool(stage["sketch"]) for stage in stages] == [False, True]
    first, *_ = asked_in(unit("data-and-grad"))
    assert first["sketch"] == "", "it stands above already"
    assert ask("question", key=first["key"])["question"][0]["sketch"], "by itself, it is drawn"


def texts(shown):
    """All the words of something that the page is given, without spaces; the kinds of marks are none."""
    if isinstance(shown, dict):
        kept = {name: each for name, each in shown.items() if name not in ("kind", "inside", "address")}
        return "".join(map(texts, kept.values()))
    return "".join(map(texts, shown)) if isinstance(shown, list) else "".join(str(shown).split())


def told_too_early(shown):
    """Questions whose reason stands in what the page is given."""
    said, early = texts(shown), []
    for each in asked_in(shown):
        with speaking(shown["language"]):
            reasons = [without_marks(sentence) for sentence in question(each["key"]).reveal()]
        for reason in reasons:
            if len(reason) > 40 and "".join(reason.split()) in said:
                early.append(each["key"])
        early += [each["key"] for name in ("solution", "reveal", "right", "anticipated") if name in each]
    return early


@pytest.mark.parametrize("slug", course.SLUGS)
def test_no_solution_is_given_with_a_unit(slug):
    assert told_too_early(unit(slug)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_shown_without_asking_for_its_answer(kind):
    asked = generate(kind, 2, SEED)
    assert lessons._prompt(Silent(asked)) == lessons._prompt(asked)


def test_a_planted_solution_is_seen():
    shown = unit("diamonds")
    first = asked_in(shown)[0]
    assert told_too_early(shown) == []
    first["hint"] = ask("reveal", key=first["key"])["words"][0]
    assert first["key"] in told_too_early(shown)


def test_each_learner_has_other_numbers():
    keys = {
        tuple(each["key"] for each in asked_in(ask("unit", unit="diamonds", seed=seed)["unit"]))
        for seed in (1, 2)
    }
    assert len(keys) == 2
    assert len({key[:3] for key in keys}) == 1, "those that a lesson writes are the same"


@pytest.mark.parametrize("slug", course.SLUGS)
def test_the_right_pass_beside_a_broken_one_is_right_in_every_lab(slug):
    for block in unit(slug)["blocks"]:
        if block["kind"] != "lab":
            continue
        found = ask("break", text=block["text"], fault=block["fault"], variant=block["variant"])
        right = {row["name"]: row["grad"] for row in found["document"]["traces"][0]["trace"]["nodes"]}
        assert {name: right[name] for name in block["inputs"]} == found["expected"], block["fault"]
        assert found["shows"], "there is something to predict"


# ---- answers ------------------------------------------------------------------------------------


def test_a_right_answer_and_a_wrong_one_with_its_diagnosis_in_both_languages():
    key = "diamonds/what-is-right"  # c = a*b; d = a + b; e = c + d at a=2, b=-3
    right = ask("judge", key=key, answer={"a": "-2", "b": "3"}, seed=SEED)
    assert (right["right"], right["read"]) == (True, True)
    wrong = ask("judge", key=key, answer={"a": "-3", "b": "2"}, seed=SEED)  # e, d, c with = for +=
    assert (wrong["right"], wrong["read"], wrong["fault"]) == (False, True, "overwrite")
    english, spanish = (" ".join(map(plain, words)) for words in wrong["words"])
    assert english != spanish
    assert key in wrong["among"]
    odd = ask("judge", key=key, answer={"a": "two", "b": "3"}, seed=SEED)
    assert (odd["right"], odd["read"]) == (False, False)


def test_what_is_revealed_is_the_answer():
    english, spanish = ask("reveal", key="diamonds/what-is-right", seed=SEED)["words"]
    for words in (english, spanish):
        text = " ".join(map(plain, words))
        assert "-2" in text
        assert "3" in text


HOSTILE_KEYS = ["", "x", "../../etc/passwd", "diamonds/../order", "diamonds/", "/etc/passwd", "gradient:1"]
HOSTILE_KEYS += ["gradient:99:1", "gradient:1:" + "9" * 300, "gradient:1:../x", "diamonds/lost-branch\x00"]
HOSTILE_KEYS += ["\ud800", "a" * 400]


@pytest.mark.parametrize("api", ["question", "judge", "reveal"])
def test_a_key_that_is_none_is_refused_with_a_sentence(api):
    for key in HOSTILE_KEYS:
        fields = {"key": key, "answer": {"a": "1"}} if api == "judge" else {"key": key}
        status, found = answer(api, fields, "en")
        assert status == 200
        assert found["ok"] or found["error"]["code"] == "refused", (api, key, found)
        assert found["ok"] is False or ":" in key
        json.dumps(found, allow_nan=False)


def test_a_unit_that_is_none_is_refused_with_a_sentence():
    for slug in ("", "nine", "9", "../break", "/etc/passwd", "en/04-diamonds", "\x00"):
        found = ask("unit", unit=slug)
        assert found["error"]["code"] == "refused"
        assert "data-and-grad" in found["error"]["message"], "what there is, is said"


@pytest.mark.parametrize("api", [*LEARNED, *OWN, "question"])
def test_fields_of_any_kind_are_answered_or_refused(api):
    good = {
        "unit": {"unit": "data-and-grad", "seed": SEED},
        "judge": {"key": "gradient:1:5", "answer": {"a": "1", "b": "2"}},
        "reveal": {"key": "gradient:1:5"},
        "question": {"key": "gradient:1:5"},
    }.get(api, {})
    for name in ("unit", "key", "answer", "block", "seed", "review", "due", "text", "page", "language"):
        for odd in ODD:
            if api in OWN:  # what the server answers itself has no worker to refuse it
                with suppress(RequestError):
                    read_request(api, {name: odd})
                continue
            status, found = answer(api, {**good, name: odd}, "en")
            assert status in (200, 400), (api, name, odd)
            json.dumps(found, allow_nan=False)


def test_a_repetition_of_something_too_long_to_be_kept_is_refused():
    asked = {"key": "gradient:1:5", "answer": {"a": "1", "b": "2"}, "seed": SEED}
    assert answer("judge", {**asked, "review": "x" * 300})[0] == 200
    assert answer("judge", {**asked, "review": "x" * 301})[0] == 400


def test_an_answer_that_is_too_much_is_no_answer():
    for odd in (
        {"a": "1" * 4001},
        {str(n): "1" for n in range(61)},
        {"a" * 401: "1"},
        {"a": 1},
        {"a": None},
        ["a"],
        "a",
    ):
        assert answer("judge", {"key": "gradient:1:5", "answer": odd})[0] == 400
    for odd in (
        {"a": "1" * 4000},
        {"choice": "a"},
        {},
        {"\x00": "\ud800"},
        {"a": "(" * 3999},
        {"a": "2**" * 1300 + "2"},
    ):
        found = ask("judge", key="gradient:1:5", answer=odd, seed=SEED)
        assert found["read"] is False


# ---- what is kept -------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    return tmp_path / "progress.json"


def told(learner, api, page="one", **fields):
    """What the server does around a worker, in one process."""
    known = learner.prepared(api, {"page": page, **fields})
    status, found = answer(api, known, "en")
    assert status == 200
    assert found["ok"], found
    return found | learner.learned(read_request(api, known), found)


KEY = "diamonds/what-is-right"
WRONG, RIGHT = {"a": "-3", "b": "2"}, {"a": "-2", "b": "3"}


def test_an_answer_is_kept_once_and_the_terminal_sees_it(file):
    learner = LearnerProgress(file)
    told(learner, "judge", key=KEY, answer=WRONG)
    told(learner, "judge", key=KEY, answer=WRONG)  # the request was sent again
    found = told(learner, "judge", key=KEY, answer=RIGHT)
    tries = Progress.open(file).tries(KEY)
    assert [(each.answer, each.right, each.fault) for each in tries] == [
        (WRONG, False, "overwrite"),
        (RIGHT, True, ""),
    ]
    assert found["progress"]["settled"] == [KEY]
    assert found["progress"]["states"]["diamonds"] == "begun"


def test_what_cannot_be_read_is_no_try(file):
    told(LearnerProgress(file), "judge", key=KEY, answer={"a": "", "b": "?"})
    assert Progress.open(file).tries(KEY) == []


def test_an_answer_that_was_shown_first_counts_as_wrong_and_one_that_was_found_does_not(file):
    learner = LearnerProgress(file)
    told(learner, "judge", key=KEY, answer=RIGHT)
    told(learner, "reveal", key=KEY)
    told(learner, "reveal", key="diamonds/lost-branch")
    rows = [(each.question, each.right, each.revealed) for each in Progress.open(file).answers]
    assert rows == [(KEY, True, False), ("diamonds/lost-branch", False, True)]


def test_a_unit_is_done_when_all_of_its_questions_are_settled(file):
    learner = LearnerProgress(file)
    shown = told(learner, "unit", unit="diamonds")
    keys = [each["key"] for each in asked_in(shown["unit"])]
    for key in keys:
        assert Progress.open(file).state("diamonds") == "begun"
        found = told(learner, "judge", key=key, answer=dict(question(key).solution))
        assert found["right"], key
    assert found["progress"]["states"]["diamonds"] == "done"
    again = told(learner, "unit", unit="diamonds")
    assert again["tried"][KEY] == {"answer": dict(question(KEY).solution), "right": True}


def test_what_could_not_be_written_is_held_and_written_later(tmp_path):
    folder = tmp_path / "folder"
    folder.write_text("in the way")
    learner = LearnerProgress(folder / "progress.json")
    found = told(learner, "judge", key=KEY, answer=RIGHT)
    assert found["progress"]["kept"] is False
    assert found["progress"]["notices"], "it is said"
    assert found["progress"]["settled"] == [KEY], "and not forgotten"
    folder.unlink()
    assert told(learner, "judge", page="two", key=KEY, answer=WRONG)["progress"]["kept"]
    assert [each.right for each in Progress.open(folder / "progress.json").tries(KEY)] == [True, False]


def test_only_a_place_where_no_file_can_be_is_trouble_with_the_place(tmp_path):
    with pytest.raises(PlaceError):
        LearnerProgress(tmp_path).contents()
    with pytest.raises(ValueError, match="nowhere") as caught:
        Progress.open(tmp_path / "progress.json").reveal("nowhere/nothing")
    assert not isinstance(caught.value, PlaceError)


def test_a_damaged_file_is_set_aside_and_the_page_is_told_once(file):
    file.write_text("{ this was a progress file")
    learner = LearnerProgress(file)
    first, second = (learner.contents()["progress"]["notices"] for _ in range(2))
    assert any("progress.json" in notice for notice in first)
    assert second == []
    file.write_text("[]")  # and again, while the page is open
    assert told(learner, "judge", key=KEY, answer=RIGHT)["progress"]["notices"]
    assert len(list(file.parent.glob("progress*"))) >= 3, "nothing is thrown away"


def test_what_went_wrong_comes_back_with_other_numbers(file, monkeypatch):
    learner = LearnerProgress(file)
    told(learner, "judge", key="gradient:1:5", answer={"a": "77", "b": "77"})
    assert told(learner, "review")["due"] == [], "not on the same day"
    text = json.loads(file.read_text())
    for row in text["answers"]:
        row["on"] = "2020-01-01T12:00:00+00:00"
    file.write_text(json.dumps(text))
    (due,) = told(learner, "review")["due"]
    assert due["item"] == "gradient"
    key = due["question"][0]["key"]
    assert key.startswith("gradient:1:")
    assert key != "gradient:1:5"
    found = told(learner, "judge", key=key, answer=dict(question(key).solution), review=due["item"])
    assert found["right"]
    assert found["progress"]["due"] == 0


def test_the_largest_seed_of_a_file_is_no_obstacle_to_repetition(file):
    row = {"question": "gradient:1:3", "kind": "gradient", "on": "2026-01-01T00:00:00+00:00", "right": False}
    text = {"schema": "minigrad.progress/1", "seed": 2**53 - 1, "units": {}, "answers": [row]}
    file.write_text(json.dumps(text))
    assert len(told(LearnerProgress(file), "review")["due"]) == 1


def test_a_place_is_kept_and_one_that_is_none_is_not(file):
    learner = LearnerProgress(file)
    found = learner.arrive(ArriveRequest(unit="order", block=7))
    assert (found["progress"]["current"], found["progress"]["places"]["order"]) == ("order", 7)
    learner.arrive(ArriveRequest(unit="../order", block=7))
    assert Progress.open(file).current == "order"


# ---- the page and the server --------------------------------------------------------------------


def test_the_second_page_loads_its_scripts_and_not_those_of_the_first():
    first, second = (static_files()[address].body.decode() for address in ("/", "/learn"))
    for name in (*SHARED, *LESSONS):
        assert f'"/static/{name}"' in second
    assert not [name for name in LESSONS if f'"/static/{name}"' in first]
    assert '"/static/studio.js"' not in second
    assert second.rindex("lessons.js") > max(
        second.rindex(name) for name in (*SHARED, *LESSONS[:-1], "player.js")
    )


def test_both_languages_of_the_page_fill_in_the_same_fields():
    from string import Formatter

    for key in studio_lessons.ROWS:
        english, spanish = ({field for _, field, *_ in Formatter().parse(text)} for text in catalogue()[key])
        assert english == spanish, key


def test_the_command_opens_the_course_and_answers_are_on_the_disk_before_the_page_has_them(file):
    with studio("--learn", "dia", "--progress", str(file), MINIGRAD_LANG="es") as running:
        assert running.link.endswith("#es/diamonds")
        status, headers, _ = running.get("/learn?token=wrong", Authorization="")
        assert status == 403
        status, headers, _ = running.get(
            running.link.split(str(running.port))[1].partition("#")[0], Authorization=""
        )
        assert (status, headers["location"]) == (303, "/learn")
        assert running.get("/learn")[0] == 200
        assert running.get("/learn", Authorization="")[0] == 403
        contents = running.question("lessons")
        assert [row["slug"] for row in contents["units"]] == list(course.SLUGS)
        found = running.question("judge", key=KEY, answer=WRONG, language="es", page="p", serial=1)
        assert found["fault"] == "overwrite"
        assert [each.right for each in Progress.open(file).tries(KEY)] == [False]
        assert running.question("arrive", unit="order", block=3)["progress"]["places"]["order"] == 3
        status, _, body = running.ask("POST", "/api/arrive", b'{"unit": 3}', Content_Type="application/json")
        assert (status, json.loads(body)["error"]["code"]) == (400, "request")


@pytest.mark.parametrize("words", [["--learn", "nine"], ["--learn", "1", "2"], ["--progress", "."]])
def test_a_wish_that_cannot_be_is_told_before_anything_starts(words, capsys, monkeypatch, tmp_path):
    from minigrad.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    assert main(["studio", "--no-browser", *words]) == 2
    assert capsys.readouterr().err.strip()
