// page.js - what the address bar says is what is seen: run, filter, sort, group, columns.

const KEYS = ["run", "filter", "sort", "group", "columns"];

function state() {
  return {
    run: view.open >= 0 ? D.name.text(view.open) : "", filter: view.filter,
    sort: view.sort ? (view.down ? "-" : "") + view.sort : "", group: view.group,
    columns: view.columns ? view.columns.join(",") : "",
  };
}

// The address of this view with some of it changed.
function address(has) {
  const s = Object.assign(state(), has), parts = KEYS.filter((k) => s[k]).map((k) => k + "=" + encodeURIComponent(s[k]));
  return "#" + parts.join("&");
}

function change(has) {
  Object.assign(view, has);
  history.replaceState(null, "", address({}) === "#" ? location.pathname + location.search : address({}));
  refresh();
}

function refresh() {
  if (table.filter.value !== view.filter && document.activeElement !== table.filter) table.filter.value = view.filter;
  table.group.value = view.group;
  arrange();
  drawTable();
  say();
  drawMap();
}

function openRun(i) {
  location.hash = address({ run: i >= 0 ? D.name.text(i) : "" }).slice(1);
  if (i < 0) $("runs").scrollIntoView({ behavior: calm ? "auto" : "smooth" });
}

// Reads the address; a run that it names is opened.
function read() {
  const has = {};
  for (const p of location.hash.slice(1).split("&")) {
    const k = p.indexOf("=");
    if (k < 1 || !KEYS.includes(p.slice(0, k))) continue;
    try {
      has[p.slice(0, k)] = decodeURIComponent(p.slice(k + 1));
    } catch (e) {
      has[p.slice(0, k)] = "";
    }
  }
  if (location.hash && !Object.keys(has).length) return; // a link to a section
  const sort = has.sort || "", key = sort.replace(/^-/, ""), run = has.run ? D.rowOf(has.run) : -1, was = view.open;
  const keys = has.columns ? has.columns.split(",").filter((k) => D.by.has(k) || k === "shape") : [];
  Object.assign(view, {
    filter: has.filter || "", sort: columnOf(key) ? columnOf(key).key : "", down: sort.startsWith("-"),
    group: D.groups.some((g) => g.key === has.group) ? has.group : "", columns: keys.length ? ["run", ...keys] : null, open: run,
  });
  refresh();
  if (run !== was) drawRun(run);
  if (run >= 0 && run !== was) $("one").scrollIntoView();
  if (has.run && run < 0) table.status.prepend(el("b", { className: "odd" }, `no run "${has.run}"; `));
}

function redraw() {
  readPalette();
  table.first = -1;
  drawTable();
  drawMap();
  drawDots();
  if (one.charts.length) drawRun(view.open);
}

function start() {
  view.open = -1;
  document.documentElement.classList.add("on");
  document.body.append(tip);
  readPalette();
  build();
  for (const id of ["map", "groups"]) $(id).hidden = id === "groups" && !D.groups.length;
  drawBars();
  buildMap();
  if (D.groups.length) buildDots();
  read();
  drawDots();
  window.addEventListener("hashchange", read);
  let wait = 0;
  window.addEventListener("resize", () => {
    clearTimeout(wait);
    wait = setTimeout(redraw, 120);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  const closed = [];
  window.addEventListener("beforeprint", () => {
    for (const d of document.querySelectorAll("#findings details")) if (!d.open) closed.push(d);
    for (const d of closed) d.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const d of closed.splice(0)) d.open = false;
  });
}
start();
performance.measure("drawn"); // from the start of loading
