// live.js - the page of this moment: drawn from the state that stands in it, and again from each event. All text gets
// in as text.
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const CELLS = [["now", "NOW"], ["shape", "LAST 10 MIN"], ["vram", "VRAM GiB"], ["power", "POWER W"], ["temp", "\u00b0C"],
  ["clock", "MHz"]];
let seen = Date.now(), page = null, source = null;

function el(tag, cls, text) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
}

// Only what has changed is touched: a selection stays, and nothing jumps.
function put(e, text) {
  if (e.textContent !== text) e.textContent = text;
}
function look(e, cls) {
  if (e.className !== cls) e.className = cls;
}

// As many children as there are items; each is drawn by its own function.
function each(parent, items, make, draw) {
  while (parent.children.length > items.length) parent.lastElementChild.remove();
  items.forEach((item, i) => {
    if (!parent.children[i]) parent.append(make(item, i));
    draw(parent.children[i], item, i);
  });
}

function build() {
  const main = $("live"), head = el("header"), alerts = el("section", "alerts"), pair = el("div", "pair");
  document.body.className = "live";
  head.append(el("h1"), el("p"));
  const quiet = el("p", "quiet");
  quiet.id = "quiet";
  quiet.hidden = true;
  quiet.setAttribute("role", "alert");
  alerts.setAttribute("role", "status");
  alerts.append(el("p", "sentence"), el("ul"));
  const table = el("table", "gpus"), row = el("tr"), scroll = el("div", "scroll");
  row.append(el("th", "", "GPU"), el("th", "l", ""));
  CELLS.forEach(([k, title]) => row.append(el("th", k === "shape" ? "l shape" : k, title)));
  row.append(el("th", "l", "REMARK"));
  table.append(el("thead"), el("tbody"));
  table.tHead.append(row);
  scroll.append(table);
  const left = el("section"), right = el("section"), figs = el("table", "figs");
  left.append(el("h2", "", "Five minutes, and the whole run"), figs);
  const over = el("tr"), heads = el("tr");
  over.append(el("th"));
  for (const [i, name] of ["5 MIN", "WHOLE RUN"].entries()) {
    const th = el("th", i ? "gap" : "", name);
    th.colSpan = 3;
    over.append(th);
  }
  heads.append(el("th"));
  for (let i = 0; i < 6; i++) heads.append(el("th", i === 3 ? "gap" : "", ["mean", "p95", "max"][i % 3]));
  figs.append(el("thead"), el("tbody"));
  figs.tHead.append(over, heads);
  right.append(el("h2", "", "What happened"), el("ul", "happened"), el("p", "hint", "nothing yet"));
  const phases = el("p", "phases");
  phases.append(el("span", "hint", "phases "), el("span"));
  left.append(phases);
  pair.append(left, right);
  main.append(head, quiet, alerts, el("div", "figures"), scroll, pair, el("p", "monitors"));
}

function drawHead(p) {
  const h1 = document.querySelector("h1"), n = p.alerts.length;
  if (!h1.firstChild) h1.append(document.createTextNode(""), el("span"));
  const name = p.host || p.title;
  if (h1.firstChild.data !== name) h1.firstChild.data = name;
  put(h1.lastChild, p.models);
  put(document.querySelector("header p"), [p.title, p.every, p.time && `${p.time} ${p.zone}`,
    p.recording ? `recording ${p.recording}` : "", p.span && `for ${p.span}`].filter(Boolean).join(" \u00b7 "));
  const title = `${n ? `(${n}) ` : ""}${p.host ? `${p.host} - ` : ""}${p.title}`;
  if (document.title !== title) document.title = title;
}

function drawAlerts(p) {
  const box = document.querySelector(".alerts"), n = p.alerts.length, s = box.firstElementChild;
  put(s, n ? `${n} ${n === 1 ? "alert" : "alerts"}` : "no alerts");
  look(s, `sentence${n ? (p.alerts[0].grave ? " bad" : " odd") : ""}`);
  each(box.lastElementChild, p.alerts, () => {
    const li = el("li");
    li.append(el("span"), el("i"));
    return li;
  }, (li, a) => {
    look(li, a.grave ? "grave" : "");
    put(li.firstChild, a.text);
    put(li.lastChild, a.since ? `since ${a.since}` : "");
  });
}

function drawTotals(p) {
  each(document.querySelector(".figures"), p.totals, () => {
    const f = el("div", "figure"), b = el("b");
    b.append(document.createTextNode(""), el("small"));
    f.append(b, el("span"));
    return f;
  }, (f, t) => {
    const m = /^([^/ ]*)(.*)$/.exec(t.value);
    if (f.firstChild.firstChild.data !== m[1]) f.firstChild.firstChild.data = m[1];
    put(f.firstChild.lastChild, m[2]);
    put(f.lastChild, t.label);
  });
}

