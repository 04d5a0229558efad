"""Headless Chromium for tests, driven by selenium, with default settings."""

import os
import shutil
from contextlib import contextmanager
from unittest import mock

import pytest
from conftest import HELPERS, PATIENCE
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains

NAMES = "chromium", "chromium-browser", "google-chrome"
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
DRIVER = shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="needs Chromium and chromedriver (on Debian: apt install chromium chromium-driver)",
)
FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync --no-proxy-server
    --window-size=1200,1600
""".split()
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND"


@contextmanager
def chromium(profile, *flags):
    """Yield a running browser; explicit paths keep selenium from searching for a driver."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    with mock.patch.dict(os.environ, {"SE_OFFLINE": "true", "no_proxy": "127.0.0.1,localhost"}):
        browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
        try:
            browser.set_script_timeout(PATIENCE)
            browser.command_executor.client_config.timeout = PATIENCE
            yield browser
        finally:
            browser.quit()


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width">{head}
<body data-theme="light"><main><h1>A page</h1>{body}</main></body></html>"""


def write_page(folder, head, body):
    """Write an HTML page from its head and body; return its path."""
    (folder / "page.html").write_text(PAGE.format(head=head, body=body), encoding="utf-8")
    return folder / "page.html"


def press(browser, *keys):
    ActionChains(browser).send_keys(*keys).perform()


IN_PAGE = (HELPERS / "in_page.js").read_text(encoding="utf-8")


def call(browser, name, *arguments):
    """Call a function of in_page.js in the browser, and return its (awaited) value."""
    return browser.execute_script(f"{IN_PAGE}\nreturn {name}(...arguments)", *arguments)


def widen(browser, width, height=1000):
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    call(browser, "wide", width)


@contextmanager
def at_width(browser, width):
    widen(browser, width)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@contextmanager
def motion(browser, wish):
    """Set prefers-reduced-motion to ``wish``, `reduce` or `no-preference`, within the block."""
    features = [{"name": "prefers-reduced-motion", "value": wish}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    yield
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
