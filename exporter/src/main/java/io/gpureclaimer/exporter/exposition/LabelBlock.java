package io.gpureclaimer.exporter.exposition;

import java.nio.charset.StandardCharsets;

/** Labels in the order they are given, escaped: {@code {gpu="0",pod="a\"b"} } and a space. */
final class LabelBlock {
  private final StringBuilder text = new StringBuilder(256).append('{');

  LabelBlock with(String name, String value) {
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
    return this;
  }

  byte[] encoded() {
    return (text + "} ").getBytes(StandardCharsets.UTF_8);
  }
}
