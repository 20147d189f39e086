package io.gpureclaimer.verification;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Texts of a Java file for people, and the names that it uses. Code in comments is not a text.
 *
 * @param texts comments, strings and text blocks, in order; a string that is put together of
 *     literals is one text
 * @param names identifiers and keywords outside of comments and strings
 */
record JavaProse(List<String> texts, Set<String> names) {
  private static final String LITERAL = "\"[^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*\"";
  private static final String BLOCK = "\"\"\"[\\s\\S]*?\"\"\"";
  private static final String LINE_COMMENT = "//[^\\n]*";
  private static final Pattern TEXT =
      Pattern.compile(
          BLOCK
              + ("|" + LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*+")
              + "|'(?:\\\\.|[^'\\\\])+'"
              + "|/\\*[\\s\\S]*?\\*/"
              + ("|" + LINE_COMMENT + "(?:\\s*+" + LINE_COMMENT + ")*+"));
  private static final Pattern CODE =
      Pattern.compile(
          "\\{@(?:code|link|linkplain|literal)\\s[^{}]*(?:\\{[^{}]*}[^{}]*)*}"
              + "|`[^`]*`|<pre>[\\s\\S]*?</pre>");
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"|(?m)^\\s*(?:\\*|//)");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");

  JavaProse {
    texts = List.copyOf(texts);
    names = Set.copyOf(names);
  }

  static JavaProse of(String source) {
    var names = new LinkedHashSet<String>();
    NAME.matcher(TEXT.matcher(source).replaceAll(" "))
        .results()
        .map(MatchResult::group)
        .forEach(names::add);
    return new JavaProse(
        TEXT.matcher(source)
            .results()
            .map(MatchResult::group)
            .map(text -> JOINT.matcher(CODE.matcher(text).replaceAll("x")).replaceAll(""))
            .map(text -> SPACE.matcher(text).replaceAll(" ").strip())
            .toList(),
        names);
  }
}
