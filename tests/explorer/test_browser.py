"""The page in a real browser, as people use it."""

import csv
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

LOCAL = re.compile("http://127.0.0.1:|data:|blob:")


@pytest.fixture
def page(browser, address):
    """A new page whose every error, and every question to another machine, fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, base_url=address, accept_downloads=True
    )
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda m: problems.append(m.text) if "Security Policy" in m.text else None)
    page.on("dialog", lambda dialog: problems.append(f"dialog {dialog.message}"))
    page.on(
        "request",
        lambda request: None if LOCAL.match(request.url) else problems.append(request.url),
    )
    page.set_default_timeout(30_000)
    yield page
    context.close()
    assert problems == []


@contextmanager
def held_back(page, address):
    """The first question to an address is answered only at the end of the block."""
    held = []
    page.route(address, lambda route: held.append(route), times=1)
    yield
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()


def drawn(page, panel):
    """Return where the marks of a panel of the map are."""
    marks = page.locator(".plot").nth(panel).locator(".points path")
    return marks.evaluate_all("all => all.map(mark => mark.getAttribute('transform'))")


def test_search_and_open_a_word(page, senses, exploration):
    page.goto("")
    page.get_by_role("combobox", name="Search a word").fill("ban")
    page.get_by_role("option", name="bank").click()
    expect(page).to_have_url(re.compile("#/word/bank$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("bank")
    n = len(senses["bank"])
    cards = page.locator(".card")
    expect(cards).to_have_count(n)
    near = senses.neighbors("bank", 0, 10)["neighbor"]
    expect(cards.first.locator(".neighbors li")).to_have_count(len(near))
    expect(cards.first).to_contain_text(near[0])
    expect(cards.first.locator("h2")).to_contain_text(", ".join(exploration.names.of("bank")[0]))
    expect(page.locator(".verdict")).to_contain_text("meaning")
    pairs = page.get_by_role("table", name="Pairs of senses")
    expect(pairs.locator("tbody tr")).to_have_count(n * (n - 1) // 2)
    expect(pairs.locator(".shared").first).to_have_text(re.compile(r"share \w+ of 50 neighbors"))
    before = cards.first.locator(".neighbors").inner_text()
    page.get_by_text("cleaned at rank 3").click()
    expect(page).to_have_url(re.compile(r"rank=3"))
    expect(cards.first.locator(".neighbors")).not_to_have_text(before)


def test_sense_of_a_sentence(page):
    page.goto("#/word/bank")
    box = page.get_by_role("textbox", name="Which sense in a sentence?")
    sentence = page.get_by_role("list", name="Typical sentences").get_by_role("button").first
    text = sentence.inner_text()
    sentence.click()
    expect(box).to_have_value(text)
    expect(page.locator(".card.chosen").get_by_role("button", name=text)).to_be_visible()
    box.fill("The bank lent money.")
    expect(page.locator(".choices .best")).to_contain_text("%")
    expect(page.locator(".window .read.context").filter(has_text="money")).to_be_visible()
    expect(page.get_by_text("Underlined words decided")).to_be_visible()
    expect(page).to_have_url(re.compile("text=The"))
    box.fill("xyzzy")
    expect(page.get_by_text("No other word of this sentence")).to_be_visible()


def test_terms_are_explained_by_a_click(page):
    page.goto("#/word/bank")
    note = page.get_by_text("The probability that the two senses are different meanings")
    expect(note).to_be_hidden()
    page.get_by_role("button", name="two meanings").click()
    expect(note).to_be_visible()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()


def test_slider_moves_the_map_and_a_click_opens_the_word(page):
    page.goto("#/map/bank?rank=1&add=xyzzy&add=tiger")
    expect(page.get_by_text("Cleaned at rank 1")).to_be_visible()
    expect(page.get_by_text("Not in the vocabulary, and not shown: xyzzy")).to_be_visible()
    expect(page.locator("section.points").get_by_role("heading", name="Added")).to_be_visible()
    page.get_by_role("slider").fill("2")
    expect(page.get_by_text("Cleaned at rank 2")).to_be_visible()
    left, right = drawn(page, 0), drawn(page, 1)
    page.get_by_role("slider").fill("1")
    expect(page.get_by_text("Cleaned at rank 1")).to_be_visible()
    assert drawn(page, 0) == left
    assert drawn(page, 1) != right
    expect(page).to_have_url(re.compile("rank=1"))
    add = page.get_by_role("combobox", name="Add a word")
    add.fill("money")
    add.press("Enter")
    expect(page.get_by_role("button", name="Remove money from the map")).to_be_visible()
    page.locator(".plot").first.locator(".points .sense").last.click()
    expect(page).to_have_url(re.compile("#/word/bank"))


def test_inventory_filters_sorts_and_turns_pages(page, exploration):
    page.goto("#/inventory?page=9999")
    status = page.get_by_role("navigation", name="Pages").get_by_role("status")
    expect(status).to_contain_text(f"to {exploration.n_pairs:,} of")
    page.goto("#/inventory")
    expect(status).to_have_text(f"1 to 50 of {exploration.n_pairs:,} pairs")
    page.get_by_role("button", name="Next").click()
    expect(status).to_contain_text("51 to 100 of")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.get_by_role("button", name="word").click()
    head = page.get_by_role("columnheader", name="word")
    expect(head).to_have_attribute("aria-sort", "ascending")
    pair = exploration.inventory.result().of_word("bank").iloc[0]
    page.get_by_label("Verdict", exact=True).select_option(pair["verdict"])
    page.get_by_label("Show words that contain").fill("bank")
    rows = page.locator("tbody tr")
    for wanted in ("bank", pair["verdict"]):
        expect(rows.filter(has_not_text=wanted)).to_have_count(0)
    expect(rows).not_to_have_count(0)
    page.get_by_label("Show words that contain").fill("no such word")
    expect(page.get_by_text("No pair fits.")).to_be_visible()
    page.get_by_role("link", name="Show all pairs").click()
    expect(status).to_contain_text("1 to 50")


def test_inventory_export_and_histogram(page, exploration, tmp_path):
    verdicts = exploration.inventory.result().pairs["verdict"].value_counts()
    most = verdicts.idxmax()
    page.goto(f"#/inventory?word=a&verdict={most}")
    picture = page.get_by_role("img", name="All pairs by shared neighbors")
    expect(picture.locator("rect").first).to_be_visible()
    expect(picture).to_have_attribute("aria-label", re.compile(f"{verdicts[most]:,} {most}"))
    page.get_by_text("probability", exact=True).first.click()
    expect(page.get_by_role("img", name="All pairs by probability")).to_be_visible()
    total = page.get_by_role("navigation", name="Pages").get_by_role("status").inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as CSV").click()
    path = tmp_path / "pairs.csv"
    download.value.save_as(path)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert total.endswith(f"of {len(rows):,} pairs")
    assert {row["verdict"] for row in rows} == {most}


def test_first_screen_shows_a_worked_word(page):
    page.goto("")
    worked = page.get_by_label("An example")
    expect(worked.locator(".verdict")).to_contain_text("meaning")
    said = re.compile("Same meaning as|A meaning of its own|Undecided: same meaning as")
    expect(worked.locator(".card .kin").first).to_have_text(said)
    for row in ("Two meanings", "One meaning, split", "Undecided: you judge"):
        expect(page.get_by_role("heading", name=row)).to_be_visible()


def test_verdict_given_on_the_page_changes_what_merge_writes(
    browser, start, vectors_file, tmp_path
):
    verdicts = tmp_path / "verdicts.csv"
    _, own = start(vectors_file, "--verdicts", verdicts)
    page = browser.new_page()
    page.goto(f"{own}#/word/bank")
    group = page.get_by_role("group", name="Your verdict on 0 and 1")
    other = {"real": "pseudo", "pseudo": "real", "undecided": "pseudo"}
    verdict = other[page.locator("td .chip").first.inner_text()]
    group.get_by_role("button", name=verdict).click()
    expect(group.get_by_role("button", name=verdict)).to_have_attribute("aria-pressed", "true")
    expect(group.get_by_role("button", name=verdict)).to_be_focused()
    expect(page.locator(".verdict")).to_contain_text("By your verdict")
    page.close()
    program = Path(sys.executable).with_name("exrpca")
    mappings = []
    for options in ([], ["--verdicts", verdicts]):
        mapping = tmp_path / "map.csv"
        command = [program, "merge", vectors_file, "-o", tmp_path / "m.parquet", "--map", mapping]
        subprocess.run([*command, *options], check=True, capture_output=True)
        mappings.append(pd.read_csv(mapping, keep_default_na=False))
    changed = mappings[0][(mappings[0] != mappings[1]).any(axis=1)]
    assert set(changed["word"]) == {"bank"}


@pytest.fixture
def undecided(exploration):
    """The pairs of "bank" are undecided, and nobody has judged them yet."""
    inventory = exploration.inventory.result()
    was = inventory.pairs["verdict"].copy()
    inventory.pairs.loc[inventory.pairs["word"] == "bank", "verdict"] = "undecided"
    inventory.select.cache_clear()
    yield
    exploration.judgments._given = {}
    inventory.pairs["verdict"] = was
    inventory.select.cache_clear()


def to_judge(n):
    return "1 pair to judge" if n == 1 else f"{n} pairs to judge"


@pytest.mark.usefixtures("undecided")
def test_undecided_pairs_are_judged_by_key(page, exploration):
    page.goto("#/judge")
    expect(page.get_by_label("The pair to judge").locator(".card")).to_have_count(2)
    n = len(exploration.judgments.queue(exploration.inventory.result()))
    asked = page.get_by_label("The pair to judge")
    page.keyboard.press("n")
    expect(asked).not_to_have_attribute("inert", "")
    with held_back(page, "**/verdicts/given"):
        page.keyboard.press("r")
        page.keyboard.press("p")  # too early: it must not judge the old pair
    expect(page.get_by_text(f"{to_judge(n - 1)}, 1 judged so far.")).to_be_visible()
    expect(asked).not_to_have_attribute("inert", "")
    assert list(exploration.judgments._given.values()) == ["real"]
    page.keyboard.press("p")
    expect(page.get_by_text(f"{to_judge(n - 2)}, 2 judged so far.")).to_be_visible()
    expect(page.get_by_text("start it with --verdicts FILE")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Which sense became which").click()
    assert download.value.suggested_filename == "map.csv"


def test_back_returns_to_where_it_was_left(page):
    page.goto("#/inventory")
    expect(page.locator(".histogram")).to_be_visible()
    expect(page.locator(".both .name").first).to_be_visible()
    row = page.locator("tbody tr a").nth(20)
    row.evaluate("(row) => { scrollTo(0, 1500); row.click(); }")  # at once after scrolling
    expect(page.locator(".card").first).to_be_visible()
    # what arrives late, above the rows, does not move them away
    with held_back(page, "**/inventory/histogram*"):
        page.go_back()
        page.wait_for_function("() => scrollY === 1500")
    expect(page.locator(".histogram")).to_be_visible()
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    assert page.evaluate("scrollY") == 1500


def test_directions_lead_to_words_and_scores_have_intervals(page):
    page.goto("#/directions")
    expect(page.get_by_role("article")).to_have_count(3)
    expect(page.get_by_role("article").first.locator(".both .name").first).to_be_visible()
    link = page.get_by_role("article").first.locator("tbody a").first
    word = link.inner_text()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(word)
    page.goto("#/scores")
    gain = page.get_by_role("row", name="cleaned, rank 3").locator("small").first
    expect(gain).to_have_text(re.compile(r"^[+\u2212]?[\d.]+ \(.+ to .+\)$"))
    expect(page.locator(".chart .line")).to_have_count(3)


def test_finger_is_told_the_name_before_the_word_opens(browser, address):
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, base_url=address, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("#/map/bank?rank=1")
    page.locator(".plot").first.locator(".points .sense").last.tap()
    expect(page.locator(".touched")).to_contain_text("sense")
    page.locator(".touched").get_by_role("link", name="open").tap()
    expect(page).to_have_url(re.compile("#/word/"))
    context.close()


def test_map_of_all_senses(page, exploration):
    page.goto("#/everything")
    expect(page.locator(".cloud canvas")).to_be_visible()
    expect(page.locator(".labels span").first).to_be_visible()
    field = page.get_by_role("combobox", name="Go to a word")
    field.fill("Bank")
    field.press("Enter")
    expect(page.locator(".touched")).to_contain_text("bank")
    expect(page).to_have_url(re.compile("word=Bank|word=bank"))
    expect(page.locator(".touched .badge .name")).to_contain_text(
        ", ".join(exploration.names.of("bank")[0])
    )
    page.get_by_role("slider", name="as trained").fill("100")
    page.get_by_role("button", name="Draw around senses").click()
    box = page.locator(".everything").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    for x, y in ((0.98, 0.02), (0.98, 0.98), (0.02, 0.98)):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("#/inventory[?].*area=.*cleaned=true"))
    expect(page.get_by_text("Only what you drew around on the map.")).to_be_visible()
    expect(page.locator("tbody tr").first).to_be_visible()
    page.get_by_role("link", name="Show all pairs").click()
    expect(page.get_by_text("Only what you drew around on the map.")).to_be_hidden()


def test_sentences_are_moved_named_joined_and_taken_back(page, exploration):
    page.goto("#/sentences")
    page.locator("main").get_by_role("link", name="bank").click()
    senses = [page.get_by_role("region", name=f"Sense {i}") for i in range(4)]
    for sense in senses[:3]:
        expect(sense.get_by_role("checkbox")).to_have_count(4)
    senses[0].get_by_role("checkbox").first.check()
    senses[0].get_by_role("checkbox").nth(1).check()
    page.keyboard.press("n")
    expect(senses[3].get_by_role("checkbox")).to_have_count(2)
    expect(page.get_by_text("1 correction, lost when the program stops")).to_be_visible()
    box = page.get_by_label("Name of sense 3")
    box.fill("nut")  # a letter in a box is no key
    box.press("Enter")
    moving = page.get_by_role("group", name="Move the chosen sentences")
    expect(moving.get_by_role("button", name="nut")).to_be_disabled()
    senses[2].get_by_role("checkbox").first.check()
    page.keyboard.press("x")
    expect(page.get_by_role("region", name="Noise").get_by_role("checkbox")).to_have_count(1)
    page.get_by_label("Join sense 0 with").select_option(label="nut")
    expect(senses[3].get_by_role("checkbox")).to_have_count(4)
    for left in range(3, -1, -1):
        moving.get_by_role("button", name="Undo").click()
        told = f"{left} correction" if left else "Nothing is corrected yet."
        expect(page.get_by_text(told)).to_be_visible()
    expect(senses[0].get_by_role("checkbox")).to_have_count(4)
    assert exploration.corrections.steps == 0
    assert page.locator("main b").count() == 0  # words are text


# each view, and what it shows last
VIEWS = {
    "": ".worked .card",
    "word/bank": "tbody tr",
    "map/bank": ".plot .points path",
    "everything": ".labels span",
    "sentences/bank": ".sentences li",
    "judge": ".judge .card",
    "directions": ".both .name",
    "inventory": ".both .name",
    "scores": ".chart .line",
}
EDGES = """() => {
  const light = (text) => {
    const parts = text.match(/[0-9.]+/g).slice(0, 3).map((each) => each / 255);
    const linear = parts.map((x) => (x <= 0.04 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const page = light(getComputedStyle(document.body).backgroundColor);
  const controls = document.querySelectorAll("main input[type=search], select, .button");
  return [...controls].map((e) => {
    const edge = light(getComputedStyle(e).borderTopColor);
    return (Math.max(edge, page) + 0.05) / (Math.min(edge, page) + 0.05);
  });
}"""


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
@pytest.mark.usefixtures("undecided")
def test_accessible_without_serious_findings(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for view, last in VIEWS.items():
        page.goto(f"#/{view}")
        expect(page.locator(last).first).to_be_attached()
        found = Axe().run(page).response["violations"]
        serious = [each["id"] for each in found if each["impact"] in ("serious", "critical")]
        assert serious == [], view
        assert page.evaluate("document.documentElement.scrollWidth") == width, view
        # the edges of controls can be seen
        assert min(page.evaluate(EDGES), default=3) >= 3, view


@pytest.mark.parametrize(
    ("bookmark", "heading"),
    [
        ("#/map/bank?rank=2&add=tiger", "Map of bank"),
        ("#/inventory?word=an&sort=word&descending=false&page=1", "The inventory"),
        ("#/nowhere", "There is no such view"),
        ("#/word/", "Which senses are real?"),
        ("#/word/BANK?rank=55", "bank"),
    ],
)
def test_bookmarks(page, bookmark, heading):
    page.goto(bookmark)
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    if bookmark.startswith("#/inventory"):
        expect(page.locator("tbody tr th").first).to_contain_text("an")
        expect(page.get_by_label("Show words that contain")).to_have_value("an")
    if bookmark.startswith("#/map"):
        expect(page.get_by_text("Cleaned at rank 2")).to_be_visible()
    if bookmark.endswith("rank=55"):
        expect(page).to_have_url(re.compile("#/word/bank[?]rank=10"))


def test_keyboard_alone(page):
    page.goto("")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("mone")
    expect(page.get_by_role("option")).to_have_count(1)  # the answer to the last letter is there
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("money")
    press_until(page, page.get_by_role("link", name="Open the map"))
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.get_by_text("Cleaned at rank 3")).to_be_visible()
    press_until(page, page.get_by_role("slider"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Cleaned at rank 4")).to_be_visible()


def press_until(page, target):
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    pytest.fail("the keyboard does not reach it")


def test_odd_words_are_text(page, odd_words):
    for word in odd_words:
        page.goto("")
        search = page.get_by_role("combobox", name="Search a word")
        search.fill(word)
        expect(page.get_by_role("option").first).to_contain_text(word)
        search.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(word)
    page.goto("#/map/bank?add=%3Cb%3Ebold%3C%2Fb%3E&add=%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    expect(page.locator("section.points")).to_contain_text("<b>bold</b>")
    expect(page.locator(".plot .points path").first).to_be_visible()
    assert page.locator("main script, main b").count() == 0


def test_unknown_word_offers_close_ones(page):
    page.goto("#/word/banck")
    expect(page.get_by_role("alert")).to_contain_text("No word 'banck'")
    page.get_by_role("alert").get_by_role("link", name="bank").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("bank")


def test_stopped_program_is_told(page, start, vectors_file):
    process, own = start(vectors_file)
    page.goto(own)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    process.terminate()
    process.wait()
    page.get_by_role("combobox", name="Search a word").fill("bank")
    page.get_by_role("combobox", name="Search a word").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("has been stopped")
