/// How a page looks. Every pair of colours that carries text has a contrast of 4.5 or more, in both schemes (WCAG 2.2,
/// 1.4.3); a test computes it from this very text.
enum PageStyle {
  static let css =
    light + dark + """
      *{box-sizing:border-box}\
      body{font:1rem/1.4 system-ui,sans-serif;margin:0 auto;max-width:44rem;padding:.8rem;color:var(--fg);\
      background:var(--bg);overflow-wrap:anywhere}\
      h1{font-size:1.25rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:1.1rem 0 .2rem}h3{font-size:1rem;margin:.9rem 0 .2rem}\
      p,ul{margin:.2rem 0}ul{padding-left:1.1rem}footer,.m{color:var(--mut);font-size:.9em}\
      .w{color:var(--warn);font-weight:600}\
      ul .w{list-style:none;margin-left:-1.1rem}a{color:var(--ac);display:inline-block;min-height:1.5rem;padding:0 .4rem}\
      svg{display:block;width:100%;border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0}\
      .rt,.ld,.sc{fill:none;stroke:var(--ac);stroke-width:2;stroke-linejoin:round;opacity:.75}\
      .ld{stroke-width:1;stroke-dasharray:2 2}.sc{stroke:var(--mut);stroke-width:1.5;opacity:1}\
      .st{fill:var(--ac);stroke:var(--bg)}.al{fill:var(--warn);stroke:var(--bg)}\
      text{font:700 10px system-ui,sans-serif;text-anchor:middle;fill:var(--bg)}.s{font-size:8px}.sl{fill:var(--mut)}\
      ol{list-style:none;padding:0;margin:0}\
      ol li{display:grid;grid-template-columns:1.8rem 4.6rem 1fr;padding:.45rem 0;border-top:1px solid var(--line);\
      break-inside:avoid}\
      ol p{margin:0}table{border-collapse:collapse;width:100%}th,td{border-top:1px solid var(--line);padding:.25rem .3rem;\
      text-align:left;vertical-align:top}th{overflow-wrap:normal;font-size:.9em}.r{text-align:right}td.r{white-space:nowrap}img{max-width:100%;max-height:24rem}\
      @media print{:root{--fg:#000;--mut:#333;--bg:#fff;--line:#bbb;--ac:#004a85;--warn:#7a2e00}\
      body{max-width:none;padding:0;font-size:8.5pt;line-height:1.25}h1{font-size:12pt}h2{font-size:10.5pt}h3{font-size:9pt}\
      h2,h3{margin:.4rem 0 .1rem;break-after:avoid}a{display:none}svg{height:56mm;width:auto;max-width:100%!important}.m{font-size:1em}ol{columns:2;column-gap:6mm}\
      ol li{grid-template-columns:1.4rem 3.9rem 1fr;padding:.2rem 0}th,td{padding:.1rem .2rem}\
      section+section{break-before:page}}@page{size:A4;margin:10mm}
      """

  /// Of a page with charts, besides: blue and vermilion as Okabe and Ito chose them for all eyes, lightness apart.
  static let charts =
    "figure{margin:.4rem 0;break-inside:avoid}.c{border:0;border-radius:0;max-width:32rem;margin:.3rem 0}"
    + rules(
      fg: "var(--fg)", quiet: "var(--mut)", ground: "var(--bg)", now: "var(--ac)", warned: "var(--warn)",
      line: "var(--line)")
    + "figure table{font-size:.9em}figure td.r{white-space:normal;overflow-wrap:normal}"
    + "@media(max-width:30rem){figure td,figure th{padding:.2rem .15rem}}"
    + "summary{color:var(--mut);font-size:.9em;padding:.3rem 0;cursor:pointer}"
    + "@media print{main{columns:2;column-gap:8mm}h1{column-span:all}.c{height:auto;width:100%}summary{display:none}}"

  /// Of a chart in a file of its own, on white: not every program that shows one knows variables.
  static let chartFile = rules(
    fg: "#14181c", quiet: "#49535d", ground: "#fff", now: "#005ea8", warned: "#8f3600", line: "#c4ccd4")

  private static func rules(
    fg: String, quiet: String, ground: String, now: String, warned: String, line: String
  ) -> String {
    ".c text{font:11px system-ui,sans-serif;text-anchor:start;fill:\(fg)}"
      + ".c .e{text-anchor:end;paint-order:stroke;stroke:\(ground);stroke-width:4px}"
      + ".c .k{text-anchor:middle}.c .k,.c .l{font-size:9px;fill:\(quiet)}"
      + ".cg{fill:\(ground)}.cn{fill:\(now)}.cw{fill:\(warned)}.cb{fill:none;stroke:\(quiet);stroke-width:1.2}"
      + ".cl{fill:none;stroke:\(now);stroke-width:1.6;stroke-linejoin:round}.cz{fill:none;stroke:\(quiet)}"
      + ".ci{fill:\(line);opacity:.5}"
  }

  private static let light =
    ":root{color-scheme:light dark;--fg:#14181c;--mut:#49535d;--bg:#fff;--line:#c4ccd4;--ac:#005ea8;--warn:#8f3600}"
  private static let dark =
    "@media(prefers-color-scheme:dark){:root{--fg:#f2f4f6;--mut:#b4bec8;--bg:#14181c;--line:#46515c;--ac:#7cc0ff;"
    + "--warn:#ffb27a}}"
}
