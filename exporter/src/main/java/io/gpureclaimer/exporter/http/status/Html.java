package io.gpureclaimer.exporter.http.status;

import java.util.List;

/** A page in the making; whatever is not markup of ours is escaped. */
final class Html {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="refresh" content="5">
      <title>gpu-exporter status</title>
      <style>
      :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
      body { max-width: 90rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.4rem; margin-bottom: 0; }
      h2 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
      p { margin: .3rem 0; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .3rem .9rem .3rem 0; vertical-align: top;
        border-bottom: 1px solid color-mix(in srgb, CanvasText 18%, transparent); }
      th { font-weight: 600; white-space: nowrap; }
      td { font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
      td:first-child { white-space: nowrap; }
      @media (width >= 50rem) { td:nth-child(2) { min-width: 9rem; } }
      @media (width < 50rem) {
        body { margin: 1rem auto; }
        td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
      }
      .good { color: #1a7f37; } .bad { color: #cf222e; font-weight: 600; }
      @media (prefers-color-scheme: dark) { .good { color: #3fb950; } .bad { color: #ff7b72; } }
      </style>
      </head>
      <body>
      """;

  private final StringBuilder text = new StringBuilder(HEAD);

  /** A piece of a table: a text, and whether it is good news, bad news or neither. */
  record Cell(String text, Tone tone) {
    static Cell plain(String text) {
      return new Cell(text, Tone.NEITHER);
    }

    static Cell good(String text) {
      return new Cell(text, Tone.GOOD);
    }

    static Cell bad(String text) {
      return new Cell(text, Tone.BAD);
    }
  }

  /** How a text is to be taken. */
  enum Tone {
    GOOD("good"),
    BAD("bad"),
    NEITHER("");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  Html title(String title) {
    return tag("h1", title);
  }

  Html heading(String heading) {
    return tag("h2", heading);
  }

  Html paragraph(String paragraph) {
    return tag("p", paragraph);
  }

  Html table(List<String> columns, List<List<Cell>> rows) {
    text.append("<div class=\"scroll\"><table>\n<tr>");
    columns.forEach(column -> tag("th", column));
    text.append("</tr>\n");
    for (List<Cell> row : rows) {
      text.append("<tr>");
      row.forEach(this::cell);
      text.append("</tr>\n");
    }
    text.append("</table></div>\n");
    return this;
  }

  String end() {
    return text + "</body>\n</html>\n";
  }

  private void cell(Cell cell) {
    text.append("<td");
    if (cell.tone() != Tone.NEITHER) {
      text.append(" class=\"").append(cell.tone().style).append('"');
    }
    text.append('>').append(escaped(cell.text())).append("</td>");
  }

  private Html tag(String name, String content) {
    text.append('<').append(name).append('>').append(escaped(content));
    text.append("</").append(name).append(">\n");
    return this;
  }

  static String escaped(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
