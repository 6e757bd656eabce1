//! The report in a real browser: Debian's `chromium`, headless, where it is installed.
//!
//! The browser is driven from inside: a copy of the page gets a script that does what a user
//! would (sort, filter, open a row, follow a link), looks at what came of it, and writes its
//! verdict into the page, which `--dump-dom` prints. Errors of the page's own script end up there
//! as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of records: a game that the record has wrong, a player called `<script>`, and as many
/// more as are asked for, by rules under which nothing has to be judged.
fn records(games: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fixture = |name: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(root.join("fixtures").join(name)).unwrap()
    };
    let wrong = fixture("score/wrong-record/game.sgf");
    fs::write(folder.path().join("wrong.sgf"), &wrong).unwrap();
    fs::write(
        folder.path().join("script.sgf"),
        "(;GM[1]FF[4]SZ[9]PB[<script>alert(1)</script>]PW[</script><img src=x onerror=alert(2)>]\
         EV[Cup & <b>Co</b>]DT[2020-01-02]RE[B+R];B[ee];W[ee])",
    )
    .unwrap();
    let mut many = String::new();
    for number in 0..games {
        many += &format!(
            "(;GM[1]FF[4]SZ[5]RU[Tromp-Taylor]PB[Player {}]PW[Player {}]DT[{}-05-0{}]KM[{}.5]EV[Cup]RE[{}+R];B[cc];W[bb])\n",
            number % 17,
            17 + number % 13,
            1990 + number % 30,
            1 + number % 9,
            number % 8,
            if number % 3 == 0 { 'W' } else { 'B' },
        );
    }
    if games > 0 {
        fs::write(folder.path().join("many.sgf"), many).unwrap();
    }
    folder
}

fn report(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(["report", ".", "--quiet", "-o", "report.html"])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{errors}");
    fs::read_to_string(folder.join("report.html")).unwrap()
}

/// Runs Chromium on a page; `None` if it is not installed.
fn chromium(folder: &Path, page: &str, args: &[&str]) -> Option<String> {
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg("--virtual-time-budget=60000")
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .args(args)
        .arg(format!("file://{}/{page}", folder.display()))
        .env("HOME", folder)
        .output();
    let Ok(output) = output else {
        eprintln!("NOT CHECKED: chromium is not installed, so no browser opened the report");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Puts a script at the end of a page, and one at its start that takes note of errors.
fn with_script(html: &str, script: &str) -> String {
    let html = html.replacen(
        "<head>",
        "<head><script>window.errors=[];addEventListener('error',e=>errors.push(e.message));\
         addEventListener('unhandledrejection',e=>errors.push(String(e.reason)));\
         addEventListener('securitypolicyviolation',e=>errors.push('policy '+e.blockedURI));\
         window.alert=text=>errors.push('alert '+text)</script>",
        1,
    );
    let script = format!(
        "<script>(async()=>{{const seen={{}};const wait=ms=>new Promise(done=>setTimeout(done,ms));\
         const until=async is=>{{for(let i=0;i<400&&!is();i++)await wait(50)}};\
         try{{{script}}}catch(error){{errors.push(String(error))}}\
         const out=document.createElement('pre');out.id='verdict';\
         out.textContent=JSON.stringify({{seen,errors}});document.body.append(out)}})()</script></body>"
    );
    html.replacen("</body>", &script, 1)
}

/// What the script in the page has seen; panics if the page had an error.
fn seen(dom: &str) -> serde_json::Value {
    let (_, verdict) = dom
        .split_once("<pre id=\"verdict\">")
        .expect("the script came to its end");
    let (verdict, _) = verdict.split_once("</pre>").unwrap();
    let verdict = verdict
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let verdict: serde_json::Value = serde_json::from_str(&verdict).unwrap();
    assert_eq!(verdict["errors"], serde_json::json!([]), "{verdict}");
    verdict["seen"].clone()
}

const USE: &str = r##"
    const rows = () => [...document.querySelectorAll('.table tbody tr[data-place]')];
    const cells = at => rows().map(row => row.children[at].textContent);
    const button = name => [...document.querySelectorAll('.table thead button')].find(it => it.textContent.startsWith(name));
    const type = (name, text) => { const field = document.querySelector(`.filters [name=${name}]`); field.value = text; field.dispatchEvent(new Event('input', {bubbles: true})); };
    seen.drawn = rows().length;
    seen.count = document.querySelector('.filters output').textContent;
    button('komi').click(); const komi = cells(10).filter(Boolean); seen.ascending = komi.every((it, i) => !i || +komi[i - 1] <= +it) && komi.length > 5;
    button('komi').click(); const down = cells(10).filter(Boolean); seen.descending = down.every((it, i) => !i || +down[i - 1] >= +it);
    seen.sort = button('komi').parentElement.getAttribute('aria-sort');
    type('player', 'player 3'); seen.players = cells(1).every(it => it.startsWith('Player 3')) && rows().length > 0; type('player', '');
    type('from', '2019-01-01'); type('to', '2019'); seen.dates = [...new Set(cells(3).map(it => it.slice(0, 4)))]; type('from', ''); type('to', '');
    type('agreement', 'differs'); seen.differs = cells(0); type('agreement', '');
    type('text', 'script.sgf'); seen.script = cells(1);
    const dialog = document.querySelector('dialog');
    rows()[0].click(); await until(() => dialog.open);
    seen.open = dialog.open; seen.title = dialog.querySelector('h2').textContent;
    seen.finding = dialog.querySelector('pre').textContent.includes('W[ee]');
    seen.stones = dialog.querySelectorAll('svg.goban use').length;
    seen.link = location.hash;
    dialog.close(); await wait(50);
    location.hash = '#game=.%2Fwrong.sgf%3A1'; await until(() => dialog.open);
    seen.linked = dialog.open && dialog.textContent.includes('Akari') && dialog.textContent.includes('C4');
    seen.board = dialog.querySelectorAll('svg.goban use').length;
    seen.chains = dialog.querySelectorAll('details tbody tr').length;
    dialog.close(); type('text', ''); await wait(50);
    rows()[0].focus(); rows()[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}));
    seen.keyboard = document.activeElement.dataset.place;
    const box = document.querySelector('.table'); box.scrollTop = 34 * 500; box.dispatchEvent(new Event('scroll')); await wait(50);
    seen.scrolled = rows().some(row => row.dataset.place === '505'); seen.drawnAfter = rows().length;
    seen.scripts = document.querySelectorAll('img[onerror], script[src], link').length;
    seen.unnamed = [...document.querySelectorAll('input, select, button, a, svg[role=img], img')].filter(it => !(it.labels?.length || it.textContent.trim() || it.getAttribute('aria-label') || it.getAttribute('alt'))).length;
