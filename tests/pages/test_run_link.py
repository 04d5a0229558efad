"""Tests of the book's link *Run this lesson*, which leads to JupyterLite beside the book."""

import pathlib

import pytest
from chromium import chromium, needs_chromium, write_page
from conftest import until
from lite import no_other_host, served
from selenium.webdriver.common.by import By

from book.build import STATIC, read
from book.build.website import runs

pytestmark = [pytest.mark.waits(3), needs_chromium]


def test_run_link_opens_lesson_or_states_what_it_needs(tmp_path):
    page = pathlib.PurePosixPath("notebooks/02_run_rnn_and_lstm.ipynb")
    cell = {"cell_type": "markdown", "source": "# Title\n\nText"}
    title, link, text = runs({"cells": [cell]}, page)["cells"][0]["source"].split("\n\n")
    assert (title, text) == ("# Title", "Text")
    (tmp_path / "book" / "notebooks").mkdir(parents=True)
    script = f"<script>{read(STATIC / 'site' / 'run.js')}</script>"
    file = write_page(tmp_path / "book" / "notebooks", script, link)

    with served(tmp_path) as address, no_other_host() as (flag, _):
        with chromium(tmp_path / "profile", flag) as browser:
            _try_link(browser, tmp_path, file, address, page)


def _try_link(browser, folder, file, address, page):
    def click(address):
        browser.get(address)
        browser.find_element(By.LINK_TEXT, "Run this lesson").click()

    def says(text):
        said = browser.find_element(By.CSS_SELECTOR, "p.run [role=status]")
        until(lambda: text in said.text, text)

    click(file.as_uri())
    says("start a web server")
    click(f"{address}book/notebooks/page.html")
    says("the folder lite is missing")
    (folder / "lite" / "lab").mkdir(parents=True)
    (folder / "lite" / "lab" / "index.html").write_text(
        "<!doctype html><title>Lab</title>", encoding="utf-8"
    )
    click(f"{address}book/notebooks/page.html")
    until(lambda: browser.title == "Lab", "JupyterLite")
    assert browser.current_url == f"{address}lite/lab/index.html?path={page}"
