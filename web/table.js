// table.js - the table of runs: sortable heads, filter, groups, chosen columns; only the rows in sight are drawn.

const ROW = 30; // pixels of a row, as in page.css
const view = { filter: "", sort: "", down: false, group: "", columns: null, rows: [], items: [], note: "" };
const table = {};

const small = matchMedia("(max-width: 640px)");

// Where nothing is chosen, columns that find no room leave in the order of the program's tables, but the picture last: it
// gets narrower ("narrow") before the last three leave. On a phone these leave at once, but for the state. The line above
// the table says which left. Where parameters find no room, they stand below the names.
const inOrder = D.columns.filter((c) => c.leave).sort((a, b) => b.leave - a.leave).map((c) => c.key);
const LEAVING = [...inOrder.slice(0, -3), "narrow", ...inOrder.slice(-3), "shape"];
const staysSmall = (c) => c.leave < 2;

function wantedColumns() {
  const keys = view.columns, wanted = (c) => !c.more && (c.param || !small.matches || staysSmall(c));
  const cols = D.columns.filter((c) => (keys ? keys.includes(c.key) : wanted(c) && (c === D.name || !c.empty)));
  const after = cols.findIndex((c) => c.key === "gpu");
  if (keys ? keys.includes("shape") : !D.blank) cols.splice(after < 0 ? 1 : after + 1, 0, "shape");
  return cols;
}

const keyOf = (c) => (c === "shape" ? "shape" : c.key);
const roomOf = (c) => (c === "shape" ? (table.narrow ? 92 : 138) : widthOf(c) + (small.matches ? 10 : c.right ? 26 : 22));

const leastName = () => (small.matches ? 106 : 200); // pixels

function columnsInSight() {
  const room = table.scroll.clientWidth, all = wantedColumns(), bare = all.filter((c) => !c.param);
  table.left = [];
  table.narrow = false;
  if (view.columns || !room) return all;
  const fits = (cols) => cols.reduce((sum, x) => sum + (x === D.name ? Math.min(roomOf(x), leastName() + 24) : roomOf(x)), 0) <= room;
  const leaving = small.matches ? ["narrow", "shape"] : LEAVING;
  const fit = (cols, order) => {
    table.left = [];
    table.narrow = false;
    for (const key of order) {
      if (fits(cols)) break;
      if (key === "narrow") table.narrow = true;
      for (const c of cols.filter((x) => keyOf(x) === key)) table.left.push(c === "shape" ? "Over time" : c.head);
      cols = cols.filter((x) => keyOf(x) !== key);
    }
    return cols;
  };
  const cols = fit(all, bare.length < all.length ? leaving.filter((key) => key !== "state" && key !== "shape") : leaving);
  return fits(cols) ? cols : fit(bare, leaving);
}

// Whether a name has a value as a word of its own: "lr0.1/seed=3" has 0.1 and 3.
const says = (name, v) => (v.length > 3 ? name.includes(v) : name.split(/[^\w.+]|_/).some((x) => x === v || x.replace(/^[A-Za-z]+/, "") === v));

// Which parameters no column shows and the names as they are cut do not, either. Where their columns found no room, or
// names have lost them, they stand below each name, first those of most interest; others the line above the table names.
function missingParams() {
  const at = table.room + table.columns.map(keyOf).join();
  if (at === table.at) return;
  table.at = at;
  const told = (c, name) => table.names.every((t, i) => c.absent(i) || says(name(t, i), c.text(i)));
  const rest = view.columns ? [] : D.columns.filter((c) => c.param && !table.columns.includes(c) && new Set(c.words || c.list).size > 1);
  const lost = rest.filter((c) => !told(c, (t) => t)), below = lost.some((c) => !c.more || told(c, (t, i) => D.whole(i)));
  table.below = below ? lost.sort((a, b) => a.more - b.more) : [];
  table.more = below ? [] : lost;
  table.row = below ? ROW + 16 : ROW;
}

const shownColumns = () => table.columns.filter((c) => c !== "shape");

// "0 81 82 - 83 ... %": what the shape says, in words.
function tenths(i) {
  const out = [];
  for (let k = 0; k < CELLS; k += CELLS / 10) {
    let sum = 0, n = 0;
    for (let s = k; s < k + CELLS / 10; s++) if (shapeAt(i, s) >= 0) (sum += shapeAt(i, s)), n++;
    out.push(n ? Math.round(sum / n) : "-");
  }
  return out.join(" ") + " %";
}

