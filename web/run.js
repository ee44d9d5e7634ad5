// run.js - one run, opened in place: its figures, what the rules say, and its curves on one time axis.

// dygraphs' own legend is mark-up, and sets a style attribute, which the page's policy forbids.
Dygraph.PLUGINS = [Dygraph.Plugins.Axes, Dygraph.Plugins.Grid];

const one = { charts: [], bands: [], time: null, zoom: null, use: null };

function detailOf(i) {
  const e = $("r" + i);
  return e ? JSON.parse(e.textContent) : null;
}

// What a shell reads as one word.
const shell = (t) => (/^[A-Za-z0-9._\/=+,@%:-]+$/.test(t) ? t : "'" + t.replace(/'/g, "'\\''") + "'");

function command(i) {
  const name = D.whole(i), path = D.of === 1 ? D.base || "PATH" : D.base ? D.base + "/" + name : name;
  return `smilog report${D.given} ${shell(path)} -o run.html`;
}

function closeCharts() {
  for (const c of one.charts) c.dygraph.destroy();
  one.charts = [];
  one.bands = [];
  one.time = one.heat = one.use = null;
}

function figureTile(c, i) {
  const mark = c.mark & D.marks[i] && !c.absent(i);
  return el("div", { className: "figure" + (mark ? (failed(i) ? " bad" : " odd") : ""), title: c.help }, el("b", {}, c.text(i)), el("span", {}, c.head));
}

function drawRun(i) {
  const section = $("one"), body = section.querySelector(".body");
  closeCharts();
  showTip();
  section.hidden = i < 0;
  body.replaceChildren();
  if (i < 0) return;
  const name = D.name.text(i), detail = detailOf(i), params = D.columns.filter((c) => c.param && !c.absent(i));
  $("one-title").textContent = "Run " + name;
  $("one-title").tabIndex = -1;
  const close = el("button", { type: "button", className: "close", "data-tool": "close" }, "Close");
  close.addEventListener("click", () => openRun(-1));
  const step = (d, label) => {
    const items = view.items.filter((x) => typeof x === "number"), k = items.indexOf(i) + d;
    const b = el("button", { type: "button", disabled: k < 0 || k >= items.length, "data-tool": label }, label);
    b.addEventListener("click", () => openRun(items[k]));
    return b;
  };
  if (D.of > 1) body.append(el("div", { className: "tools" }, step(-1, "Previous"), step(1, "Next"), close));
  const facts = [D.state, D.by.get("began"), D.by.get("host"), D.by.get("note"), ...params].filter((c, k, all) => c && !c.absent(i) && c.text(i) !== "" && all.indexOf(c) === k);
  body.append(el("p", { className: "facts" }, ...facts.map((c) => el("span", { className: c === D.state && failed(i) ? "bad" : "" }, c === D.state || c.key === "note" ? c.text(i) : `${c.head} ${c.text(i)}`))));
  const keys = ["gpu", "idle", "vram", "power", "temp", "cpu", ...(D.of > 1 ? ["time", "wh", "gpuh", "wasted", "cost"] : [])];
  body.append(el("div", { className: "figures small" }, ...keys.map((k) => D.by.get(k)).filter((c) => c && !c.absent(i)).map((c) => figureTile(c, i))));
  if (D.of === 1); // they stand below
  else if (detail && detail.findings.length) body.append(...detail.findings.map(findingCard));
  else if (detail) body.append(el("p", {}, "no findings"));
  if (detail && detail.time) drawCharts(body, detail.time, detail.findings);
  else body.append(el("p", { className: "left" }, "series: ", el("code", {}, command(i))));
  if (detail) body.append(el("details", { className: "all" }, el("summary", {}, "All numbers of this run"), el("pre", {}, detail.text)));
}

// The same run anew, in other colours: what was zoomed and unfolded stays so.
function redrawRun() {
  const zoom = one.zoom, unfolded = [...document.querySelectorAll("#one details")].map((d) => d.open);
  drawRun(view.open);
  document.querySelectorAll("#one details").forEach((d, k) => (d.open = unfolded[k]));
  if (zoom && one.charts.length) zoomTo(zoom);
}

function findingCard(f) {
  return el("article", { className: "card l-" + f.l },
    el("div", { className: "hours" }, el("b", {}, f.h), " GPU-h"),
    el("div", { className: "what" }, el("h3", {}, f.t), f.a ? el("p", { className: "do" }, f.a) : null),
    el("p", { className: "rule" }, f.r, el("span", {}, f.l)));
}

// --- charts ---
// time: {from, cell, n, charts: [{title, unit, div, top, lines: [{name, gpu, mean, min, max}], limits: [{name, y}]}],
// phases: [[name, from, to]], events: [[name, at]], bands: [[rule, from, to, text]], left: what has no row, in words}; milliseconds on the clock of the GPU logs.

const two = (n) => String(n).padStart(2, "0");
function clock(ms, days) {
  const d = new Date(ms);
  return (days ? `${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())} ` : "") + `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
}

// A run of more than a day has its days on the axis and beside the pointer.
const long = (t) => t.end - t.begin > 86400000;
function when(t, d, step, has, me) {
  if (!long(t) || step >= Dygraph.Granularity.MONTHLY) return Dygraph.dateAxisLabelFormatter(d, step, has, me);
  return clock(d, true).slice(0, step >= Dygraph.Granularity.DAILY ? 5 : 11);
}

const cellOf = (t, ms) => Math.max(0, Math.min(t.n - 1, Math.floor((ms - t.from) / t.cell)));

// What the lines of a chart say at a moment, with the least and the largest reading.
function readings(c, t, ms) {
  const k = cellOf(t, ms), show = (v) => (v / c.div).toFixed(c.div === 1 ? 0 : 1);
  const of = (l) => l.mean[k] === null ? "no reading" : show(l.mean[k]) + " " + c.unit + (l.min && l.max[k] > l.min[k] ? ` (${show(l.min[k])} to ${show(l.max[k])})` : "");
  return [clock(ms, long(t)), ...c.lines.slice(0, 16).map((l) => `${l.name}   ${of(l)}`)];
}

// Rows for dygraphs: [date, [min, mean, max] of each line, one of each limit].
function chartRows(t, c) {
  const rows = [], at = (l, k, v) => (v[k] === null ? [null, null, null] : [(l.min || v)[k] / c.div, v[k] / c.div, (l.max || v)[k] / c.div]);
  for (let k = 0; k < t.n; k++) {
    const row = [new Date(cellAt(t, k))];
    for (const l of c.lines) row.push(at(l, k, l.mean));
    for (const l of c.limits) row.push([l.y, l.y, l.y]);
    rows.push(row);
  }
  return rows;
}

// When cell k begins and ends, as far as the run goes; its middle.
const within = (t, ms) => Math.min(t.end, Math.max(t.begin, ms));
const cellFrom = (t, k) => within(t, t.from + k * t.cell);
const cellTo = (t, k) => within(t, t.from + (k + 1) * t.cell);
const cellAt = (t, k) => (cellFrom(t, k) + cellTo(t, k)) / 2;

const shade = (l) => palette.gpu[l.gpu < 0 ? 2 : one.shades <= 4 ? [2, 5, 0, 7][l.gpu % 4] : l.gpu % 8];

function drawCharts(body, t, findings) {
  const legend = el("p", { className: "legend", role: "status" }), strip = el("canvas", { className: "strip" });
  const reset = el("button", { type: "button", hidden: true }, "Whole run");
  one.time = t;
  one.zoom = null;
  one.legend = legend;
  one.reset = reset;
  one.strip = strip;
  one.shades = Math.max(0, ...t.charts.map((c) => c.lines.length));
  one.use = t.charts.find((c) => c.key === "use");
  strip.setAttribute("role", "img");
  strip.setAttribute("aria-label", "Phases: " + t.phases.slice(0, 30).map((p) => p[0]).join(", ") + "; events: " + t.events.slice(0, 30).map((e) => e[0]).join(", "));
  reset.addEventListener("click", () => zoomTo(null));
  strip.addEventListener("mousemove", hoverStrip);
  strip.addEventListener("mouseleave", () => showTip());
  const box = el("div", { className: "charts" });
  body.append(el("div", { className: "tools" }, legend, reset), box);
  box.append(strip);
  for (const c of t.charts) {
    const holder = el("div", { className: "chart" }), labels = el("div", { className: "ends" });
    const frame = el("figure", {}, el("figcaption", {}, c.title, el("span", {}, c.unit)), el("div", { className: "plot" }, holder, labels));
    box.append(frame);
    addChart(c, t, holder, labels);
  }
  if (t.bands.length) box.append(bandRows(t, findings));
  if (one.use && one.use.lines.length >= 4) {
    one.heat = el("canvas", { className: "heat", role: "img" });
    one.heat.setAttribute("aria-label", "Heat map: use of each GPU over time");
    box.append(el("figure", {}, el("figcaption", {}, "GPU use as a map", el("span", {}, "a row a GPU")), one.heat));
    one.heat.addEventListener("mousemove", hoverHeat);
    one.heat.addEventListener("mouseleave", () => showTip());
  } else one.heat = null;
  if (t.charts.length) body.append(el("p", { className: "hint" }, `Drag to zoom, double click for the whole run. A point is ${span(t.cell / 1000)}; the band around the curve goes from its least to its largest reading.`));
  drawStrip();
  say_();
}

function addChart(c, t, holder, labels) {
  const names = ["time", ...c.lines.map((l) => l.name), ...c.limits.map((l) => "limit " + l.name)], series = {};
  for (const l of c.limits) series["limit " + l.name] = { strokePattern: [5, 4], strokeWidth: 1, drawPoints: false, highlightCircleSize: 0 };
  const lonely = t.n < 3;
  const g = new Dygraph(holder, chartRows(t, c), {
    labels: names, series, customBars: true, legend: "never", labelsUTC: true, connectSeparatedPoints: false,
    colors: [...c.lines.map(shade), ...c.limits.map(() => palette.dim)],
    strokeWidth: 1.4, fillAlpha: 0.18, drawPoints: lonely, pointSize: 2, highlightCircleSize: 3,
    gridLineColor: palette.line, axisLineColor: palette.line, gridLineWidth: 1, rightGap: 4, yRangePad: 2, axisLabelFontSize: 12,
    dateWindow: [t.begin, t.end], valueRange: c.top ? [0, c.top] : null, includeZero: true, animatedZooms: false, xRangePad: 0,
    axes: { x: { drawGrid: false, axisLabelWidth: long(t) ? 80 : 64, pixelsPerLabel: long(t) ? 90 : 70, axisLabelFormatter: (d, step, has, me) => when(t, d, step, has, me) }, y: { axisLabelWidth: 46, pixelsPerLabel: 28 } },
    underlayCallback: (ctx, area, me) => eventLines(ctx, area, me),
    drawCallback: (me, first) => {
      placeLabels(c, me, labels);
      if (!first) follow(me);
    },
    highlightCallback: (e, x, points, row) => {
      select(g, row, x);
      showTip(e.clientX, e.clientY, readings(c, t, x));
    },
    unhighlightCallback: () => {
      select(g, -1);
      showTip();
    },
  });
  g.ready(() => placeLabels(c, g, labels));
  one.charts.push({ dygraph: g, c, labels });
}

function eventLines(ctx, area, g) {
  ctx.save();
  ctx.strokeStyle = palette.dim;
  ctx.globalAlpha = 0.45;
  ctx.setLineDash([2, 3]);
  for (const e of one.time.events.slice(0, 400)) {
    const x = Math.round(g.toDomXCoord(e[1])) + 0.5;
    if (x < area.x || x > area.x + area.w) continue;
    ctx.beginPath();
    ctx.moveTo(x, area.y);
    ctx.lineTo(x, area.y + area.h);
    ctx.stroke();
  }
  ctx.restore();
}

// Light lines are seen beside dark ones, but light words are not read: the colour stands beside them.
function swatch(color) {
  const i = el("i", { className: "swatch" });
  i.style.background = color;
  return i;
}

// Names at the ends of the lines, moved apart where they would lie upon each other.
function placeLabels(c, g, box) {
  const area = g.getArea(), [x0, x1] = g.xAxisRange(), t = one.time, ends = [];
  const put = (name, y, color) => ends.push({ name, y: Math.max(area.y + 6, Math.min(area.y + area.h - 4, g.toDomYCoord(y))), color });
  for (const l of c.lines) {
    let k = Math.min(t.n - 1, Math.floor((x1 - t.from) / t.cell));
    while (k > 0 && l.mean[k] === null && t.from + k * t.cell > x0) k--;
    if (k >= 0 && l.mean[k] !== null) put(l.name, l.mean[k] / c.div, shade(l));
  }
  for (const l of c.limits) put(l.name, l.y, palette.dim);
  ends.sort((a, b) => a.y - b.y);
  for (let k = 1; k < ends.length; k++) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 13);
  const over = ends.length ? ends[ends.length - 1].y - (area.y + area.h + 4) : 0;
  if (over > 0) for (let k = ends.length - 1, low = area.y + area.h + 4; k >= 0; k--, low -= 13) ends[k].y = Math.min(ends[k].y, low);
  box.replaceChildren(...ends.map((e) => {
    const s = el("span", {}, swatch(e.color), e.name);
    s.style.top = e.y - 8 + "px";
    return s;
  }));
}

// One chart was zoomed: all others follow.
function follow(g) {
  if (one.busy) return;
  const w = g.xAxisRange();
  if (one.zoom && w[0] === one.zoom[0] && w[1] === one.zoom[1]) return;
  zoomTo(w, g);
}

function zoomTo(w, from) {
  const t = one.time, ends = [cellAt(t, 0), cellAt(t, t.n - 1)]; // what dygraphs takes for all of it
  if (w && w[0] <= ends[0] + 1 && w[1] >= ends[1] - 1) w = null;
  one.busy = true;
  one.zoom = w;
  for (const c of one.charts) if (c.dygraph !== from || !w) c.dygraph.updateOptions({ dateWindow: w || [t.begin, t.end], valueRange: c.c.top ? [0, c.c.top] : null });
  one.busy = false;
  one.reset.hidden = !w;
  drawStrip();
  say_();
}

function select(from, row, x) {
  if (one.busy) return;
  one.busy = true;
  for (const c of one.charts) if (c.dygraph !== from) {
    if (row < 0) c.dygraph.clearSelection();
    else c.dygraph.setSelection(row);
  }
  one.busy = false;
  say_(row, x);
}

// Our own legend, as text.
function say_(row, x) {
  const t = one.time, [a, b] = one.zoom || [t.begin, t.end], days = long(t);
  if (row === undefined || row < 0) {
    one.legend.replaceChildren(`${clock(a, days)} to ${clock(b, days)}, ${span((b - a) / 1000)}`);
    return;
  }
  const k = cellOf(t, x), parts = [];
  for (const c of t.charts) for (const l of c.lines) {
    if (l.mean[k] === null) continue;
    const digits = c.div === 1 ? 0 : 1, v = (l.mean[k] / c.div).toFixed(digits);
    const s = el("span", {}, swatch(shade(l)), `${c.lines.length > 1 ? l.name + " " : c.key + " "}${v} ${c.unit}`);
    parts.push(s);
  }
  const phase = t.phases.find((p) => x >= p[1] && x < p[2]);
  one.legend.replaceChildren(el("b", {}, clock(x, days)), phase ? " " + phase[0] + " " : " ", ...parts);
}

// --- what the rules found, below the charts: a row a rule; bands of a row that overlap are one ---

function bandRows(t, findings) {
  const rows = new Map();
  for (const [rule] of t.bands) rows.set(rule, []);
  for (const [rule, from, to, text] of [...t.bands].sort((a, b) => a[1] - b[1])) {
    const row = rows.get(rule), last = row[row.length - 1];
    if (last && from <= last.to) last.to = Math.max(last.to, to), last.texts.push(text);
    else row.push({ from, to, texts: [text] });
  }
  const list = el("ul", { className: "bands" });
  for (const [rule, bands] of rows) {
    const f = findings.find((x) => x.r === rule), track = el("div", { className: "track" });
    for (const band of bands) track.append(bandButton(t, f, band));
    list.append(el("li", {}, el("p", { title: f.t }, el("b", {}, f.r), ` ${f.l}: ${f.t}`), track));
  }
  if (t.left) list.append(el("li", { className: "hint" }, t.left));
  return el("figure", {}, el("figcaption", {}, "Findings", el("span", {}, "the time that they are about")), list);
}

function bandButton(t, f, band) {
  const days = long(t), when = `${clock(band.from, days)} to ${clock(band.to, days)}`, button = el("button", { type: "button", className: "l-" + f.l });
  const lines = [...band.texts.slice(0, 8), ...(band.texts.length > 8 ? [`and ${band.texts.length - 8} more`] : []), `${when}   ${span((band.to - band.from) / 1000)}`];
  button.setAttribute("aria-label", `${f.r}, ${f.l}: ${lines.join("; ")}. Zoom to it`);
  const tell = () => {
    const r = button.getBoundingClientRect();
    showTip(r.left, r.bottom - 14, lines);
  };
  for (const event of ["mouseenter", "focus"]) button.addEventListener(event, tell);
  for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => showTip());
  button.addEventListener("click", () => {
    const around = Math.max((band.to - band.from) / 10, t.cell * 2);
    if (one.charts.length) zoomTo([Math.max(t.begin, band.from - around), Math.min(t.end, band.to + around)]);
    tell();
  });
  one.bands.push({ button, from: band.from, to: band.to });
  return button;
}

function placeBands(a) {
  const [begin, end] = a.range, at = (ms) => Math.max(0, Math.min(a.w, (a.w * (ms - begin)) / (end - begin)));
  for (const { button, from, to } of one.bands) {
    const x = Math.min(at(from), a.w - 4);
    button.hidden = to < begin || from > end;
    button.style.left = x + "px";
    button.style.width = Math.max(4, at(to) - x) + "px";
    button.parentElement.style.width = a.w + "px";
    button.closest("ul").style.marginLeft = a.x + "px";
  }
}

// --- phases and events above the charts, and the GPUs as a map below ---

function plotArea() {
  if (!one.charts.length) return { x: 54, w: Math.max(1, one.strip.parentElement.clientWidth - 182), range: [one.time.begin, one.time.end] };
  const g = one.charts[0].dygraph, a = g.getArea();
  return { x: a.x, w: a.w, range: g.xAxisRange() };
}

function drawStrip() {
  if (!one.time) return;
  const a = plotArea(), width = one.strip.parentElement.clientWidth, t = one.time, high = t.events.length ? 38 : 24;
  const c = context(one.strip, width, high), at = (ms) => a.x + (a.w * (ms - a.range[0])) / (a.range[1] - a.range[0]);
  one.at = at;
  c.font = "12px system-ui, sans-serif";
  const names = [...new Set(t.phases.map((p) => p[0]))];
  c.save();
  c.beginPath();
  c.rect(a.x, 0, a.w, high);
  c.clip();
  for (const [name, from, to] of t.phases) {
    const x0 = at(from), x1 = at(to);
    if (x1 < a.x || x0 > a.x + a.w) continue;
    c.fillStyle = names.indexOf(name) % 2 ? palette.grid : palette.line;
    c.fillRect(x0, 2, Math.max(1, x1 - x0 - 0.5), 18);
  }
  let last = "", start = 0, end = 0;
  const label = () => {
    const x0 = Math.max(a.x, start), x1 = Math.min(a.x + a.w, end);
    if (last && c.measureText(last).width + 6 < x1 - x0) {
      c.fillStyle = palette.fg;
      c.fillText(last, x0 + 4, 15);
    }
  };
  for (const [name, from, to] of t.phases) {
    if (name !== last) {
      label();
      last = name;
      start = at(from);
    }
    end = at(to);
  }
  label();
  let free = 0;
  for (const [name, ms] of t.events.slice(0, 400)) {
    const x = at(ms);
    if (x < a.x - 1 || x > a.x + a.w + 1) continue;
    c.fillStyle = palette.dim;
    c.fillRect(Math.min(x, a.x + a.w - 1), 22, 1.5, 16);
    const w = c.measureText(name).width, left = x + w + 6 > a.x + a.w;
    if (x >= free && (!left || x - w - 6 > free)) {
      c.textAlign = left ? "right" : "left";
      c.fillText(name, left ? x - 3 : x + 4, 34);
      free = left ? x + 4 : x + w + 10;
    }
  }
  c.restore();
  placeBands(a);
  drawHeat(a);
}

function hoverStrip(e) {
  const r = one.strip.getBoundingClientRect(), a = plotArea(), t = one.time;
  const ms = a.range[0] + ((e.clientX - r.left - a.x) / a.w) * (a.range[1] - a.range[0]);
  const days = long(t), lines = [];
  for (const p of t.phases) if (ms >= p[1] && ms < p[2]) lines.push(`${p[0]}   ${clock(p[1], days)} to ${clock(p[2], days)}   ${span((p[2] - p[1]) / 1000)}`);
  const near = ((a.range[1] - a.range[0]) / a.w) * 4;
  for (const v of t.events) if (Math.abs(v[1] - ms) < near && lines.length < 6) lines.push(`${v[0]}   ${clock(v[1], days)}`);
  showTip(e.clientX, e.clientY, lines.length ? lines : null);
}

function drawHeat(a) {
  if (!one.heat) return;
  const t = one.time, c0 = one.use, row = 16, width = one.heat.parentElement.clientWidth, c = context(one.heat, width, c0.lines.length * row);
  c.font = "11px system-ui, sans-serif";
  c0.lines.forEach((l, k) => {
    c.fillStyle = palette.dim;
    c.textAlign = "right";
    c.fillText(l.name.replace("GPU ", ""), a.x - 6, k * row + 12);
    for (let s = 0; s < t.n; s++) {
      const x0 = one.at(cellFrom(t, s)), x1 = one.at(cellTo(t, s));
      if (x1 < a.x || x0 > a.x + a.w) continue;
      c.fillStyle = l.mean[s] === null ? palette.none : palette.ramp[Math.max(0, Math.min(100, Math.round(l.mean[s] / c0.div)))];
      c.fillRect(Math.max(a.x, x0), k * row, Math.min(a.x + a.w, x1) - Math.max(a.x, x0) + 0.3, row - 1);
    }
  });
}

function hoverHeat(e) {
  const r = one.heat.getBoundingClientRect(), a = plotArea(), t = one.time, c0 = one.use;
  const l = c0.lines[Math.floor((e.clientY - r.top) / 16)], ms = a.range[0] + ((e.clientX - r.left - a.x) / a.w) * (a.range[1] - a.range[0]);
  const s = Math.floor((ms - t.from) / t.cell);
  if (!l || s < 0 || s >= t.n) return showTip();
  showTip(e.clientX, e.clientY, [`${l.name}   ${clock(ms, long(t))}`, l.mean[s] === null ? "no reading" : `${(l.mean[s] / c0.div).toFixed(1)} %`]);
}
