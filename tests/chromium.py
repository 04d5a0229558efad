"""A browser for tests: headless Chromium by selenium, with nobody's settings."""

import os
import shutil
from contextlib import contextmanager
from unittest import mock

import pytest
from conftest import PATIENCE
from selenium import webdriver

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="needs Chromium and chromedriver (on Debian: apt install chromium chromium-driver)",
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--window-size=1200,1600",
)
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND"


@contextmanager
def chromium(profile, *flags):
    """A browser that is told where it and its driver are, and looks for no others."""
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
