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

// Some places where a page may be shown know no history (a frame with srcdoc): there the view changes all the same.
function remember(how) {
  const a = address({});
  try {
    history[how](null, "", a === "#" ? location.pathname + location.search : a);
  } catch (e) {
    view.forgotten = true;
  }
}

function change(has) {
  Object.assign(view, has);
  remember("replaceState");
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

function linkOf(i) {
  for (const a of table.body.querySelectorAll("a")) if (a.textContent === D.name.text(i)) return a;
  return table.scroll;
}

// Shows the run that view.open names, after `was`; the focus goes to what was pressed there, to its head, or back to
// its row.
function showRun(was, jump) {
  const section = $("one"), tool = section.contains(document.activeElement) && document.activeElement.getAttribute("data-tool");
  drawRun(view.open);
  if (view.open < 0) {
    if (was < 0 || !jump) return;
    $("runs").scrollIntoView({ behavior: calm ? "auto" : "smooth" });
    return linkOf(was).focus({ preventScroll: true });
  }
  if (!jump) return;
  section.scrollIntoView();
  const again = tool && section.querySelector(`[data-tool="${tool}"]:enabled`);
  (again || $("one-title")).focus({ preventScroll: true });
}

function openRun(i) {
  const was = view.open;
  if (i === was) return i >= 0 && $("one").scrollIntoView();
  view.open = i;
  remember("pushState");
  refresh();
  showRun(was, true);
}

// What an address asks for, or null: a link to a section.
function parse(hash) {
  const has = {};
  for (const p of hash.slice(1).split("&")) {
    const k = p.indexOf("=");
    if (k < 1 || !KEYS.includes(p.slice(0, k))) continue;
    try {
      has[p.slice(0, k)] = decodeURIComponent(p.slice(k + 1));
    } catch (e) {
      has[p.slice(0, k)] = "";
    }
  }
  return hash && hash !== "#" && !Object.keys(has).length ? null : has;
}

function show(has) {
  const sort = has.sort || "", key = sort.replace(/^-/, ""), run = has.run ? D.rowOf(has.run) : -1, was = view.open;
  const keys = has.columns ? has.columns.split(",").filter((k) => D.by.has(k) || k === "shape") : [];
  Object.assign(view, {
    filter: has.filter || "", sort: columnOf(key) ? columnOf(key).key : "", down: sort.startsWith("-"),
    group: D.groups.some((g) => g.key === has.group) ? has.group : "", columns: keys.length ? ["run", ...keys] : null, open: run,
  });
  refresh();
  if (run !== was) showRun(was, true);
  if (has.run && run < 0) table.status.prepend(el("b", { className: "odd" }, `no run "${has.run}"; `));
}

// Reads the address; a run that it names is opened.
function read() {
  const has = parse(location.hash);
  if (has) show(has);
}

// Links of the page to itself change the view: one that names only a run leaves filter, order and columns as they are.
function followLink(e) {
  const a = e.target.closest && e.target.closest("a[href^='#']"), has = a && parse(a.getAttribute("href"));
  if (!has || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  if (has.run && D.rowOf(has.run) >= 0) return openRun(D.rowOf(has.run));
  show(has);
  remember("pushState");
}

function redraw() {
  readPalette();
  table.first = -1;
  drawTable();
  drawMap();
  drawDots();
  if (view.open >= 0) redrawRun();
}

// A window of another height shows more or fewer rows; of another width, all is as wide as it.
function resized() {
  const wide = innerWidth !== view.wide;
  view.wide = innerWidth;
  drawTable();
  if (!wide) return;
  drawBars();
  drawMap();
  drawDots();
  for (const c of one.charts) c.dygraph.resize();
  drawStrip();
}

function start() {
  view.open = -1;
  document.documentElement.classList.add("on");
  document.body.append(tip);
  readPalette();
  build();
  $("map").hidden = D.n === 1 || D.blank;
  $("groups").hidden = !D.groups.length || !figures().length;
  drawBars();
  buildMap();
  if (!$("groups").hidden) buildDots();
  view.wide = innerWidth;
  const has = parse(location.hash);
  show(has || {}); // an address of a section asks for nothing: all is drawn, too
  drawDots();
  if (!has) document.getElementById(location.hash.slice(1))?.scrollIntoView(); // it stood elsewhere before
  if (D.of === 1 && D.n === 1 && view.open < 0) {
    view.open = 0; // the only one: its curves are what one came for
    refresh();
    showRun(-1, false);
  }
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
  document.addEventListener("click", followLink);
  let wait = 0;
  window.addEventListener("resize", () => {
    clearTimeout(wait);
    wait = setTimeout(resized, 120);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
start();
performance.measure("drawn"); // from the start of loading
