// Runs inside a copy of the page; see page.sh.  PAIRS is how many pairs the plan has.
(async () => {
  const failures = [], $ = (q) => document.querySelector(q), all = (q) => [...document.querySelectorAll(q)];
  let checks = 0, slowest = 0, slowestName = "", said = "";
  const check = (ok, what) => { checks++; if (!ok) failures.push(what); };
  // Layout included: that is what a person waits for.  Only what runs before the first await is timed: once the
  // page has loaded, the browser's clock stands still during a task (that is how page.sh makes it wait for the rest).
  const timed = (name, act) => {
    const start = performance.now();
    act();
    document.body.getBoundingClientRect();
    const ms = performance.now() - start;
    if (ms > slowest) { slowest = ms; slowestName = name; }
  };
  const type = (text) => timed(`search ${text}`, () => {
    $("#search").value = text;
    $("#search").dispatchEvent(new Event("input", { bubbles: true }));
  });
  const choose = (q, value) => timed(`choose ${value}`, () => {
    $(q).value = value;
    $(q).dispatchEvent(new Event("change", { bubbles: true }));
  });
  const click = (q) => timed(`click ${q}`, () => $(q).click());
  const key = (k, target) => (target || document.body).dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
  const shown = () => Number($("#shown").textContent.split(" ")[0]);
  const settle = () => new Promise((done) => setTimeout(done, 50));

  // Every way to filter, on a clock that is known to run.
  const measure = () => {
    const began = performance.now();
    let spins = 0;
    while (performance.now() - began < 3 && spins < 1e8) spins++;
    check(spins < 1e8, "the clock stands still");
    for (const text of ["c", "c1", "c12", "put(c12.java", "reader writer", "", "nothing at all", ""]) type(text);
    choose("#package", "p3");
    choose("#package", "");
    for (const b of all("#verdicts button")) timed("verdict", () => { b.click(); b.click(); });
    timed("500 more races", () => { for (let i = 0; i < 5; i++) $("#more").click(); });
    click("#reset");
    check(slowest > 0 && slowest < 500, `slow: ${slowestName} took ${Math.round(slowest)} ms`);
  };

  try {
    const start = Math.round(performance.now());
    check(start < 10000, `the page took ${start} ms to start`);
    measure();
    const took = `started in ${start} ms, slowest: ${slowestName} ${slowest.toFixed(1)} ms`;
    const per = Math.ceil(PAIRS / 6), total = PAIRS; // one pair is suppressed, one race is not in the plan
    const counts = Object.fromEntries(all("#verdicts button").map((b) => [b.dataset.verdict, Number(b.querySelector("b").textContent)]));
    check(counts.confirmed === per, `confirmed ${counts.confirmed}, expected ${per}`);
    check(Object.values(counts).reduce((a, b) => a + b) === total, "the counts do not add up");
    check(shown() === total, `${shown()} shown at first`);
    check(all("#funnel rect").length === 10, "bars of the funnel");
    check($("#funnel svg").getAttribute("aria-label").includes("did race"), "label of the funnel");
    check($("#hidden summary").textContent === "1 hidden", "the suppressed race is listed");
    check(all(".race").length <= 400, "the list starts short");

    // Expanding: two threads side by side, stacks, locks and source.
    const first = $(".race");
    timed("expand", () => first.querySelector("summary").click());
    await settle();
    check(first.open && first.querySelectorAll(".side").length === 2, "two sides");
    const [left, right] = first.querySelectorAll(".side");
    check(Math.abs(left.getBoundingClientRect().top - right.getBoundingClientRect().top) < 2, "side by side");
    check(left.textContent.includes("at p0.C0.get(C0.java:"), "stack of the read");
    check(left.querySelector("h3").textContent === 'Read by thread "reader <x>-0"', "name with a tag in it");
    check(right.textContent.includes("p0.Lock, locked at p0.Main.locked"), "lock");
    check(right.querySelector(".here").textContent.includes("this.f0 = v"), "source line");
    check(first.querySelector(".why").textContent.includes("Static reason: the object escapes"), "why");

    // Search and filters, alone and together.
    type("C17.java f17");
    check(shown() >= 1 && all(".race").every((r) => r.textContent.includes("C17.")), "search");
    type("no such thing");
    check(shown() === 0 && $("#races").textContent.includes("No race matches"), "nothing found");
    key("Escape", $("#search"));
    check(shown() === total && $("#search").value === "", "Escape clears");
    choose("#package", "p3");
    check(shown() > 0 && shown() < total && all(".race .field").every((f) => f.textContent.startsWith("p3.")), "package");
    click('#verdicts button[data-verdict="confirmed"]');
    check(all(".race").every((r) => !r.classList.contains("v-confirmed")), "verdict off");
    check($('#verdicts button[data-verdict="confirmed"]').getAttribute("aria-pressed") === "false", "pressed state");
    click("#reset");
    check(shown() === total, "reset");

    // Keys.
    document.activeElement.blur();
    key("j");
    const one = document.activeElement;
    key("j");
    check(one.tagName === "SUMMARY" && document.activeElement !== one, "j moves on");
    key("k");
    check(document.activeElement === one, "k moves back");
    key("/");
    check(document.activeElement === $("#search"), "/ goes to the search");
    document.activeElement.blur();

    // A link to the last race draws the list so far.
    location.hash = `#R${total}`;
    await settle();
    const last = document.getElementById(`R${total}`);
    check(last !== null && last.open, "link to a race");
    click("#theme");
    check(["light", "dark"].includes(document.documentElement.dataset.theme), "theme");
    dispatchEvent(new Event("beforeprint"));
    check(all(".race").length === total, "print has all races");
    click("#reset");
    $(".race").open = true;
    scrollTo(0, 0);
    said = took;
  } catch (e) {
    failures.push(String(e.stack || e));
  }
  const out = document.createElement("pre");
  out.id = "test-result";
  out.hidden = true;
  out.textContent = failures.length ? "FAILED: " + failures.join("; ")
    : `all well, ${checks} checks, ${said}`;
  document.body.append(out);
})();
