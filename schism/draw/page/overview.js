// The whole run in one strip: what kind of step where, evidence and violation, matches, and which
// part of it is on the screen.
/* global rows, shown, by_id, look_of, is_needless, is_violating, roles_at, matched */
/* global seen_entries */
/* exported draw_overview, place_window, row_at_strip, long_enough */

const strip = by_id('strip'), canvas = strip.querySelector('canvas');
const long_enough = rows.length > 40;

function color_of(look) {
  if (look.kind === 'deliver') return '--message';
  if (look.kind === 'submit') return '--good';
  if (look.kind === 'fire' || look.kind === 'complete' || look.kind === 'advance') return '--lane';
  return '--bad';
}

function draw_overview() {
  strip.hidden = !long_enough;
  if (!long_enough) return;
  const scale = window.devicePixelRatio || 1;
  const width = canvas.width = Math.round(strip.clientWidth * scale);
  const height = canvas.height = Math.round(strip.clientHeight * scale);
  const pen = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
  const colors = new Map();
  const color = name => {
    if (!colors.has(name)) colors.set(name, style.getPropertyValue(name).trim());
    return colors.get(name);
  };
  const bar = (row, name, top, bottom, least, alpha) => {
    pen.globalAlpha = alpha;
    pen.fillStyle = color(name);
    pen.fillRect(Math.min(row / rows.length * width, width - least * scale), top * height,
      Math.max(least * scale, width / rows.length), (bottom - top) * height);
  };
  const dense = Math.max(0.12, Math.min(1, width / rows.length));
  for (let row = 0; row < rows.length; ++row) {
    const look = look_of(0, row) || look_of(1, row);
    const fault = color_of(look) === '--bad' && look.kind !== 'nothing';
    bar(row, color_of(look), 0.3, 0.7, fault ? 2 : 1, fault ? 1 : dense * (is_needless(row) ? 0.4 : 1));
  }
  for (let row = 0; row < rows.length; ++row) {
    if (matched(row)) bar(row, '--odd', 0.75, 1, 2, 1);
    if (rows[row][0] >= 0 && roles_at(0, rows[row][0]).length) bar(row, '--proof', 0, 1, 3, 1);
    if (is_violating(row)) bar(row, '--bad', 0, 1, 4, 1);
  }
}

function place_window(at) {
  if (!long_enough || !shown.length) return;
  const [first, last] = seen_entries().map(entry => {
    const whole = Math.min(Math.floor(entry), shown.length - 1), one = shown[whole];
    return one.first + (entry - whole) * (one.last + 1 - one.first);
  });
  const box = by_id('window').style, here = shown[at];
  box.left = 100 * first / rows.length + '%';
  box.width = 100 * Math.max(0, last - first) / rows.length + '%';
  by_id('here').style.left = 100 * here.first / rows.length + '%';
  strip.setAttribute('aria-valuemax', rows.length - 1);
  strip.setAttribute('aria-valuenow', here.first);
  strip.setAttribute('aria-valuetext', 'row ' + here.first + ' of ' + rows.length);
}

function row_at_strip(event) {
  const box = strip.getBoundingClientRect();
  const part = (event.clientX - box.left) / Math.max(1, box.width);
  return Math.max(0, Math.min(rows.length - 1, Math.floor(part * rows.length)));
}
