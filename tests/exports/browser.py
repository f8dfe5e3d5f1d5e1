"""Uses a page in Chromium at three sizes: browser.py [--pictures FOLDER] [--search-ms N] FILE...

Opens it, presses keys, searches, filters and folds (in_page.js), and looks whether anything lies
over anything else. With --pictures it also takes pictures, light and dark; with --search-ms a
search must answer within so many milliseconds, which is for a quiet machine.
"""
import argparse
import html
import json
import os
import re
import subprocess
import sys
import tempfile

SIZES = ("480,800", "1280,800", "2560,1440")
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage"]


def chromium(size, *words):
    return subprocess.run([*CHROMIUM, f"--window-size={size}", *words], capture_output=True,
                          text=True, timeout=300, check=False)


def with_test(text, opened):
    """The page with what catches its errors in front and what uses it behind."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "in_page.js"), encoding="utf-8") as file:
        test = file.read()
    catch = ("<script>window.problems = []; window.opened = " + json.dumps(opened) +
             "; window.onerror = (what, where, line) =>"
             " { window.problems.push(what + ' in line ' + line); };</script>")
    text = text.replace("<head>", "<head>" + catch, 1)
    return text.replace("</body>", "<script>" + test + "</script></body>", 1)


def use(path, size, opened="", fragment=""):
    with open(path, encoding="utf-8") as file:
        text = with_test(file.read(), opened)
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)
        out = chromium(size, f"--user-data-dir={folder}/profile", "--dump-dom",
                       "file://" + page + fragment)
    found = re.search(r'<pre id="result"[^>]*>(.*?)</pre>', out.stdout, re.S)
    if not found:
        return {"problems": ["no result: " + out.stderr[-400:]], "facts": {}}
    return json.loads(html.unescape(found.group(1)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures")
    parser.add_argument("--search-ms", type=float)
    parser.add_argument("files", nargs="+")
    wanted = parser.parse_args()
    failed = False
    for path in wanted.files:
        name = os.path.splitext(os.path.basename(path))[0]
        for size in SIZES:
            result = use(path, size)
            took = result["facts"].get("search_ms", 0)
            if wanted.search_ms and took > wanted.search_ms:
                result["problems"].append(f"a search takes {took} ms")
            for problem in result["problems"]:
                failed = True
                print(f"{name} at {size}: {problem}", file=sys.stderr)
            if wanted.pictures:
                print(f"{name} at {size}: {result['facts']}")
                for theme in ("light", "dark"):
                    dark = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]
                    picture = os.path.join(wanted.pictures, f"{name}-{size.split(',')[0]}-{theme}.png")
                    chromium(size, *(dark if theme == "dark" else []), "--virtual-time-budget=3000",
                             f"--screenshot={picture}", "file://" + os.path.abspath(path))
        for problem in use(path, SIZES[1], "#0", "#0")["problems"]:
            failed = True
            print(f"{name}#0: {problem}", file=sys.stderr)
    sys.exit(failed)


main()
