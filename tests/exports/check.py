"""Reads an export by the published rules of its format: check.py FORMAT FILE.

json, chrome and itf by a JSON parser and the fields that the formats require; html by an HTML
parser: tags closed, nothing from outside, identifiers unique.
"""
import html.parser
import json
import re
import sys


def need(holds, what):
    if not holds:
        sys.exit(f"{sys.argv[2]}: {what}")


def is_count(value):
    return type(value) is int and value >= 0


def check_json(run):
    need(run["schism"] == "run" and run["version"] == 1, "head")
    for i, step in enumerate(run["steps"]):
        need(step["step"] == i, "steps are numbered")
        need(all(cause["step"] < i for cause in step["causes"]), "causes stand before")
        need(isinstance(step["events"], list) and isinstance(step["relevant"], bool), f"step {i}")
        need(all(0 <= int(node) < run["nodes"] for node in step["states"]), f"states of step {i}")


def check_chrome(trace):
    """The Trace Event Format: phases used here and what each of them requires."""
    slices, flows = [], {}
    for event in trace["traceEvents"]:
        need(isinstance(event["name"], str), "name")
        need(all(is_count(event[key]) for key in ("ts", "pid", "tid")), "ts, pid, tid")
        phase = event["ph"]
        need(phase in "MXsfi" and len(phase) == 1, f"phase {phase}")
        if phase == "X":
            need(is_count(event["dur"]), "dur")
            slices.append((event["pid"], event["ts"], event["ts"] + event["dur"]))
        elif phase == "i":
            need(event["s"] in ("g", "p", "t"), "scope")
        elif phase in "sf":
            flows.setdefault(event["id"], []).append(event)
            need(phase == "s" or event["bp"] == "e", "binding")
        else:
            need(event["name"] in ("process_name", "process_sort_index"), "metadata")
    spans = {}
    for pid, begin, end in slices:
        spans.setdefault(pid, []).append((begin, end))
    for ends in flows.values():
        need([event["ph"] for event in ends] == ["s", "f"], "a flow has two ends")
        need(ends[0]["ts"] <= ends[1]["ts"], "a flow goes forward")
        for end in ends:
            inside = any(b <= end["ts"] < e for b, e in spans.get(end["pid"], []))
            need(inside, "a flow begins and ends in slices")
    for own in spans.values():
        own.sort()
        need(all(a[1] <= b[0] for a, b in zip(own, own[1:])), "slices of a thread overlap")


def check_itf_value(value):
    """An expression of Apalache's ADR 015."""
    if isinstance(value, bool) or isinstance(value, str):
        return
    if isinstance(value, int):
        need(abs(value) < 2**53, "a large number is a #bigint")
    elif isinstance(value, list):
        for item in value:
            check_itf_value(item)
    else:
        need(isinstance(value, dict), f"no expression: {value!r}")
        marks = [key for key in value if key.startswith("#")]
        if not marks:
            for item in value.values():
                check_itf_value(item)
            return
        need(len(value) == 1, "a mark stands alone")
        inner = value[marks[0]]
        if marks[0] == "#bigint":
            need(re.fullmatch(r"-?[0-9]+", inner), "#bigint")
        elif marks[0] in ("#set", "#tup"):
            need(isinstance(inner, list), marks[0])
            for item in inner:
                check_itf_value(item)
        elif marks[0] == "#map":
            for key, item in inner:
                check_itf_value(key)
                check_itf_value(item)
        else:
            need(marks[0] == "#unserializable" and isinstance(inner, str), marks[0])


def check_itf(trace):
    need(trace["#meta"]["format"] == "ITF", "#meta")
    for i, state in enumerate(trace["states"]):
        need(state.pop("#meta")["index"] == i, "index")
        need(list(state) == trace["vars"], "a state has all variables")
        for value in state.values():
            check_itf_value(value)


class Page(html.parser.HTMLParser):
    VOID = {"meta", "br", "hr", "img", "input", "link"}
    OUTSIDE = {"src", "srcset", "data", "poster", "action", "background", "xlink:href"}

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.hrefs, self.scripts = [], set(), [], 0

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        need(tag not in ("link", "iframe", "object", "embed", "base", "img"), f"<{tag}>")
        self.scripts += tag == "script"
        for name, value in attrs:
            need(name not in self.OUTSIDE and not name.startswith("on"), f"attribute {name}")
            if name == "id":
                need(value not in self.ids, f"identifier {value} twice")
                self.ids.add(value)
            if name == "href":
                self.hrefs.append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        need(self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            need("url(" not in data and "@import" not in data, "a style from outside")
        if self.open and self.open[-1] == "script" and data.lstrip().startswith("{"):
            check_page_data(json.loads(data))


def check_page_data(data):
    """Every step of every run stands in one row, and folds lie within the rows, one by one."""
    steps = [[row[run] for row in data["rows"] if row[run] >= 0] for run in range(len(data["runs"]))]
    for row in data["rows"]:
        need(any(step >= 0 for step in row[:len(data["runs"])]), "an empty row")
    for run, numbers in zip(data["runs"], steps):
        need(numbers == list(range(len(run["steps"]))), "all steps in order")
        for step in run["steps"]:
            need(0 <= step[0] < len(data["looks"]), "a look")
    end = 0
    for first, count, told, _ in data["pieces"]:
        need(first >= end and 0 <= told < count, "a fold")
        end = first + count
    need(end <= len(data["rows"]), "folds end")


def check_html(text):
    page = Page()
    page.feed(text)
    page.close()
    need(not page.open, f"not closed: {page.open}")
    need(page.scripts == 2, "one script and its data")
    need(all(href.startswith("#") for href in page.hrefs), "links stay in the page")
    need("://" not in text, "an address of another place")


def main():
    form, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if form == "html":
        check_html(text)
    else:
        {"json": check_json, "chrome": check_chrome, "itf": check_itf}[form](json.loads(text))


main()
