// filter.js - "lr=0.1 idle>10 memory": all of these hold. key=value, != < <= > >=, key~part; a bare word is looked for
// in names and notes; quotes hold blanks together; a minus in front is: not.

function words(text) {
  const out = [];
  const re = /\s*((?:"[^"]*"?|[^\s"])+)/g;
  for (let m; (m = re.exec(text)); ) out.push(m[1]);
  return out;
}

const alias = { name: "run", "gpu%": "gpu", util: "gpu", "idle%": "idle", w: "power", energy: "wh", "cpu%": "cpu", waste: "wasted", started: "began" };

function columnOf(key) {
  const low = key.toLowerCase();
  if (D.by.has(key)) return D.by.get(key);
  if (key.startsWith("param.")) return D.columns.find((c) => c.param && c.head === key.slice(6));
  for (const c of D.columns) if (c.key.toLowerCase() === low || c.head.toLowerCase() === low) return c;
  return D.by.get(alias[low]);
}

const bare = (t) => t.replace(/"/g, "");

// One word to a test of a row; or a string, which says what is wrong.
function test(word) {
  const not = word.startsWith("-") && word.length > 1 && !/^-[\d.]/.test(word);
  const m = /^("[^"]*"|[^"=<>!~]+)(!=|<=|>=|==|=|<|>|~)(.*)$/s.exec(not ? word.slice(1) : word);
  const turn = (f) => (not ? (i) => !f(i) : f);
  if (!m) {
    const part = bare(not ? word.slice(1) : word).toLowerCase();
    const in_ = [D.name, D.by.get("note"), D.state, D.by.get("host")].filter(Boolean);
    return turn((i) => in_.some((c) => c.text(i).toLowerCase().includes(part)));
  }
  const key = bare(m[1]), want = bare(m[3]), c = columnOf(key);
  if (!c) return `no column "${key}"`;
  if (want === "") return `"${key}${m[2]}" waits for a value`;
  if (m[2] === "~") return turn((i) => c.text(i).toLowerCase().includes(want.toLowerCase()));
  const n = numberOf(want), low = want.toLowerCase();
  const same = (i) => (c.numeric && !isNaN(n) ? Math.abs(c.values[i] - n) <= 1e-9 * Math.abs(n) || (c.exact && numberOf(c.text(i)) === n) : c.text(i).toLowerCase() === low);
  if (m[2] === "=" || m[2] === "==") return turn(same);
  if (m[2] === "!=") return turn((i) => !same(i));
  if (isNaN(n)) return `"${want}" is no number`;
  const v = c.values;
  const f = { "<": (i) => v[i] < n, "<=": (i) => v[i] <= n, ">": (i) => v[i] > n, ">=": (i) => v[i] >= n }[m[2]];
  return turn(f);
}

// {rows, error}: the rows that pass, in the order of names.
function filterRows(text) {
  const tests = [];
  for (const w of words(text)) {
    const t = test(w);
    if (typeof t === "string") return { rows: null, error: t };
    tests.push(t);
  }
  const rows = [];
  for (let i = 0; i < D.n; i++) if (tests.every((t) => t(i))) rows.push(i);
  return { rows, error: "" };
}

// Rows in the order of a column; those without a value last, whatever the direction.
function sortRows(rows, key, down) {
  const c = columnOf(key);
  if (!c) return rows;
  const out = rows.slice(), sign = down ? -1 : 1;
  if (c.numeric) {
    const v = c.values;
    return out.sort((a, b) => {
      const x = v[a], y = v[b];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;
      return sign * (x - y) || a - b;
    });
  }
  if (c === D.name) return down ? out.reverse() : out;
  const order = new Intl.Collator("en", { numeric: true });
  const rank = new Map([...new Set(rows.map((i) => c.text(i)))].sort(order.compare).map((t, k) => [t, k]));
  return out.sort((a, b) => c.absent(a) - c.absent(b) || sign * (rank.get(c.text(a)) - rank.get(c.text(b))) || a - b);
}

const quoted = (t) => (/[\s"<>=!~]|^$/.test(t) ? '"' + t.replace(/"/g, "") + '"' : t);

// CSV as summarize writes it: a text that a spreadsheet would take for a formula gets an apostrophe.
function csv(columns, rows) {
  const cell = (t, text) => {
    if (t === "-") return "";
    if (text && /^[=+\-@\t\r]/.test(t)) t = "'" + t;
    return /[",\n\r]/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t;
  };
  const lines = [columns.map((c) => cell(c.head, true)).join(",")];
  for (const i of rows) lines.push(columns.map((c) => cell(c.kind === KIND.span && c.exact[i] >= 0 ? String(c.exact[i] / 1000) : c.text(i), !c.right)).join(","));
  return lines.join("\r\n") + "\r\n";
}
