package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.Diagnosis.Examined;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** A diagnosis for machines. */
public final class DiagnosisJson {
  private static final int FIRST_PRINTABLE = 0x20;

  private DiagnosisJson() {}

  public static String of(Diagnosis diagnosis) {
    return diagnosis.checks().stream()
        .map(DiagnosisJson::check)
        .collect(
            Collectors.joining(
                ",\n    ",
                "{\n  \"problems\": "
                    + diagnosis.count(Outcome.Kind.PROBLEM)
                    + ",\n  \"warnings\": "
                    + diagnosis.count(Outcome.Kind.WARNING)
                    + ",\n  \"checks\": [\n    ",
                "\n  ]\n}\n"));
  }

  private static String check(Examined examined) {
    Outcome outcome = examined.outcome();
    String advice =
        switch (outcome) {
          case Outcome.Problem(var _, var text) -> member("advice", text);
          case Outcome.Warning(var _, var text) -> member("advice", text);
          case Outcome.CannotTell _, Outcome.Ok _, Outcome.NotApplicable _ -> "";
        };
    return "{\"check\": "
        + quoted(examined.check())
        + member("outcome", outcome.kind().name())
        + member("found", outcome.text())
        + advice
        + "}";
  }

  private static String member(String name, String value) {
    return ", \"" + name + "\": " + quoted(value);
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            character -> {
              if (character == '"' || character == '\\') {
                quoted.append('\\').append((char) character);
              } else if (character < FIRST_PRINTABLE) {
                quoted.append("\\u").append(HexFormat.of().toHexDigits((char) character));
              } else {
                quoted.append((char) character);
              }
            });
    return quoted.append('"').toString();
  }
}
