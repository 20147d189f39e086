package io.gpureclaimer.exporter.exposition.text;

import java.nio.charset.StandardCharsets;

/**
 * Labels in the order they are given, escaped: {@code {gpu="0",pod="a\"b"} } and a space. Those
 * that have another spelling in the style get it, and those that it leaves out are left out.
 */
public final class LabelBlock {
  private final LabelStyle style;
  private final StringBuilder text = new StringBuilder(256).append('{');

  /** In our own spelling. */
  public LabelBlock() {
    this(LabelStyle.CLASSIC);
  }

  public LabelBlock(LabelStyle style) {
    this.style = style;
  }

  public LabelBlock with(String name, String value) {
    style.spelling(name).ifPresent(spelled -> append(spelled, style.value(name, value)));
    return this;
  }

  private void append(String name, String value) {
    if (text.length() > 1) {
      text.append(',');
    }
    text.append(name).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
    text.append('"');
  }

  public byte[] encoded() {
    return (text + "} ").getBytes(StandardCharsets.UTF_8);
  }
}
