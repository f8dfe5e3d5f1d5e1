// Uses the page as a person does: node page.mjs FILE. Its script runs without an error, opens at
// the violation, follows keys and clicks, and names the step in its address.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = process.env.MODULES;
const require = createRequire(modules ? pathToFileURL(modules + '/package.json') : import.meta.url);
const { JSDOM, VirtualConsole } = require('jsdom');

function open(fragment) {
  const console = new VirtualConsole();
  console.on('jsdomError', problem => { throw problem; });
  const url = 'http://localhost/page.html' + fragment;
  return new JSDOM(fs.readFileSync(process.argv[2], 'utf8'),
    { runScripts: 'dangerously', url, virtualConsole: console }).window;
}
const press = (page, key) =>
  page.document.dispatchEvent(new page.KeyboardEvent('keydown', { key, bubbles: true }));
const title = page => page.document.querySelector('#panel h2').textContent;

const page = open('');
const data = JSON.parse(page.document.getElementById('data').textContent);
assert.equal(page.location.hash, '#' + data.rows[data.begin][0]);
assert.match(title(page), new RegExp(`^Step ${data.rows[data.begin][0]}: `));
assert.equal(page.document.querySelectorAll('#panel table').length, data.nodes);
press(page, 'Home');
assert.equal(page.location.hash, '#' + data.rows[0][0]);
press(page, 'ArrowDown');
const second = data.rows[Math.min(1, data.rows.length - 1)];
assert.equal(page.location.hash, '#' + (second[0] >= 0 ? second[0] : 'p' + second[1]));
press(page, 'End');
press(page, 'j');
const rows = page.document.querySelectorAll('.row');
rows[0].dispatchEvent(new page.MouseEvent('click', { bubbles: true }));
assert.equal(page.location.hash, '#' + data.rows[0][0]);
assert.equal(page.document.querySelector('.row.picked'), rows[0]);
const last = data.rows.findLast(row => row[0] >= 0)[0];
assert.match(title(open('#' + last)), new RegExp(`^Step ${last}: `));
assert.match(title(open('#nonsense')), /^Step /);
