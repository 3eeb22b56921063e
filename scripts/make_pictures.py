"""Make the pictures of the README and docs that show the bundled vectors.

Usage: python scripts/make_pictures.py

Needs Chromium. To be run when the bundled vectors, the demo or the explorer's page change; look at
the pictures, and at what is said below them, before they are committed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
PROGRAM = Path(sys.executable).with_name("exrpca")
SENTENCE = "They ate an apple and a potato with olive oil"


def picture_demo() -> None:
    """Take the overview that `make demo` draws."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "demo", "-o", folder], check=True, stdout=subprocess.DEVNULL)
        shutil.copyfile(Path(folder) / "overview.png", IMAGES / "overview.png")


def picture_word(page: Page) -> None:
    """Take a word with three senses, its verdicts, and a sentence."""
    page.goto("#/word/apple")
    page.get_by_role("textbox", name="Which sense in a sentence?").fill(SENTENCE)
    expect(page.get_by_text("Judged by")).to_be_visible()
    expect(page.get_by_text("Merging would leave")).to_be_visible()
    expect(page.locator("#working")).to_be_empty()
    page.locator("h1").click()  # takes the frame off the sentence
    page.screenshot(path=IMAGES / "explorer-word.png", full_page=True)


def picture_map(page: Page) -> None:
    """Take the map of a word, with two words added."""
    page.goto("#/map/rock?rank=3&add=guitar&add=stone")
    expect(page.get_by_text("Cosine of the word’s senses")).to_be_visible()
    expect(page.get_by_text("stone 2").last).to_be_visible()
    page.screenshot(path=IMAGES / "explorer-map.png")


def main() -> None:
    """Make all pictures."""
    picture_demo()
    server = subprocess.Popen(
        [PROGRAM, "explore", "--no-browser", "--quiet"], stdout=subprocess.PIPE, text=True
    )
    try:
        address = server.stdout.readline().strip() if server.stdout else ""
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            size = {"width": 1200, "height": 1010}
            page = browser.new_context(viewport=size, base_url=address).new_page()  # type: ignore[arg-type]
            page.set_default_timeout(60_000)
            expect.set_options(timeout=120_000)
            picture_word(page)
            picture_map(page)
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
