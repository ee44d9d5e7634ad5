// map.js - pictures of all runs: bars of where the hours went, the map, the dots of the groups.

const PARTS = ["used", "failed", "unused", "start", "stall", "end", "unknown"]; // as the "ms" of a group
const WORD = { unknown: "without readings of utilisation", used: "used", failed: "failed runs", unused: "GPUs never used", start: "idle before work", stall: "idle between work", end: "idle after work" };

// --- bars ---

function bar(name, ms, most, filter, text) {
  const line = el("div", { className: "bar" }), room = $("waste").clientWidth - (small.matches ? 0 : 270);
  const all = ms.reduce((a, b) => a + b, 0);
  PARTS.forEach((p, k) => {
    if (ms[k] <= 0) return;
    const share = ((ms[k] * 100) / all).toFixed(1);
    const what = `${name ? name + ": " : ""}${WORD[p]}, ${hours(ms[k])} GPU-h, ${share} %`;
    const b = el("button", { type: "button", className: "w-" + p, title: what });
    b.setAttribute("aria-label", what + ". Filter the runs");
    b.style.flexGrow = ms[k];
    if ((ms[k] / most) * room > p.length * 8 + 8) b.append(p === "unknown" ? "not known" : p);
    b.addEventListener("click", () => {
      const part = p === "used" ? "" : p + ">0";
      change({ filter: [filter, part].filter(Boolean).join(" ") });
      $("runs").scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    });
    line.append(b);
  });
  line.style.width = Math.max(0.5, (100 * all) / most) + "%";
  return el("div", { className: "barline" }, el("span", { className: "who" }, name || "all"), el("div", { className: "track" }, line), el("span", { className: "sum" }, text));
}

function drawBars() {
  const box = $("waste").querySelector(".bars"), total = D.total, all = total.reduce((a, b) => a + b, 0);
  box.replaceChildren();
  if (all <= 0) return;
  box.append(bar("", total, all, "", hours(all) + " GPU-h"));
  const g = D.groups[0];
  if (!g || g.of.length > 40) return;
  const most = Math.max(...g.of.map((v) => v.ms.reduce((a, b) => a + b, 0)));
  box.append(el("h3", {}, "by " + g.key + " (bars scaled to the longest group)"));
  for (const v of g.of) box.append(bar(v.v, v.ms, most, exactly(g.column, v.v), v.t[3] + " GPU-h"));
}

// --- the map ---

const map = { at: -1, mode: "same" };
const MARK = 14, AXIS = 24;
let LEFT = 8; // room for names, where rows are as high as text

function buildMap() {
  const body = $("map").querySelector(".body");
  map.select = el("select", {}, el("option", { value: "same" }, "from the start of each run"), el("option", { value: "own" }, "each run over its own length"));
  map.select.setAttribute("aria-label", "Time of the map");
  map.select.addEventListener("change", () => {
    map.mode = map.select.value;
    drawMap();
  });
  map.canvas = el("canvas", { tabIndex: 0 });
  map.canvas.setAttribute("role", "img");
  map.said = el("p", { className: "off", role: "status" });
  map.pad = el("div", { className: "pad" });
  map.note = el("p", { className: "hint" });
  map.box = el("div", { className: "mapbox" }, map.canvas, map.pad);
  map.axis = el("canvas", { className: "axis" });
  map.legend = el("canvas", {});
  map.legend.setAttribute("aria-hidden", "true");
  map.key = el("p", { className: "mapkey" }, el("span", {}, "GPU use 0 % ", map.legend, " 100 %"),
    el("span", {}, el("i", { className: "key none" }), "no data"), el("span", {}, el("i", { className: "key bad" }), "failed"));
  const times = D.by.get("time").exact.filter((t) => t > 0).sort((a, b) => a - b);
  if (times.length && times[times.length - 1] > 8 * times[times.length >> 1]) map.mode = map.select.value = "own"; // else most would be dots
  body.append(el("div", { className: "tools" }, map.select, map.key), map.note, map.box, map.axis, map.said);
  map.box.addEventListener("scroll", drawMap, { passive: true });
  map.canvas.addEventListener("mousemove", (e) => hoverMap(e));
  map.canvas.addEventListener("mouseleave", () => {
    map.at = -1;
    showTip();
    drawMap();
  });
  map.canvas.addEventListener("click", () => map.at >= 0 && openRun(map.rows[map.at]));
  map.canvas.addEventListener("keydown", keyMap);
}

