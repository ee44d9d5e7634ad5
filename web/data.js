"use strict";
// data.js - the rows of the page: read once, column by column. Text gets into the page as text only (textContent).

const $ = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

// An element with attributes, properties and children (texts or elements).
function el(name, has, ...inside) {
  const e = document.createElement(name);
  for (const k in has || {})
    if (k in e && k !== "list") e[k] = has[k];
    else e.setAttribute(k, has[k]);
  for (const c of inside) if (c !== null && c !== undefined) e.append(c);
  return e;
}

function svg(name, has, ...inside) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in has) e.setAttribute(k, has[k]);
  e.append(...inside);
  return e;
}

const CELLS = 60;
const KIND = { words: 0, number: 1, span: 2, name: 3, instant: 4 };

// "58m32s", "1h00m", "3d04h", "8.4s", "41.2": seconds, or the number; NaN if it is neither.
function numberOf(text) {
  const t = String(text).trim();
  if (/^[<>~]?[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%?$/i.test(t)) return parseFloat(t.replace(/^[<>~]/, ""));
  const m = /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(t);
  if (!t || !m) return NaN;
  return [86400, 3600, 60, 1].reduce((sum, f, i) => sum + f * parseFloat(m[i + 1] || 0), 0);
}

// A column: text(i) as it is shown, value(i) as it is sorted and compared.
class Column {
  constructor(c) {
    Object.assign(this, { key: c.k, head: c.h, csv: c.csv, utc: c.utc, help: c.help, kind: c.kind, mark: c.mark, leave: c.leave || 0, more: !!c.more, param: !!c.param });
    this.list = typeof c.t === "string" ? c.t.split("|") : c.t;
    this.words = c.d;
    this.exact = c.x;
    this.whole = c.v === undefined ? null : c.v.split("|");
    this.instant = c.kind === KIND.instant;
    this.right = c.kind === KIND.number || c.kind === KIND.span;
  }
  text(i) {
    return this.words ? this.words[this.list[i]] : this.list[i];
  }
  absent(i) {
    return this.text(i) === "-";
  }
  // No reading in any row: then it is shown only on request.
  get empty() {
    if (this.none === undefined) this.none = (this.words || this.list).every((t) => t === "-" || t === "");
    return this.none;
  }
  // Seconds of a time, milliseconds of an instant, hours of other exact values.
  value(i) {
    if (this.instant) return this.exact[i] === null ? NaN : this.exact[i];
    if (this.exact) return this.exact[i] < 0 ? NaN : this.exact[i] / (this.kind === KIND.span ? 1000 : 3600000);
    return numberOf(this.text(i));
  }
  // The values of all rows, made once.
  get values() {
    if (!this.made) {
      this.made = new Float64Array(this.list.length);
      for (let i = 0; i < this.list.length; i++) this.made[i] = this.value(i);
    }
    return this.made;
  }
  get numeric() {
    if (this.all === undefined) {
      this.all = this.right || this.instant;
      if (this.param) {
        const some = this.words || this.list;
        this.all = some.some((t) => t !== "-") && some.every((t) => t === "-" || !isNaN(numberOf(t)));
      }
    }
    return this.all;
  }
}

const D = JSON.parse($("data").textContent);
D.columns = D.cols.map((c) => new Column(c));
D.by = new Map();
for (const c of D.columns) {
  while (D.by.has(c.key) || c.key === "shape") c.key = "param." + c.key; // a parameter that is called as one of our own columns
  D.by.set(c.key, c);
}
// A parameter is called by the last part of its name where only one ends so, as in the tables of the program.
const lastPart = (t) => t.slice(t.lastIndexOf(".") + 1) || t;
for (const c of D.columns) {
  const short = lastPart(c.head);
  c.short = c.param && D.columns.filter((x) => x.param && lastPart(x.head) === short).length === 1 ? short : c.head;
}
D.blank = !/\S/.test(D.shapes); // no run has a reading of utilisation over time
for (const g of D.groups) g.column = D.columns.find((c) => c.param && c.head === g.key);
D.groups = D.groups.filter((g) => g.column);
D.name = D.by.get("run");
// Parameters stand behind the name, as in the tables of the program.
const rank = (c) => (c === D.name ? 0 : c.param ? 1 : 2);
D.columns.sort((a, b) => rank(a) - rank(b));
D.state = D.by.get("state");
D.steps = new Map([...D.steps].map((c, i, all) => [c.charCodeAt(0), (i * 100) / (all.length - 1)]));

// Utilisation of row i in cell k in %; -1: no reading.
function shapeAt(i, k) {
  const v = D.steps.get(D.shapes.charCodeAt(i * CELLS + k));
  return v === undefined ? -1 : v;
}

// The whole name of row i: what one types.
D.whole = (i) => D.long[i] || D.frame[0] + D.name.text(i) + D.frame[1];
D.rowOf = function (name) {
  if (!D.names) {
    D.names = new Map();
    for (const text of [D.whole, (i) => D.name.text(i)]) for (let i = D.n - 1; i >= 0; i--) D.names.set(text(i), i);
  }
  return D.names.has(name) ? D.names.get(name) : -1;
};
const failed = (i) => D.state.text(i) === "FAILED";

// Colours are those of the style sheet, for both palettes; read anew when the palette changes.
const palette = {};
function readPalette() {
  const s = getComputedStyle(document.documentElement);
  for (const k of ["fg", "dim", "line", "bg", "card", "accent", "bad", "odd", "none", "low", "high", "grid"])
    palette[k] = s.getPropertyValue("--" + k).trim();
  palette.gpu = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => s.getPropertyValue("--gpu" + k).trim());
  palette.ramp = [];
  const mix = (a, b, t) => a.map((x, i) => Math.round(x + (b[i] - x) * t));
  const rgb = (h) => [1, 3, 5].map((k) => parseInt(h.substr(k, 2), 16));
  for (let v = 0; v <= 100; v++) palette.ramp.push("rgb(" + mix(rgb(palette.low), rgb(palette.high), v / 100) + ")");
}

