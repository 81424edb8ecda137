"use strict";
// Shows the report that stands in the page as JSON.  Text from the program under test only ever becomes text
// nodes.  A race's body is built when it is opened and the list grows as it is scrolled, so that thousands of
// races cost little.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const VERDICTS = ["confirmed", "predicted", "ordered", "apart", "half", "unexercised", "static"];
  const CHUNK = 100;
  const $ = (id) => document.getElementById(id);

  const el = (tag, cls, ...children) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
  };

  const packageOf = (cls) => cls.includes(".") ? cls.slice(0, cls.lastIndexOf(".")) : "(none)";
  const place = (a) => `${a.class}.${a.method}` + (a.file ? `(${a.file}${a.line > 0 ? ":" + a.line : ""})` : "");

  // What the search looks at, made once per race.
  const races = data.races.map((race) => ({
    race,
    packages: new Set(race.accesses.map((a) => packageOf(a.class))),
    text: [race.id, race.verdict, race.field, race.test, race.fingerprint,
           ...race.accesses.flatMap((a) => [place(a), a.thread.name, ...a.stack])].join("\n").toLowerCase(),
    node: null,
  }));

  const state = { verdicts: new Set(VERDICTS), query: "", pkg: "", kind: "", matches: [], drawn: 0 };

  // ---- overview ----

  function drawVerdicts() {
    for (const v of VERDICTS) {
      const n = data.summary[v];
      if (n === undefined) continue;
      const b = el("button", "v-" + v, el("b", "", String(n)), el("span", "", v));
      b.type = "button";
      b.dataset.verdict = v;
      b.setAttribute("aria-pressed", "true");
      b.addEventListener("click", () => {
        const on = !state.verdicts.delete(v);
        if (on) state.verdicts.add(v);
        b.setAttribute("aria-pressed", String(on));
        filter();
      });
      $("verdicts").append(b);
    }
  }

  function stages() {
    const s = data.summary, list = Object.entries(s.funnel || {});
    if (s.runs > 0 && s.static_warnings > 0) {
      const met = data.races.filter((r) => r.static && ["confirmed", "predicted", "ordered"].includes(r.verdict)).length;
      list.push(["met in a run", met]);
    }
    if (s.runs > 0) list.push(["can race", (s.predicted || 0) + s.confirmed], ["did race", s.confirmed]);
    return list;
  }

  // Bars by the logarithm: the first stage has millions of pairs, the last a handful.
  function drawFunnel() {
    const list = stages();
    if (list.length < 2) { $("funnel").hidden = true; return; }
    const NS = "http://www.w3.org/2000/svg", ROW = 24, WIDTH = 640, LEFT = 110, ROOM = 440;
    const svg = document.createElementNS(NS, "svg");
    const scale = Math.log10(Math.max(...list.map(([, n]) => n)) + 1) || 1;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${list.length * ROW}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", list.map(([name, n]) => `${name} ${n}`).join(", "));
    list.forEach(([name, n], i) => {
      const width = n > 0 ? Math.max(3, ROOM * Math.log10(n + 1) / scale) : 0;
      const add = (tag, attributes, text) => {
        const e = document.createElementNS(NS, tag);
        for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
        if (text !== undefined) e.textContent = text;
        svg.append(e);
      };
      add("text", { x: LEFT - 8, y: i * ROW + 16, "text-anchor": "end" }, name);
      add("rect", { class: "bar", x: LEFT + (ROOM - width) / 2, y: i * ROW + 3, width, height: ROW - 6, rx: 3 });
      add("text", { x: LEFT + ROOM + 10, y: i * ROW + 16 }, n.toLocaleString("en"));
    });
    $("funnel").append(svg);
  }

  function drawFacts() {
    const s = data.summary, p = s.proof || {};
    const of = (n, total) => total ? `${n.toLocaleString("en")} of ${total.toLocaleString("en")}` : n.toLocaleString("en");
    const facts = [
      ["Static warnings", s.static_warnings, of(s.static_warnings)],
      ["Sites checked", s.total_sites, of(s.instrumented_sites, s.total_sites)],
      ["Race-unsafe fields", p.unsafe_fields, of(p.unsafe_fields || 0, p.total_fields)],
      ["Unproved methods", p.untyped_methods, of(p.untyped_methods || 0, p.total_methods)],
      ["Runs", s.runs, of(s.runs)],
      ["Classes not checked", s.skipped_classes, of(s.skipped_classes)],
      ["Changed since the analysis", s.stale_classes, of(s.stale_classes)],
      ["Hidden", s.suppressed + s.benign + s.baseline,
       `${s.suppressed} suppressed, ${s.benign} benign, ${s.baseline} in the baseline`],
    ];
    for (const [name, wanted, text] of facts)
      if (wanted) $("facts").append(el("dt", "", name), el("dd", "", text));
    const notes = [...data.notes, ...Object.entries(s.skipped || {}).map(([why, n]) => `${n} classes not checked: ${why}`),
                   ...data.stale.map((c) => `changed since the analysis, checked in full: ${c}`),
                   ...data.unused_suppressions.map((u) => `unused suppression: ${u}`)];
    for (const note of notes) $("notes").append(el("li", "", note));
    $("promises").hidden = data.promises.length === 0;
    for (const p of data.promises)
      $("promises").querySelector("ul").append(el("li", "", `@${p.annotation} ${p.location}: ${p.access} in ${p.class}.${p.method}` +
        `${p.file ? ` (${p.file}:${p.line})` : ""}: ${p.text}`));
  }

  function drawHidden() {
    if (data.hidden.length === 0) return;
    const box = $("hidden");
    box.hidden = false;
    box.querySelector("summary").textContent = `${data.hidden.length} hidden`;
    for (const h of data.hidden)
      box.querySelector("tbody").append(el("tr", "", ...[h.id, h.field, h.verdict, h.hidden, h.by].map((t) => el("td", "", t))));
  }

  // ---- one race ----

  const isJdk = (frame) => /^(java|jdk|sun)\.|^java\.base\//.test(frame);

  function drawFrames(frames, cls) {
    return el("ol", "frames mono " + cls, ...frames.map((f) => el("li", isJdk(f) ? "jdk" : "", "at " + f)));
  }

  function drawSnippet(a) {
    if (!a.snippet) return null;
    const width = String(a.snippet.first + a.snippet.lines.length).length;
    return el("pre", "snippet", ...a.snippet.lines.map((line, i) => {
      const number = a.snippet.first + i;
      return el("span", number === a.line ? "here" : "", el("i", "", String(number).padStart(width) + "  "), line);
    }));
  }

  function drawLocks(a) {
    if (!a.ran && a.locks.length === 0) return null;
    const lines = a.locks.map((l) => l.class + (l.acquired ? `, locked at ${l.acquired}` : ""));
    return el("div", "", el("h4", "", "Locks held"),
              el("ul", "frames mono", ...(lines.length ? lines : [a.locks_known === false ? "not known any more" : "none"]).map((t) => el("li", "", t))));
  }

  function drawSide(race, a, earlier) {
    const what = (earlier ? "Earlier " : "") + a.access;
    const who = a.thread.name === null ? "" : a.ran ? ` by thread "${a.thread.name}"` : ` by a thread of ${a.thread.name}`;
    const title = what[0].toUpperCase() + what.slice(1) + who;
    const created = a.thread.created.length
      ? el("div", "", el("h4", "", "Thread started"), drawFrames(a.thread.created, "")) : null;
    return el("section", "side", el("h3", "", title), drawSnippet(a),
              el("h4", "", a.ran ? "Stack" : "A path that the analysis found"), drawFrames(a.stack, "stack"), drawLocks(a), created);
  }

  function drawEvidence(race) {
    const e = race.evidence;
    if (!e) return null;
    const orders = Object.entries(e.ordered).filter(([, n]) => n > 0).map(([k, n]) => `${k.replace("_", "/")} ${n}`);
    const text = `Evidence: met ${e.met} times, unordered ${e.raced}` +
      (orders.length ? `, ordered by ${orders.join(", ")}` : "") + (e.ordered.lock && e.lock ? ` (lock ${e.lock})` : "") +
      (e.predicted ? `, by accident of the schedule ${e.predicted}` : "") + ".";
    return el("p", "more", text);
  }

  function drawBody(race) {
    const timed = race.verdict === "confirmed";
    const order = timed ? [race.accesses[1], race.accesses[0]] : race.accesses;
    const tail = [race.value ? `Value just before the later access: ${race.value}.` : "",
                  race.test ? `Running test: ${race.test}.` : "", race.static ? "" : "Not among the static warnings.",
                  `Fingerprint ${race.fingerprint}`].filter(Boolean).join(" ");
    return el("div", "body", el("p", "why", race.why),
              el("div", "sides", drawSide(race, order[0], false), drawSide(race, order[1], timed)),
              drawEvidence(race), el("p", "more", tail));
  }

  function drawRace(entry) {
    if (entry.node) return entry.node;
    const race = entry.race;
    const count = race.count > 1 ? ` (${race.count} times)` : "";
    const where = race.accesses.map((a) => `${a.access} ${place(a)}`).join(" / ");
    const d = el("details", "race v-" + race.verdict,
                 el("summary", "", el("span", "badge", race.verdict), el("span", "field", race.field),
                    ` ${race.id}, ${race.kind}${count}`, el("span", "where mono", where)));
    d.id = race.id;
    d.addEventListener("toggle", () => {
      if (d.open && d.children.length === 1) d.append(drawBody(race));
    });
    entry.node = d;
    return d;
  }

  // ---- the list ----

  function grow(n) {
    const next = state.matches.slice(state.drawn, state.drawn + n);
    $("races").append(...next.map(drawRace));
    state.drawn += next.length;
    $("more").hidden = state.drawn >= state.matches.length;
  }

  function filter() {
    const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
    state.matches = races.filter((e) =>
      state.verdicts.has(e.race.verdict) && (!state.pkg || e.packages.has(state.pkg)) &&
      (!state.kind || e.race.kind === state.kind) && words.every((w) => e.text.includes(w)));
    $("races").replaceChildren();
    state.drawn = 0;
    grow(CHUNK);
    if (state.matches.length === 0)
      $("races").append(el("p", "notice", races.length ? "No race matches." : "No races: nothing to show."));
    $("shown").textContent = `${state.matches.length} of ${races.length} shown`;
  }

  function reset() {
    state.verdicts = new Set(VERDICTS);
    state.query = state.pkg = state.kind = "";
    $("search").value = $("package").value = $("kind").value = "";
    for (const b of $("verdicts").children) b.setAttribute("aria-pressed", "true");
    filter();
  }

  function fillChoices() {
    const packages = new Map();
    for (const e of races) for (const p of e.packages) packages.set(p, (packages.get(p) || 0) + 1);
    const option = (value, text) => { const o = el("option", "", text); o.value = value; return o; };
    for (const p of [...packages.keys()].sort()) $("package").append(option(p, `${p} (${packages.get(p)})`));
    for (const k of [...new Set(data.races.map((r) => r.kind))].sort()) $("kind").append(option(k, k));
  }

  // The race that a link names, wherever it is in the list.
  function openFromLink() {
    const at = state.matches.findIndex((e) => "#" + e.race.id === location.hash);
    if (at < 0) return;
    if (at >= state.drawn) grow(at + 1 - state.drawn);
    const d = state.matches[at].node;
    d.open = true;
    d.scrollIntoView();
    d.querySelector("summary").focus();
  }

  function step(by) {
    const list = [...$("races").querySelectorAll("summary")];
    const at = list.indexOf(document.activeElement);
    const next = list[at < 0 ? 0 : at + by];
    if (!next) return;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  function onKey(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(e.target.tagName);
    if (e.key === "Escape" && e.target === $("search")) { $("search").value = state.query = ""; filter(); }
    else if (typing) return;
    else if (e.key === "/") { e.preventDefault(); $("search").focus(); }
    else if (e.key === "j") step(1);
    else if (e.key === "k") step(-1);
  }

  function listen() {
    $("search").addEventListener("input", (e) => { state.query = e.target.value; filter(); });
    $("package").addEventListener("change", (e) => { state.pkg = e.target.value; filter(); });
    $("kind").addEventListener("change", (e) => { state.kind = e.target.value; filter(); });
    $("reset").addEventListener("click", reset);
    $("more").addEventListener("click", () => grow(CHUNK));
    new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) grow(CHUNK); },
                             { rootMargin: "800px" }).observe($("more"));
    $("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    });
    document.addEventListener("keydown", onKey);
    addEventListener("hashchange", openFromLink);
    // Paper cannot be scrolled.
    addEventListener("beforeprint", () => grow(state.matches.length));
  }

  $("version").textContent = data.version;
  $("entry").textContent = data.entry || "";
  drawVerdicts();
  drawFunnel();
  drawFacts();
  drawHidden();
  fillChoices();
  listen();
  filter();
  openFromLink();
  // A race alone needs no click.
  if (state.matches.length === 1) state.matches[0].node.open = true;
})();
