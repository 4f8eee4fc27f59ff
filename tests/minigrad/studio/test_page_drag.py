"""A number that is dragged: everything that depends on it follows at once, and nobody is asked."""

from studio_page import RIGHT, SECOND

# Fifty moves without a pause, and what the page shows after each, before anything else can happen.
DRAG = """() => {
  const range = document.querySelector('.input input[type=range]');
  const asked = [];
  const kept = window.fetch;
  window.fetch = (path, how) => { asked.push(path); return kept(path, how); };
  const seen = [];
  range.focus();
  for (let step = 1; step <= 50; step++) {
    range.value = String(2 + step / 25);
    range.dispatchEvent(new Event('input', { bubbles: true }));
    seen.push([
      Number(document.querySelector('.input .field').value),
      document.querySelector('.input .grad').textContent,
      document.querySelector('#player svg [data-node="0"] [data-number="grad"]').textContent,
      document.querySelector('#player table.gradients td.grad').textContent,
    ]);
  }
  window.fetch = kept;
  return { seen, asked };
}"""


def shown(x: float) -> str:
    return f"{x:.6g}"


def test_every_number_follows_each_move_without_a_question(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    found = desk.page.evaluate(DRAG)
    assert found["asked"] == []
    for a, slider, node, table in found["seen"]:
        expected = shown(3 * (a - 4) + (3 * a + 4))  # L = (3a + 4) * (a - 4)
        assert (slider, node, table) == (expected, expected, expected)


def test_when_the_hand_rests_the_picture_is_drawn_anew_by_python(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.page.evaluate(DRAG)
    with desk.page.expect_request("**/api/explain") as asked:
        pass
    assert asked.value.post_data_json["inputs"] == {"a": 4}
    desk.until_gradients({"a": "16", "b": "0", "c": "-16"})


def test_the_sentence_and_the_sum_of_a_node_follow(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.page.locator("#player svg [data-node='0']").first.click()
    desk.page.evaluate(DRAG)  # now a = 4: 16 via f, and 0 via ab
    assert "16" in desk.page.inner_text("#player .side")


def test_drawings_that_are_laid_out_say_that_they_have_the_old_numbers(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.page.click("#tab-river")
    note = "document.querySelector('#player .pane-note')"
    found = desk.page.evaluate(f"() => {{ ({DRAG})(); return [{note}.hidden, {note}.textContent]; }}")
    assert found[0] is False
    assert "numbers from before" in found[1]
    desk.until("() => document.querySelector('#player .pane-note').hidden")


def test_a_broken_pass_is_asked_for_as_ever(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    asked = desk.page.evaluate(f"() => ({DRAG})().asked")
    assert "/api/break" in asked
