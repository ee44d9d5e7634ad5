// filter.js - "lr=0.1 idle>10 memory": all of these hold. key=value, != < <= > >=, key~part; a bare word is looked for
// in names and notes; == is the same text, letter by letter; quotes hold blanks together, "" is one in them; a minus in
// front is: not. The whole name of a run finds it. What --where takes of this kind is the same here: "idle_pct > 10 and
// state = 'ok'".

// Without blanks beside comparisons, and without SQL's own forms.
const plain = (text) => text.replace(/"(?:[^"]|"")*"?|\s*(<>|[!<>=]=|[=<>~])\s*(?:'((?:[^']|'')*)')?/g, (all, sign, inside) =>
  !sign ? all : (sign === "<>" ? "!=" : sign) + (inside === undefined ? "" : '"' + inside.replace(/''/g, "'").replace(/"/g, '""') + '"'));

function words(text) {
  const out = [];
  const re = /\s*((?:"(?:[^"]|"")*"?|[^\s"])+)/g;
  for (let m; (m = re.exec(text)); ) out.push(m[1]);
  return out;
}

const alias = { name: "run", "gpu%": "gpu", util: "gpu", "idle%": "idle", w: "power", energy: "wh", "cpu%": "cpu", waste: "wasted", started: "began" };

function columnOf(key) {
  const low = key.toLowerCase();
  if (D.by.has(key)) return D.by.get(key);
  const params = D.columns.filter((c) => c.param), name = key.replace(/^param\./, "");
  const last = params.filter((c) => c.csv.endsWith("." + name));
  if (key !== name) return params.find((c) => c.head === name || c.csv === key) || (last.length === 1 ? last[0] : undefined);
  for (const c of D.columns) if ([c.key, c.head, c.csv].some((t) => t.toLowerCase() === low)) return c;
  return D.by.get(alias[low]) || (last.length === 1 ? last[0] : undefined);
}

// A column by its name in --where has the unit of that, which the page need not show.
function valuesBy(c, key) {
  if (c.csv !== key || c.key === key || !c.right) return c.values;
  return (c.told = c.told || Float64Array.from({ length: D.n }, (none, i) => numberOf(unshown(c, i))));
}

const bare = (t) => t.replace(/"((?:[^"]|"")*)"?/g, (all, inside) => inside.replace(/""/g, '"'));

// One word to a test of a row; or a string, which says what is wrong.
function test(word) {
  const not = word.startsWith("-") && word.length > 1 && !/^-[\d.]/.test(word);
  const m = /^("(?:[^"]|"")*"|[^"=<>!~]+)(!=|<=|>=|==|=|<|>|~)(.*)$/s.exec(not ? word.slice(1) : word);
  const turn = (f) => (not ? (i) => !f(i) : f), named = D.rowOf(bare(not ? word.slice(1) : word));
  if (m && named >= 0) { // "lr=0.1/seed=3" is a name rather than a value of lr; "lr=0.1" may be both
    const f = compare(m);
    return turn(typeof f === "string" ? (i) => i === named : (i) => i === named || f(i));
  }
  if (!m) {
    const part = bare(not ? word.slice(1) : word).toLowerCase();
    const in_ = [{ text: D.whole }, D.by.get("note"), D.state, D.by.get("host")].filter(Boolean);
    return turn((i) => in_.some((c) => c.text(i).toLowerCase().includes(part)));
  }
  const f = compare(m);
  return typeof f === "string" ? f : turn(f);
}

