"use strict";
(() => {
  const rows = JSON.parse(document.getElementById("rows").textContent);
  const packSize = Number(document.getElementById("rows").dataset.pack);
  const kit = document.getElementById("kit").dataset;
  const cell = Number(kit.cell), origin = Number(kit.origin);
  const SVG = "http://www.w3.org/2000/svg";

  // The places of the fields in a row.
  const F = {};
  ["file", "game", "black", "blackRank", "white", "whiteRank", "date", "event", "round", "result", "recorded",
    "agreement", "confidence", "moves", "board", "rules", "komi", "handicap", "status", "why"]
    .forEach((name, place) => { F[name] = place; });

  // Elements, with text that is always text.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
  }

  function place(svg, part, x, y, opacity) {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", "#k-" + part);
    use.setAttribute("x", origin + cell * x);
    use.setAttribute("y", origin + cell * y);
    if (opacity) use.setAttribute("opacity", opacity);
    svg.append(use);
  }

  // What stands on a point, by its letter in the map: parts of the kit; a dead stone is faint.
  const PARTS = {
    X: [["b"]], O: [["w"]], x: [["b", 0.42], ["tw"]], o: [["w", 0.42], ["tb"]],
    "#": [["b"], ["sb"]], "@": [["w"], ["sw"]], b: [["tb"]], w: [["tw"]],
  };

  function drawBoard(map, label) {
    const width = map[0].length, height = map.length;
    const across = cell * (width - 1) + 2 * origin - 1, down = cell * (height - 1) + 2 * origin - 1;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 " + across + " " + down);
    svg.setAttribute("class", "goban");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    const wood = document.createElementNS(SVG, "use");
    wood.setAttribute("href", "#k-" + width + "x" + height);
    wood.setAttribute("width", across);
    wood.setAttribute("height", down);
    svg.append(wood);
    map.forEach((line, y) => [...line].forEach((letter, x) => {
      for (const [part, opacity] of PARTS[letter] || []) place(svg, part, x, y, opacity);
    }));
    return svg;
  }

  // The board of another game is a picture, which can hold no script.
  function boardOf(details, label) {
    if (details.map && details.map.length) return drawBoard(details.map, label);
    if (details.svg) return make("img", { class: "goban", alt: label, src: "data:image/svg+xml," + encodeURIComponent(details.svg) });
    return null;
  }

  // Packs of details, each unpacked once.
  const packs = new Map();
  async function unpack(number) {
    const text = atob(document.getElementById("pack-" + number).textContent.trim());
    const bytes = Uint8Array.from(text, letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }
  async function detailsOf(number) {
    const pack = Math.floor(number / packSize);
    if (!packs.has(pack)) packs.set(pack, unpack(pack));
    return (await packs.get(pack))[number % packSize];
  }

  const nameOf = row => row[F.file] + (row[F.game] > 1 ? ", game " + row[F.game] : "");
  const linkOf = row => "#game=" + encodeURIComponent(row[F.file] + ":" + (row[F.game] || 0));
  const places = new Map();
  rows.forEach((row, number) => { const link = linkOf(row); if (!places.has(link)) places.set(link, number); });

  // The list at the top: links, and boards when they come into view.
  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      const number = Number(entry.target.dataset.game);
      detailsOf(number).then(details => {
        const board = boardOf(details, "Final position of " + nameOf(rows[number]));
        if (board) entry.target.querySelector(".board").replaceChildren(board);
      });
    }
  }, { rootMargin: "300px" });
  document.querySelectorAll(".look li").forEach(entry => observer.observe(entry));
  document.querySelectorAll("[data-open]").forEach(link => {
    link.setAttribute("href", linkOf(rows[Number(link.dataset.open)]));
  });

  // The table of all games.
  const percent = share => share === null ? "" : (100 * share).toFixed(1) + " %";
  const player = (name, rank) => rank ? name + " " + rank : name;
  const COLUMNS = [
    { name: "file", width: 24, text: nameOf, key: row => row[F.file] },
    { name: "black", width: 14, text: row => player(row[F.black], row[F.blackRank]) },
    { name: "white", width: 14, text: row => player(row[F.white], row[F.whiteRank]) },
    { name: "date", width: 9, wide: true, text: row => row[F.date] },
    { name: "event", width: 12, wide: true, text: row => row[F.event] },
    { name: "result", width: 8, text: row => row[F.result], key: row => lead(row[F.result]) },
    { name: "recorded", width: 8, text: row => row[F.recorded], key: row => lead(row[F.recorded]) },
    { name: "agreement", width: 9, wide: true, text: row => row[F.agreement], style: row => row[F.agreement] },
    { name: "sure", width: 7, wide: true, number: true, text: row => percent(row[F.confidence]), key: row => row[F.confidence] },
    { name: "moves", width: 6, wide: true, number: true, text: row => row[F.moves] === null ? "" : String(row[F.moves]), key: row => row[F.moves] },
    { name: "komi", width: 5, wide: true, number: true, text: row => row[F.komi] === null ? "" : String(row[F.komi]), key: row => row[F.komi] },
    { name: "rules", width: 8, wide: true, text: row => row[F.rules] },
    { name: "board", width: 6, wide: true, text: row => row[F.board] },
    { name: "status", width: 8, wide: true, text: row => row[F.status] },
  ];

  // B+3.5 is more than B+0.5, and both are more than any W+.
  function lead(result) {
    const found = /^([BW])\+(.*)$/.exec(result);
    if (!found) return result === "0" ? 0 : null;
    const points = Number(found[2]);
    const size = Number.isNaN(points) || found[2] === "" ? 10000 : points + 0.001;
    return found[1] === "B" ? size : -size;
  }

  const box = document.querySelector(".table");
  const table = box.querySelector("table");
  const form = document.querySelector(".filters");
  const count = form.querySelector("output");
  const collator = new Intl.Collator(undefined, { numeric: true });
  let shown = rows.map((_, number) => number);
  let sorted = { column: null, down: false };
  let current = 0;

  table.append(make("caption", { hidden: "" }, "All games"));
  const head = make("tr");
  for (const column of COLUMNS) {
    const button = make("button", { type: "button" }, column.name);
    button.addEventListener("click", () => {
      sorted = { column, down: sorted.column === column && !sorted.down };
      update();
    });
    column.head = make("th", { scope: "col", "aria-sort": "none", class: [column.wide ? "wide-only" : "", column.number ? "num" : ""].join(" ").trim() || null, style: "width:" + column.width + "em" }, button);
    head.append(column.head);
  }
  const body = make("tbody");
  table.append(make("thead", {}, head), body);

  const HEIGHT = 34;
  function space(height) {
    const row = make("tr", { class: "space", "aria-hidden": "true" }, make("td", { colspan: COLUMNS.length }));
    row.firstChild.style.height = height + "px";
    return row;
  }
  function lineOf(place) {
    const number = shown[place], row = rows[number];
    const line = make("tr", { tabindex: place === current ? "0" : "-1", "aria-rowindex": place + 2, "data-place": place });
    for (const column of COLUMNS) {
      const text = column.text(row);
      const classes = [column.wide ? "wide-only" : "", column.number ? "num" : "", column.style ? column.style(row) : ""].join(" ").trim();
      line.append(make("td", { class: classes || null, title: text.length > 14 ? text : null }, text));
    }
    return line;
  }
  // Rows that are drawn already stay, and nothing is drawn while those in view are there.
  let drawn = null;
  function draw(all) {
    const top = Math.floor(box.scrollTop / HEIGHT), bottom = top + Math.ceil(box.clientHeight / HEIGHT);
    if (!all && drawn && (drawn.first === 0 || drawn.first <= top - 3) && (drawn.last === shown.length || drawn.last >= bottom + 3)) return;
    const first = all ? 0 : Math.max(0, top - 20);
    const last = Math.min(shown.length, all ? 5000 : bottom + 20);
    const old = new Map();
    if (drawn) body.querySelectorAll("tr[data-place]").forEach(line => old.set(Number(line.dataset.place), line));
    const focused = body.contains(document.activeElement);
    const lines = [];
    if (first > 0) lines.push(space(first * HEIGHT));
    for (let place = first; place < last; place += 1) lines.push(old.get(place) || lineOf(place));
    if (last < shown.length) lines.push(space((shown.length - last) * HEIGHT));
    drawn = { first, last };
    body.replaceChildren(...lines);
    if (focused) body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  function update() {
    const value = name => form.elements[name].value.trim().toLowerCase();
    const [text, who, from, to, agreement] = ["text", "player", "from", "to", "agreement"].map(value);
    shown = [];
    rows.forEach((row, number) => {
      if (who && !(row[F.black] + "\n" + row[F.white]).toLowerCase().includes(who)) return;
      if (agreement === "look" ? row[F.why] === null : agreement && row[F.agreement] !== agreement) return;
      const date = row[F.date].slice(0, 10);
      if (from && (!date || date < from)) return;
      if (to && (!date || date.slice(0, to.length) > to)) return;
      if (text && !COLUMNS.some(column => column.text(row).toLowerCase().includes(text))) return;
      shown.push(number);
    });
    if (sorted.column) {
      const key = sorted.column.key || sorted.column.text;
      const keys = rows.map(key);
      const sign = sorted.down ? -1 : 1;
      // What is missing comes last, whichever way.
      const missing = value => value === null || value === "";
      shown.sort((a, b) => {
        const [x, y] = [keys[a], keys[b]];
        if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
        return sign * (typeof x === "number" ? x - y : collator.compare(x, y)) || a - b;
      });
    }
    for (const column of COLUMNS) {
      const way = column === sorted.column ? (sorted.down ? "descending" : "ascending") : "none";
      column.head.setAttribute("aria-sort", way);
      column.head.firstChild.textContent = column.name + (way === "none" ? "" : way === "ascending" ? " ▲" : " ▼");
    }
    count.textContent = shown.length === rows.length ? rows.length + " games" : shown.length + " of " + rows.length + " games";
    table.setAttribute("aria-rowcount", shown.length + 1);
    current = 0;
    box.scrollTop = 0;
    drawn = null;
    draw();
  }
  form.addEventListener("input", update);
  form.addEventListener("reset", () => setTimeout(update));
  form.addEventListener("submit", event => event.preventDefault());
  box.addEventListener("scroll", () => draw(), { passive: true });
  window.addEventListener("resize", () => { drawn = null; draw(); });
  window.addEventListener("beforeprint", () => draw(true));
  window.addEventListener("afterprint", () => { drawn = null; draw(); });

  function focusOn(place) {
    current = Math.max(0, Math.min(shown.length - 1, place));
    const top = current * HEIGHT, room = box.clientHeight - 2 * HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + room) box.scrollTop = top - room;
    drawn = null;
    draw();
    body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }
  body.addEventListener("click", event => {
    const line = event.target.closest("tr[data-place]");
    if (!line) return;
    current = Number(line.dataset.place);
    open(shown[current]);
  });
  body.addEventListener("keydown", event => {
    const line = event.target.closest("tr[data-place]");
    if (!line) return;
    const at = Number(line.dataset.place), page = Math.floor(box.clientHeight / HEIGHT) - 2;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: shown.length - 1 }[event.key];
    if (to !== undefined) { event.preventDefault(); focusOn(to); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); current = at; open(shown[at]); }
  });

  // One game.
  const dialog = document.getElementById("game");
  function open(number) { location.hash = linkOf(rows[number]); }
  dialog.addEventListener("close", () => {
    history.replaceState(null, "", location.pathname + location.search);
    body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });

  async function show() {
    const number = places.get(location.hash);
    if (number === undefined) { if (dialog.open) dialog.close(); return; }
    const row = rows[number], details = await detailsOf(number);
    const close = make("button", { type: "button" }, "Close");
    close.addEventListener("click", () => dialog.close());
    const facts = make("dl");
    const fact = (name, text) => { if (text !== "" && text !== null) facts.append(make("dt", {}, name), make("dd", {}, String(text))); };
    fact("Black", player(row[F.black], row[F.blackRank]));
    fact("White", player(row[F.white], row[F.whiteRank]));
    fact("Date", row[F.date]);
    fact("Event", row[F.event] + (row[F.round] ? ", " + row[F.round] : ""));
    fact("Result", row[F.result]);
    fact("On record", row[F.recorded]);
    fact("Looks like", details.estimate);
    fact("Sure", percent(row[F.confidence]));
    fact("Rules", row[F.rules] + (row[F.komi] === null ? "" : ", komi " + row[F.komi]) + (row[F.handicap] ? ", handicap " + row[F.handicap] : ""));
    fact("Moves", row[F.moves]);
    for (const [name, text] of details.facts) fact(name, text);
    const text = make("div", { class: "text" }, facts);
    if (details.account) text.append(make("p", {}, details.account));
    for (const note of details.notes) text.append(make("p", { class: details.what_if && note.startsWith(details.what_if) ? "what-if" : null }, note));
    if (details.findings.length) {
      text.append(make("h3", {}, "Findings"));
      for (const [severity, code, move, line, column, message, source] of details.findings) {
        const where = (line ? line + ":" + column + ": " : "") + (move ? "move " + move + ": " : "");
        text.append(make("p", {}, make("b", { class: severity === "error" ? "differs" : "winner" }, severity + "[" + code + "]"), " " + where + message));
        if (source) text.append(make("pre", { tabindex: "0" }, source[0] + "\n" + " ".repeat(source[1]) + "^"));
      }
    }
    const left = make("div");
    const board = boardOf(details, "Final position of " + nameOf(row));
    if (board) left.append(board, make("p", { class: "legend" }, "Squares: territory. Faint stones: dead. Diamonds: alive in seki."));
    const parts = [make("div", { class: "head" }, make("h2", { id: "game-title" }, nameOf(row)), close), make("div", { class: "body" }, left, text)];
    if (details.chains.length) {
      const list = make("table", {}, make("thead", {}, make("tr", {}, ...["chain", "stones", "liberties", "eyes", "status", "sure", "why"].map(name => make("th", { scope: "col" }, name)))));
      const lines = make("tbody");
      for (const [color, points, liberties, eyes, status, sure, reason] of details.chains) {
        lines.append(make("tr", { title: points.join(" ") }, ...[color + " " + points[0], points.length, liberties, eyes, status, percent(sure), reason].map(text => make("td", {}, String(text)))));
      }
      list.append(lines);
      parts.push(make("details", { style: "padding:0 1rem 1rem" }, make("summary", {}, "Chains, and why they live or die"), make("div", { class: "wide" }, list)));
    }
    dialog.replaceChildren(...parts);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    close.focus();
  }
  window.addEventListener("hashchange", show);

  update();
  show();
})();