// Names without what all of them say: tokens that stand at one place in each, and the keys of key=value.
function withoutSame(all) {
  const parts = all.map((t) => t.split(/(?<=[/,_ ])/)), first = parts[0];
  if (all.length < 2 || parts.some((p) => p.length !== first.length)) return all;
  const same = first.map((x, k) => parts.every((p) => p[k] === x)), keys = first.map((x) => x.slice(0, x.indexOf("=") + 1));
  const key = keys.map((x, k) => (parts.every((p) => p[k].startsWith(x)) ? x.length : 0));
  return parts.map((p) => p.map((x, k) => (!same[k] ? x.slice(key[k]) : k && same[k - 1] ? "" : "…")).join(""));
}

// Of names that are still too long the middle goes, cut where most stay different.
function shortNames(rows, most = 32) {
  const full = rows.map((i) => D.name.text(i));
  if (!full.some((t) => t.length > most)) return full;
  const all = withoutSame(full);
  const cut = (t, first) => (t.length > most ? t.slice(0, first) + "…" + t.slice(t.length - Math.max(0, most - 1 - first)) : t);
  let best = [], apart = -1;
  for (const share of [0.4, 0.65, 0.2, 0.85]) {
    const made = all.map((t) => cut(t, Math.round(most * share))), n = new Set(made).size;
    if (n > apart) (best = made), (apart = n);
    if (n === all.length) break;
  }
  return apart < all.length ? tellApart(best, all, most) : best;
}

// Of names that are shortened to the same the part where they differ, and how they begin; else a number.
function tellApart(made, all, most) {
  const alike = () => {
    const of = new Map();
    made.forEach((t, i) => (of.get(t) || of.set(t, []).get(t)).push(i));
    return [...of.values()].filter((same) => same.length > 1);
  };
  for (let round = 0; round < 6; round++)
    for (const same of alike()) {
      const first = all[same[0]];
      let head = 0;
      while (head < first.length && same.every((i) => all[i][head] === first[head])) head++;
      const begin = Math.min(most > 14 ? 4 : 2, head), from = Math.max(begin, head - 3), to = from + most - begin - 2;
      for (const i of same) made[i] = all[i].slice(0, begin) + (from > begin ? "…" : "") + all[i].slice(from, to) + (to < all[i].length ? "…" : "");
    }
  for (const same of alike()) same.forEach((i) => (made[i] = made[i].slice(0, Math.max(1, most - 5)) + "~" + (i + 1)));
  return made;
}
const rowHeight = (n) => (n <= 30 ? 16 : n <= 80 ? 8 : n <= 200 ? 4 : 3);

// In the order of the table where one was asked for, else those that wasted most first: of many runs, those are in sight.
function mapRows() {
  const rows = view.items.filter((x) => typeof x === "number");
  return view.sort || view.group || D.sorted ? rows : sortRows(rows, "wasted", true);
}

