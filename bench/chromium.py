"""The Chromium that pages are tried and measured in: the machine's own, else the one that playwright has installed."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
# of a switch that is said twice the last counts, so what playwright turns off is said again
_BY_PLAYWRIGHT = (
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    *("TcpPortRandomizationWin", "ThirdPartyStoragePartitioning"),
)
_BEHIND_EACH_WINDOW = ("WebUIOmniboxAimPopup", "WebUIOmniboxPopup")  # pages of its own: a third of the browser's work
LEAN = ("--no-sandbox", f"--disable-features={','.join((*_BY_PLAYWRIGHT, *_BEHIND_EACH_WINDOW))}")


def find() -> str | None:
    """The path of a Chromium; None when there is none, and `.ci/chromium` could not install one either."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


if __name__ == "__main__":
    sys.exit(find() is None)
