// Elements, and values as a person reads them.
/* exported add, by_id, grouped, svg, head_of, text, is_keyed, keyed_items, keyed_text */
'use strict';

function by_id(id) { return document.getElementById(id); }

function add(parent, tag, words, look) {
  const child = parent.appendChild(document.createElement(tag));
  if (words !== undefined) child.textContent = words;
  if (look) child.className = look;
  return child;
}

// The page has a picture already, so that no address need be spelt here.
const svg_space = document.querySelector('.defs').namespaceURI;

function svg(parent, tag, attributes) {
  const child = parent.appendChild(document.createElementNS(svg_space, tag));
  for (const name of Object.keys(attributes)) child.setAttribute(name, attributes[name]);
  return child;
}

// Maps and sets: {"{}": {"1": [0, 1]}}, {"{}": [0, 2]}.
function is_keyed(value) {
  return value !== null && typeof value === 'object' && value['{}'] !== undefined;
}
function keyed_items(value) {
  const inside = value['{}'];
  return Array.isArray(inside) ? inside.map(item => [item]) : Object.entries(inside);
}
function keyed_text(item) {
  return item.length > 1 ? item[0] + ': ' + text(item[1]) : text(item[0]);
}

function text(value) {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return '[' + value.map(text).join(', ') + ']';
  if (is_keyed(value)) return '{' + keyed_items(value).map(keyed_text).join(', ') + '}';
  if (typeof value === 'object')
    return '(' + Object.entries(value).map(([key, v]) => key + '=' + text(v)).join(', ') + ')';
  return String(value);
}

function grouped(number) { return String(number).replace(/\B(?=(\d{3})+$)/g, ','); }

// "Append" of "Append(term=1)".
function head_of(label) {
  const end = label.indexOf('(');
  return end < 0 ? label : label.slice(0, end);
}
