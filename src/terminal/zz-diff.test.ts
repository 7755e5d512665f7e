import { test } from "vitest";
import * as mine from "./index.ts";
// @ts-ignore
const pi = await import("/tmp/peer/node_modules/@earendil-works/pi-tui/dist/index.js");
const E = "\x1b";
const strip = (s: string) => s.replace(/\x1b\[[0-9;:]*m/g, "").replace(/\s+$/,"");
test("keys", () => {
  const seqs: string[] = [];
  for (let c = 0; c < 128; c++) { seqs.push(String.fromCharCode(c)); seqs.push(E + String.fromCharCode(c)); }
  for (const l of "ABCDEFHPQRSZabcde") { seqs.push(`${E}[${l}`, `${E}O${l}`); for (const m of [1,2,3,4,5,6,7,8,9,66,133]) for (const e of ["", ":1", ":2", ":3"]) seqs.push(`${E}[1;${m}${e}${l}`); }
  for (const n of [1,2,3,4,5,6,7,8,11,12,13,14,15,17,18,19,20,21,23,24,99]) { seqs.push(`${E}[${n}~`, `${E}[${n}$`, `${E}[${n}^`); for (const m of [2,3,5,6]) for (const e of ["", ":3"]) seqs.push(`${E}[${n};${m}${e}~`); }
  for (const c of [9,13,27,32,127,97,65,49,47,63,45,91,1089,57399,57414,57417,57426,57409, 57358]) for (const m of ["", ";1",";2",";3",";5",";6",";9",";17",";65",";5:3"]) { seqs.push(`${E}[${c}${m}u`); seqs.push(`${E}[${c}::99${m}u`); }
  for (const c of [9,13,27,32,127,97,65,49,47]) for (const m of [1,2,3,5,6]) seqs.push(`${E}[27;${m};${c}~`);
  seqs.push(`${E}[[A`,`${E}[[E`,`${E}[[5~`,`${E}OM`);
  const ids: string[] = ["escape","esc","enter","return","tab","space","backspace","delete","insert","clear","home","end","pageUp","pageDown","up","down","left","right","f1","f5","f12","a","b","c","f","i","m","z","1","/","-","[","]","_","?"];
  const all = ids.flatMap((k) => ["", "ctrl+","shift+","alt+","ctrl+shift+","ctrl+alt+","super+","shift+alt+"].map((m) => m + k));
  for (const kitty of [false, true]) {
    mine.setKittyProtocolActive(kitty); pi.setKittyProtocolActive(kitty);
    for (const s of seqs) {
      const a = mine.parseKey(s), b = pi.parseKey(s);
      if (a !== b) console.log("PARSE", kitty, JSON.stringify(s), "mine", a, "pi", b);
      if (mine.isKeyRelease(s) !== pi.isKeyRelease(s)) console.log("REL", JSON.stringify(s));
      for (const id of all) { const x = mine.matchesKey(s, id as mine.KeyId), y = pi.matchesKey(s, id); if (x !== y) console.log("MATCH", kitty, JSON.stringify(s), id, "mine", x, "pi", y); }
      if (mine.decodeKittyPrintable(s) !== pi.decodeKittyPrintable(s)) console.log("PRINT", JSON.stringify(s), mine.decodeKittyPrintable(s), pi.decodeKittyPrintable(s));
    }
  }
  mine.setKittyProtocolActive(false);
});
test("text", () => {
  for (const s of ["hello","日本","👩‍👩‍👧","👍🏽","🇩🇪","❤️","❤","1️⃣","é","กำ","क्ष","\t","가","☺","⚡","™","…","─","→","ﬀ","\u00ad","ｱ","🫠","⌚","ↀ","①","㊗"]) if (mine.visibleWidth(s) !== pi.visibleWidth(s)) console.log("W", s, mine.visibleWidth(s), pi.visibleWidth(s));
  for (const [t, w] of [["the quick brown fox jumps", 10], ["  indented text here now", 8], ["averyverylongword ok", 6], ["a  b   c", 4], ["\x1b[31mred text that wraps\x1b[0m plain", 9], ["x\n\ny", 5], ["日本語テキスト mixed", 7], ["trail   ", 20]] as const) {
    const a = mine.wrapTextWithAnsi(t, w), b = pi.wrapTextWithAnsi(t, w);
    if (JSON.stringify(a.map(strip)) !== JSON.stringify(b.map(strip))) console.log("WRAP", JSON.stringify(t), w, JSON.stringify(a), JSON.stringify(b));
    const c = mine.truncateToWidth(t, w), d = pi.truncateToWidth(t, w);
    if (strip(c) !== strip(d)) console.log("TRUNC", JSON.stringify(c), JSON.stringify(d));
    for (const px of [0,1,2]) { const e = new mine.Text(t, px, 1).render(20).map(strip), f = new pi.Text(t, px, 1).render(20).map(strip); if (JSON.stringify(e)!==JSON.stringify(f)) console.log("TEXT", e, f); }
  }
});
test("md", () => {
  const th = mine.getMarkdownTheme(mine.plainTheme());
  for (const t of ["# T\ntext **b** and *i* `c` ~~d~~\n\n- a\n- b\n  - c\n    more\n- [x] done\n\n1. one\n2. two\n   - nested\n\n> quote **x**\n> more\n\n```ts\nconst a = 1;\n  indented\n```\n\n---\n| a | b |\n|---|---|\n| 1 | two words here |\n\n[link](http://x.y) http://bare.url end\n### h3\nlast snake_case_name 2*3*4", "para\n- list\nlazy\n\n\nafter", "**bold *both* x** ***bi*** __u__ _i_ \\*esc\\*", "a  \nb\nc<br>d", "1) a\n2) b\n\n   para\n\n3) c", "text\n```\nunclosed", "![img](u.png) <http://auto.link> a_b_c `` x`y ``"]) {
    const a = new mine.Markdown(t, 0, 0, th).render(50).map(strip), b = new pi.Markdown(t, 0, 0, th).render(50).map(strip);
    if (JSON.stringify(a) !== JSON.stringify(b)) { console.log("MD\n" + a.join("\n") + "\n=====PI\n" + b.join("\n")); }
  }
});
test("lists", () => {
  const th = mine.getSelectListTheme(mine.plainTheme()), st = mine.getSettingsListTheme(mine.plainTheme());
  const items = ["alpha","beta","gamma","delta"].map((v, i) => ({ value: v, label: v.toUpperCase(), ...(i % 2 ? { description: "desc of " + v + " quite long indeed yes" } : {}) }));
  const sets = items.map((i) => ({ id: i.value, label: i.label, currentValue: "on", values: ["on", "off"], description: "Some description" }));
  for (const w of [20, 45, 80]) for (const n of [2, 10]) {
    const a = new mine.SelectList(items, n, th), b = new pi.SelectList(items, n, th);
    for (const k of ["", "\x1b[B", "\x1b[B", "\x1b[A", "\x1b[A", "\x1b[A"]) { a.handleInput(k); b.handleInput(k); const x = a.render(w).map(strip), y = b.render(w).map(strip); if (JSON.stringify(x) !== JSON.stringify(y)) console.log("SEL", x, y); }
    const c = new mine.SettingsList(structuredClone(sets), n, st, () => {}, () => {}, { enableSearch: true }), d = new pi.SettingsList(structuredClone(sets), n, st, () => {}, () => {}, { enableSearch: true });
    for (const k of ["", "\x1b[B", "\r", " ", "a", "l", "\x7f"]) { c.handleInput(k); d.handleInput(k); const x = c.render(w).map(strip), y = d.render(w).map(strip); if (JSON.stringify(x) !== JSON.stringify(y)) console.log("SET", k, x, y); }
  }
});
test("editor", () => {
  const tui = { requestRender() {}, terminal: { rows: 24, columns: 80 } } as unknown as mine.TUI;
  const th = mine.getEditorTheme(mine.plainTheme());
  const scripts = [
    ["hello world foo", "\x17", "\x17", "\x19", "\x1by", "\x1f"], ["a","b"," ","c","\x1f","\x1f"],
    ["line one","\x1b[13;2u","two","\x1b[A","\x1b[A","x","\x1b[B","\x1b[B","y"],
    ["the quick brown fox jumps over the lazy dog and more text", "\x01", "\x0b", "\x19", "\x19", "\x1bb", "\x1bb", "\x1bd", "\x1b[A", "\x1b[A","\x1b[B"],
    ["\x1b[200~a\tb\r\nc\x1b[201~", "\x1b[D", "\x7f"], ["foo\\", "\r", "bar", "\r"], ["\x1b[200~" + "l\n".repeat(15) + "\x1b[201~", "\x1b[D", "z", "\x7f", "\x1b[C", "!", "\r"],
    ["👩‍👩‍👧x", "\x1b[D", "\x1b[D", "\x1b[3~"], ["foo.bar(baz) qux", "\x1bb", "\x1bb", "\x1bb", "|"], ["abc", "\x15", "\x19"],
    ["\x1b[A", "\x1b[A", "\x1b[B", "\x1b[B", "\x1b[B"], ["x".repeat(25) + " " + "y".repeat(10), "\x1b[A", "\x01", "\x1b[B", "\x1b[B"],
    ["a\x1b[13;2u", "\n", "\n", "\n", "\n", "\n", "\n", "\x1b[5~", "q"], ["word   ", "\x17"], ["a", "\n", "b", "\x01", "\x7f"], ["a", "\n", "b", "\x01", "\x15"], ["a","\n","b","\x1b[A","\x05","\x0b"]
  ];
  for (const sc of scripts) {
    const log: [string[], string[]] = [[], []];
    const eds = [new mine.Editor(tui, th), new pi.Editor(tui, th)];
    eds.forEach((ed, i) => { ed.onChange = (t: string) => log[i as 0|1].push("c:" + t); ed.onSubmit = (t: string) => log[i as 0|1].push("s:" + t); ed.addToHistory("old1"); ed.addToHistory("old2"); ed.render(20); });
    for (const k of sc) {
      eds.forEach((ed) => ed.handleInput(k));
      const [a, b] = eds.map((ed) => JSON.stringify([ed.getText(), ed.getCursor(), ed.render(20).map((l: string) => l)]));
      if (a !== b) { console.log("ED", JSON.stringify(sc), "at", JSON.stringify(k), "\nmine", a, "\npi  ", b); break; }
    }
    if (JSON.stringify(log[0]) !== JSON.stringify(log[1])) console.log("EDLOG", JSON.stringify(sc), log[0], log[1]);
  }
  for (const sc of [["hello", "\x1b[D", "x"], ["abc def", "\x17", "\x19", "\x1f"], ["\x1b[200~a\nb\x1b[201~"], ["日本語".repeat(8), "\x01", "\x1b[C"], ["long ".repeat(8), "\x1b[D", "\x1b[D"]]) {
    const eds = [new mine.Input(), new pi.Input()];
    for (const k of sc) { eds.forEach((e) => e.handleInput(k)); const [a, b] = eds.map((e) => JSON.stringify([e.getValue(), e.render(20)])); if (a !== b) console.log("IN", JSON.stringify(sc), "\nmine", a, "\npi  ", b); }
  }
});