function makeGpu() {
  const tr = el("tr"), use = el("td", "use"), gauge = el("span", "gauge");
  const th = el("th");
  th.scope = "row";
  gauge.append(el("i"));
  use.append(gauge);
  tr.append(th, use);
  for (const [k] of CELLS) {
    const td = el("td", k);
    if (k === "shape") {
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("class", "spark");
      svg.setAttribute("viewBox", "0 0 60 20");
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("aria-hidden", "true");
      td.append(svg);
    }
    tr.append(td);
  }
  tr.append(el("td", "remark"));
  return tr;
}

// A cell of the sparkline is at least a tenth high, so that nothing and no reading differ.
function drawSpark(svg, g) {
  const now = JSON.stringify([g.spark, g.from]);
  if (svg.dataset.now === now) return;
  svg.dataset.now = now;
  svg.replaceChildren();
  const line = document.createElementNS(SVG, "line");
  for (const [k, v] of [["x1", 0], ["x2", 60], ["y1", 20], ["y2", 20]]) line.setAttribute(k, v);
  svg.append(line);
  g.spark.forEach((v, i) => {
    if (v === null) return;
    const r = document.createElementNS(SVG, "rect"), h = 2 + 18 * Math.min(v, 100) / 100;
    for (const [k, x] of [["x", i], ["y", 20 - h], ["width", 0.85], ["height", h]]) r.setAttribute(k, x);
    r.setAttribute("class", g.from !== null && i >= g.from ? "odd" : "work");
    svg.append(r);
  });
}

function drawGpu(tr, g) {
  look(tr, g.state);
  put(tr.cells[0], g.gpu);
  if (tr.title !== (g.name || "")) tr.title = g.name || "";
  const width = `${g.use === null ? 0 : Math.min(100, g.use)}%`, bar = tr.querySelector(".gauge i");
  if (bar.style.width !== width) bar.style.width = width;
  CELLS.forEach(([k], i) => {
    const td = tr.cells[i + 2];
    if (k === "shape") return drawSpark(td.firstChild, g);
    look(td, k + (k in g.marks ? (g.marks[k] ? " bad" : " odd") : ""));
    put(td, g[k]);
  });
  put(tr.lastChild, g.remark);
}

function drawTable(p) {
  each(document.querySelector(".figs tbody"), p.table, () => {
    const tr = el("tr");
    tr.append(el("th"));
    for (let i = 0; i < 6; i++) tr.append(el("td", i === 3 ? "gap" : ""));
    return tr;
  }, (tr, r) => {
    put(tr.cells[0], r.label);
    [...r.five, ...r.whole].forEach((v, i) => put(tr.cells[i + 1], v));
  });
}

function drawEvents(p) {
  const list = document.querySelector(".happened");
  list.nextSibling.hidden = p.events.length > 0;
  each(list, p.events, () => {
    const li = el("li");
    li.append(el("i"), el("b"), el("span"));
    return li;
  }, (li, e) => {
    look(li, e.kind);
    put(li.children[0], e.time || "");
    put(li.children[1], e.kind);
    put(li.children[2], e.text);
  });
}

function draw(p) {
  page = p;
  drawHead(p);
  drawAlerts(p);
  drawTotals(p);
  document.querySelector(".gpus").hidden = p.gpus.length === 0;
  each(document.querySelector(".gpus tbody"), p.gpus, makeGpu, drawGpu);
  drawTable(p);
  drawEvents(p);
  const phases = document.querySelector(".phases");
  phases.hidden = p.phases.length === 0;
  put(phases.lastChild, p.phases.map((f) => `${f.name} ${f.span}${f.times > 1 ? ` (${f.times} times)` : ""}`).join(", "));
  each(document.querySelector(".monitors"), p.monitors, () => el("span"), (e, m) => {
    look(e, m.state === "down" ? "bad" : m.state === "silent" ? "odd" : "");
    put(e, `${m.name} ${m.state}${m.text ? `: ${m.text}` : ""}`);
  });
}

// What is old is grey, and said to be.
function watch() {
  const age = Math.floor((Date.now() - seen) / 1000), patience = Math.max(5, 3 * Math.min(page.interval_s, 10));
  const old = age >= patience;
  $("quiet").hidden = !old;
  document.body.classList.toggle("old", old);
  if (old) put($("quiet"), `no data for ${age} s`);
}

// A stream that breaks is opened again, also where the browser itself gives up.
function listen() {
  source = new EventSource("events");
  source.onmessage = (m) => {
    seen = Date.now();
    draw(JSON.parse(m.data).page);
    watch();
  };
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(listen, 2000);
  };
}

build();
draw(JSON.parse($("state").textContent).page);
listen();
setInterval(watch, 1000);
