package io.gpureclaimer.exporter.dump;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;

/** Maps, lists, texts, numbers and truths as JSON. */
final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder();

  private JsonText() {}

  static String of(Object value) {
    var json = new JsonText();
    json.write(value);
    return json.text.append('\n').toString();
  }

  private void write(Object value) {
    switch (value) {
      case Map<?, ?> map -> object(map);
      case Collection<?> list -> array(list);
      case Double number -> text.append(new BigDecimal(number).toPlainString());
      case Integer number -> text.append(number);
      case Boolean truth -> text.append(truth);
      default -> quote(value.toString());
    }
  }

  private void object(Map<?, ?> map) {
    char before = '{';
    for (var entry : map.entrySet()) {
      text.append(before);
      quote(entry.getKey().toString());
      text.append(':');
      write(entry.getValue());
      before = ',';
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private void array(Collection<?> list) {
    char before = '[';
    for (Object element : list) {
      text.append(before);
      write(element);
      before = ',';
    }
    text.append(list.isEmpty() ? "[]" : "]");
  }

  private void quote(String word) {
    text.append('"');
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
