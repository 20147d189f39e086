package io.gpureclaimer.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sentences of a Markdown page. Code, comments and the targets of links are not prose; a cell of a
 * table, a semicolon in a cell, an item of a list and a heading end a sentence.
 *
 * @param sentences in order, with {@code x} in place of inline code
 */
record Prose(List<String> sentences) {
  private static final Pattern FENCED = Pattern.compile("(?ms)^ {0,3}```.*?^ {0,3}```\\s*?$");
  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");
  private static final Pattern ITEM = Pattern.compile("(?:[-*]|\\d+\\.) (.*)");
  private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\||; ");
  private static final Pattern SENTENCE = Pattern.compile("(?<=[.!?])\\s+");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  Prose {
    sentences = List.copyOf(sentences);
  }

  static Prose of(String markdown) {
    String text = COMMENT.matcher(FENCED.matcher(markdown).replaceAll("")).replaceAll("");
    return new Prose(
        blocks(text).stream().map(Prose::plain).flatMap(SENTENCE::splitAsStream).toList());
  }

  static long words(String text) {
    return SPACE.splitAsStream(text).filter(word -> !word.isEmpty()).count();
  }

  private static List<String> blocks(String text) {
    var blocks = new ArrayList<String>();
    var block = new ArrayList<String>();
    for (String line : text.split("\n", -1)) {
      String stripped = line.strip();
      var item = ITEM.matcher(stripped);
      if (stripped.startsWith("|")) {
        end(block, blocks);
        CELL.splitAsStream(stripped).forEach(blocks::add);
      } else if (stripped.isEmpty() || stripped.startsWith("#")) {
        end(block, blocks);
        blocks.add(stripped);
      } else if (item.matches()) {
        end(block, blocks);
        block.add(item.group(1));
      } else {
        block.add(stripped);
      }
    }
    end(block, blocks);
    return blocks;
  }

  private static void end(List<String> block, List<String> blocks) {
    blocks.add(String.join(" ", block));
    block.clear();
  }

  private static String plain(String block) {
    return LINK.matcher(CODE.matcher(block).replaceAll("x")).replaceAll("$1").replace("*", "");
  }
}
