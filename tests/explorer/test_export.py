"""The page as one file, opened from disk with the network off."""

import re

import pytest
from playwright.sync_api import expect

import exrpca
from exrpca.errors import InputError
from exrpca.explorer.export import exported_page

LOCAL = re.compile("file:|data:|about:")


@pytest.fixture(scope="module")
def exported(exploration, odd_words, tmp_path_factory):
    path = tmp_path_factory.mktemp("export") / "page.html"
    path.write_text(exported_page(exploration, ["bank", *odd_words]), encoding="utf-8")
    return path


@pytest.fixture
def page(browser):
    """A page without any network, whose errors fail the test."""
    context = browser.new_context(viewport={"width": 1024, "height": 800}, offline=True)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("request", lambda r: None if LOCAL.match(r.url) else problems.append(r.url))
    yield page
    context.close()
    assert problems == []


def test_opens_from_disk_with_the_network_off(page, exported, senses):
    page.goto(exported.as_uri())
    expect(page.get_by_label("An example").locator(".verdict")).to_contain_text("meaning")
    page.get_by_role("combobox", name="Search a word").fill("BAN")
    page.get_by_role("option", name="bank").click()
    expect(page.locator(".card")).to_have_count(len(senses["bank"]))
    expect(page.get_by_role("table", name="Pairs of senses")).to_be_visible()
    page.get_by_text("cleaned at rank 3").click()
    expect(page).to_have_url(re.compile("rank=3"))
    expect(page.get_by_role("textbox")).to_have_count(0)


def test_map_of_all_senses_in_one_file(page, exploration, tmp_path):
    path = tmp_path / "map.html"
    path.write_text(exported_page(exploration, ["bank"], with_map=True), encoding="utf-8")
    page.goto(path.as_uri())
    page.get_by_role("navigation").get_by_role("link", name="Map").click()
    expect(page.locator(".cloud canvas")).to_be_visible()
    expect(page.locator(".labels span").first).to_be_visible()
    expect(page.get_by_role("button", name="Draw around senses")).to_have_count(0)
    field = page.get_by_role("combobox", name="Go to a word")
    field.fill("bank")
    field.press("Enter")
    page.locator(".touched").get_by_role("link", name="bank").click()
    expect(page.get_by_role("table", name="Pairs of senses")).to_be_visible()


def test_scripts_of_the_map_come_only_with_it(exploration, exported):
    assert "vendor/deck.js" not in exported.read_text(encoding="utf-8")
    assert "vendor/deck.js" in exported_page(exploration, ["bank"], with_map=True)


def test_words_that_it_does_not_have(page, exported):
    page.goto(f"{exported.as_uri()}#/word/tiger")
    expect(page.get_by_role("alert")).to_contain_text("does not contain this")


def test_odd_words_stay_text(page, exported, odd_words):
    page.goto(exported.as_uri())
    for word in odd_words:
        page.get_by_role("combobox", name="Search a word").fill(word)
        page.get_by_role("combobox", name="Search a word").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(word)


def test_unknown_word_is_named(exploration):
    with pytest.raises(InputError, match="no word 'banck'"):
        exported_page(exploration, ["banck"])


def test_show_works_inside_a_notebook(page, senses, tmp_path):
    shown = exrpca.show(senses, ["bank"], name="planted")
    assert "a notebook shows it" in repr(shown)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<h1>A notebook</h1>{shown._repr_html_()}", encoding="utf-8")
    page.goto(notebook.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_label("An example").get_by_role("link", name="bank").first.click()
    expect(frame.get_by_role("table", name="Pairs of senses")).to_be_visible()
    frame.get_by_text("cleaned at rank 3").click()
    expect(frame.locator(".card").first).to_be_visible()
    expect(page.get_by_role("heading", name="A notebook")).to_be_visible()
