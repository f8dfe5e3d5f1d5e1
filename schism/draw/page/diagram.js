// The lanes of a row: a line a node, solid while it is up; a mark where the step happens; and of
// every message in flight the piece of its arrow that lies in this row. Rows are as high as their
// words need, so heights are in percent and no arrow needs to know them.
/* global data, runs, rows, shown, entry_of, add, svg, is_up, last_step, row_of_step */
/* exported draw_lanes, draw_heads, arrows_between, set_gap, lanes_width */

let gap = 36;
const far = 24;  // an arrow over more rows than this is drawn in its last row only

// The room for a lane; says whether it changed.
function set_gap(room) {
  const most = data.nodes <= 4 ? 36 : data.nodes <= 8 ? 28 : 20;
  const now = Math.max(9, Math.min(most, Math.floor(room / Math.max(1, data.nodes))));
  if (now === gap) return false;
  gap = now;
  return true;
}
function lanes_width() { return data.nodes * gap + 8; }
function x_of(node) { return 4 + node * gap + gap / 2; }

function draw_heads(box) {
  const every = gap > 14 ? 1 : gap > 10 ? 2 : 5;
  for (let node = 0; node < data.nodes; node += every)
    svg(box, 'text', { x: x_of(node), y: 17, class: 'lane-name' }).textContent = data.names[node];
}

// ---- arrows ----------------------------------------------------------------------------------

function is_message(look) { return look.kind === 'deliver' || look.kind === 'drop'; }

// The arrow that ends in an entry: where it comes from, or null.
function arrow_into(r, at) {
  const entry = shown[at];
  if (entry.kind !== 'row' || rows[entry.first][r] < 0) return null;
  const step = runs[r].steps[rows[entry.first][r]], look = data.looks[step[0]];
  const link = look.kind === 'cut' || look.kind === 'heal';
  if ((!is_message(look) && !link) || look.from < 0 || look.to < 0) return null;
  const sent = is_message(look) ? row_of_step(r, step[1]) : -1;
  const from = sent < 0 ? at : entry_of[sent];
  return { look, dim: (step[2] & 1) !== 0, to: at, from: at - from > far ? at : from,
    distant: sent >= 0 && at - from > far };
}
// Those that touch the entries from `first` to `end`, by entry.
function arrows_between(r, first, end) {
  const found = new Map();
  for (let at = first; at < Math.min(end + far, shown.length); ++at) {
    const arrow = arrow_into(r, at);
    if (!arrow) continue;
    for (let i = Math.max(first, arrow.from); i <= Math.min(at, end - 1); ++i)
      found.set(i, (found.get(i) || []).concat(arrow));
  }
  return found;
}

function cross(box, x) {
  const place = svg(box, 'svg', { x, y: '50%', class: 'place' });
  svg(place, 'path', { class: 'fault', d: 'M-5 -5 L5 5 M5 -5 L-5 5' });
}

function draw_arrow(box, at, arrow) {
  const { look, from, to } = arrow;
  const x1 = x_of(look.from), lost = look.kind === 'drop';
  const x2 = lost ? (x1 + 2 * x_of(look.to)) / 3 : x_of(look.to);
  const look_of_line = (look.kind === 'cut' || look.kind === 'heal' ? 'link' : 'message') +
    (lost ? ' lost' : '') + (arrow.dim ? ' dim' : '') + (arrow.distant ? ' distant' : '');
  const head = look.kind === 'deliver' ? { 'marker-end': 'url(#head)' } : {};
  if (lost && at === to) cross(box, x2);
  if (look.from === look.to && from === to) {
    const place = svg(box, 'svg', { x: x1, y: '50%', class: 'place' });
    svg(place, 'path', { class: look_of_line, fill: 'none', d: 'M0 -9 q 16 4 5 9' });
    return;
  }
  const x_at = height => x1 + (x2 - x1) * (height - from - 0.5) / (to - from);
  const line = { class: look_of_line,
    x1: at === from ? x1 : x_at(at), y1: at === from ? '50%' : '0%',
    x2: at === to ? x2 : x_at(at + 1), y2: at === to ? '50%' : '100%' };
  svg(box, 'line', Object.assign(line, at === to ? head : {}));
}

// ---- marks -----------------------------------------------------------------------------------

const marks = {
  deliver: place => svg(place, 'circle', { class: 'mark', r: 4.5 }),
  fire: place => {
    svg(place, 'circle', { class: 'mark hollow', r: 6 });
    svg(place, 'path', { class: 'hand', d: 'M0 -4 V0 h3.5' });
  },
  complete: place => svg(place, 'rect', { class: 'mark', x: -4.5, y: -4.5, width: 9, height: 9 }),
  submit: place => svg(place, 'path', { class: 'mark', d: 'M-6 -5 h12 l-6 10z' }),
  crash: place => svg(place, 'path', { class: 'fault', d: 'M-5 -5 L5 5 M5 -5 L-5 5' }),
  restart: place => svg(place, 'circle', { class: 'mark hollow', r: 5 }),
  pause: place => svg(place, 'path', { class: 'fault', d: 'M-2 -5 v10 m5 -10 v10' }),
  nothing: place => svg(place, 'circle', { class: 'mark hollow', r: 4 }),
};
marks.resume = marks.pause;

function draw_mark(box, look) {
  const draw = marks[look.kind];
  if (!draw) return;
  const everywhere = look.kind === 'nothing' ? Array.from({ length: data.nodes }, (_, i) => i) : [];
  for (const node of look.node >= 0 ? [look.node] : everywhere)
    draw(svg(box, 'svg', { x: x_of(node), y: '50%', class: 'place' }));
}

// ---- a row -----------------------------------------------------------------------------------

function draw_lanes(parent, r, at, arrows) {
  const entry = shown[at];
  const box = svg(add(parent, 'div', undefined, 'lanes'), 'svg', { 'aria-hidden': 'true' });
  const before = last_step(r, entry.first - 1);
  const after = entry.kind === 'open' ? before : last_step(r, entry.last);
  for (let node = 0; node < data.nodes; ++node) {
    const x = x_of(node), was = is_up(r, node, before), is = is_up(r, node, after);
    const lane = (y1, y2, up) => svg(box, 'line',
      { class: up ? 'lane' : 'lane down', x1: x, x2: x, y1, y2 });
    if (was === is) lane('0%', '100%', is);
    else lane('0%', '50%', was), lane('50%', '100%', is);
  }
  for (const arrow of arrows || []) draw_arrow(box, at, arrow);
  if (entry.kind === 'row' && rows[entry.first][r] >= 0)
    draw_mark(box, data.looks[runs[r].steps[rows[entry.first][r]][0]]);
}
