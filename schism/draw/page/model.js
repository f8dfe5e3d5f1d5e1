// The runs as they were recorded. A row is a step of the run, of its neighbour, or of both.
/* global by_id */
/* exported is_needless, is_violating, looks_of, row_of_step, run_differs, last_step, states_at */
/* exported changes_at, roles_at, pieces, begin, is_up, is_odd */

const data = JSON.parse(by_id('data').textContent);
const runs = data.runs, rows = data.rows, begin = data.begin;
const pieces = data.pieces.map(([first, steps, told, words]) => ({ first, steps, told, words }));

function step_of(r, step) { return runs[r].steps[step]; }
function look_of(r, row) {
  const step = rows[row][r];
  return step < 0 ? null : data.looks[step_of(r, step)[0]];
}
function looks_of(row) { return runs.map((run, r) => look_of(r, row)); }
function roles_at(r, step) { return step_of(r, step)[3] || []; }
function changes_at(r, step) { return step_of(r, step)[4] || []; }

function is_violating(row) { return rows[row][0] >= 0 && (step_of(0, rows[row][0])[2] & 2) !== 0; }
// The violation does not need it: known of the failing run only.
function is_needless(row) { return rows[row][0] >= 0 && (step_of(0, rows[row][0])[2] & 1) !== 0; }
function is_odd(row) { return runs.length > 1 && (rows[row][0] < 0 || rows[row][1] < 0); }
// The same action in both runs, and something else came of it. Equal looks have equal numbers.
function run_differs(row) {
  return runs.length > 1 && !is_odd(row) &&
    step_of(0, rows[row][0])[0] !== step_of(1, rows[row][1])[0];
}

const rows_of_steps = runs.map(run => new Int32Array(run.steps.length).fill(-1));
rows.forEach((steps, row) => runs.forEach((run, r) => {
  if (steps[r] >= 0) rows_of_steps[r][steps[r]] = row;
}));
function row_of_step(r, step) {
  return step >= 0 && step < rows_of_steps[r].length ? rows_of_steps[r][step] : -1;
}

// The step that a run has reached in a row: its own, or the last one before a gap.
const reached = runs.map((run, r) => {
  let step = -1;
  return Int32Array.from(rows, steps => (step = steps[r] >= 0 ? steps[r] : step));
});
function last_step(r, row) { return row < 0 ? -1 : reached[r][row]; }

// ---- states ----------------------------------------------------------------------------------

function applied(states, changes) {
  for (const [node, whole, fields] of changes)
    states[node] = fields === undefined ? whole : Object.assign({}, states[node], fields);
  return states;
}
// Some states are kept on the way, so that any step is near one of them.
const kept_every = 128;
const kept = runs.map(() => [new Array(data.nodes).fill(null)]);
// Of all nodes after a step; -1: before the first.
function states_at(r, step) {
  const wanted = Math.floor((step + 1) / kept_every);
  for (let i = kept[r].length; i <= wanted; ++i) {
    const states = kept[r][i - 1].slice();
    for (let s = (i - 1) * kept_every; s < i * kept_every; ++s) applied(states, changes_at(r, s));
    kept[r].push(states);
  }
  const states = kept[r][wanted].slice();
  for (let s = wanted * kept_every; s <= step; ++s) applied(states, changes_at(r, s));
  return states;
}

// ---- who is up -------------------------------------------------------------------------------

const turns = runs.map(run => {
  const of_node = Array.from({ length: data.nodes }, () => []);
  run.steps.forEach((one, step) => {
    const look = data.looks[one[0]];
    if ((look.kind === 'crash' || look.kind === 'restart') && look.node >= 0)
      of_node[look.node].push([step, look.kind === 'restart']);
  });
  return of_node;
});
// After a step.
function is_up(r, node, step) {
  let up = true;
  for (const [when, now_up] of turns[r][node]) {
    if (when > step) break;
    up = now_up;
  }
  return up;
}