"##;

#[test]
fn a_user_sorts_filters_opens_and_follows_links() {
    let folder = records(2000);
    let html = report(folder.path(), &[]);
    assert!(!html.contains("<script>alert"), "a name is markup");
    assert!(!html.contains("<b>Co</b>"), "an event is markup");
    assert!(
        !html.contains("http://") || !html.contains("src=\"http"),
        "something is loaded"
    );
    fs::write(folder.path().join("driven.html"), with_script(&html, USE)).unwrap();
    let Some(dom) = chromium(folder.path(), "driven.html", &["--dump-dom"]) else {
        return;
    };
    let seen = seen(&dom);
    assert_eq!(seen["count"], "2002 games");
    assert!(seen["drawn"].as_u64().unwrap() < 100, "{seen}");
    assert!(seen["drawnAfter"].as_u64().unwrap() < 100, "{seen}");
    for fact in [
        "ascending",
        "descending",
        "players",
        "open",
        "finding",
        "linked",
        "scrolled",
    ] {
        assert_eq!(seen[fact], true, "{fact}: {seen}");
    }
    assert_eq!(seen["sort"], "descending");
    assert_eq!(seen["dates"], serde_json::json!(["2019"]));
    assert_eq!(
        seen["differs"],
        serde_json::json!(["./wrong.sgf"]),
        "{seen}"
    );
    assert_eq!(
        seen["script"],
        serde_json::json!(["<script>alert(1)</script>"])
    );
    assert_eq!(seen["title"], "./script.sgf");
    assert_eq!(seen["link"], "#game=.%2Fscript.sgf%3A1");
    assert!(seen["board"].as_u64().unwrap() > 60, "{seen}");
    assert!(seen["chains"].as_u64().unwrap() > 2, "{seen}");
    assert_eq!(seen["keyboard"], "1");
    assert_eq!(
        (&seen["scripts"], &seen["unnamed"]),
        (&serde_json::json!(0), &serde_json::json!(0))
    );
}

#[test]
fn what_is_too_much_for_a_page_is_in_a_table_beside_it() {
    let folder = records(30);
    let html = report(folder.path(), &["--report-games", "10"]);
    assert!(html.contains("report-rest.csv"));
    let rest = fs::read_to_string(folder.path().join("report-rest.csv")).unwrap();
    assert_eq!(rest.lines().count(), 1 + 22);
    assert!(rest.starts_with("file,game,black,"));
}

#[test]
fn the_same_records_give_the_same_page() {
    let folder = records(200);
    let first = report(folder.path(), &["--threads", "2"]);
    let again = report(folder.path(), &["--threads", "2"]);
    assert!(first == again);
}

/// The mean difference of two pictures of the same size, from 0 to 255.
fn difference(path: &Path, expected: &Path) -> f64 {
    let read = |path: &Path| {
        let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (info.width, info.height, bytes)
    };
    let (a, b) = (read(path), read(expected));
    assert_eq!((a.0, a.1), (b.0, b.1));
    let sum: u64 =
        a.2.iter()
            .zip(&b.2)
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
    sum as f64 / a.2.len() as f64
}

#[test]
fn the_page_looks_as_it_should_on_a_desk_and_on_a_phone() {
    let folder = records(200);
    report(folder.path(), &["--threads", "2"]);
    for (name, size) in [("desktop", "1280,1000"), ("phone", "500,1000")] {
        let shot = folder.path().join(format!("{name}.png"));
        let args = [
            format!("--screenshot={}", shot.display()),
            format!("--window-size={size}"),
        ];
        let args = [args[0].as_str(), args[1].as_str()];
        if chromium(folder.path(), "report.html", &args).is_none() {
            return;
        }
        let expected =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/screenshots/{name}.png"));
        if std::env::var_os("KIFU_BLESS").is_some() {
            fs::create_dir_all(expected.parent().unwrap()).unwrap();
            fs::copy(&shot, &expected).unwrap();
            continue;
        }
        // Fonts differ from machine to machine; what is missing or in another place shows.
        let difference = difference(&shot, &expected);
        assert!(difference < 12.0, "{name} differs by {difference}");
    }
}
