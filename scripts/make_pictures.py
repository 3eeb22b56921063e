"""Make the pictures of the README and docs that show the bundled vectors.

Usage: python scripts/make_pictures.py

Needs Chromium. To be run when the bundled vectors or the explorer's page change; look at
the pictures, and at what is said below them, before they are committed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
PROGRAM = Path(sys.executable).with_name("exrpca")
SENTENCE = "An apple is a sweet fruit, eaten fresh or cooked"
# WebGL without a graphics card
CHROMIUM_FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def picture_start(page: Page) -> None:
    """Take the first screen: a word worked through."""
    page.goto("")
    expect(page.locator(".worked .card .kin").first).to_be_visible()
    expect(page.locator("#working")).to_be_empty()
    page.screenshot(path=IMAGES / "explorer-start.png")


def picture_word(page: Page) -> None:
    """Take a word with three senses, its verdicts, and a sentence."""
    page.goto("#/word/apple")
    page.get_by_role("textbox", name="Which sense in a sentence?").fill(SENTENCE)
    expect(page.locator(".choices .best")).to_be_visible()
    expect(page.get_by_role("table", name="Pairs of senses")).to_be_visible()
    page.locator("h1").click()  # takes the frame off the sentence
    page.screenshot(path=IMAGES / "explorer-word.png", full_page=True)


def picture_map(page: Page) -> None:
    """Take the map of a word, with two words added."""
    page.goto("#/map/rock?rank=3&add=guitar&add=stone")
    expect(page.get_by_text("Cosine of the word’s senses")).to_be_visible()
    expect(page.locator(".plot .points .added").last).to_be_visible()
    page.screenshot(path=IMAGES / "explorer-map.png")


def picture_everything(page: Page) -> None:
    """Take the map of all senses, with those of a word."""
    page.goto("#/everything?word=seal")
    expect(page.locator(".labels .marked")).to_have_count(3)
    expect(page.locator(".touched .name")).to_be_visible()
    page.screenshot(path=IMAGES / "explorer-everything.png", full_page=True)


def main() -> None:
    """Make all pictures."""
    server = subprocess.Popen(
        [PROGRAM, "explore", "--no-browser", "--quiet"], stdout=subprocess.PIPE, text=True
    )
    try:
        address = server.stdout.readline().strip() if server.stdout else ""
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS
            )
            size = {"width": 1200, "height": 890}
            page = browser.new_context(viewport=size, base_url=address).new_page()  # type: ignore[arg-type]
            page.set_default_timeout(60_000)
            expect.set_options(timeout=300_000)
            for picture in (picture_start, picture_word, picture_map, picture_everything):
                picture(page)
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
