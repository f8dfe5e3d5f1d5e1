#include "schism/draw/html_page.hpp"

namespace schism::draw {

const std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --back: #fbfbf9; --card: #fff; --ink: #1d2226; --soft: #667078;
  --line: #d9dcd8; --lane: #aab2b8; --message: #2a6fb0; --bad: #c22b2b; --bad-back: #fbe0dd;
  --proof-back: #fdf0d2; --odd-back: #e4e0fa; --odd: #5b45c4; --pick: #dcebf7; --good: #1f7a45; }
@media (prefers-color-scheme: dark) { :root { --back: #15181b; --card: #1d2125; --ink: #e4e7e9;
  --soft: #98a2a9; --line: #333a40; --lane: #5c666e; --message: #6db1ee; --bad: #ff7a70;
  --bad-back: #4a2020; --proof-back: #43371b; --odd-back: #332d57; --odd: #b3a5ff;
  --pick: #22394d; --good: #6ccf95; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); line-height: 1.45;
  font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; }
header, main, footer { padding: 0 20px; max-width: 1900px; margin: auto; }
h1 { font-size: 20px; margin: 18px 0 2px; } h1 b { color: var(--bad); }
h2 { font-size: 14px; margin: 0 0 8px; font-weight: 600; }
td div { max-height: 110px; overflow: auto; } h2 small { font-weight: 400; color: var(--soft); }
p { margin: 2px 0 8px; overflow-wrap: anywhere; } .soft { color: var(--soft); }
code, pre, td { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  margin: 4px 0 14px; padding: 7px 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
.runs { display: grid; gap: 14px; align-items: start;
  grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr) minmax(300px, 0.8fr); }
.runs.alone { grid-template-columns: minmax(0, 1.6fr) minmax(300px, 1fr); }
.runs:not(.alone) > .card:not(#panel) > h2 { min-height: 41px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px; }
.picture { overflow: auto; max-height: 74vh; min-height: 180px; }
#panel { max-height: calc(74vh + 52px); overflow: auto; }
svg { display: block; } svg text { font: 12px ui-monospace, "DejaVu Sans Mono", monospace;
  fill: var(--ink); white-space: pre; }
svg .head { font-weight: 700; text-anchor: middle; }
svg .number { text-anchor: end; fill: var(--soft); }
.row { cursor: pointer; } .row rect { fill: transparent; } .row:hover rect { fill: var(--pick); }
.row.evidence rect { fill: var(--proof-back); } .row.odd rect { fill: var(--odd-back); }
.row.violating rect { fill: var(--bad-back); }
.row.picked rect { stroke: var(--message); stroke-width: 2; }
.row.picked:not(.evidence, .violating, .odd) rect { fill: var(--pick); }
.row.dim text { opacity: 0.45; } .loud { font-weight: 700; }
.role { font-weight: 700; fill: var(--bad); }
.heads { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line); }
.row.other .number, .legend b { fill: var(--odd); color: var(--odd); font-weight: 700; }
.gap { fill: var(--odd-back); opacity: 0.35; }
.lane { stroke: var(--lane); stroke-width: 1.5; } .lane.down { stroke-dasharray: 2 5; }
.message { stroke: var(--message); stroke-width: 1.6; } .arrowhead { fill: var(--message); }
.message.lost { stroke-dasharray: 5 4; } .link { stroke: var(--bad); stroke-dasharray: 2 3; }
.message.dim, .mark.dim { opacity: 0.3; }
.mark { fill: var(--ink); pointer-events: none; } .mark.bad { fill: var(--bad); }
.mark.start, .mark.hollow { fill: var(--card); stroke: var(--ink); stroke-width: 1.5; }
.hand { stroke: var(--ink); fill: none; }
.fault { stroke: var(--bad); stroke-width: 2.2; fill: none; }
.message, .link, .fault, .hand, .lane { pointer-events: none; }
.keys { float: right; color: var(--soft); font-size: 12px; font-weight: 400; }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; font-size: 11px; }
ul { margin: 4px 0 10px; padding-left: 18px; } li { overflow-wrap: anywhere; }
a { color: var(--message); }
table { border-collapse: collapse; width: 100%; margin: 2px 0 12px; table-layout: fixed; }
caption { text-align: left; font-weight: 600; padding: 2px 0; }
td, th { text-align: left; vertical-align: top; padding: 2px 6px; overflow-wrap: anywhere;
  border-top: 1px solid var(--line); font-weight: 400; }
th { color: var(--soft); font-size: 12px; width: 34%; } td.changed { font-weight: 700; }
td.differs { background: var(--odd-back); } thead th { border: 0; width: auto; }
.wide { display: grid; gap: 14px; grid-template-columns: 1fr 1fr; margin: 14px auto; }
.verdict-violated { color: var(--bad); font-weight: 700; } .verdict-held { color: var(--good); }
.legend { color: var(--soft); font-size: 12px; margin: 8px 0 0; }
.legend i { font-style: normal; padding: 0 5px; border-radius: 3px; color: var(--ink); }
@media (max-width: 1100px) { .runs { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .runs #panel { grid-column: 1 / -1; max-height: none; }
  .runs.alone { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 760px) { header, main, footer { padding: 0 10px; }
  .runs:not(.alone) > .card:not(#panel) > h2 { min-height: 0; }
  .runs, .runs.alone, .wide { grid-template-columns: minmax(0, 1fr); }
  .picture { max-height: 52vh; } .keys { display: none; } h1 { font-size: 17px; } }
)css";

const std::string_view kPageScript = R"js(
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const runs = data.runs, rows = data.rows, panel = document.getElementById('panel');
let row = 0;

// The states of all nodes after a step, from the changes up to it.
function states(run, step) {
  const now = new Map();
  for (const s of run.steps) {
    if (s.step > step) break;
    for (const [node, state] of Object.entries(s.states)) now.set(Number(node), state);
  }
  return now;
}
function text(value) {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return '[' + value.map(text).join(' ') + ']';
  if (typeof value === 'object')
    return '(' + Object.entries(value).map(([k, v]) => k + '=' + text(v)).join(', ') + ')';
  return String(value);
}
function add(parent, tag, words, look) {
  const child = parent.appendChild(document.createElement(tag));
  if (words !== undefined) child.textContent = words;
  if (look) child.className = look;
  return child;
}
// The step a run has reached in a row: its own, or the last one before a gap.
function reached(r, at) {
  for (let i = at; i >= 0; --i) if (rows[i][r] >= 0) return rows[i][r];
  return -1;
}
function happened(r, at) {
  const step = rows[at][r];
  if (step < 0) return;
  const s = runs[r].steps.find(one => one.step === step);
  const title = add(panel, 'h2', 'Step ' + step + ': ' + s.title);
  if (runs.length > 1) add(title, 'small', '  in the ' + runs[r].name);
  if (s.notes.length) {
    const list = add(panel, 'ul');
    for (const note of s.notes) add(list, 'li', note);
  }
}
function fields(state) {
  return state !== null && typeof state === 'object' && !Array.isArray(state) ? state : { state };
}
function table(node, now, before) {
  const box = add(panel, 'table');
  add(box, 'caption', 'node ' + node);
  if (runs.length > 1) {
    const head = add(add(box, 'thead'), 'tr');
    for (const name of ['', ...runs.map(run => run.name)]) add(head, 'th', name);
  }
  const keys = new Set();
  for (const s of now)
    if (s.get(node)) for (const key of Object.keys(fields(s.get(node)))) keys.add(key);
  if (!keys.size) add(add(box, 'tr'), 'td', 'down');
  for (const key of keys) {
    const line = add(box, 'tr');
    add(line, 'th', key);
    const shown = now.map(s => s.get(node) ? text(fields(s.get(node))[key]) : 'down');
    const was = before.map(s => s.get(node) ? text(fields(s.get(node))[key]) : 'down');
    shown.forEach((value, r) => {
      const look = (shown.some(other => other !== value) ? 'differs ' : '') +
        (value !== was[r] ? 'changed' : '');
      add(add(line, 'td', undefined, look), 'div', value);
    });
  }
}
function pick(at, scroll) {
  row = Math.max(0, Math.min(rows.length - 1, at));
  for (const old of document.querySelectorAll('.row.picked')) old.classList.remove('picked');
  runs.forEach((run, r) => {
    const step = reached(r, row);
    const group = document.getElementById(run.prefix + step);
    if (!group) return;
    if (rows[row][r] >= 0) group.classList.add('picked');
    if (!scroll) return;
    const box = group.closest('.picture'), seen = box.getBoundingClientRect();
    const place = group.getBoundingClientRect();
    if (place.top < seen.top + 40 || place.bottom > seen.bottom - 40)
      box.scrollTop += place.top - seen.top - seen.height / 2;
  });
  panel.replaceChildren();
  const keys = add(panel, 'span', undefined, 'keys');
  for (const key of ['↑', '↓']) add(keys, 'kbd', key);
  keys.append(' move');
  runs.forEach((run, r) => happened(r, row));
  const now = runs.map((run, r) => states(run, reached(r, row)));
  const before = runs.map((run, r) =>
    states(run, rows[row][r] >= 0 ? rows[row][r] - 1 : reached(r, row)));
  // Nodes at which something happened or differs first.
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const quiet = [];
  for (let node = 0; node < data.nodes; ++node) {
    const still = now.every((s, r) =>
      same(s.get(node), before[r].get(node)) && same(s.get(node), now[0].get(node)));
    if (still) quiet.push(node); else table(node, now, before);
  }
  for (const node of quiet) table(node, now, before);
  const own = rows[row][0] >= 0;
  const name = '#' + (own ? rows[row][0] : runs[1].prefix + rows[row][1]);
  if (location.hash !== name) history.replaceState(null, '', name);
}
// The address names a step of the failing run; with the prefix one of its neighbour.
function from_address() {
  const name = decodeURIComponent(location.hash.slice(1));
  const r = runs.length > 1 && name.startsWith(runs[1].prefix) ? 1 : 0;
  const step = r ? name.slice(runs[1].prefix.length) : name;
  const at = /^\d+$/.test(step) ? rows.findIndex(one => one[r] === Number(step)) : -1;
  return at >= 0 ? at : data.begin;
}
document.addEventListener('keydown', event => {
  const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10,
    Home: -rows.length, End: rows.length }[event.key];
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  pick(row + by, true);
});
for (const group of document.querySelectorAll('.row'))
  group.addEventListener('click', () => pick(Number(group.dataset.row), false));
const boxes = [...document.querySelectorAll('.picture')];
for (const box of boxes)  // beside each other they stay row by row
  box.addEventListener('scroll', () => {
    for (const other of boxes)
      if (other !== box && other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
  });
window.addEventListener('hashchange', () => pick(from_address(), true));
pick(from_address(), true);
)js";

}  // namespace schism::draw
