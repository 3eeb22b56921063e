"""The page in a real browser, as people use it."""

import csv
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

LOCAL = re.compile("http://127.0.0.1:|data:|blob:")

expect.set_options(timeout=15_000)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser, address):
    """A new page whose every error, and every question to another machine, fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, base_url=address, accept_downloads=True
    )
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(f"dialog {dialog.message}"))
    page.on(
        "request",
        lambda request: None if LOCAL.match(request.url) else problems.append(request.url),
    )
    page.set_default_timeout(15_000)
    yield page
    context.close()
    assert problems == []


def drawn(page, panel=1):
    """Return where the marks of a panel of the map are."""
    return (
        page.locator(".plot")
        .nth(panel)
        .evaluate(
            "p => p.data.filter(t => t.mode === 'markers+text').map(t => [[...t.x], [...t.y]])"
        )
    )


def test_search_and_open_a_word(page, senses):
    page.goto("")
    page.get_by_role("combobox", name="Search a word").fill("ban")
    page.get_by_role("option", name="bank").click()
    expect(page).to_have_url(re.compile("#/word/bank$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("bank")
    expect(page.locator(".card")).to_have_count(len(senses["bank"]))
    near = senses.neighbors("bank", 0, 10)["word"]
    expect(page.locator(".card").first.locator(".neighbors li")).to_have_count(len(near))
    expect(page.locator(".card").first).to_contain_text(near[0])
    n = len(senses["bank"])
    expect(page.get_by_role("row")).to_have_count(n * (n - 1) // 2 + 1)
    expect(page.get_by_text("Merging would")).to_be_visible()


def test_neighbors_after_cleaning(page):
    page.goto("#/word/bank")
    cards = page.locator(".cards")
    before = cards.inner_text()
    page.get_by_text("cleaned at rank 3").click()
    expect(page).to_have_url(re.compile(r"rank=3"))
    expect(page.locator(".cards .card").first).to_be_visible()
    expect(cards).not_to_have_text(before)


def test_sense_of_a_sentence(page):
    page.goto("#/word/bank")
    page.get_by_role("textbox", name="Which sense in a sentence?").fill("The bank lent money.")
    expect(page.locator(".choices .best")).to_contain_text("%")
    expect(page.locator(".card.chosen")).to_have_count(1)
    expect(page.get_by_text("Judged by")).to_contain_text("money")
    expect(page).to_have_url(re.compile("text=The"))
    page.get_by_role("textbox", name="Which sense in a sentence?").fill("xyzzy")
    expect(page.get_by_text("No other word of this sentence")).to_be_visible()


def test_slider_moves_the_map(page):
    page.goto("#/map/bank?rank=1")
    expect(page.get_by_text("Cleaned at rank 1")).to_be_visible()
    expect(page.locator(".plot .points path").first).to_be_visible()
    left, right = drawn(page, 0), drawn(page, 1)
    page.get_by_role("slider").fill("2")
    expect(page.get_by_text("Cleaned at rank 2")).to_be_visible()
    page.wait_for_function(
        "old => document.querySelectorAll('.plot')[1].data.at(-1).x[0] !== old", arg=right[-1][0][0]
    )
    assert drawn(page, 0) == left
    assert drawn(page, 1) != right
    expect(page).to_have_url(re.compile("rank=2"))


def test_map_takes_words_and_opens_them(page):
    page.goto("#/map/bank")
    expect(page.locator(".plot .points path").first).to_be_visible()
    add = page.get_by_role("combobox", name="Add a word")
    add.fill("tiger")
    add.press("Enter")
    expect(page.get_by_role("button", name="Remove tiger from the map")).to_be_visible()
    expect(page.locator(".points").get_by_role("heading", name="Added")).to_be_visible()
    page.locator(".points").get_by_role("link", name="tiger").first.click()
    expect(page).to_have_url(re.compile("#/word/tiger"))


def test_click_on_the_map_opens_the_word(page):
    page.goto("#/map/bank?rank=1")
    mark = page.locator(".plot").first.locator(".points path").last
    expect(mark).to_be_visible()
    box = mark.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile("#/word/"))


def test_inventory_filters_sorts_and_turns_pages(page, exploration):
    page.goto("#/inventory")
    status = page.get_by_role("navigation", name="Pages").get_by_role("status")
    expect(status).to_have_text(f"1 to 50 of {exploration.n_pairs:,} pairs")
    page.get_by_role("button", name="Next").click()
    expect(status).to_contain_text("51 to 100 of")
    page.get_by_role("button", name="word").click()
    expect(page.get_by_role("columnheader", name="word")).to_have_attribute(
        "aria-sort", "ascending"
    )
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


def test_inventory_export(page, tmp_path):
    page.goto("#/inventory?word=a&verdict=pseudo")
    total = page.get_by_role("navigation", name="Pages").get_by_role("status").inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as CSV").click()
    path = tmp_path / "pairs.csv"
    download.value.save_as(path)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert total.endswith(f"of {len(rows):,} pairs")
    assert {row["verdict"] for row in rows} == {"pseudo"}


def test_histogram_has_both_verdicts_and_the_threshold(page, exploration):
    page.goto("#/inventory")
    plot = page.locator(".plot")
    expect(plot.locator(".bars .point").first).to_be_attached()
    expect(plot.locator(".xtitle")).to_have_text("outlier norm")
    total = plot.evaluate("p => p.data.reduce((sum, t) => sum + t.y.reduce((a, b) => a + b), 0)")
    assert total == exploration.n_pairs
    expect(plot).to_contain_text("threshold")
    page.get_by_text("probability", exact=True).first.click()
    expect(plot.locator(".xtitle")).to_have_text("probability")


def test_directions_lead_to_words(page):
    page.goto("#/directions")
    expect(page.get_by_role("article")).to_have_count(3)
    link = page.get_by_role("article").first.locator("tbody a").first
    word = link.inner_text()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(word)


def test_scores_and_sweep(page):
    page.goto("#/scores")
    expect(page.get_by_text("pairs are in the vocabulary")).to_be_visible()
    expect(page.get_by_role("rowheader", name="cleaned, rank 3")).to_be_visible()
    expect(page.locator(".plot .js-line").first).to_be_attached()


@pytest.mark.parametrize(
    ("bookmark", "heading"),
    [
        ("#/word/bank", "bank"),
        ("#/map/bank?rank=2&add=tiger", "Map of bank"),
        ("#/directions", "The directions"),
        ("#/inventory?word=an&sort=word&descending=false&page=1", "The inventory"),
        ("#/scores", "The scores"),
        ("#/nowhere", "There is no such view"),
        ("", "Which senses are real?"),
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
        page.reload()
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


@pytest.mark.parametrize("view", ["", "word/bank", "map/bank", "directions", "inventory", "scores"])
def test_narrow_windows_do_not_scroll_sideways(page, view):
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(f"#/{view}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") == 400


def test_stopped_program_is_told(page, start, vectors_file):
    process, own = start(vectors_file)
    page.goto(own)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    process.terminate()
    process.wait()
    page.get_by_role("combobox", name="Search a word").fill("bank")
    page.get_by_role("combobox", name="Search a word").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("has been stopped")