function drawMap() {
  const rows = (map.rows = mapRows());
  const h = rowHeight(rows.length), width = map.box.clientWidth, all = rows.length * h, high = Math.min(all, 620);
  if (!width) return;
  map.h = h;
  map.box.style.height = high + "px";
  map.pad.style.height = Math.max(0, all - high) + "px";
  const c = context(map.canvas, width, high), named = h >= 14;
  c.font = "12px system-ui, sans-serif";
  c.textAlign = "right";
  const names = named ? shortNames(rows, width > 640 ? 32 : 14) : [];
  LEFT = named ? Math.min(220, Math.floor(width * 0.4), 16 + names.reduce((a, t) => Math.max(a, c.measureText(t).width), 0)) : 8;
  const time = D.by.get("time").exact;
  const longest = rows.reduce((a, i) => Math.max(a, time[i]), 0), top = Math.min(map.box.scrollTop, Math.max(0, all - high));
  map.note.textContent = (view.sort || view.group || D.sorted ? "in the order of the table" : "most waste first") +
    (all > high ? `; rows ${Math.ceil(top / h) + 1} to ${Math.floor((top + high) / h)} of ${rows.length}: scroll in the map for the others` : "");
  map.longest = map.mode === "own" || longest <= 0 ? 0 : longest;
  const plot = (map.plot = width - LEFT - MARK);
  for (let k = Math.floor(top / h); k < Math.min(rows.length, Math.ceil((top + high) / h)); k++) {
    const i = rows[k], y = k * h - top, w = map.longest ? (plot * Math.max(0, time[i])) / longest : plot, tall = h > 4 ? h - 1 : h;
    for (let s = 0; s < CELLS; s++) {
      const v = shapeAt(i, s), x0 = LEFT + (w * s) / CELLS, x1 = LEFT + (w * (s + 1)) / CELLS;
      c.fillStyle = v < 0 ? palette.none : palette.ramp[Math.round(v)];
      c.fillRect(x0, y, Math.max(0.7, x1 - x0 + 0.3), tall);
    }
    if (named) {
      c.fillStyle = k === map.at ? palette.fg : palette.dim;
      c.fillText(names[k], LEFT - 8, y + 12);
    }
    if (failed(i)) {
      c.fillStyle = palette.bad;
      c.fillRect(LEFT + w + 2, y, 6, tall);
    }
    if (k === map.at) {
      c.strokeStyle = palette.fg;
      c.strokeRect(LEFT - 1.5, y - 0.5, w + 2, tall + 1);
    }
  }
  map.canvas.setAttribute("aria-label", `Map of ${runs(rows.length)}: GPU use over time, one row a run. Arrow keys choose a run, Enter opens it.`);
  drawAxis(width, plot);
  drawRamp();
}

function drawAxis(width, plot) {
  const a = context(map.axis, width, AXIS), steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  a.font = "12px system-ui, sans-serif";
  a.fillStyle = palette.dim;
  a.strokeStyle = palette.line;
  const put = (x, t, align) => {
    a.textAlign = align;
    a.fillText(t, x, 17);
    a.beginPath();
    a.moveTo(x, 0);
    a.lineTo(x, 5);
    a.stroke();
  };
  if (!map.longest) {
    put(LEFT, "start", "left");
    put(LEFT + plot, "end", "right");
    return;
  }
  const s = map.longest / 1000, step = steps.find((x) => s / x <= Math.min(10, plot / 60)) || s / 5;
  for (let t = 0; t <= s; t += step) {
    const x = LEFT + (plot * t) / s;
    put(x, t ? span(t) : "0", t === 0 ? "left" : x > LEFT + plot - 20 ? "right" : "center");
  }
}

function drawRamp() {
  const c = context(map.legend, 120, 12);
  for (let x = 0; x < 120; x++) {
    c.fillStyle = palette.ramp[Math.round((x * 100) / 119)];
    c.fillRect(x, 0, 1.3, 12);
  }
}

function hoverMap(e) {
  const r = map.canvas.getBoundingClientRect(), k = Math.floor((e.clientY - r.top + map.box.scrollTop) / map.h);
  const old = map.at;
  map.at = k >= 0 && k < map.rows.length ? k : -1;
  if (map.at < 0) return showTip();
  const i = map.rows[k], time = D.by.get("time"), whole = Math.max(0, time.exact[i]);
  const w = map.longest ? (map.plot * whole) / map.longest : map.plot, cell = Math.floor(((e.clientX - r.left - LEFT) / w) * CELLS);
  const lines = [D.name.text(i), `${D.state.text(i)}   ${time.text(i)}   GPU ${D.by.get("gpu").text(i)} %`];
  if (cell >= 0 && cell < CELLS) {
    const v = shapeAt(i, cell);
    lines.push(`at ${span((whole / 1000) * ((cell + 0.5) / CELLS))}: ${v < 0 ? "no reading" : "about " + Math.round(v) + " %"}`);
  }
  showTip(e.clientX, e.clientY, lines);
  if (old !== map.at) drawMap();
}

