package io.gpureclaimer.verification;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a page of Markdown leads to, and where others can lead within it. What stands between fences
 * is text, neither a link nor a heading.
 *
 * @param links targets as they are written, in order
 * @param anchors of its headings, as GitHub makes them
 */
record MarkdownPage(List<String> links, List<String> anchors) {
  private static final Pattern FENCED = Pattern.compile("(?ms)^ {0,3}```.*?^ {0,3}```\\s*?$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+?)\\s*$");
  private static final Pattern LINKED = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");

  MarkdownPage {
    links = List.copyOf(links);
    anchors = List.copyOf(anchors);
  }

  static MarkdownPage of(String text) {
    String prose = FENCED.matcher(text).replaceAll("");
    return new MarkdownPage(
        LINK.matcher(CODE.matcher(prose).replaceAll("`")).results().map(it -> it.group(1)).toList(),
        anchors(HEADING.matcher(prose).results().map(it -> it.group(1))));
  }

  /** The second of two equal headings gets a number. */
  private static List<String> anchors(Stream<String> headings) {
    Map<String, Integer> seen = new HashMap<>();
    return headings
        .map(MarkdownPage::anchor)
        .map(
            anchor -> {
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              return before == 0 ? anchor : anchor + '-' + before;
            })
        .toList();
  }

  private static String anchor(String heading) {
    Matcher linked = LINKED.matcher(heading);
    return linked
        .replaceAll("$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
        .replace(' ', '-');
  }
}