// A canvas as sharp as the screen; returns its context, with CSS pixels as units.
function context(canvas, width, height) {
  const r = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * r));
  canvas.height = Math.max(1, Math.round(height * r));
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const c = canvas.getContext("2d");
  c.setTransform(r, 0, 0, r, 0, 0);
  c.clearRect(0, 0, width, height);
  return c;
}

// One note beside the pointer, for canvases, which have no texts of their own.
const tip = el("div", { className: "tip", hidden: true });
function showTip(x, y, lines) {
  if (!lines) {
    tip.hidden = true;
    return;
  }
  tip.replaceChildren(...lines.map((t) => el("div", {}, t)));
  tip.hidden = false;
  const w = tip.offsetWidth;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - w - 8)) + "px";
  tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + "px";
}

// Hours with two decimals, half to even: as the tables have them.
function hours(ms) {
  const q = Math.floor(ms / 36000), r = ms - q * 36000;
  if (ms > 0 && ms < 18000) return "<0.01";
  return ((q + (r > 18000 || (r === 18000 && q % 2) ? 1 : 0)) / 100).toFixed(2);
}

const span = (s) => {
  if (s < 60) return (s < 10 && s % 1 ? s.toFixed(1) : Math.round(s)) + "s";
  const two = (n) => String(n).padStart(2, "0");
  s = Math.round(s);
  if (s < 3600) return Math.floor(s / 60) + "m" + (s % 60 ? two(s % 60) + "s" : "");
  const m = Math.round(s / 60), h = Math.round(m / 60); // rounded as the tables do
  if (m < 1440) return Math.floor(m / 60) + "h" + (m % 60 ? two(m % 60) + "m" : "");
  return Math.floor(h / 24) + "d" + (h % 24 ? two(h % 24) + "h" : "");
};
