package io.gpureclaimer.doctor;

import io.gpureclaimer.doctor.Diagnosis.CheckOutcome;
import java.util.ArrayList;
import java.util.List;

/** A diagnosis for people: the most urgent first, in lines that fit a terminal. */
public final class DiagnosisText {
  private static final int WIDTH = 100;
  private static final int WORD = 10;
  private static final int NAME = 22;
  private static final String ADVICE = "-> ";

  private DiagnosisText() {}

  public static String of(Diagnosis diagnosis) {
    var text = new StringBuilder();
    for (CheckOutcome examined : diagnosis.byUrgency()) {
      String head = padded(word(examined.outcome().kind()), WORD) + padded(examined.check(), NAME);
      append(text, head, examined.outcome().text());
      switch (examined.outcome()) {
        case Outcome.Problem(var _, var advice) -> advise(text, advice);
        case Outcome.Warning(var _, var advice) -> advise(text, advice);
        case Outcome.Undecided _, Outcome.Ok _, Outcome.NotApplicable _ -> {}
      }
    }
    return text.append('\n').append(summary(diagnosis)).append('\n').toString();
  }

  private static void advise(StringBuilder text, String advice) {
    append(text, " ".repeat(WORD + NAME) + ADVICE, advice);
  }

  /** The head stands before the first line; the others begin below its end. */
  private static void append(StringBuilder text, String head, String body) {
    String margin = " ".repeat(head.length());
    String before = head;
    for (String line : wrapped(body, WIDTH - head.length())) {
      text.append(before).append(line).append('\n');
      before = margin;
    }
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    var line = new StringBuilder();
    for (String word : text.split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static String word(Outcome.OutcomeKind kind) {
    return switch (kind) {
      case PROBLEM -> "PROBLEM";
      case WARNING -> "WARNING";
      case UNDECIDED -> "unknown";
      case OK -> "ok";
      case NOT_APPLICABLE -> "-";
    };
  }

  private static String summary(Diagnosis diagnosis) {
    List<String> parts = new ArrayList<>();
    parts.add(Plurals.of((int) diagnosis.count(Outcome.OutcomeKind.PROBLEM), "problem"));
    parts.add(Plurals.of((int) diagnosis.count(Outcome.OutcomeKind.WARNING), "warning"));
    parts.add(diagnosis.count(Outcome.OutcomeKind.UNDECIDED) + " unknown");
    parts.add(diagnosis.count(Outcome.OutcomeKind.OK) + " ok");
    parts.add(diagnosis.count(Outcome.OutcomeKind.NOT_APPLICABLE) + " not applicable");
    return String.join(", ", parts);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