// What a cell says to those who see it, the row says to those who hear it.
const spoken = (i) => `${D.name.text(i)}, ${D.state.text(i)}, ${D.by.get("time").text(i)}, GPU ${D.by.get("gpu").text(i)} %, over time ${tenths(i)}`;

function keyMap(e) {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }[e.key];
  if (e.key === "Enter" && map.at >= 0) return openRun(map.rows[map.at]);
  if (e.key === "Escape") map.at = -1;
  else if (step) map.at = Math.max(0, Math.min(map.rows.length - 1, map.at + step));
  else return;
  e.preventDefault();
  if (map.at >= 0) {
    const y = map.at * map.h;
    if (y < map.box.scrollTop) map.box.scrollTop = y;
    if (y + map.h > map.box.scrollTop + map.box.clientHeight) map.box.scrollTop = y + map.h - map.box.clientHeight;
    const r = map.canvas.getBoundingClientRect(), i = map.rows[map.at];
    map.said.textContent = spoken(i);
    showTip(r.left + 40, r.top + y - map.box.scrollTop, [D.name.text(i), `${D.state.text(i)}   ${D.by.get("time").text(i)}   GPU ${D.by.get("gpu").text(i)} %`]);
  } else showTip();
  drawMap();
}

// --- the dots of the groups ---

const dots = {};

const figures = () => ["gpu", "idle", "wasted", "vram", "wh", "time", "power", "temp", "cpu"].filter((k) => D.by.get(k).values.some((v) => v === v));

function buildDots() {
  const body = $("groups").querySelector(".body");
  const pick = (list, label) => {
    const s = el("select", {}, ...list.map(([v, t]) => el("option", { value: v }, t)));
    s.setAttribute("aria-label", label);
    s.addEventListener("change", drawDots);
    return s;
  };
  dots.by = pick(D.groups.map((g) => [g.key, "by " + g.key]), "Group");
  dots.of = pick(figures().map((k) => [k, D.by.get(k).head]), "Figure");
  dots.canvas = el("canvas", {});
  dots.canvas.setAttribute("role", "img");
  dots.table = el("div", { className: "scroll" });
  dots.said = el("p", { className: "source" }, "GPU % and idle % of a group are of all its readings together, in which a longer run counts more; each dot is a run.");
  body.append(el("div", { className: "tools" }, dots.of, dots.by), dots.canvas, dots.said, dots.table);
  dots.canvas.addEventListener("mousemove", (e) => {
    const p = nearDot(e);
    dots.canvas.style.cursor = p ? "pointer" : "";
    if (p) showTip(e.clientX, e.clientY, [D.name.text(p.i), `${dots.c.head}: ${dots.c.text(p.i)}`]);
    else showTip();
  });
  dots.canvas.addEventListener("mouseleave", () => showTip());
  dots.canvas.addEventListener("click", (e) => {
    const p = nearDot(e);
    if (p) openRun(p.i);
  });
}

function nearDot(e) {
  const r = dots.canvas.getBoundingClientRect(), x = e.clientX - r.left, y = e.clientY - r.top;
  let best = null, far = 81;
  for (const p of dots.at) {
    const d = (p.x - x) ** 2 + (p.y - y) ** 2;
    if (d < far) {
      far = d;
      best = p;
    }
  }
  return best;
}

