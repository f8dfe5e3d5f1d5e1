// Reads a ShiViz log as ShiViz does: node shiviz.mjs FILE. The first line is the expression, with
// the groups host, clock and event; clocks are JSON; a host counts its own events from one, and
// knows no event of another host that does not exist.
import assert from 'node:assert/strict';
import fs from 'node:fs';

const [expression, delimiter, ...rest] = fs.readFileSync(process.argv[2], 'utf8').split('\n');
assert.equal(delimiter, '', 'one execution');
const log = rest.join('\n');
const events = [...log.matchAll(new RegExp(expression, 'gm'))].map(match => match.groups);
const lines = log.trimEnd().split('\n').length;
assert.equal(events.length * 2, lines, 'every pair of lines is an event');

const last = {};
for (const { host, clock } of events) {
  const time = JSON.parse(clock);
  last[host] = (last[host] ?? 0) + 1;
  assert.equal(time[host], last[host], `${host} counts its own events`);
  for (const [other, count] of Object.entries(time)) {
    assert.ok(Number.isInteger(count) && count > 0, clock);
    assert.ok(count <= (last[other] ?? 0), `${host} knows event ${count} of ${other} too early`);
  }
}