// Column, comparison, value.
function compare(m) {
  const key = bare(m[1]), want = bare(m[3]), c = columnOf(key);
  if (!c) return `no column "${key}"`;
  if (want === "") return `"${key}${m[2]}" waits for a value`;
  if (m[2] === "~") return (i) => c.text(i).toLowerCase().includes(want.toLowerCase());
  const n = numberOf(want), low = want.toLowerCase(), v = valuesBy(c, key);
  const same = (i) => (c.numeric && !isNaN(n) ? Math.abs(v[i] - n) <= 1e-9 * Math.abs(n) || (c.exact && numberOf(c.text(i)) === n) : c.text(i).toLowerCase() === low);
  if (m[2] === "==") return (i) => c.text(i) === want;
  if (m[2] === "=") return same;
  if (m[2] === "!=") return (i) => !same(i);
  if (isNaN(n)) return `"${want}" is no number`;
  return { "<": (i) => v[i] < n, "<=": (i) => v[i] <= n, ">": (i) => v[i] > n, ">=": (i) => v[i] >= n }[m[2]];
}

// {rows, error}: the rows that pass, in the order of names.
function filterRows(text) {
  const tests = [], named = /\s/.test(text.trim()) ? D.rowOf(text.trim()) : -1;
  if (named >= 0) return { rows: [named], error: "" };
  const all = words(plain(text));
  for (const w of all) {
    if (all.length > 1 && /^and$/i.test(w)) continue;
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
  if (c === D.name && !D.sorted) return down ? out.reverse() : out;
  const order = new Intl.Collator("en", { numeric: true }), number = new Map();
  const texts = [...new Set(rows.map((i) => c.text(i)))];
  for (const t of texts) number.set(t, numberOf(t));
  const compare = (a, b) => {
    const x = number.get(a), y = number.get(b); // numbers by their value, before words
    return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) || order.compare(a, b) : x - y || order.compare(a, b);
  };
  const rank = new Map(texts.sort(compare).map((t, k) => [t, k]));
  return out.sort((a, b) => c.absent(a) - c.absent(b) || sign * (rank.get(c.text(a)) - rank.get(c.text(b))) || a - b);
}

const quoted = (t) => (/[\s"<>=!~]|^-|^$/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t);
// The runs that have this text in a column.
const exactly = (c, t) => quoted(c.key) + "==" + quoted(t);

const quote = (t) => (/[",\n\r ]/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t);

// Whole thousandths of `per` as a number of at most six decimals, half to even: 420225 ms are 0.116729 h, 3512000 ms 3512.0 s.
function decimal(thousandths, per) {
  const n = BigInt(thousandths) * 1000n, d = BigInt(per), q = n / d, r = (n % d) * 2n;
  const t = String(q + (r > d || (r === d && q % 2n === 1n) ? 1n : 0n)).padStart(7, "0");
  return t.slice(0, -6) + "." + (t.slice(-6).replace(/0+$/, "") || "0");
}

// What summarize's CSV has in a cell: not rounded as it is shown, and in the unit that its head names.
function unshown(c, i) {
  if (c.whole) return c.whole[i];
  if (c.instant) return c.exact[i] === null ? "" : new Date(c.exact[i]).toISOString().slice(0, c.utc[i] === "1" ? 24 : 23);
  if (c.exact) return c.exact[i] < 0 ? "" : decimal(c.exact[i], c.kind === KIND.span ? 1 : 3600);
  if (c === D.name) return D.whole(i);
  const t = c.text(i);
  if (c === D.state) return t === "-" ? "unknown" : t.toLowerCase();
  return t !== "-" ? t : c.key === "gpus" ? "0" : "";
}

// A text that a spreadsheet would take for a formula gets an apostrophe.
function field(c, i) {
  const t = unshown(c, i), text = !c.right && !c.instant;
  return quote(text && /^[=+\-@\t\r]/.test(t) && !(c.param && !isNaN(numberOf(t))) ? "'" + t : t);
}

function csv(columns, rows) {
  const lines = [columns.map((c) => quote((c.param && /^[=+\-@\t\r]/.test(c.csv) ? "'" : "") + c.csv)).join(",")];
  for (const i of rows) lines.push(columns.map((c) => field(c, i)).join(","));
  return lines.join("\n") + "\n";
}