function drawDots() {
  if (!dots.of) return;
  const g = D.groups.find((x) => x.key === dots.by.value), param = g.column, c = (dots.c = D.by.get(dots.of.value));
  const of = new Map(g.of.map((v) => [v.v, []]));
  for (let i = 0; i < D.n; i++) if (!isNaN(c.values[i]) && of.has(param.text(i))) of.get(param.text(i)).push(i);
  const seen = [...of.values()].flat().map((i) => c.values[i]);
  const width = dots.canvas.parentElement.clientWidth, row = g.of.length > 30 ? 16 : 26, high = g.of.length * row + 30;
  if (!width) return;
  const x = context(dots.canvas, width, high), left = Math.min(180, 30 + 8 * Math.max(...g.of.map((v) => v.v.length))), plot = width - left - 24;
  let low = 0, top = 1;
  if (seen.length) {
    low = seen.reduce((a, b) => Math.min(a, b));
    top = seen.reduce((a, b) => Math.max(a, b));
  }
  if (low > 0 && low < top * 0.6) low = 0;
  if (top === low) top = low + 1;
  const step = niceStep((top - low) / 6), from = Math.floor(low / step) * step, to = Math.ceil(top / step) * step;
  const at = (v) => left + (plot * (v - from)) / (to - from);
  x.font = "12px system-ui, sans-serif";
  for (let v = from; v <= to + step / 2; v += step) {
    x.strokeStyle = palette.line;
    x.beginPath();
    x.moveTo(Math.round(at(v)) + 0.5, 0);
    x.lineTo(Math.round(at(v)) + 0.5, high - 26);
    x.stroke();
    x.fillStyle = palette.dim;
    x.textAlign = "center";
    x.fillText(c.kind === KIND.span ? span(v) : String(+v.toFixed(6)), at(v), high - 10);
  }
  dots.at = [];
  g.of.forEach((v, k) => {
    const y = k * row + row / 2, list = of.get(v.v), values = list.map((i) => c.values[i]).sort((a, b) => a - b);
    x.fillStyle = palette.fg;
    x.textAlign = "right";
    x.fillText(v.v.length > 22 ? v.v.slice(0, 21) + "…" : v.v, left - 10, y + 4);
    if (values.length > 2) {
      const q = (p) => values[Math.min(values.length - 1, Math.floor(p * (values.length - 1) + 0.5))];
      x.fillStyle = palette.grid;
      x.fillRect(at(q(0.25)), y - row * 0.32, Math.max(2, at(q(0.75)) - at(q(0.25))), row * 0.64);
    }
    x.globalAlpha = list.length > 60 ? 0.35 : 0.8;
    list.forEach((i) => {
      const px = at(c.values[i]), py = y + (list.length > 3 ? (((i * 7919) % 11) / 11 - 0.5) * row * 0.5 : 0);
      x.fillStyle = failed(i) ? palette.bad : palette.accent;
      x.beginPath();
      if (failed(i)) x.rect(px - 3.5, py - 3.5, 7, 7);
      else x.arc(px, py, 4, 0, 7);
      x.fill();
      dots.at.push({ x: px, y: py, i });
    });
    x.globalAlpha = 1;
  });
  dots.canvas.setAttribute("aria-label", `${c.head} of each run, a row a value of ${g.key}; the table below has the sums`);
  groupTable(g);
}

function niceStep(raw) {
  const p = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].map((f) => f * p).find((s) => s >= raw) || raw;
}

function groupTable(g) {
  const heads = [g.key, "Runs", "Failed", "GPU %", "Idle %", "VRAM GiB", "GPU-h", "Wasted h"];
  const body = g.of.map((v) => {
    const a = el("a", { href: address({ filter: exactly(g.column, v.v), run: "" }) }, v.v);
    const cells = [v.n, v.t[5] === "0" ? "-" : v.t[5], v.t[0], v.t[1], v.t[2], v.t[3], v.t[4]];
    return el("tr", {}, el("th", { scope: "row" }, a), ...cells.map((t) => el("td", { className: "n" }, String(t))));
  });
  dots.table.replaceChildren(el("table", { className: "plain" }, el("thead", {}, el("tr", {}, ...heads.map((t, k) => el("th", { scope: "col", className: k ? "n" : "" }, t)))), el("tbody", {}, ...body)));
}