// 60 cells as one path: heights are use; idle cells are a path of their own.
function sparkline(i) {
  let work = "", idle = "", none = "";
  for (let k = 0; k < CELLS; k++) {
    const v = shapeAt(i, k), x = k * 2;
    if (v < 0) none += `M${x} 17h2v1h-2z`;
    else if (v <= 1.2) idle += `M${x} 15h2v3h-2z`;
    else work += `M${x} 18V${(18 - 0.18 * v).toFixed(1)}h2V18z`;
  }
  const s = svg("svg", { viewBox: "0 0 120 18", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": "GPU use over time, in tenths: " + tenths(i) });
  if (work) s.append(svg("path", { d: work, class: "work" }));
  if (idle) s.append(svg("path", { d: idle, class: "idle" }));
  if (none) s.append(svg("path", { d: none, class: "none" }));
  return s;
}

// Of the head of a column, with room for the arrow of its order.
function headWidth(c) {
  table.pen.font = "650 13px " + getComputedStyle(document.body).fontFamily;
  return table.pen.measureText(c.short + (small.matches ? "" : " \u2191")).width;
}

// Widths that hold every text of a column, so that rows do not dance while one scrolls.
function widthOf(c) {
  if (!c.width) {
    const pen = (table.pen = table.pen || document.createElement("canvas").getContext("2d")), family = getComputedStyle(document.body).fontFamily;
    let long = 0, text = 0, tried = 0;
    for (const t of c.words || c.list) long = Math.max(long, t.length);
    pen.font = "14px " + family;
    for (const t of c.words || c.list) // as many letters may be wider
      if (t.length * 5 >= long * 4 && tried++ < 500) text = Math.max(text, pen.measureText(t).width * 1.04);
    const most = c.kind === KIND.name ? 270 : c.key === "note" ? 280 : 200;
    c.width = Math.ceil(Math.max(Math.min(text, most), headWidth(c))) + 2;
  }
  return c.width;
}

// A filter that finds something here: a value, and a comparison that some of its runs pass.
function example() {
  const busy = D.by.get("idle").values, has = (c) => [...new Set(c.words || c.list)].filter((t) => t !== "-" && t !== "");
  const group = D.groups[0] && D.groups[0].column, all = [...busy].filter((x) => x === x).sort((a, b) => a - b);
  const limit = all.length ? Math.floor(all[all.length >> 1]) : -1;
  if (group)
    for (const t of has(group)) {
      const mine = [...busy].filter((x, i) => group.text(i) === t && x > limit);
      if (mine.length && limit >= 0) return `${quoted(group.key)}=${quoted(t)} idle>${limit}`;
    }
  if (all.some((x) => x > limit) && limit >= 0) return `idle>${limit}`;
  return group ? `${quoted(group.key)}=${quoted(has(group)[0])}` : "state=" + (has(D.state)[0] || "ok");
}

function build() {
  const input = el("input", { type: "search", id: "filter", placeholder: "filter: " + example(), autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-label", "Filter the runs: column, comparison, value; or a part of a name");
  input.addEventListener("input", () => change({ filter: input.value }));
  table.filter = input;
  table.group = el("select", { id: "group" }, el("option", { value: "" }, "no groups"));
  for (const g of D.groups) table.group.append(el("option", { value: g.key }, "by " + g.key));
  table.group.setAttribute("aria-label", "Group the runs");
  table.group.addEventListener("change", () => change({ group: table.group.value }));
  table.group.hidden = D.groups.length === 0;
  table.status = el("p", { className: "status", role: "status" });
  table.copy = el("button", { type: "button" }, "Copy as CSV");
  table.copy.addEventListener("click", copyCsv);
  table.chooser = chooser();
  table.scroll = el("div", { className: "rows", tabIndex: 0 });
  table.scroll.setAttribute("aria-label", "Runs");
  table.scroll.setAttribute("role", "region");
  table.scroll.addEventListener("scroll", drawRows, { passive: true });
  $("runs").querySelector(".live").append(
    el("div", { className: "tools" }, input, table.group, table.chooser, table.copy), table.status, table.scroll);
}

function chooser() {
  const box = el("div", { className: "choices" });
  const all = [...D.columns.slice(1), { key: "shape", head: "Over time", help: "GPU use over the run's own length" }];
  table.boxes = all.map((c) => {
    const b = el("input", { type: "checkbox" });
    b.addEventListener("change", () => {
      const keys = new Set(table.boxes.filter((x) => x.box.checked).map((x) => x.key));
      change({ columns: ["run", ...keys] });
    });
    box.append(el("label", { title: c.help }, b, " " + c.head));
    return { key: c.key, box: b };
  });
  const d = el("details", { className: "chooser" }, el("summary", {}, "Columns"), box);
  document.addEventListener("click", (e) => {
    if (!d.contains(e.target)) d.open = false;
  });
  d.addEventListener("keydown", (e) => {
    if (e.key === "Escape") d.open = false;
  });
  return d;
}

function copyCsv() {
  const cols = shownColumns(), rows = view.items.filter((x) => typeof x === "number"), text = csv(cols, rows);
  const done = (ok) => {
    table.copy.textContent = ok ? `Copied ${rows.length} rows` : "Not copied";
    setTimeout(() => (table.copy.textContent = "Copy as CSV"), 2500);
  };
  table.copied = text;
  const old = () => {
    const t = el("textarea", { className: "off" });
    t.value = text;
    document.body.append(t);
    t.select();
    let ok = false;
    try {
      ok = document.execCommand("copy");
    } catch (e) {
      ok = false;
    }
    t.remove();
    done(ok);
  };
  if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(text).then(() => done(true), old);
  else old();
}

// The rows that pass, in order, with the heads of groups between them.
function arrange() {
  const f = filterRows(view.filter);
  view.note = f.error;
  if (f.rows) view.rows = f.rows;
  const rows = view.sort ? sortRows(view.rows, view.sort, view.down) : view.rows;
  const g = D.groups.find((x) => x.key === view.group), c = g && g.column;
  view.items = rows;
  if (!c) return;
  const of = new Map(g.of.map((v) => [v.v, []]));
  const rest = [];
  for (const i of rows) (of.get(c.text(i)) || rest).push(i);
  view.items = [];
  for (const v of g.of) if (of.get(v.v).length) view.items.push({ group: g, value: v, n: of.get(v.v).length }, ...of.get(v.v));
  if (rest.length) view.items.push({ group: g, value: null, n: rest.length }, ...rest);
}

// With --sort the order that was asked for is no column's, until one is chosen.
const sortedBy = (c) => view.sort === c.key || (!view.sort && c === D.name && !D.sorted);

function head() {
  const row = el("tr", { "aria-rowindex": 1 });
  for (const c of table.columns) {
    if (c === "shape") {
      row.append(el("th", { scope: "col", title: "GPU use over the run's own length, 60 cells; yellow: idle" }, el("span", {}, "Over time")));
      continue;
    }
    const on = sortedBy(c);
    const b = el("button", { type: "button", title: c.param ? "Parameter " + c.head : c.help }, c.short);
    const th = el("th", { scope: "col", className: c.right ? "n" : "" }, b);
    if (on) th.setAttribute("aria-sort", view.down ? "descending" : "ascending");
    b.addEventListener("click", () => {
      const again = sortedBy(c);
      change({ sort: c.key, down: again ? !view.down : c.numeric });
      const now = table.scroll.querySelector(`th:nth-child(${table.columns.indexOf(c) + 1}) button`);
      if (now) now.focus();
    });
    row.append(th);
  }
  return row;
}

const runs = (n) => (n === 1 ? "1 run" : n + " runs");

// Names as wide as their column: what would be cut off at the end may be what differs. They get what others leave.
function nameRuns() {
  const others = table.columns.reduce((sum, c) => sum + (c === D.name ? 0 : roomOf(c)), 0);
  const left = table.scroll.clientWidth - others;
  const room = small.matches ? Math.max(60, left - 16) : Math.max(leastName(), Math.min(560, left - 24));
  if (table.room === room) return;
  table.room = room;
  const rows = [...Array(D.n).keys()], pen = table.pen;
  pen.font = (small.matches ? "13px " : "14px ") + getComputedStyle(document.body).fontFamily;
  for (let most = small.matches ? 18 : Math.floor(room / 8), wide = room + 1; wide > room && most > 6; most = Math.min(most - 1, Math.floor((most * room) / wide))) {
    table.names = shortNames(rows, most);
    wide = table.wide = table.names.reduce((w, t) => Math.max(w, pen.measureText(t).width), 0);
  }
}

function drawTable() {
  table.columns = columnsInSight();
  nameRuns();
  missingParams();
  for (const b of table.boxes) b.box.checked = table.columns.some((c) => keyOf(c) === b.key);
  const widths = el("colgroup");
  let sum = 0;
  for (const c of table.columns) {
    const w = c === D.name ? Math.ceil(Math.max(table.wide, headWidth(c))) + 24 : roomOf(c), col = el("col");
    if (!small.matches || c !== D.name || table.columns.length > 4) col.style.width = w + "px";
    sum += w;
    widths.append(col);
  }
  table.body = el("tbody");
  const t = el("table", { className: "runs" + (table.below.length ? " tall" : "") }, widths, el("thead", {}, head()), table.body);
  t.style.minWidth = (small.matches ? 0 : sum) + "px";
  t.setAttribute("aria-rowcount", view.items.length + 1);
  table.scroll.replaceChildren(t);
  table.high = Math.max(8 * ROW, Math.min(view.items.length * table.row + ROW + 16, Math.floor(innerHeight * 0.72)));
  table.scroll.style.maxHeight = table.high + "px";
  table.first = -1;
  drawRows();
}

function groupRow(item, at) {
  const v = item.value;
  const t = v ? `${item.group.key}=${v.v}` : "no " + item.group.key;
  const whole = v && item.n === v.n;
  const more = whole ? `${runs(v.n)}   GPU ${v.t[0]} %   idle ${v.t[1]} %   ${v.t[3]} GPU-h   ${v.t[4]} h wasted` + (v.t[5] !== "0" ? `   ${v.t[5]} failed` : "")
    : v ? `${item.n} of ${runs(v.n)}` : runs(item.n);
  return el("tr", { className: "group", "aria-rowindex": at + 2 }, el("th", { colSpan: table.columns.length, scope: "rowgroup" }, el("b", {}, t), el("span", {}, more)));
}

function runRow(i, at) {
  const tr = el("tr", { className: "run" + (failed(i) ? " failed" : "") + (view.open === i ? " open" : "") });
  tr.setAttribute("aria-rowindex", at + 2);
  for (const c of table.columns) {
    if (c === "shape") {
      tr.append(el("td", {}, sparkline(i)));
      continue;
    }
    const text = c.text(i), td = el("td", { className: (c.right ? "n" : "") + (c.mark & D.marks[i] && text !== "-" ? (failed(i) ? " bad" : " odd") : "") + (text === "-" ? " none" : "") });
    if (c === D.name) td.append(el("a", { href: address({ run: text }), title: text }, table.names[i]));
    else td.append(text);
    if (c.key === "state" || c.key === "note") td.className += " " + (failed(i) ? "bad" : c.key === "note" && D.marks[i] ? "odd" : "");
    if (!c.right && text.length > 20) td.title = text;
    tr.append(td);
  }
  if (!table.below.length) return [tr];
  const params = table.below.filter((c) => !c.absent(i)).map((c) => `${c.short}=${c.text(i)}`).join("  ");
  return [tr, el("tr", { className: tr.className.replace("run", "below") }, el("td", { colSpan: table.columns.length, title: params }, params))];
}

function drawRows() {
  const n = view.items.length, top = table.scroll.scrollTop, high = table.high;
  const from = Math.max(0, Math.floor(top / table.row) - 6), to = Math.min(n, Math.ceil((top + high) / table.row) + 6);
  if (from === table.first && to === table.last) return;
  table.first = from;
  table.last = to;
  const rows = [];
  const gap = (count) => {
    const tr = el("tr", { className: "gap" }, el("td", { colSpan: table.columns.length }));
    tr.style.height = count * table.row + "px";
    return tr;
  };
  if (from > 0) rows.push(gap(from));
  for (let k = from; k < to; k++) rows.push(...(typeof view.items[k] === "number" ? runRow(view.items[k], k) : [groupRow(view.items[k], k)]));
  if (to < n) rows.push(gap(n - to));
  if (!n) rows.push(el("tr", {}, el("td", { colSpan: table.columns.length }, "no run matches ", el("b", {}, view.filter))));
  const active = document.activeElement && table.body.contains(document.activeElement) ? document.activeElement.textContent : null;
  table.body.replaceChildren(...rows);
  if (active !== null) for (const a of table.body.querySelectorAll("a")) if (a.textContent === active) a.focus({ preventScroll: true });
}

function say() {
  const rows = view.rows, part = rows.length < D.n;
  let t = part ? `${rows.length} of ${runs(D.n)}` : runs(D.n);
  const sum = (key) => {
    const c = D.by.get(key);
    return hours(c ? rows.reduce((s, i) => s + (c.exact[i] > 0 ? c.exact[i] : 0), 0) : 0);
  };
  if (part && rows.length) t += `: ${sum("gpuh")} GPU-h, ${sum("wasted")} of them wasted`;
  if (D.of > D.n) t += ` (of ${D.of} in all: those that wasted most; --all or --samples all for the others)`;
  const more = table.more.map((c) => c.short), left = [...table.left, ...(more.length > 4 ? [...more.slice(0, 3), `${more.length - 3} more parameters`] : more)];
  if (left.length) t += `; without ${left.join(", ")} (see Columns)`;
  table.status.replaceChildren(view.note ? el("b", { className: "odd" }, view.note + "; ") : "", t);
  if (view.filter) {
    const b = el("button", { type: "button", className: "link" }, "show all");
    b.addEventListener("click", () => change({ filter: "" }));
    table.status.append(" ", b);
  }
}
